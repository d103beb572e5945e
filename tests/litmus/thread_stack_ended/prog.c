/* A thread uses a local variable of a thread that may have ended: WHICH says how. */
#include "litmus.h"

static _Atomic(void *) shared;

#if WHICH == 1
#define LOCAL int local = 1
#define USE(at) (*(int *)(at) = 2)
#elif WHICH == 2
static __thread int local;
#define LOCAL local = 1
#define USE(at) (*(int *)(at) = 2)
#else
#define LOCAL pthread_mutex_t local = PTHREAD_MUTEX_INITIALIZER
#define USE(at) (pthread_mutex_lock(at), pthread_mutex_unlock(at))
#endif

THREAD(owner)
{
	LOCAL;

	shared = &local;
	return NULL;
}

THREAD(user)
{
	void *at = shared;

	if (at)
		USE(at);
	return NULL;
}

int main(void)
{
	RUN(owner, user);
	return 0;
}
