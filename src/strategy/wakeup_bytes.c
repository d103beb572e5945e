#include "strategy/wakeup_bytes.h"

#include "base/mem.h"

/* Behind a node: where the next node stands. */
enum way { WAY_END, WAY_DOWN, WAY_NEXT, WAY_UP };

enum { FLAG_TAKEN = 1, FLAG_OPEN_GHOST = 2, FLAG_OPEN = 4 };

void wakeup_put_node(struct strbuf *out, const struct wakeup *node)
{
	uint32_t open_len = 0;

	for (const struct wakeup_open *open = node->open; open; open = open->next)
		open_len++;
	bytes_put(out, &node->event, sizeof(node->event));
	bytes_put_u8(out, (uint8_t)((node->is_taken ? FLAG_TAKEN : 0) |
				    (node->has_open_ghost ? FLAG_OPEN_GHOST : 0) |
				    (open_len ? FLAG_OPEN : 0)));
	if (open_len)
		bytes_put_u32(out, open_len);
	for (const struct wakeup_open *open = node->open; open; open = open->next)
		bytes_put_u32(out, open->first);
}

struct wakeup *wakeup_get_node(struct wakeup_pool *pool, struct wakeup *parent, struct bytes_in *in)
{
	struct wakeup *node;
	struct event event;
	uint32_t open_len;
	const char *firsts;
	uint8_t flags;

	bytes_get(in, &event, sizeof(event));
	node = wakeup_leaf(pool, parent, &event);
	flags = bytes_u8(in);
	node->is_taken = flags & FLAG_TAKEN;
	if (flags & FLAG_OPEN_GHOST)
		wakeup_open_ghost(pool, node);
	open_len = flags & FLAG_OPEN ? bytes_count(in, sizeof(uint32_t)) : 0;
	firsts = bytes_take(in, open_len * sizeof(uint32_t));
	for (uint32_t i = firsts ? open_len : 0; i-- > 0;) { /* so that the order stays */
		uint32_t first;

		memcpy(&first, firsts + i * sizeof(first), sizeof(first));
		wakeup_open(pool, node, first);
	}
	return node;
}

void wakeup_put(struct strbuf *out, const struct wakeup *branch)
{
	const struct wakeup *node = branch;

	for (;;) {
		wakeup_put_node(out, node);
		if (node->children) {
			bytes_put_u8(out, WAY_DOWN);
			node = node->children;
			continue;
		}
		for (; node != branch && !node->next; node = node->parent)
			bytes_put_u8(out, WAY_UP);
		if (node == branch)
			break;
		bytes_put_u8(out, WAY_NEXT);
		node = node->next;
	}
	bytes_put_u8(out, WAY_END);
}

/* The nodes above a branch without a run count it (dpor_ahead.c). */
static void note_unmade(const struct wakeup *node, const struct wakeup *top)
{
	struct wakeup *above = node->parent;

	for (; above != top->parent; above = above->parent)
		above->unmade++;
}

struct wakeup *wakeup_get(struct wakeup_pool *pool, struct wakeup *parent, struct bytes_in *in)
{
	struct wakeup *branch = wakeup_get_node(pool, parent, in), *node = branch;

	for (;;) {
		switch (bytes_u8(in)) {
		case WAY_DOWN:
			node->children = wakeup_get_node(pool, node, in);
			node = node->children;
			break;
		case WAY_NEXT:
			if (node == branch)
				goto damaged;
			node->next = wakeup_get_node(pool, node->parent, in);
			node = node->next;
			note_unmade(node, branch);
			break;
		case WAY_UP:
			if (node == branch)
				goto damaged;
			node = node->parent;
			break;
		default:
			return branch;
		}
	}
damaged:
	in->is_short = true;
	return branch;
}

void wakeup_put_wanted(struct strbuf *out, const struct wakeup_wanted *wanted)
{
	bytes_put(out, wanted->first, sizeof(*wanted->first));
	bytes_put_u32(out, (uint32_t)wanted->kept);
	bytes_put_u32(out, (uint32_t)wanted->firm);
	bytes_put_u32(out, wanted->observers);
	bytes_put_u32(out, (uint32_t)wanted->len);
	for (size_t i = 0; i < wanted->len; i++)
		bytes_put(out, wanted->sequence[i], sizeof(*wanted->sequence[i]));
}

struct wakeup_wanted wakeup_get_wanted(struct bytes_in *in, struct wanted_events *events,
				       struct wanted_sequence *sequence)
{
	struct wakeup_wanted wanted = {0};
	uint32_t len;

	events->len = sequence->len = 0;
	bytes_get(in, vec_push(events), sizeof(struct event));
	wanted.kept = bytes_u32(in);
	wanted.firm = bytes_u32(in);
	wanted.observers = bytes_u32(in);
	len = bytes_count(in, sizeof(struct event));
	for (uint32_t i = 0; i < len; i++)
		bytes_get(in, vec_push(events), sizeof(struct event));
	for (uint32_t i = 0; i < len; i++)
		*vec_push(sequence) = &events->items[i + 1];
	wanted.first = &events->items[0];
	wanted.sequence = sequence->items;
	wanted.len = len;
	return wanted;
}
