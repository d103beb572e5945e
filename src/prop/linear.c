#include "prop/linear.h"

#include "base/map.h"

struct walk {
	struct model *model;
	const struct prop_test *test;
	const struct prop_outcome *outcomes; /* NULL: results are not known */
	uint64_t steps_left;
	struct places places;
	struct map seen;
	struct err *err;
};

struct places places_start(const struct prop_test *test)
{
	struct places p = {0};
	uint32_t b = 0;

	for (uint32_t i = 0; i < test->len; i++)
		while (b < test->calls[i].branch)
			p.first[++b] = i;
	while (b <= PROP_BRANCHES_MAX)
		p.first[++b] = test->len;
	return p;
}

/* The node as one number: at most 9^8 places (64 calls in 8 branches), then the state. */
static uint64_t key_of(const struct places *p, uint32_t state)
{
	uint64_t index = 0;

	for (uint32_t b = 0; b <= PROP_BRANCHES_MAX; b++)
		index = index * (p->first[b + 1] - p->first[b] + 1) + p->taken[b];
	return index << 32 | state;
}

static bool is_new(struct walk *w, uint32_t state)
{
	bool new;

	map_put(&w->seen, key_of(&w->places, state), &new);
	return new;
}

/* Makes the next call of a branch; false if no steps are left. */
static bool take_step(struct walk *w, uint32_t state, uint32_t branch, enum prop_answer *answer,
		      uint32_t *next)
{
	uint32_t i;

	if (w->steps_left == 0)
		return false;
	w->steps_left--;
	i = places_take(&w->places, branch);
	*answer = w->model->ops->step(w->model, state, w->test->calls[i].handle,
				      w->outcomes ? w->outcomes[i].value : (uint32_t)PROP_SYMBOLIC,
				      next, w->err);
	return true;
}

/* From this node: is there a way to the end? */
static enum linear_answer walk_some(struct walk *w, uint32_t state)
{
	if (w->places.done == w->test->len)
		return LINEAR_YES;
	if (!is_new(w, state))
		return LINEAR_NO; /* there was none */
	for (uint32_t b = 0; b <= w->test->branches_len; b++) {
		enum linear_answer rest = LINEAR_NO;
		enum prop_answer answer;
		uint32_t next;

		if (!places_can(&w->places, b))
			continue;
		if (!take_step(w, state, b, &answer, &next))
			return LINEAR_UNDECIDED;
		if (answer == PROP_FAILED)
			return LINEAR_FAILED;
		if (answer == PROP_YES)
			rest = walk_some(w, next);
		if (rest != LINEAR_NO)
			return rest;
		places_back(&w->places, b);
	}
	return LINEAR_NO;
}

/* From this node: do all ways lead to the end? */
static enum linear_answer walk_all(struct walk *w, uint32_t state)
{
	if (w->places.done == w->test->len || !is_new(w, state))
		return LINEAR_YES;
	for (uint32_t b = 0; b <= w->test->branches_len; b++) {
		enum linear_answer rest;
		enum prop_answer answer;
		uint32_t next;

		if (!places_can(&w->places, b))
			continue;
		if (!take_step(w, state, b, &answer, &next))
			return LINEAR_UNDECIDED;
		if (answer != PROP_YES)
			return answer == PROP_NO ? LINEAR_NO : LINEAR_FAILED;
		rest = walk_all(w, next);
		if (rest != LINEAR_YES)
			return rest;
		places_back(&w->places, b);
	}
	return LINEAR_YES;
}

static enum linear_answer start(struct walk *w,
				 enum linear_answer (*walk)(struct walk *, uint32_t))
{
	enum linear_answer answer = LINEAR_FAILED;
	uint32_t state;

	w->places = places_start(w->test);
	if (w->model->ops->initial(w->model, &state, w->err) == PROP_YES)
		answer = walk(w, state);
	map_release(&w->seen);
	return answer;
}

enum linear_answer linear_explain(struct model *model, const struct prop_test *test,
				   const struct prop_outcome *outcomes, uint64_t steps_max,
				   struct err *err)
{
	struct walk w = {.model = model, .test = test, .outcomes = outcomes,
			 .steps_left = steps_max, .err = err};

	return start(&w, walk_some);
}

/* A call may use results of the prefix before it and of its own branch before it. */
static bool has_what_it_needs(struct model *model, const struct prop_test *test, uint32_t i)
{
	for (uint32_t j = 0; j < test->len; j++) {
		uint32_t branch = test->calls[j].branch;
		bool is_before = j < i && (branch == 0 || branch == test->calls[i].branch);

		if (!is_before &&
		    model->ops->needs(model, test->calls[i].handle, test->calls[j].handle))
			return false;
	}
	return true;
}

enum linear_answer linear_allow(struct model *model, const struct prop_test *test,
				 uint64_t steps_max, struct err *err)
{
	struct walk w = {.model = model, .test = test, .steps_left = steps_max, .err = err};

	for (uint32_t i = 0; model->ops->needs && i < test->len; i++)
		if (!has_what_it_needs(model, test, i))
			return LINEAR_NO;
	return start(&w, walk_all);
}
