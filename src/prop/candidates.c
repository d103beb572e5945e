#include "prop/candidates.h"

#include <string.h>

#include "prop/linear.h"

enum { ALLOW_STEPS = 20000, VARIANTS_MAX = 16, PAIRS_FROM = 14 };

struct maker {
	struct model *model;
	const struct prop_test *test;
	struct candidate_vec *out;
	struct err *err;
};

/* Adds the calls of branch `from` of the larger test that are not left out, as `to`. */
static void add_branch(const struct maker *m, struct candidate *c, uint64_t left_out, uint32_t from,
		       uint32_t to)
{
	for (uint32_t i = 0; i < m->test->len; i++) {
		if (left_out >> i & 1 || m->test->calls[i].branch != from)
			continue;
		c->from[c->test.len] = i;
		c->test.calls[c->test.len++] = (struct prop_call){m->test->calls[i].handle, to};
	}
}

/* The set with everything that cannot do without it. */
static uint64_t close_set(const struct maker *m, uint64_t left_out)
{
	const struct prop_call *calls = m->test->calls;
	uint64_t before;

	if (!m->model->ops->needs)
		return left_out;
	do {
		before = left_out;
		for (uint32_t i = 0; i < m->test->len; i++)
			for (uint32_t j = 0; j < i && !(left_out >> i & 1); j++)
				if (left_out >> j & 1 &&
				    m->model->ops->needs(m->model, calls[i].handle,
							 calls[j].handle))
					left_out |= 1ull << i;
	} while (left_out != before);
	return left_out;
}

static bool is_known(const struct maker *m, const struct prop_test *test)
{
	for (size_t i = 0; i < m->out->len; i++)
		if (memcmp(&m->out->items[i].test, test, sizeof(*test)) == 0)
			return true;
	return false;
}

/* Keeps the candidate if it is new and allowed. */
static bool keep(const struct maker *m, const struct candidate *c)
{
	enum linear_answer answer;
	enum prop_answer accepted;

	if (is_known(m, &c->test))
		return true;
	answer = linear_allow(m->model, &c->test, ALLOW_STEPS, m->err);
	if (answer != LINEAR_YES)
		return answer != LINEAR_FAILED;
	accepted = m->model->ops->accepts ? m->model->ops->accepts(m->model, &c->test, m->err)
					  : PROP_YES;
	if (accepted == PROP_YES)
		*vec_push(m->out) = *c;
	return accepted != PROP_FAILED;
}

static bool leave_out(const struct maker *m, uint64_t left_out)
{
	struct candidate c = {0};

	left_out = close_set(m, left_out);
	add_branch(m, &c, left_out, 0, 0);
	for (uint32_t b = 1; b <= m->test->branches_len; b++) {
		uint32_t before = c.test.len, to = c.test.branches_len + 1;

		add_branch(m, &c, left_out, b, to);
		if (c.test.len == before)
			continue;
		c.test.branches_len = to;
		c.branch_from[to] = b;
	}
	return keep(m, &c);
}

static uint64_t set_of(uint32_t first, uint32_t len)
{
	return (len < 64 ? (1ull << len) - 1 : ~0ull) << first;
}

static bool leave_out_branches(const struct maker *m, const struct places *p)
{
	bool ok = true;

	for (uint32_t b = m->test->branches_len; b > 0 && ok; b--)
		ok = leave_out(m, set_of(p->first[b], p->first[b + 1] - p->first[b]));
	return ok;
}

/* Pieces of half the length, a quarter … one, of each branch. */
static bool leave_out_pieces(const struct maker *m, const struct places *p)
{
	bool ok = true;

	for (uint32_t divisor = 1; divisor <= PROP_CALLS_MAX; divisor *= 2)
		for (uint32_t b = 0; b <= m->test->branches_len; b++) {
			uint32_t len = p->first[b + 1] - p->first[b];
			uint32_t piece = len / divisor;

			for (uint32_t at = 0; piece && at < len && ok; at += piece)
				ok = leave_out(m, set_of(p->first[b] + at,
							 at + piece < len ? piece : len - at));
		}
	return ok;
}

/* Two calls that are only allowed together, such as a lock and its unlock. */
static bool leave_out_pairs(const struct maker *m)
{
	bool ok = true;

	for (uint32_t i = 0; i < m->test->len && m->test->len <= PAIRS_FROM; i++)
		for (uint32_t j = i + 1; j < m->test->len && ok; j++)
			ok = leave_out(m, 1ull << i | 1ull << j);
	return ok;
}

/* Its own order within the branch stays, so only the first can move. */
static bool move_to_prefix(const struct maker *m, const struct places *p)
{
	bool ok = true;

	for (uint32_t b = 1; b <= m->test->branches_len && ok; b++) {
		struct candidate c = {0};
		uint32_t first = p->first[b];

		add_branch(m, &c, 0, 0, 0);
		c.from[c.test.len] = first;
		c.test.calls[c.test.len++].handle = m->test->calls[first].handle;
		for (uint32_t from = 1; from <= m->test->branches_len; from++) {
			uint32_t before = c.test.len, to = c.test.branches_len + 1;

			add_branch(m, &c, 1ull << first, from, to);
			if (c.test.len == before)
				continue;
			c.test.branches_len = to;
			c.branch_from[to] = from;
		}
		ok = keep(m, &c);
	}
	return ok;
}

/* Without call i; calls that used its result use that of call j. False if no call did. */
static bool rebind_calls(const struct maker *m, uint32_t i, uint32_t j, struct prop_test *test)
{
	const struct model_ops *ops = m->model->ops;
	bool any = false;

	*test = *m->test;
	for (uint32_t k = 0; k < test->len; k++) {
		uint32_t *handle = &test->calls[k].handle;

		if (k == i || !ops->needs(m->model, *handle, m->test->calls[i].handle))
			continue;
		*handle = ops->rebind(m->model, *handle, m->test->calls[i].handle,
				      m->test->calls[j].handle);
		if (!*handle)
			return false;
		any = true;
	}
	return any;
}

static bool share_results(const struct maker *m)
{
	bool ok = true;

	if (!m->model->ops->rebind || !m->model->ops->needs)
		return true;
	for (uint32_t i = 0; i < m->test->len; i++)
		for (uint32_t j = 0; j < m->test->len && ok; j++) {
			struct maker rebound = *m;
			struct prop_test test;

			rebound.test = &test;
			if (i != j && rebind_calls(m, i, j, &test))
				ok = leave_out(&rebound, 1ull << i);
		}
	return ok;
}

static bool simplify_call(const struct maker *m, uint32_t i)
{
	struct candidate c = {.test = *m->test};
	bool ok = true;

	for (uint32_t k = 0; k < m->test->len; k++)
		c.from[k] = k;
	for (uint32_t b = 1; b <= m->test->branches_len; b++)
		c.branch_from[b] = b;
	for (uint32_t nth = 0; nth < VARIANTS_MAX && ok; nth++) {
		enum prop_answer answer = m->model->ops->simplify(
			m->model, m->test->calls[i].handle, nth, &c.test.calls[i].handle, m->err);

		if (answer != PROP_YES)
			return answer == PROP_NO;
		ok = keep(m, &c);
	}
	return ok;
}

bool candidates_of(struct model *model, const struct prop_test *test, struct candidate_vec *out,
		   size_t *fewer_len, struct err *err)
{
	struct maker m = {.model = model, .test = test, .out = out, .err = err};
	struct places p = places_start(test);
	bool ok;

	vec_clear(out);
	ok = leave_out_branches(&m, &p) && leave_out_pieces(&m, &p) && leave_out_pairs(&m) &&
	     move_to_prefix(&m, &p) && share_results(&m);
	*fewer_len = out->len;
	for (uint32_t i = 0; i < test->len && ok; i++)
		ok = simplify_call(&m, i);
	return ok;
}
