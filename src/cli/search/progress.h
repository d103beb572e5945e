/* progress.h: the line on stderr that shows how far a search is.
 *
 *	progress_show(&progress, "12 runs, 80/s");
 *
 * On a terminal there is one line that is written over, and it is cut at the width of the terminal,
 * because a line that wraps cannot be written over; elsewhere each is a line of its own. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool is_shown; /* a progress line stands on the terminal */
	double estimates[4]; /* the last ones of the number of all runs, in turn */
	unsigned estimates_len;
	double done, estimate; /* the last ones that progress_estimate() took */
};

void progress_show(struct progress *progress, const char *text);

/* Takes the share of the search that is done after so many executions; negative: not known. Returns
 * the estimated number of all executions if the last four estimates agree within a factor of 1.5, or
 * 0: earlier estimates of a search tree are off by orders of magnitude and not worth showing. */
double progress_estimate(struct progress *progress, uint64_t executions, double done);

/* Before other output: takes the line off the terminal. */
void progress_clear(struct progress *progress);

#endif
