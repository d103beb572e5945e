/* Two threads take two permits one by one, and there are only two. */
#include "litmus.h"

static sem_t permits;
static sem_t both;

THREAD(use)
{
#ifdef FIXED
	sem_wait(&both);
#endif
	sem_wait(&permits);
	sem_wait(&permits);
#ifdef FIXED
	sem_post(&both);
#endif
	sem_post(&permits);
	sem_post(&permits);
	return NULL;
}

int main(void)
{
	sem_init(&permits, 0, 2);
	sem_init(&both, 0, 1);
	RUN(use, use);
	return 0;
}
