/* Whether a value lets the waiter on depends on plain memory, too, which differs from run to
 * run: what was learned in one does not hold in the other. */
#include "litmus.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int config;
static atomic_int ready;

THREAD(one)
{
	OK(pthread_mutex_lock(&mutex));
	config = ONE;
	OK(pthread_mutex_unlock(&mutex));
	return NULL;
}

THREAD(two)
{
	OK(pthread_mutex_lock(&mutex));
	config = !ONE;
	OK(pthread_mutex_unlock(&mutex));
	return NULL;
}

THREAD(waiter)
{
	while (!atomic_load(&ready) || !config)
		;
	return NULL;
}

THREAD(giver)
{
	ready = 1;
	return NULL;
}

int main(void)
{
	RUN(one, two);
	RUN(waiter, giver);
	puts("got on");
	return 0;
}
