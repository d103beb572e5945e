/* The signal of alarm() never comes, because time is virtual. A thread that waits for it is not
 * deadlocked: it would go on after a second. -DBLOCKED: it waits with sigwait. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t rang;

static void ring(int number)
{
	(void)number;
	rang = 1;
}

static void *nothing(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_t thread;
	sigset_t set;
	int number = 0;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
#ifdef BLOCKED
	pthread_sigmask(SIG_BLOCK, &set, NULL);
#else
	signal(SIGALRM, ring);
#endif
	pthread_create(&thread, NULL, nothing, NULL);
	alarm(1);
#ifdef BLOCKED
	(void)ring;
	sigwait(&set, &number);
#else
	while (!rang)
		pause();
#endif
	pthread_join(thread, NULL);
	return number != 0 && number != SIGALRM;
}
