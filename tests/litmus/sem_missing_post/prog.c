/* A permit is not given back on one path. */
#include "litmus.h"

static sem_t permits;
static atomic_int errors;

THREAD(use)
{
	sem_wait(&permits);
	if (atomic_fetch_add(&errors, 1) == 1) {
#ifdef FIXED
		sem_post(&permits);
#endif
		return NULL;
	}
	sem_post(&permits);
	return NULL;
}

int main(void)
{
	sem_init(&permits, 0, 1);
	RUN(use, use, use);
	return 0;
}
