/* An alarm whose handler sets a flag never rings here. -DGUARD: it only ends a program that
 * hangs, which is not a reason to doubt a proof. -DSLEEP: the program sleeps for longer than that. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t rang;

static void ring(int number)
{
	rang = 1;
}

static void *work(void *arg)
{
#ifdef SLEEP
	sleep(200);
#endif
	return arg;
}

int main(void)
{
	pthread_t thread;

#ifndef GUARD
#ifdef LATE
	alarm(1);
	signal(SIGALRM, ring);
#else
	signal(SIGALRM, ring);
	alarm(1);
#endif
#else
	alarm(100);
	(void)ring;
#endif
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	return rang;
}
