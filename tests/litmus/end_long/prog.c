/* A program that is only long: cut by the step limit it is not a livelock. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

THREAD(add)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&lock);
		count++;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	RUN(add, add);
	return 0;
}
