/* Polling a flag with a deadline: it may be seen or not. */
#include "litmus.h"

#include <sys/time.h>

static atomic_int is_done;

THREAD(work)
{
	is_done = 1;
	return NULL;
}

static long now_us(void)
{
	struct timeval now;

	gettimeofday(&now, NULL);
	return now.tv_sec * 1000000L + now.tv_usec;
}

int main(void)
{
	long until = now_us() + 3000;
	pthread_t id = start(work);
	int seen;

	while (!(seen = is_done) && now_us() < until)
		usleep(1000);
	join(id);
	puts(seen ? "seen" : "gave up");
	return 0;
}
