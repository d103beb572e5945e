/* pthread_once: run exactly once, and nobody goes on before it is done. */
#include "litmus.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value;
static int runs;

static void initialise(void)
{
	runs++;
	value = 42;
}

THREAD(use)
{
	pthread_once(&once, initialise);
	assert(value == 42);
	return NULL;
}

int main(void)
{
	RUN(use, use);
	assert(runs == 1);
	return 0;
}
