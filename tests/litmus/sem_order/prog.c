/* A post orders what was written before it. */
#include "litmus.h"

static sem_t ready;
static int value;

THREAD(write_value)
{
	value = 1;
	sem_post(&ready);
	return NULL;
}

THREAD(read_value)
{
	sem_wait(&ready);
	assert(value == 1);
	return NULL;
}

int main(void)
{
	sem_init(&ready, 0, 0);
	RUN(write_value, read_value);
	sem_destroy(&ready);
	return 0;
}
