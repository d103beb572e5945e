/* The order of three critical sections is visible in what is printed: 3! outcomes. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int order;

THREAD(append)
{
	pthread_mutex_lock(&lock);
	order = order * 10 + (int)(intptr_t)arg + 1;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	RUN(append, append, append);
	printf("%d\n", order);
	return 0;
}
