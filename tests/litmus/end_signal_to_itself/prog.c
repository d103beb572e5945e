/* A program sends itself a signal that ends it, if one thread comes last. The last thread that lives
 * sends it, or another thread does while main waits; both end the program at once. With a handler, or
 * ignored, the signal does no harm; blocked it stays pending. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int last;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void send(void)
{
#if defined(RAW)
	syscall(SYS_kill, getpid(), SIGTERM);
#elif defined(GROUP)
	killpg(0, SIGTERM);
#elif defined(SEGV)
	raise(SIGSEGV);
#elif defined(KILL)
	kill(getpid(), SIGKILL);
#else
	kill(getpid(), SIGTERM);
#endif
}

static void *come(void *number)
{
	pthread_mutex_lock(&lock);
	last = (int)(long)number;
	pthread_mutex_unlock(&lock);
#ifdef THREAD
	if (number == (void *)2)
		send();
#endif
	return NULL;
}

static void handle(int number)
{
	(void)number;
}

int main(void)
{
	pthread_t threads[2];
	sigset_t set;

	(void)set;
#if defined(HANDLED)
	signal(SIGTERM, handle);
#elif defined(IGNORED)
	signal(SIGTERM, SIG_IGN);
#elif defined(BLOCKED)
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
#endif
	(void)handle;
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, come, (void *)(i + 1));
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
#ifndef THREAD
	if (last == 1)
		send();
#endif
	return 0;
}
