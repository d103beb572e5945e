/* Two threads end the program, with different statuses: the first one decides. -DRETURN: one of
 * them is the first thread, by returning from main. -DHANDLER: a handler runs while the other
 * threads still do, and sees that one of them is not finished. -DSAME: both say that all is well. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int finished;

static void check(void)
{
#ifdef HANDLER
	if (!atomic_load(&finished))
		_exit(9);
#endif
}

static void *leave(void *arg)
{
	exit((int)(long)arg);
}

static void *work(void *arg)
{
	atomic_store(&finished, 1);
	return arg;
}

int main(void)
{
	pthread_t one, other, worker;

	atexit(check);
#ifdef HANDLER
	pthread_create(&worker, NULL, work, NULL);
	pthread_detach(worker);
	exit(0);
#endif
	pthread_create(&one, NULL, leave, (void *)0);
#if defined(SAME)
	pthread_create(&other, NULL, leave, (void *)0);
#else
	pthread_create(&other, NULL, leave, (void *)7);
#endif
#ifdef RETURN
	pthread_detach(one);
	pthread_detach(other);
	(void)worker;
	(void)work;
	return 0;
#endif
	pthread_join(one, NULL);
	return 0;
}
