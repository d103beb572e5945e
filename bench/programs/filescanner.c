/*
 * A parallel file scanner: N workers take paths from a queue until it is empty; the last
 * to finish wakes main. The number of active workers is set only after they were started:
 * one that is done before brings it below zero, nobody is "the last", and main waits for
 * ever. -DFIXED: the number is set before.
 */
#include "threads.h"

#include <string.h>

#define FILES 3

struct scan {
	pthread_mutex_t lock;
	pthread_cond_t finished;
	const char *files[FILES];
	int next;
	int active;
	int matches;
};

static struct scan scan = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.finished = PTHREAD_COND_INITIALIZER,
	.files = { "int main", "mainly text", "nothing" },
};

static const char *next_file(struct scan *s)
{
	const char *file = NULL;

	pthread_mutex_lock(&s->lock);
	if (s->next < FILES)
		file = s->files[s->next++];
	pthread_mutex_unlock(&s->lock);
	return file;
}

static void leave(struct scan *s, int matches)
{
	pthread_mutex_lock(&s->lock);
	s->matches += matches;
	if (--s->active == 0)
		pthread_cond_signal(&s->finished);
	pthread_mutex_unlock(&s->lock);
}

static void *scan_files(void *arg)
{
	const char *file;
	int matches = 0;

	(void)arg;
	while ((file = next_file(&scan)) != NULL)
		matches += strstr(file, "main") != NULL;
	leave(&scan, matches);
	do_chores();
	return NULL;
}

static void set_active(struct scan *s, int count)
{
	pthread_mutex_lock(&s->lock);
	s->active = count;
	pthread_mutex_unlock(&s->lock);
}

int main(int argc, char **argv)
{
	static struct threads threads;
	int workers = arg_number(argc, argv, 1, 2);

#ifdef FIXED
	set_active(&scan, workers);
#endif
	threads_start_many(&threads, scan_files, workers);
#ifndef FIXED
	set_active(&scan, workers);
#endif
	pthread_mutex_lock(&scan.lock);
	while (scan.active != 0)
		pthread_cond_wait(&scan.finished, &scan.lock);
	pthread_mutex_unlock(&scan.lock);
	threads_join(&threads);
	assert(scan.matches == 2);
	return 0;
}
