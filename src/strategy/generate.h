/* generate.h: schedules of receives that reach goals not yet reached (Bita, section IV).
 *
 * The input is a run as a list of receives in the order of their arrivals, and for each receive
 * the set of receives that must happen before it. From that, Algorithms 1 to 3 of the paper make
 * lists that bring a pair of receives into a wanted order and then reorder the others, as long as
 * that reaches further goals. Each list is feasible (before each receive it has all receives that
 * must happen before it, and no receive that a moved one may have caused) and reaches at least one
 * goal that was not reached before.
 *
 * Nothing here knows traces or decisions, so the example of section IV-D is a unit test.
 */
#ifndef STRATEGY_GENERATE_H
#define STRATEGY_GENERATE_H

#include "base/bitset.h"
#include "base/vec.h"
#include "core/goals.h"

VEC_TYPE(receive_list, uint32_t); /* indices of receives */

struct generate_source {
	const struct receive *receives; /* borrowed; in the order of their arrivals */
	uint32_t len; /* at most RECEIVES_MAX */
	/* Borrowed; len sets of BITSET_WORDS(len): j has i: i must be first. */
	const uint64_t *must;
};

static inline bool generate_must(const struct generate_source *source, uint32_t first,
				 uint32_t second)
{
	return bitset_has(source->must + (size_t)second * BITSET_WORDS(source->len), first);
}

/* Where the search for the next pair goes on (Algorithm 1); zero at the start. */
struct generate_cursor {
	uint32_t i, j;
	bool swap;
};

/* May a goal be tried? Called for each goal about to be asked for. */
typedef bool generate_wanted(void *ctx, const struct receive *first, const struct receive *second);

/* The next list for the criterion, made for the last goal that was wanted; `reached` has the
 * goals reached so far. False when no list is left. */
bool generate_next(const struct generate_source *source, enum goal_criterion criterion,
		   const struct goals *reached, struct generate_cursor *cursor,
		   generate_wanted *wanted, void *ctx, struct receive_list *list);

/* Adds the goals of a list, for a caller that asks for the next list before running this one. */
void generate_reach(const struct generate_source *source, enum goal_criterion criterion,
		    const struct receive_list *list, struct goals *reached);

#endif
