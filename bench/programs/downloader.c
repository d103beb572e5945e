/*
 * A segmented downloader: N threads fetch a segment each and add to the number of bytes
 * written, which a progress thread shows. The addition is not under the lock that the
 * progress thread takes (race). -DFIXED: it is. -DATOMIC: the counter is atomic but the
 * addition is a load and a store, so that an update gets lost without a data race.
 */
#include "threads.h"

#include <string.h>

#define SEGMENT 8
#define CHUNK 4

struct download {
	pthread_mutex_t lock;
	char body[MAX_THREADS * SEGMENT];
#ifdef ATOMIC
	atomic_int written;
#else
	int written;
#endif
	int shown;
};

static struct download download = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int fetch(char *into, int offset, int len)
{
	memset(into + offset, 'a' + offset % 26, len);
	return len;
}

static void count_bytes(struct download *d, int bytes)
{
#ifdef FIXED
	pthread_mutex_lock(&d->lock);
	d->written += bytes;
	pthread_mutex_unlock(&d->lock);
#else
	d->written = d->written + bytes;
#endif
}

static void *fetch_segment(void *arg)
{
	int start = thread_number(arg) * SEGMENT;

	for (int at = 0; at < SEGMENT; at += CHUNK)
		count_bytes(&download, fetch(download.body, start + at, CHUNK));
	do_chores();
	return NULL;
}

static void *show_progress(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&download.lock);
	download.shown = download.written;
	pthread_mutex_unlock(&download.lock);
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;
	int segments = arg_number(argc, argv, 1, 2);

	threads_start_many(&threads, fetch_segment, segments);
	threads_start(&threads, show_progress, 0);
	threads_join(&threads);
	assert(download.written == segments * SEGMENT);
	return 0;
}
