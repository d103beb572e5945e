/* What a program asks of a new thread: a stack of its own memory is named, a smaller one is an
 * assumption, and the mask of signals is the thread's. */
#include "litmus.h"

static char stack[1 << 17] __attribute__((aligned(4096)));

THREAD(work)
{
#ifdef MASK
	sigset_t mask;

	OK(pthread_sigmask(SIG_SETMASK, NULL, &mask));
	assert(sigismember(&mask, SIGUSR1));
#endif
	return NULL;
}

int main(void)
{
	pthread_attr_t attr;
	pthread_t id;

	OK(pthread_attr_init(&attr));
#ifdef OWN
	OK(pthread_attr_setstack(&attr, stack, sizeof(stack)));
#elif defined(SMALL)
	OK(pthread_attr_setstacksize(&attr, sizeof(stack)));
#elif defined(MASK)
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	OK(pthread_attr_setsigmask_np(&attr, &mask));
#elif defined(POLICY)
	OK(pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED));
	OK(pthread_attr_setschedpolicy(&attr, SCHED_FIFO));
#else
	OK(pthread_attr_setguardsize(&attr, 8192));
#endif
	(void)stack;
	OK(pthread_create(&id, &attr, work, NULL));
	join(id);
	return 0;
}
