/* stopping.h: how a search is ended from outside: Ctrl-C, a termination signal, --max-time.
 *
 * All three only set stop_wanted. Every loop looks at it between two runs, and the targets look at
 * it while a run does not come back. A second Ctrl-C ends the tool at once. */
#ifndef CLI_STOPPING_H
#define CLI_STOPPING_H

#include <signal.h>

enum stop_reason {
	STOP_NO,
	STOP_INTERRUPTED, /* Ctrl-C or SIGTERM */
	STOP_TIME,        /* --max-time */
	STOP_DONE,        /* nothing is left to look for */
};

/* An enum stop_reason. */
extern volatile sig_atomic_t stop_wanted;

/* From now on signals set stop_wanted, and so does the end of this time (0: no limit). */
void stop_catch_signals(double max_seconds);

#endif
