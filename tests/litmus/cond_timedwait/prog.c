/* A timed wait may end without the event; -DSURE does not expect that. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond;
static int is_ready;

static int wait_some_time(void)
{
#if defined(CLOCK)
	return pthread_cond_clockwait(&cond, &lock, CLOCK_MONOTONIC, WITHIN_MS_MONOTONIC(MS));
#elif defined(ATTR)
	return pthread_cond_timedwait(&cond, &lock, WITHIN_MS_MONOTONIC(MS));
#else
	return pthread_cond_timedwait(&cond, &lock, WITHIN_MS(MS));
#endif
}

THREAD(wait)
{
	int result = 0;

	pthread_mutex_lock(&lock);
	while (!is_ready && result == 0)
		result = wait_some_time();
	assert(result == 0 || result == ETIMEDOUT);
#ifdef SURE
	assert(is_ready);
#endif
	puts(is_ready ? "ready" : "timed out");
	pthread_mutex_unlock(&lock);
	return NULL;
}

THREAD(wake)
{
	pthread_mutex_lock(&lock);
	is_ready = 1;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
#ifdef ATTR
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
#endif
	pthread_cond_init(&cond, &attr);
	RUN(wait, wake);
	pthread_cond_destroy(&cond);
	return 0;
}
