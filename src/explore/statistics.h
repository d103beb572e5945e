/* statistics.h: how much a sampler saw, beyond the number of its runs.
 *
 * A thousand samples may be a thousand times the same. Counted are distinct traces (by the
 * hash of their dependence order: runs that differ only in the order of independent steps are one),
 * distinct races (pairs of places whose steps were dependent, adjacent in that order, and could
 * have come the other way round), and decisions of relaxed schedules that were not
 * possible. Computing the order of a run costs more than the run, so only the first sampled
 * runs are looked at, for about a second; `runs` says how many.
 */
#ifndef EXPLORE_STATISTICS_H
#define EXPLORE_STATISTICS_H

#include "base/map.h"
#include "core/order.h"

enum { STATISTICS_WORK = 250000 };

struct statistics {
	struct map traces, races; /* hashes seen */
	struct order order;       /* scratch */
	uint64_t runs;            /* looked at */
	uint64_t work;            /* done on them: events times actors */
	uint64_t dropped;         /* in all runs */
};

/* Looks at a sampled run. */
void statistics_add(struct statistics *s, const struct trace *trace);
void statistics_clear(struct statistics *s);
void statistics_release(struct statistics *s);

#endif
