/* A wait with a time limit by a thread that may be cancelled and sent a signal: its steps are about a
 * mutex, a condition, the cancellation and the signal, and have no room for the clock. */
#include <pthread.h>
#include <signal.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void handle(int number)
{
}

static void *wait_a_moment(void *arg)
{
	struct timespec at = {0};

	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	pthread_mutex_lock(&m);
	pthread_cond_timedwait(&c, &m, &at);
	pthread_mutex_unlock(&m);
	return arg;
}

static void *look(void *arg)
{
	pthread_testcancel();
	return arg;
}

int main(void)
{
	pthread_t waiter, other;

	signal(SIGUSR1, handle);
	pthread_create(&waiter, NULL, wait_a_moment, NULL);
	pthread_create(&other, NULL, look, NULL);
	pthread_kill(waiter, SIGUSR1);
	pthread_cancel(other);
	pthread_join(waiter, NULL);
	pthread_join(other, NULL);
	return 0;
}
