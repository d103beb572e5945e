/* flockfile is a lock like any other, and takes part in deadlocks. */
#include "litmus.h"

#ifdef OTHER
static FILE *other;
#define LOCKED other
#else
#define LOCKED stdout
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

THREAD(file_first)
{
#ifdef FIXED
	pthread_mutex_lock(&lock);
	flockfile(LOCKED);
#else
	flockfile(LOCKED);
	pthread_mutex_lock(&lock);
#endif
	putchar_unlocked('a');
	pthread_mutex_unlock(&lock);
	funlockfile(LOCKED);
	return NULL;
}

THREAD(mutex_first)
{
	pthread_mutex_lock(&lock);
#ifdef ALL
	fflush(NULL); // needs the locks of all FILEs
#else
	puts("b");
#endif
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
#ifdef OTHER
	other = fopen("/dev/null", "w");
#endif
	RUN(file_first, mutex_first);
	return 0;
}
