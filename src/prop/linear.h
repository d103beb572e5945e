/* linear.h: orders of the calls of a test that respect its prefix and its branches.
 *
 * Does some order explain the outcomes of a run by the model? Do the preconditions hold in
 * every order, whatever the results? Both are walks through the same graph, whose nodes are
 * (how far each branch has come, state of the model); a node is visited once. Walks are
 * bounded by a number of model steps; a walk that was cut returns its own answer.
 *
 * `struct places` is how far each branch has come, for other walks through the same orders:
 *
 *     struct places p = places_start(test);
 *     for (uint32_t b = 0; b <= test->branches_len; b++)
 *             if (places_can(&p, b)) call = places_take(&p, b); … places_back(&p, b);
 */
#ifndef PROP_LINEAR_H
#define PROP_LINEAR_H

#include "prop/prop.h"

enum linear_answer {
	LINEAR_NO,
	LINEAR_YES,
	LINEAR_UNDECIDED, /* the bound was reached first */
	LINEAR_FAILED,    /* err says how */
};

struct places {
	uint32_t done;                         /* calls taken in all */
	uint32_t first[PROP_BRANCHES_MAX + 2]; /* index of a branch's first call */
	uint32_t taken[PROP_BRANCHES_MAX + 1];
};

struct places places_start(const struct prop_test *test);

/* Does branch b have another call, and is the prefix behind us? */
static inline bool places_can(const struct places *p, uint32_t b)
{
	return p->first[b] + p->taken[b] < p->first[b + 1] && (b == 0 || p->done >= p->first[1]);
}

/* The index of the call that is branch b's next. */
static inline uint32_t places_take(struct places *p, uint32_t b)
{
	p->done++;
	return p->first[b] + p->taken[b]++;
}

static inline void places_back(struct places *p, uint32_t b)
{
	p->done--;
	p->taken[b]--;
}

/* Is there an order in which the model allows every outcome? All calls must have returned. */
enum linear_answer linear_explain(struct model *model, const struct prop_test *test,
				   const struct prop_outcome *outcomes, uint64_t steps_max,
				   struct err *err);

/* May every call be made in every order (with results not known), and are the results that
 * a call uses there before it? */
enum linear_answer linear_allow(struct model *model, const struct prop_test *test,
				 uint64_t steps_max, struct err *err);

#endif
