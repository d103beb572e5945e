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
};

void progress_begin(struct progress *progress);
void progress_end(struct progress *progress);

/* Before other output: takes the line off the terminal. */
void progress_clear(struct progress *progress);

#endif
