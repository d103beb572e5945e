/* stopping.h: how a search is ended from outside: Ctrl-C, a termination signal, --max-time.
 *
 * All three only set stop_wanted. Every loop looks at it between two runs, and the targets look at
 * it while a run does not come back. A step of the Erlang machine that still does not come back is
 * abandoned (vm_interrupt). If the tool itself does not come back, it ends and prints a line about
 * that. A second Ctrl-C ends the tool at once. */
#ifndef CLI_STOPPING_H
#define CLI_STOPPING_H

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>

enum stop_reason {
	STOP_NO,
	STOP_INTERRUPTED, /* Ctrl-C or SIGTERM */
	STOP_TIME,        /* --max-time */
	STOP_DONE,        /* nothing is left to look for */
};

/* An enum stop_reason. */
extern volatile sig_atomic_t stop_wanted;

/* The test is one of the Erlang machine, or has found a bug that is saved: both matter if the tool
 * does not come back when the time is over. */
void stop_expect_machine(void);
void stop_note_bug(void);

/* The last resort before the tool ends: with stop_use_point(true), a search that does not come back
 * is abandoned by a jump to sigsetjmp(stop_point, 0). After that nothing of the search may be used,
 * except to report that. */
extern sigjmp_buf stop_point;
void stop_use_point(bool is_used);

/* While a finding is confirmed no step is abandoned: its run came back before. */
void stop_hold(bool is_held);

/* The search is over and the report is written: no timer interrupts it any more. */
void stop_disarm(void);

/* From now on signals set stop_wanted, and so does the end of this time (0: no limit). Returns when
 * the time began (base/clock.h): loading and starting the program are part of it. */
double stop_catch_signals(double max_seconds);

#endif
