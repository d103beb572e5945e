/* A timed join may give up, if the thread takes long. */
#include "litmus.h"

static atomic_int x;

THREAD(work)
{
	x = 1;
	return NULL;
}

int main(void)
{
	pthread_t id = start(work);
	int result = pthread_timedjoin_np(id, NULL, WITHIN_MS(10));

	assert(result == 0 || result == ETIMEDOUT);
	puts(result == 0 ? "ended" : "running");
	if (result != 0)
		join(id);
	return 0;
}
