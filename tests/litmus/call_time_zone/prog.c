/* localtime() sets the time zone of the process where TZ has changed since it was set, and localtime_r()
 * of another thread uses the one or the other. SAME: TZ does not change. EARLY: it changes before the first thread,
 * and so does the zone. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static int hour;

static void *look(void *arg)
{
	time_t noon = 43200;
	struct tm tm;

	hour = localtime_r(&noon, &tm)->tm_hour;
	return NULL;
}

static void *look_anew(void *arg)
{
	time_t noon = 43200;

	localtime(&noon);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	time_t noon = 43200;
	struct tm tm;

	setenv("TZ", "AAA-1", 1);
	localtime_r(&noon, &tm);
#ifndef SAME
	setenv("TZ", "BBB-2", 1);
#endif
#ifdef EARLY
	tzset();
#endif
	pthread_create(&threads[0], NULL, look, NULL);
	pthread_create(&threads[1], NULL, look_anew, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
#ifdef SAME
	assert(hour == 13);
#elif defined(EARLY)
	assert(hour == 14);
#endif
	return 0;
}
