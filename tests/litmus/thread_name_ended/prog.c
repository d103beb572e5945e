/* A thread that has ended has no name any more. -DEARLY: the thread is still there. */
#include "litmus.h"

static sem_t named;

THREAD(work)
{
#ifdef EARLY
	sem_wait(&named);
#endif
	return NULL;
}

int main(void)
{
	struct sched_param param;
	pthread_t id;
	int policy;

	OK(sem_init(&named, 0, 0));
	id = start(work);
#ifdef POLICY
	OK(pthread_getschedparam(id, &policy, &param));
#else
	(void)param;
	(void)policy;
	OK(pthread_setname_np(id, "worker"));
#endif
	sem_post(&named);
	join(id);
	return 0;
}
