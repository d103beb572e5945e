/* weak.h: a run under a weak memory model in words: which loads read old values, and which
 * memory orders would have forbidden the run. Of a race in any run: which orders would have ordered it.
 *
 *     Step 7 reads 0, an old value: the store of step 3 was not yet visible to P1.2.
 *     These orders would forbid this run:
 *       a release store at step 4, mp.c:18
 *       an acquire load at step 6, mp.c:25
 *
 * The orders are found by trying: the finding must not show in the same trace with stronger orders,
 * because the memory model forbids it or because a data race is ordered. Another run may still
 * fail. */
#ifndef EXPLAIN_WEAK_H
#define EXPLAIN_WEAK_H

#include "base/arena.h"
#include "explore/found.h"

/* An atomic step of a trace and the stronger order to give it. */
struct stronger {
	uint32_t step;
	uint8_t order; /* enum memory_order */
};

enum { STRONGER_MAX = 32 };

/* Changes that keep the finding from showing: one or two if they are enough, else a set of which no
 * change can be left out. Returns how many; 0 if orders do not help. */
uint32_t explain_find_stronger(const struct found *found, struct stronger changes[STRONGER_MAX]);

/* "a release store" */
const char *explain_order_words(const struct event *event, uint8_t order, struct arena *arena);

/* The lines for report_finding.details, or NULL if the run is sequentially consistent and no order
 * would help a race in it. The target has just run the trace of the finding. */
const char *explain_weak(struct target *target, const struct found *found, struct arena *arena);

#endif
