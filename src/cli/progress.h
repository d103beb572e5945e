/* progress.h: the line on stderr that shows how far a search is.
 *
 *	progress_begin(&progress);
 *	fprintf(stderr, "%lu runs", n);
 *	progress_end(&progress);
 *
 * On a terminal there is one line that is written over; elsewhere each is a line of its own. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>

struct progress {
	bool is_shown; /* a progress line stands on the terminal */
	double estimates[4]; /* the last ones of the number of all runs, in turn */
	unsigned estimates_len;
};

void progress_begin(struct progress *progress);
void progress_end(struct progress *progress);

/* Takes a new estimate of the number of all runs. True if the last four agree within a factor of
 * 1.5: earlier estimates of a search tree are off by orders of magnitude and not worth showing. */
bool progress_converges(struct progress *progress, double estimate);

/* Before other output: takes the line off the terminal. */
void progress_clear(struct progress *progress);

#endif
