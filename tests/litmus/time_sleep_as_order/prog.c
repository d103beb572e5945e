/* Sleeping is not waiting: the other may take longer. */
#include "litmus.h"

static atomic_int is_ready;

THREAD(prepare)
{
	is_ready = 1;
	return NULL;
}

int main(void)
{
	pthread_t id = start(prepare);

#ifdef FIXED
	join(id);
	assert(is_ready);
#else
	usleep(10000);
	assert(is_ready);
	join(id);
#endif
	return 0;
}
