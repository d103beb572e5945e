/* demand.h: the beginnings that a set of runs must have if it is to be complete.
 *
 * Let f be a step of a run, taken or only announced, and e an earlier step of another actor on
 * which f depends directly. If f could have gone before e, then some explored run must
 * begin, up to swapping independent steps, with
 *
 *     all steps of the run that are not behind e and not behind f; then f.
 *
 * Why this is enough: suppose that a run W of the program is equivalent to no explored run. Of all
 * explored runs take one, E, that shares the longest beginning P with W (a set of steps closed
 * under dependence, in the same order), and among those one in which the next step f of W after P
 * has the fewest steps outside P before it. There is at least one, e, or else P and f together
 * would be a longer beginning. P contains nothing behind e or f, so the demanded beginning contains
 * P; and in a run that begins so f has fewer steps before it. Such a run cannot exist among
 * the explored ones, so the demand is not met.
 *
 * Where messages have tags, f may be a message whose order to another one, m, does not show in E
 * but shows in W. If m is not in P, it must not come before f; so the beginning is demanded
 * without m and all behind m, too, for every choice of such messages. Messages without which f
 * does not exist are in P.
 *
 * Some demands can never be met because f must wait (for a lock, a message, a join). If f waits for
 * a lock that another step of the beginning holds, that step and all behind it are taken out: they
 * cannot belong to P, after which f is possible. A step that never waits is asked only against the
 * last steps before it; one that may wait, against all.
 */
#ifndef CERTIFY_DEMAND_H
#define CERTIFY_DEMAND_H

#include "certify/find.h"

struct demand {
	struct wanted wanted;
	uint32_t first; /* position of e */
	bool is_vague;  /* not every beginning of its kind is demanded */
};

struct demands {
	VEC(uint64_t) wanted;  /* one set of positions */
	VEC(uint64_t) needed;  /* the past without which f does not exist */
	VEC(uint64_t) between; /* the past of those e that were asked about */
	VEC(uint64_t) direct;  /* of a step that was not taken, */
	struct event ghost;    /* and the step */
	struct runs_rows needs; /* by step: the steps without which it is not there */
	struct runs_rows swaps; /* by step: those that it could have gone before */
};

/* Calls `meet` for each demand of the run shown; stops and returns false when `meet` does. */
bool demands_each(struct demands *demands, struct view *view, uint32_t run,
		  bool (*meet)(void *ctx, const struct demand *demand), void *ctx);
void demands_release(struct demands *demands);

#endif
