/* stem.h: beginnings that runs have in common, made once.
 *
 * A search goes back to a decision near the end of the run far more often than to one near its
 * beginning. So the state (the region's pages, and the conductor's knowledge of the run so far) is
 * kept as a stem at each decision to which the search will come back (decision.left). If the
 * schedule does not mark such decisions, the stem is kept where the schedule leaves the path of the
 * run before it. Schedules with the same beginning go on from the stem. Stems lie on a stack, each
 * the beginning of the next; a stem that the new schedule does not begin with is removed. Going
 * back to a stem is a copy, like going back to the start.
 *
 * A stem stands only for decisions that are followed strictly, before any sleep set holds. If the
 * target learns something, all stems are dropped. A run made from a stem is the same as one made
 * from the start, because a stem keeps the whole state. Findings are confirmed by a target that has
 * no stems.
 */
#ifndef BEAM_STEM_H
#define BEAM_STEM_H

#include "base/strbuf.h"
#include "base/vec.h"
#include "core/schedule.h"
#include "core/trace.h"
#include "vm/memory/region.h"

struct conductor;
struct slot;
struct observed_node;
struct observed_receive;

enum { STEMS_MAX = 8 };

struct stem {
	uint32_t len; /* steps */
	uint32_t last;
	uint64_t assumed;
	uint64_t timer_changes;
	uint32_t own_signals, void_turns;
	size_t output_len;
	struct region_image image;
	VEC(struct slot) slots;
	VEC(struct event) events;
	VEC(uint64_t) enabled, astir;
	VEC(struct withdrawn) withdrawn;
	VEC(uint32_t) withdrawn_nodes;
	VEC(uint32_t) armed;
	VEC(struct observed_node) nodes;
	VEC(struct observed_receive) receives;
	VEC(struct refusal) refusals;
	VEC(struct receive_state) states;
};

struct stems {
	struct stem stack[STEMS_MAX]; /* buffers stay when one goes */
	uint32_t len;
	uint32_t wanted[STEMS_MAX]; /* steps after which this run makes one, the last first */
	uint32_t wanted_len;
	uint32_t learned; /* what was known when they were made */
	uint32_t words;
};

/* A schedule is about to be run, and c still holds the run before it: can it go on from a
 * stem? */
bool stems_begin(struct conductor *c, const struct schedule *schedule);
/* Puts region, conductor and output back to where that stem ends. */
void stems_return(struct conductor *c, const struct schedule *schedule);
/* The run stands between two steps: keeps the state if this is the place. */
void stems_look(struct conductor *c);
void stems_release(struct stems *stems);

#endif
