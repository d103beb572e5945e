#include "scan.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/*
 * The bug: the longest line is compared and stored in two steps. Of two threads that find
 * a new longest line at the same moment the one with the shorter may store last.
 * -DFIXED: stored by compare-and-swap, and compared again if that failed.
 */

enum { LINE_MAX_LEN = 128, THREADS_MAX = 8 };

static void note_length(struct scan *scan, size_t len)
{
#ifdef FIXED
	size_t longest = atomic_load(&scan->longest);

	while (len > longest)
		if (atomic_compare_exchange_strong(&scan->longest, &longest, len))
			break;
#else
	if (len > atomic_load(&scan->longest))
		atomic_store(&scan->longest, len);
#endif
}

static void scan_line(struct scan *scan, const char *line)
{
	if (strstr(line, scan->word) == NULL)
		return;
	atomic_fetch_add(&scan->matches, 1);
	note_length(scan, strcspn(line, "\n"));
}

static void scan_file(struct scan *scan, const char *path)
{
	char line[LINE_MAX_LEN];
	FILE *file = fopen(path, "r");

	if (file == NULL) {
		atomic_fetch_add(&scan->errors, 1);
		return;
	}
	while (fgets(line, sizeof(line), file) != NULL)
		scan_line(scan, line);
	fclose(file);
}

static void *scan_files(void *arg)
{
	struct scan *scan = arg;
	size_t number;

	while ((number = atomic_fetch_add(&scan->next, 1)) < scan->paths_len)
		scan_file(scan, scan->paths[number]);
	return NULL;
}

int scan_run(struct scan *scan, size_t threads)
{
	pthread_t ids[THREADS_MAX];
	size_t started = 0;

	if (threads > THREADS_MAX)
		threads = THREADS_MAX;
	while (started < threads &&
	       pthread_create(&ids[started], NULL, scan_files, scan) == 0)
		started++;
	for (size_t i = 0; i < started; i++)
		pthread_join(ids[i], NULL);
	return started > 0 ? 0 : -1;
}
