/* ends.h: how processes end, or wait for ever: the facts in a trace, and which of them are bugs.
 *
 * A target whose processes end one by one (Erlang) lists in the trace the ends that were not
 * normal, the processes that wait when no process can go on, and for whom they wait. The rules of
 * this file decide which of these facts are bugs; detect/processes.c puts the bugs into words.
 *
 * abnormal exit  a process ended with a reason that is not a normal one, and no other process has
 *                handled it; or it is the test's own process, which is actor 0.
 *                For the process that runs a test of a suite no reason is normal: beam/ends.c.
 * assertion      the same, when the reason is a failed assertion.
 * deadlock       processes wait for each other in a circle.
 * stuck          a process waits for something particular that does not come.
 */
#ifndef CORE_ENDS_H
#define CORE_ENDS_H

#include <stdbool.h>
#include <stdint.h>

enum { ENDS_TEXT = 400, ENDS_PATTERNS = 120 };

enum death_flags {
	DEATH_ASSERTION = 1, /* the reason is a failed assertion */
	DEATH_BY_SIGNAL = 2, /* an exit signal ended it */
	DEATH_LINKED = 4,    /* a process linked to it takes the exit signal as a message */
	DEATH_HEARD = 8,     /* a process that monitors it has got the news */
};

/* A process that ended with a reason that is not a normal one. Of a run that is made for a report,
 * the ends that are not bugs by their flags are there, too, behind the others. */
struct death {
	uint32_t actor;
	uint32_t step; /* events_len when it began to end */
	uint32_t flags;
	uint32_t origin; /* the actor whose end is its reason, plus one; 0: none, or not recorded */
	uint64_t site;
	uint64_t place; /* a better one to show, if `site` is in a library; 0: none, or not recorded */
	char text[ENDS_TEXT]; /* "exits with reason badarg" */
};

enum waiter_flags {
	WAITER_RECEIVES = 1,  /* in a receive, not inside a native function */
	WAITER_TAKES_ALL = 2, /* its receive takes any message */
	WAITER_RETURNED = 4,  /* it is back at its receive, and its mailbox is empty */
	WAITER_TIMED = 8,     /* a timer could still wake it, at once or in the end */
};

/* A process that waits when no process can go on. */
struct waiter {
	uint32_t actor;
	uint32_t flags;
	uint64_t site;
	uint64_t object;      /* its mailbox */
	char text[ENDS_TEXT]; /* "waits for ever in a receive …"; "" if it is at rest */
	char patterns[ENDS_PATTERNS]; /* of its own receive; "": not known, long, or not a run for a report */
};

/* One process waits for another: for an answer, or for its end. */
struct wait {
	uint32_t from, to; /* actors */
	bool is_end;
};

/* Which waiting processes are reported: --stuck. */
enum stuck_rule {
	STUCK_PARTICULAR, /* those that wait for something particular */
	STUCK_ANY,        /* all of them */
	STUCK_TEST,       /* the test's own only */
};

/* Has another process handled the end? With --exits any that does not matter. The end of the test's
 * own process is always reported; flags: of enum death_flags. */
static inline bool death_is_handled(uint32_t actor, uint32_t flags, bool exits_any)
{
	return actor != 0 && !exits_any &&
	       (flags & (DEATH_BY_SIGNAL | DEATH_LINKED | DEATH_HEARD));
}

/* Does the process wait as servers do, which are not stuck? Never the test's own. */
static inline bool waiter_is_at_rest(uint32_t actor, uint32_t flags, enum stuck_rule rule)
{
	if (actor == 0)
		return false;
	if ((flags & WAITER_TIMED) || rule == STUCK_TEST)
		return true;
	return rule == STUCK_PARTICULAR && (flags & WAITER_RECEIVES) &&
	       (flags & (WAITER_TAKES_ALL | WAITER_RETURNED));
}

struct trace;

/* Does the trace have a death that is not handled, or a process that is stuck? */
bool ends_are_bad(const struct trace *trace);

#endif
