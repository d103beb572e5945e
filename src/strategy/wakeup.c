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

struct wakeup *wakeup_leaf(struct wakeup_pool *pool, struct wakeup *parent,
			   const struct event *event)
{
	struct wakeup *leaf;

	if (!pool->unused)
		refill(pool);
	leaf = pool->unused;
	pool->unused = leaf->next;
	*leaf = (struct wakeup){
		.event = *event, .parent = parent, .at = parent ? parent->at + 1 : 0};
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

static bool are_dependent(const struct event *a, const struct event *b)
{
	return event_dependent_anyhow(a, b);
}

static const struct access *find_access(const struct event *event, uint64_t object)
{
	for (uint32_t a = 0; a < event->access_len; a++)
		if (event->accesses[a].object == object)
			return &event->accesses[a];
	return NULL;
}

/* Two messages to one mailbox: does one of the sequence take one of them, or look at them? */
static bool are_sends_told_apart(const struct event *a, const struct event *b, uint64_t mailbox,
				 const struct event *sequence, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		const struct access *access = find_access(&sequence[i], mailbox);

		if (!access || access->mode == ACCESS_SEND)
			continue;
		if (access->mode == ACCESS_LOOK || event_is_fed_by(&sequence[i], a) ||
		    event_is_fed_by(&sequence[i], b))
			return true;
	}
	return false;
}

bool wakeup_may_be_untold(const struct event *a, const struct event *b,
			  const struct event *sequence, size_t len)
{
	for (uint32_t i = 0; i < a->access_len; i++)
		for (uint32_t j = 0; j < b->access_len; j++) {
			const struct access *x = &a->accesses[i], *y = &b->accesses[j];

			if (!access_is_mail(x) || !access_conflict(x, y))
				continue;
			return x->mode != ACCESS_SEND || y->mode != ACCESS_SEND ||
			       !are_sends_told_apart(a, b, x->object, sequence, len);
		}
	return false;
}

/* Accesses of two events to one mailbox, a message and a poll: would the poll take the message? One
 * that took another would not. a or b NULL: it is not known what it does. */
static bool is_polled(const struct event *a, const struct event *b, uint64_t mailbox)
{
	const struct access *x, *y;

	if (!a || !b)
		return true;
	if (event_polls(b)) {
		const struct event *send = a;

		a = b;
		b = send;
	}
	if (event_polls(a) && !(a->flags & EVENT_FAILED))
		return event_is_fed_by(a, b);
	x = find_access(a, mailbox);
	y = find_access(b, mailbox);
	return !x || !y || x->mode == ACCESS_LOOK || y->mode == ACCESS_LOOK || !x->size ||
	       !y->size || access_is_of_group(x, y);
}

/* Is what the event does told apart, within the sequence where it is at `place`, from what number
 * i does? */
static bool are_told_apart(const struct event *event, const struct event *sequence, size_t len,
			   size_t i, size_t place)
{
	const struct event *other = &sequence[i], *self = place < len ? &sequence[place] : NULL;
	struct event x = *event, y = *other;

	for (uint32_t a = 0; a < event->access_len; a++)
		for (uint32_t b = 0; b < other->access_len; b++) {
			const struct access *mine = &event->accesses[a];
			const struct access *mail = &other->accesses[b];
			bool is_send = mine->mode == ACCESS_SEND;

			if (!access_conflict(mine, mail))
				continue;
			if (!access_is_mail(mine) || !access_is_mail(mail))
				return true;
			if (is_send && mail->mode == ACCESS_SEND
				    ? are_sends_told_apart(event, other, mail->object,
							   sequence + i + 1, len - i - 1)
				    : is_polled(self, other, mail->object))
				return true;
		}
	if (!event->access_len || !other->access_len)
		return true; /* the end of the world, or one leads to the other */
	x.access_len = y.access_len = 0;
	return are_dependent(&x, &y);
}

/* Where every order can be told. */
static bool is_plain_initial(const struct event *event, const struct event *sequence, size_t len,
			     size_t *at)
{
	for (*at = 0; *at < len && sequence[*at].actor != event->actor; ++*at)
		if (are_dependent(event, &sequence[*at]))
			return false;
	return true;
}

bool wakeup_is_weak_initial(const struct event *event, const struct event *sequence, size_t len,
			    enum order_observers observers, size_t *at)
{
	size_t i, place = 0;

	if (observers == OBSERVERS_NONE)
		return is_plain_initial(event, sequence, len, at);
	while (place < len && sequence[place].actor != event->actor)
		place++;
	for (i = 0; i < place; i++)
		if (are_dependent(event, &sequence[i]) &&
		    are_told_apart(event, sequence, len, i, place))
			return false;
	*at = place;
	return true;
}

bool wakeup_covers(const struct event *event, const struct wakeup_wanted *wanted, size_t *at)
{
	return wakeup_is_weak_initial(event, wanted->sequence, wanted->len, wanted->observers,
				      at) &&
	       (*at < wanted->len || !event_forestalls(event, wanted->first));
}

bool wakeup_is_firm(const struct event *event, const struct wakeup_wanted *wanted, size_t at)
{
	size_t place;

	return at < wanted->firm &&
	       (wanted->observers == OBSERVERS_NONE ||
		is_plain_initial(event, wanted->sequence, wanted->firm, &place));
}

static struct wakeup *append_branch(struct wakeup_pool *pool, struct wakeup *parent,
				    struct wakeup **list, const struct event *sequence, size_t len)
{
	struct wakeup *branch;

	while (*list)
		list = &(*list)->next;
	parent = branch = *list = wakeup_leaf(pool, parent, &sequence[0]);
	for (size_t i = 1; i < len; i++) {
		parent->children = wakeup_leaf(pool, parent, &sequence[i]);
		parent = parent->children;
	}
	return branch;
}

/* The event at that place is done with. */
static void consume(struct wakeup_wanted *wanted, size_t at)
{
	/* nearly always among the first */
	memmove(&wanted->sequence[1], &wanted->sequence[0], at * sizeof(*wanted->sequence));
	wanted->sequence++;
	wanted->len--;
	wanted->kept -= at < wanted->kept;
	wanted->firm -= at < wanted->firm;
}

struct wakeup *wakeup_insert(struct wakeup_pool *pool, struct wakeup *parent, struct wakeup **list,
			     struct wakeup_wanted wanted, bool *is_open)
{
	struct wakeup *child = *list;

	*is_open = false;
	while (child) {
		size_t at;

		if (!wakeup_covers(&child->event, &wanted, &at)) {
			child = child->next;
			continue;
		}
		if (wanted.firm && !wakeup_is_firm(&child->event, &wanted, at))
			*is_open = true;
		if (at < wanted.len)
			consume(&wanted, at);
		if (wanted.len == 0 || (!child->children && !wanted.kept))
			return NULL;
		parent = child;
		list = &child->children;
		child = *list;
	}
	return append_branch(pool, parent, list, wanted.sequence, wanted.kept ? wanted.kept : 1);
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
