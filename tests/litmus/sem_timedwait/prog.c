/* A timed wait gives up or not. */
#include "litmus.h"

static sem_t items;

THREAD(post)
{
	sem_post(&items);
	return NULL;
}

int main(void)
{
	pthread_t id;
	int result;

	sem_init(&items, 0, 0);
	id = start(post);
#ifdef CLOCK
	result = sem_clockwait(&items, CLOCK_MONOTONIC, WITHIN_MS_MONOTONIC(10));
#else
	result = sem_timedwait(&items, WITHIN_MS(10));
#endif
	assert(result == 0 || errno == ETIMEDOUT);
	puts(result == 0 ? "got it" : "timed out");
	join(id);
	return 0;
}
