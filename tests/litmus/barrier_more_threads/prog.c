/* More threads than a round of the barrier needs: who meets whom is a matter of timing. */
#include "litmus.h"

static pthread_barrier_t barrier;
static atomic_int rounds;

THREAD(meet)
{
	if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
		rounds++;
	return NULL;
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
#ifdef ODD
	RUN(meet, meet, meet);
#else
	RUN(meet, meet, meet, meet);
	assert(rounds == 2);
#endif
	pthread_barrier_destroy(&barrier);
	return 0;
}
