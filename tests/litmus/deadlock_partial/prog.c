/* Two threads lock each other out while a third goes on for a while. */
#include "litmus.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;

THREAD(ab)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return NULL;
}

THREAD(ba)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return NULL;
}

THREAD(go_on)
{
	for (int i = 0; i < 3; i++)
		x++;
	return NULL;
}

int main(void)
{
	RUN(ab, ba, go_on);
	return 0;
}
