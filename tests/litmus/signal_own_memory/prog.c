/* A signal handler changes what belongs to the thread that it interrupts: errno, a thread-local variable (-DTHREAD), a
 * local variable of the function that was interrupted (-DLOCAL). -DSAVED: it puts the old value back, as it should. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static _Thread_local volatile int own;
static volatile int *local;
static pthread_t first;

static void change(int number)
{
	int saved = errno;

#if defined THREAD
	own = number;
#elif defined LOCAL
	*local = number;
#else
	close(-1);
#endif
#ifdef SAVED
	errno = saved;
#endif
}

static void *send(void *arg)
{
	pthread_kill(first, SIGUSR1);
	return arg;
}

int main(void)
{
	struct sigaction action = {.sa_handler = change, .sa_flags = SA_RESTART};
	volatile int mine = 0;
	pthread_t thread;

	local = &mine;
	first = pthread_self();
	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&thread, NULL, send, NULL);
	mine = own = errno = 0;
	assert(mine == 0 && own == 0 && errno == 0);
	pthread_join(thread, NULL);
	return 0;
}
