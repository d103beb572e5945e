/* Nobody signals: the timeout is the only way on, and time has then passed. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

THREAD(wait)
{
	struct timespec until = deadline_after(CLOCK_REALTIME, 5000), now;

	pthread_mutex_lock(&lock);
	assert(pthread_cond_timedwait(&cond, &lock, &until) == ETIMEDOUT);
	pthread_mutex_unlock(&lock);
	clock_gettime(CLOCK_REALTIME, &now);
	assert(now.tv_sec > until.tv_sec ||
	       (now.tv_sec == until.tv_sec && now.tv_nsec >= until.tv_nsec));
	return NULL;
}

int main(void)
{
	RUN(wait, wait);
	return 0;
}
