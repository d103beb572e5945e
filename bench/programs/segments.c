/*
 * A downloader of the shape and size of aget: the file is split into N segments, and a thread per
 * segment asks the server for its range, reads the answer block by block and writes each block to
 * its place in the file. A progress thread shows how much has come until it is told to stop. The
 * number of bytes that have come is not under the lock that the progress thread takes (race).
 * -DFIXED: it is. -DATOMIC: it is an atomic variable, but is loaded and stored in two steps, so
 * that an update gets lost without a data race.
 *
 * The server is a part of the program: what it sends is fixed, so only the threads decide.
 */
#include "threads.h"

#include <string.h>
#include <unistd.h>

enum { BLOCK = 32, BLOCKS_PER_SEGMENT = 3, HEADER_MAX = 128, REQUEST_MAX = 128, BAR = 20 };

/* ---- the server: one file, sent by ranges ---- */

struct connection {
	char answer[HEADER_MAX + BLOCK * BLOCKS_PER_SEGMENT];
	int len, at;
};

static char byte_at(int offset)
{
	return (char)('a' + offset % 23);
}

static int serve_range(struct connection *c, int first, int last)
{
	c->len = snprintf(c->answer, HEADER_MAX,
			  "HTTP/1.1 206 Partial Content\r\nContent-Length: %d\r\n\r\n",
			  last - first + 1);
	for (int at = first; at <= last; at++)
		c->answer[c->len++] = byte_at(at);
	return 0;
}

/* Parses one request; its answer can then be received. */
static int connection_send(struct connection *c, const char *request)
{
	const char *range = strstr(request, "Range: bytes=");
	int first, last;

	c->at = 0;
	if (strncmp(request, "GET /", 5) != 0 || !range ||
	    sscanf(range, "Range: bytes=%d-%d", &first, &last) != 2 || last < first)
		return -1;
	return serve_range(c, first, last);
}

/* At most max bytes of the answer; 0 at its end. */
static int connection_receive(struct connection *c, char *out, int max)
{
	int len = c->len - c->at < max ? c->len - c->at : max;

	memcpy(out, c->answer + c->at, (size_t)len);
	c->at += len;
	return len;
}

/* ---- the download ---- */

struct segment {
	int first, last; /* bytes of the file, both included */
	int written;
	int status;
};

struct download {
	pthread_mutex_t lock; /* guards stopped and failures, and was meant to guard written */
	struct segment segments[MAX_THREADS];
	int segments_len;
	int length;
	int file;
	int failures;
	int stopped;
#ifdef ATOMIC
	atomic_int written;
#else
	int written;
#endif
};

static struct download download = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void split(struct download *d, int segments)
{
	int each = BLOCK * BLOCKS_PER_SEGMENT;

	d->segments_len = segments;
	d->length = segments * each;
	for (int i = 0; i < segments; i++)
		d->segments[i] = (struct segment){ .first = i * each, .last = (i + 1) * each - 1 };
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

static int count_so_far(struct download *d, int *stopped)
{
	int written;

	pthread_mutex_lock(&d->lock);
	written = d->written;
	*stopped = d->stopped;
	pthread_mutex_unlock(&d->lock);
	return written;
}

static void note_failure(struct download *d)
{
	pthread_mutex_lock(&d->lock);
	d->failures++;
	pthread_mutex_unlock(&d->lock);
}

/* The status and the length of the answer; returns the number of bytes of its header, or -1. */
static int parse_header(const char *text, int *status, int *length)
{
	const char *end = strstr(text, "\r\n\r\n");
	const char *field = strstr(text, "Content-Length: ");

	if (!end || !field || sscanf(text, "HTTP/1.1 %d", status) != 1 ||
	    sscanf(field, "Content-Length: %d", length) != 1)
		return -1;
	return (int)(end - text) + 4;
}

/* Reads byte by byte to the end of the header; the body is left in the connection. */
static int receive_header(struct connection *c, int *status)
{
	char text[HEADER_MAX] = { 0 };
	int at = 0, length = 0;

	while (at < HEADER_MAX - 1 && !strstr(text, "\r\n\r\n"))
		if (connection_receive(c, text + at++, 1) == 0)
			return -1;
	return parse_header(text, status, &length) < 0 ? -1 : length;
}

static int write_block(struct download *d, struct segment *s, const char *block, int len)
{
	if (pwrite(d->file, block, (size_t)len, s->first + s->written) != len)
		return -1;
	s->written += len;
	count_bytes(d, len);
	return 0;
}

static int fetch(struct download *d, struct segment *s)
{
	struct connection connection;
	char request[REQUEST_MAX], block[BLOCK];
	int left, len;

	snprintf(request, sizeof(request), "GET /file HTTP/1.1\r\nRange: bytes=%d-%d\r\n\r\n",
		 s->first, s->last);
	if (connection_send(&connection, request) < 0)
		return -1;
	left = receive_header(&connection, &s->status);
	while (left > 0 && (len = connection_receive(&connection, block, BLOCK)) > 0) {
		if (write_block(d, s, block, len) < 0)
			return -1;
		left -= len;
	}
	return left == 0 && s->status == 206 ? 0 : -1;
}

static void *fetch_segment(void *arg)
{
	struct segment *s = &download.segments[thread_number(arg)];

	if (fetch(&download, s) < 0)
		note_failure(&download);
	do_chores();
	return NULL;
}

/* ---- the progress bar ---- */

static void draw_bar(char bar[BAR + 1], int done, int length)
{
	int filled = done * BAR / length;

	memset(bar, '.', BAR);
	memset(bar, '#', (size_t)(filled > BAR ? BAR : filled));
	bar[BAR] = '\0';
}

static void *show_progress(void *arg)
{
	char bar[BAR + 1];
	int stopped = 0;

	(void)arg;
	while (!stopped) {
		draw_bar(bar, count_so_far(&download, &stopped), download.length);
		usleep(1000);
	}
	return NULL;
}

static void stop_progress(struct download *d)
{
	pthread_mutex_lock(&d->lock);
	d->stopped = 1;
	pthread_mutex_unlock(&d->lock);
}

static void check_file(const struct download *d)
{
	char bytes[BLOCK];

	for (int at = 0; at < d->length; at += BLOCK) {
		assert(pread(d->file, bytes, BLOCK, at) == BLOCK);
		for (int i = 0; i < BLOCK; i++)
			assert(bytes[i] == byte_at(at + i));
	}
}

int main(int argc, char **argv)
{
	struct threads fetchers = { .len = 0 }, progress = { .len = 0 };
	char name[] = "/tmp/segments-XXXXXX";

	download.file = mkstemp(name);
	assert(download.file >= 0 && unlink(name) == 0);
	split(&download, arg_number(argc, argv, 1, 2));
	threads_start(&progress, show_progress, 0);
	threads_start_many(&fetchers, fetch_segment, download.segments_len);
	threads_join(&fetchers);
	stop_progress(&download);
	threads_join(&progress);
	check_file(&download);
	assert(download.failures == 0);
	assert(download.written == download.length);
	close(download.file);
	return 0;
}
