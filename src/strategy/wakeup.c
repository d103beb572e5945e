#include "strategy/wakeup.h"

#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "strategy/wakeup_bytes.h"

enum { POOL_BLOCK = 256, LATE_MAX = 512 };

static void refill(struct wakeup_pool *pool)
{
	struct wakeup *block = mem_alloc(POOL_BLOCK * sizeof(*block));

	if (pool->blocks_len == pool->blocks_cap)
		pool->blocks = vec_grow(pool->blocks, &pool->blocks_cap, pool->blocks_len + 1,
					sizeof(*pool->blocks));
	pool->blocks[pool->blocks_len++] = block;
	for (size_t i = 0; i < POOL_BLOCK; i++) {
		block[i].next = pool->unused;
		pool->unused = &block[i];
	}
}

/* The next leaf is mostly wanted at once, and lies anywhere in memory. */
static void prefetch(const struct wakeup *node)
{
	enum { LINE = 64 };

	for (size_t at = 0; at < sizeof(*node); at += LINE)
		__builtin_prefetch((const char *)node + at, 1);
}

struct wakeup *wakeup_leaf(struct wakeup_pool *pool, struct wakeup *parent,
			   const struct event *event)
{
	struct wakeup *leaf;

	if (!pool->unused)
		refill(pool);
	leaf = pool->unused;
	pool->unused = leaf->next;
	prefetch(pool->unused);
	memset(leaf, 0, offsetof(struct wakeup, event));
	leaf->parent = parent;
	leaf->at = parent ? parent->at + 1 : 0;
	leaf->grown = pool->clock;
	leaf->event = *event;
	return leaf;
}

/* ---- races to be looked at again ---- */

void wakeup_open(struct wakeup_pool *pool, struct wakeup *node, uint32_t first)
{
	struct wakeup_open *open = pool->unused_open;

	if (open)
		pool->unused_open = open->next;
	else
		open = mem_alloc(sizeof(*open));
	*open = (struct wakeup_open){.next = node->open, .first = first};
	node->open = open;
	pool->open++;
}

void wakeup_open_ghost(struct wakeup_pool *pool, struct wakeup *node)
{
	node->has_open_ghost = pool->has_open_ghost = true;
}

struct wakeup_open *wakeup_take_open(struct wakeup *node)
{
	struct wakeup_open *open = node->open;

	node->open = NULL;
	return open;
}

struct wakeup_open *wakeup_close(struct wakeup_pool *pool, struct wakeup_open *open)
{
	struct wakeup_open *next = open->next;

	open->next = pool->unused_open;
	pool->unused_open = open;
	pool->open--;
	return next;
}

void wakeup_forget_open(struct wakeup_pool *pool, struct wakeup *node)
{
	struct wakeup_open *open = wakeup_take_open(node);

	while (open)
		open = wakeup_close(pool, open);
	node->has_open_ghost = false;
}

/* ---- nodes ---- */

/* A run is a path as long as its trace: no recursion. */
static void give_back(struct wakeup_pool *pool, struct wakeup *node)
{
	node->next = NULL;
	while (node) {
		struct wakeup *rest = node->next;

		for (struct wakeup *child = node->children, *next; child; child = next) {
			next = child->next;
			child->next = rest;
			rest = child;
		}
		mem_free(node->ahead);
		wakeup_forget_open(pool, node);
		node->next = pool->unused;
		pool->unused = node;
		node = rest;
	}
}

void wakeup_remove_first(struct wakeup_pool *pool, struct wakeup **tree)
{
	struct wakeup *first = *tree;

	*tree = first->next;
	give_back(pool, first);
}

void wakeup_remove_leaf(struct wakeup_pool *pool, struct wakeup **list,
			const struct wakeup *branch, struct wakeup *leaf)
{
	struct wakeup *node = leaf;

	while (node != branch && node->parent->children == node && !node->next)
		node = node->parent;
	if (node != branch)
		list = &node->parent->children;
	while (*list != node)
		list = &(*list)->next;
	wakeup_remove_first(pool, list);
}

static bool is_initial(const struct event *event, const struct wakeup_wanted *wanted, size_t *at)
{
	return wanted->marks ? dependence_is_marked_initial(event, wanted->sequence, wanted->marks,
							    wanted->len, at)
			     : dependence_is_weak_initial(event, wanted->sequence, wanted->len,
							  wanted->observers, at);
}

bool wakeup_covers(const struct event *event, const struct wakeup_wanted *wanted, size_t *at)
{
	return is_initial(event, wanted, at) &&
	       (*at < wanted->len || !event_forestalls(event, wanted->first));
}

bool wakeup_is_firm(const struct event *event, const struct wakeup_wanted *wanted, size_t at)
{
	size_t place;

	return at < wanted->firm &&
	       (wanted->observers == OBSERVERS_NONE ||
		dependence_is_initial(event, wanted->sequence, wanted->firm, &place));
}

static struct wakeup *append_branch(struct wakeup_pool *pool, struct wakeup *parent,
				    struct wakeup **list, const struct event *const *sequence,
				    size_t len)
{
	struct wakeup *branch;

	while (*list)
		list = &(*list)->next;
	for (struct wakeup *above = parent; above && above->grown != pool->clock;
	     above = above->parent)
		above->grown = pool->clock;
	parent = branch = *list = wakeup_leaf(pool, parent, sequence[0]);
	for (size_t i = 1; i < len; i++) {
		parent->children = wakeup_leaf(pool, parent, sequence[i]);
		parent = parent->children;
	}
	return branch;
}

void wakeup_consume(struct wakeup_wanted *wanted, size_t at)
{
	/* the place is nearly always among the first */
	memmove(&wanted->sequence[1], &wanted->sequence[0], at * sizeof(*wanted->sequence));
	wanted->sequence++;
	if (wanted->marks) {
		memmove(&wanted->marks[1], &wanted->marks[0], at * sizeof(*wanted->marks));
		wanted->marks++;
	}
	wanted->len--;
	wanted->kept -= at < wanted->kept;
	wanted->firm -= at < wanted->firm;
}

static bool covers_in_tree(const struct wakeup *child, const struct wakeup_wanted *wanted,
			   size_t *at)
{
	return wakeup_covers(&child->event, wanted, at) &&
	       (child->is_taken || !child->event.deadline || *at == 0);
}

/* Would the branch cover the sequence of a run that goes on otherwise behind the firm steps? The rest
 * of the sequence keeps it out now.
 *     branches: e, b, and then the new one, f r b      r and b depend on each other
 * A run in which b comes before r wants f b r, which belongs below b: behind the branch of b, where b
 * sleeps, it would be left out. If b depends on e, then e does not sleep below b, and the runs there
 * find the sequence themselves.
 * `at`: where the sequence kept it out, if every order counts.
 * Test: tests/explore/found/timer_before_sleep.erl. */
static bool may_cover_otherwise(const struct wakeup *child, const struct wakeup_wanted *wanted,
				size_t at)
{
	struct wakeup_wanted firm = *wanted;

	if (!wanted->firm || wanted->firm == wanted->len ||
	    (wanted->observers == OBSERVERS_NONE && at < wanted->firm) ||
	    event_dependent_anyhow(&child->event, wanted->first))
		return false;
	firm.len = wanted->firm;
	return covers_in_tree(child, &firm, &at);
}

/* Goes down the branches that cover the wanted sequence, as far as there are any, and consumes the
 * steps on the way. *list: where the rest belongs, below *parent. Returns whether the whole sequence
 * has a path in the tree, or the path has led to a branch that another process explores. */
enum way { WAY_WHOLE, WAY_ENDS, WAY_OUT };

static enum way follow(struct wakeup **parent, struct wakeup ***list, struct wakeup_wanted *wanted,
		       bool *is_open)
{
	struct wakeup *child = **list;

	while (child) {
		size_t at = 0;

		if (!covers_in_tree(child, wanted, &at)) {
			*is_open = *is_open || may_cover_otherwise(child, wanted, at);
			child = child->next;
			continue;
		}
		if (wanted->firm && !wakeup_is_firm(&child->event, wanted, at))
			*is_open = true;
		if (at < wanted->len)
			wakeup_consume(wanted, at);
		if (wanted->len == 0 || (!child->children && !wanted->kept))
			return WAY_WHOLE;
		*parent = child;
		*list = &child->children;
		if (child->out && !child->out->is_checked)
			return WAY_OUT;
		child = **list;
	}
	return WAY_ENDS;
}

/* The sequence is wanted below a branch that another process explores. The tree below the branch
 * is as it was when the branch was given away: a sequence that has a path there adds nothing. */
static void note_late(struct wakeup *branch, const struct wakeup_wanted *wanted)
{
	const struct event *copy[LATE_MAX];
	struct wakeup_wanted rest = *wanted;
	struct wakeup **list = &branch->children, *parent = branch;
	bool is_open = false;

	if (rest.len <= LATE_MAX) {
		memcpy(copy, rest.sequence, rest.len * sizeof(*copy));
		rest.sequence = copy;
		rest.marks = NULL;
		if (follow(&parent, &list, &rest, &is_open) == WAY_WHOLE)
			return;
	}
	wakeup_put_wanted(&branch->out->late, wanted);
	branch->out->late_len++;
}

struct wakeup *wakeup_insert(struct wakeup_pool *pool, struct wakeup *parent, struct wakeup **list,
			     struct wakeup_wanted wanted, bool *is_open)
{
	*is_open = false;
	switch (follow(&parent, &list, &wanted, is_open)) {
	case WAY_WHOLE:
		return NULL;
	case WAY_OUT:
		*is_open = true; /* not known until the result comes */
		note_late(parent, &wanted);
		return NULL;
	case WAY_ENDS:
		break;
	}
	return append_branch(pool, parent, list, wanted.sequence, wanted.kept ? wanted.kept : 1);
}

/* ---- steps that turned out to be impossible ---- */

/* Steps on the way from an impossible step down to a leaf. */
struct dissolved {
	VEC(const struct event *) path; /* without the impossible step */
	VEC(const struct event *) dropped; /* it, and the steps that depend on it */
	VEC(const struct event *) sequence;
};

/* Fills the sequence with the steps of the path that can do without the impossible step. */
static void list_possible(struct dissolved *dissolved, const struct event *impossible)
{
	dissolved->sequence.len = dissolved->dropped.len = 0;
	*vec_push(&dissolved->dropped) = impossible;
	for (size_t i = 0; i < dissolved->path.len; i++) {
		const struct event *step = dissolved->path.items[i];
		bool needs_it = false;

		for (size_t k = 0; k < dissolved->dropped.len && !needs_it; k++)
			needs_it = event_dependent_anyhow(dissolved->dropped.items[k], step);
		if (needs_it)
			*vec_push(&dissolved->dropped) = step;
		else
			*vec_push(&dissolved->sequence) = step;
	}
}

static void add_again(struct wakeup_pool *pool, struct dissolved *dissolved,
		      const struct wakeup *impossible, struct wakeup **list,
		      enum observers observers)
{
	struct wakeup_wanted wanted = {.observers = observers_of_old(observers)};
	bool is_open;

	list_possible(dissolved, &impossible->event);
	if (!dissolved->sequence.len)
		return;
	wanted.sequence = dissolved->sequence.items;
	wanted.first = wanted.sequence[0];
	wanted.len = wanted.kept = wanted.firm = dissolved->sequence.len;
	wakeup_insert(pool, impossible->parent, list, wanted, &is_open);
}

uint32_t wakeup_dissolve_first(struct wakeup_pool *pool, struct wakeup **tree,
			       enum observers observers)
{
	struct wakeup *first = *tree, *node = first;
	struct dissolved dissolved = {0};
	uint32_t runs = first->ahead != NULL;

	*tree = first->next;
	while (node) {
		if (node->children) {
			node = node->children;
			*vec_push(&dissolved.path) = &node->event;
			runs += node->ahead != NULL;
			continue;
		}
		if (node != first)
			add_again(pool, &dissolved, first, tree, observers);
		while (node != first && !node->next) {
			node = node->parent;
			dissolved.path.len--;
		}
		node = node == first ? NULL : node->next;
		if (node) {
			*vec_last(&dissolved.path) = &node->event;
			runs += node->ahead != NULL;
		}
	}
	vec_release(&dissolved.path);
	vec_release(&dissolved.dropped);
	vec_release(&dissolved.sequence);
	give_back(pool, first);
	return runs;
}

void wakeup_pool_release(struct wakeup_pool *pool)
{
	while (pool->unused_open) {
		struct wakeup_open *open = pool->unused_open;

		pool->unused_open = open->next;
		mem_free(open);
	}
	for (size_t i = 0; i < pool->blocks_len; i++)
		mem_free(pool->blocks[i]);
	mem_free(pool->blocks);
	*pool = (struct wakeup_pool){0};
}
