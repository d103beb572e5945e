/* statistics.h: how much different behaviour a sampler has seen.
 *
 * The number of runs alone says little: a thousand samples may be a thousand times the same. So
 * three other things are counted. Distinct traces: by the hash of their dependence order, so that
 * runs which differ only in the order of independent steps are one. Distinct races: pairs of
 * places whose steps were dependent, adjacent in that order, and could have come in the other
 * order. And decisions of relaxed schedules that were not possible. Computing the dependence order
 * of a run costs more than the run, so only the first sampled runs are measured, for about a
 * second; `runs` is their number.
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
