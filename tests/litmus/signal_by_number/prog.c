/* A thread and the process are named by numbers that getpid() and gettid() gave, in calls of the
 * library and in system calls by number: each signal arrives once. */
#include "litmus.h"

#include <sys/syscall.h>

static atomic_int caught, number;

static void count(int signal)
{
	atomic_fetch_add(&caught, 1);
}

THREAD(receive)
{
	sigset_t set = block_signal(SIGUSR2);
	int signal;

	atomic_store(&number, gettid());
	sigwait(&set, &signal);
	return NULL;
}

int main(void)
{
	pthread_t receiver;

	block_signal(SIGUSR2);
	signal(SIGUSR1, count);
	OK(kill(getpid(), 0));
	OK(kill(getpid(), SIGUSR1));
	assert(syscall(SYS_gettid) == getpid() && syscall(SYS_getpid) == getpid());
	receiver = start(receive);
	while (!atomic_load(&number))
		;
	assert(number != getpid());
	assert(tgkill(getpid(), number + 1000, SIGUSR2) == -1 && errno == ESRCH);
#if WHICH == 1
	OK(tgkill(getpid(), number, SIGUSR2));
#elif WHICH == 2
	OK(syscall(SYS_tgkill, getpid(), number, SIGUSR2));
#elif WHICH == 3
	OK(syscall(SYS_tkill, number, SIGUSR2));
#elif WHICH == 4
	OK(kill(getpid(), SIGUSR2));
#endif
	join(receiver);
	assert(caught == 1);
	return 0;
}
