/*
 * Scans files for a word with several threads: how many lines have it, and how long the
 * longest of them is.
 *
 * The files are handed out one by one from a shared counter; each thread reads a file line
 * by line and adds to the totals, which are atomics so that no lock is needed.
 */
#ifndef SCAN_H
#define SCAN_H

#include <stdatomic.h>
#include <stddef.h>

struct scan {
	const char *word;
	const char *const *paths;
	size_t paths_len;
	atomic_size_t next;
	atomic_size_t matches;
	atomic_size_t longest;
	atomic_int errors;
};

/* Runs the scan with that many threads to its end. Returns 0, or -1 without threads. */
int scan_run(struct scan *scan, size_t threads);

#endif
