/* Two phases need two barriers' worth of waiting: reading, then overwriting. */
#include "litmus.h"

static pthread_barrier_t barrier;
static int values[2] = { 1, 2 };

THREAD(swap)
{
	int me = (int)(intptr_t)arg, seen;

	pthread_barrier_wait(&barrier);
	seen = values[1 - me];
#ifndef MISSING
	pthread_barrier_wait(&barrier);
#endif
	values[me] = seen;
	return NULL;
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
	RUN(swap, swap);
	assert(values[0] == 2 && values[1] == 1);
	return 0;
}
