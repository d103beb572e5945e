/* goals.h: which orders of receives have been tried.
 *
 * The three criteria of the Bita paper (section III-A), over pairs of asynchronous receives
 * of one receiver, ri before rj:
 *
 *   PR   pair of receives: ri comes before rj;
 *   PBR  behaviour change and receive: ri or rj changes the receiver's behaviour, and nothing
 *        between them does;
 *   PCR  consecutive receives: nothing that the receiver receives lies between them.
 *
 * A set of runs covers a pair when both orders were reached (definition 4). Goals are named by
 * the names of receives (receives.h), so they are comparable over all strategies.
 */
#ifndef CORE_GOALS_H
#define CORE_GOALS_H

#include "core/receives.h"

/* In the order in which they are tried: the cheapest first. */
enum goal_criterion { GOAL_PR, GOAL_PBR, GOAL_PCR, GOAL_CRITERIA };

struct goals {
	struct map pairs[GOAL_CRITERIA]; /* pair -> bits: 1 one order, 2 the other */
};

struct goals_count {
	uint64_t one;  /* pairs of which exactly one order was reached */
	uint64_t both;
};

/* Adds the goals that the receives, in this order, reach for a criterion. Returns the number of
 * new goals. */
uint32_t goals_add(struct goals *goals, enum goal_criterion criterion,
		   const struct receive *receives, uint32_t len);

bool goals_has(const struct goals *goals, enum goal_criterion criterion,
	       const struct receive *first, const struct receive *second);

/* Can the two be a goal of the criterion at all, in one order or the other? */
bool goals_are_related(enum goal_criterion criterion, const struct receive *a,
		       const struct receive *b);

struct goals_count goals_count(const struct goals *goals, enum goal_criterion criterion);

const char *goal_criterion_text(enum goal_criterion criterion); /* "pr" */

void goals_clear(struct goals *goals);
void goals_release(struct goals *goals);

#endif
