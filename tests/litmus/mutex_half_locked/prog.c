/* The writer locks, the reader does not. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

THREAD(write_value)
{
	pthread_mutex_lock(&lock);
	value = 1;
	pthread_mutex_unlock(&lock);
	return NULL;
}

THREAD(read_value)
{
	int seen;

#ifdef FIXED
	pthread_mutex_lock(&lock);
	seen = value;
	pthread_mutex_unlock(&lock);
#else
	seen = value;
#endif
	return (void *)(intptr_t)seen;
}

int main(void)
{
	RUN(write_value, read_value);
	return 0;
}
