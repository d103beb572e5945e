/* Main returns while a thread it could have joined is still at work. */
#include "litmus.h"

atomic_int work;

THREAD(run)
{
	work = 1;
	work = 2;
	return NULL;
}

int main(void)
{
	pthread_t id = start(run);

#ifdef FIXED
	join(id);
#else
	(void)id;
#endif
	return 0;
}
