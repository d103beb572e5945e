#include "strategy/wakeup.h"

#include <string.h>

#include "base/mem.h"
#include "base/vec.h"

enum { POOL_BLOCK = 256 };

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

struct wakeup *wakeup_leaf(struct wakeup_pool *pool, const struct event *event)
{
	struct wakeup *leaf;

	if (!pool->unused)
		refill(pool);
	leaf = pool->unused;
	pool->unused = leaf->next;
	leaf->event = *event;
	leaf->children = leaf->next = NULL;
	return leaf;
}

static void give_back(struct wakeup_pool *pool, struct wakeup *node)
{
	while (node->children) {
		struct wakeup *child = node->children;

		node->children = child->next;
		give_back(pool, child);
	}
	node->next = pool->unused;
	pool->unused = node;
}

void wakeup_remove_first(struct wakeup_pool *pool, struct wakeup **tree)
{
	struct wakeup *first = *tree;

	*tree = first->next;
	give_back(pool, first);
}

bool wakeup_is_weak_initial(const struct event *event, const struct event *sequence, size_t len,
			    size_t *at)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (sequence[i].actor == event->actor)
			break;
		if (event_dependent(event, &sequence[i]) || event_dependent(&sequence[i], event))
			return false;
	}
	*at = i;
	return true;
}

static void append_branch(struct wakeup_pool *pool, struct wakeup **list,
			  const struct event *sequence, size_t len)
{
	while (*list)
		list = &(*list)->next;
	for (size_t i = 0; i < len; i++) {
		*list = wakeup_leaf(pool, &sequence[i]);
		list = &(*list)->children;
	}
}

void wakeup_insert(struct wakeup_pool *pool, struct wakeup **tree, struct event *sequence, size_t len)
{
	struct wakeup *child = *tree;

	while (child) {
		size_t at;

		if (!wakeup_is_weak_initial(&child->event, sequence, len, &at)) {
			child = child->next;
			continue;
		}
		if (at < len) {
			memmove(&sequence[at], &sequence[at + 1],
				(len - at - 1) * sizeof(*sequence));
			len--;
		}
		if (len == 0 || !child->children)
			return; /* exploring that leaf will cover it */
		tree = &child->children;
		child = *tree;
	}
	append_branch(pool, tree, sequence, len);
}

void wakeup_pool_release(struct wakeup_pool *pool)
{
	for (size_t i = 0; i < pool->blocks_len; i++)
		mem_free(pool->blocks[i]);
	mem_free(pool->blocks);
	*pool = (struct wakeup_pool){0};
}
