/* A program that is only long: that the step limit cuts it is no livelock. */
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
