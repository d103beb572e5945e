/* tryjoin sees the thread running or ended; both must be seen. */
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
	int result = pthread_tryjoin_np(id, NULL);

	assert(result == 0 || result == EBUSY);
	puts(result == 0 ? "ended" : "running");
	if (result == EBUSY)
		join(id);
	return 0;
}
