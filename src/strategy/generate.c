#include "strategy/generate.h"

#include <string.h>

struct maker {
	const struct generate_source *source;
	enum goal_criterion criterion;
	const struct goals *reached;
	struct receive_list *prefix; /* scheduled for good */
	struct receive_list tail;    /* may still be reordered */
	struct receive_list scratch;
	uint64_t done[BITSET_WORDS(RECEIVES_MAX)];   /* those in the prefix */
	uint64_t banned[BITSET_WORDS(RECEIVES_MAX)]; /* those that may not happen any more */
};

static const struct receive *receive_at(const struct maker *m, uint32_t index)
{
	return &m->source->receives[index];
}

static bool has_goal(const struct maker *m, uint32_t first, uint32_t second)
{
	return goals_has(m->reached, m->criterion, receive_at(m, first), receive_at(m, second));
}

static bool can_turn_round(const struct maker *m, uint32_t first, uint32_t second)
{
	return goals_are_related(m->criterion, receive_at(m, first), receive_at(m, second)) &&
	       !generate_must(m->source, first, second);
}

/* Schedules a receive. If it overtakes another receive of its receiver, the history of the
 * overtaken one changes from there on, so the receives that must come after that one may not happen
 * any more. (The paper has this for the pair that is moved; other receives can be overtaken by
 * those that must happen before the pair.) */
static void append(struct maker *m, uint32_t index)
{
	uint64_t receiver = receive_at(m, index)->receiver;
	uint32_t next = 0;

	*vec_push(m->prefix) = index;
	bitset_add(m->done, index);
	while (next < index &&
	       (bitset_has(m->done, next) || receive_at(m, next)->receiver != receiver))
		next++;
	for (uint32_t at = next + 1; next < index && at < m->source->len; at++)
		if (generate_must(m->source, next, at))
			bitset_add(m->banned, at);
}

/* Algorithm 2: of the sequence prefix + tail, the receives i and j of the tail come next, swapped
 * if `swap`, after all receives that must happen before the second. The others become the new
 * tail, without those that one of the two may have caused: they may not happen any more. For PR the
 * two need not be consecutive, so the later one may still move: it heads the tail. */
static void schedule_pair(struct maker *m, uint32_t i, uint32_t j, bool swap)
{
	uint32_t first = m->tail.items[i], second = m->tail.items[j];
	uint32_t last = swap ? first : second;

	for (uint32_t k = 0; k < i; k++)
		if (!bitset_has(m->banned, m->tail.items[k]))
			append(m, m->tail.items[k]);
	for (uint32_t k = i + 1; k < j; k++)
		if (generate_must(m->source, m->tail.items[k], second))
			append(m, m->tail.items[k]);
	append(m, swap ? second : first);
	if (m->criterion != GOAL_PR)
		append(m, last);
	m->scratch.len = 0;
	if (m->criterion == GOAL_PR)
		*vec_push(&m->scratch) = last;
	for (uint32_t k = i + 1; k < m->tail.len; k++) {
		uint32_t at = m->tail.items[k];

		if (k != j && !bitset_has(m->done, at) && !bitset_has(m->banned, at) &&
		    !generate_must(m->source, first, at) && !generate_must(m->source, second, at))
			*vec_push(&m->scratch) = at;
	}
	m->tail.len = 0;
	vec_append(&m->tail, m->scratch.items, m->scratch.len);
}

/* Algorithm 3: reorders the tail as long as that reaches new goals. */
static void schedule_tail(struct maker *m)
{
	for (;;) {
		uint32_t i = 0, j = 0;
		bool found = false, swap = false;

		for (i = 0; i < m->tail.len && !found; i++)
			for (j = i + 1; j < m->tail.len && !found; j++) {
				uint32_t first = m->tail.items[i], second = m->tail.items[j];

				if (!can_turn_round(m, first, second))
					continue;
				swap = has_goal(m, first, second);
				found = !swap || !has_goal(m, second, first);
			}
		if (!found)
			break;
		schedule_pair(m, i - 1, j - 1, swap);
	}
	if (m->criterion == GOAL_PR && m->tail.len)
		append(m, m->tail.items[0]);
}

static void make_list(struct maker *m, uint32_t i, uint32_t j, bool swap)
{
	m->prefix->len = m->tail.len = 0;
	memset(m->done, 0, sizeof(m->done));
	memset(m->banned, 0, sizeof(m->banned));
	for (uint32_t k = 0; k < m->source->len; k++)
		*vec_push(&m->tail) = k;
	schedule_pair(m, i, j, swap);
	schedule_tail(m);
}

void generate_reach(const struct generate_source *source, enum goal_criterion criterion,
		    const struct receive_list *list, struct goals *reached)
{
	struct receive *receives = mem_alloc(list->len * sizeof(*receives) + 1);

	for (size_t k = 0; k < list->len; k++)
		receives[k] = source->receives[list->items[k]];
	goals_add(reached, criterion, receives, (uint32_t)list->len);
	mem_free(receives);
}

static void step(struct generate_cursor *cursor, uint32_t len)
{
	if (!cursor->swap) {
		cursor->swap = true;
		return;
	}
	cursor->swap = false;
	if (++cursor->j >= len)
		cursor->j = ++cursor->i + 1;
}

/* Is a list to be made for the goal at the cursor? */
static bool is_open(const struct maker *m, const struct generate_cursor *cursor,
		    generate_wanted *wanted, void *ctx)
{
	uint32_t first = cursor->swap ? cursor->j : cursor->i;
	uint32_t second = cursor->swap ? cursor->i : cursor->j;

	return can_turn_round(m, cursor->i, cursor->j) && !has_goal(m, first, second) &&
	       wanted(ctx, receive_at(m, first), receive_at(m, second));
}

/* Algorithm 1, as a loop that can be interrupted and continued. */
bool generate_next(const struct generate_source *source, enum goal_criterion criterion,
		   const struct goals *reached, struct generate_cursor *cursor,
		   generate_wanted *wanted, void *ctx, struct receive_list *list)
{
	struct maker m = {.source = source, .criterion = criterion, .reached = reached,
			  .prefix = list};
	bool found = false;

	if (cursor->j <= cursor->i)
		cursor->j = cursor->i + 1;
	for (; cursor->j < source->len && !found; step(cursor, source->len)) {
		found = is_open(&m, cursor, wanted, ctx);
		if (found)
			make_list(&m, cursor->i, cursor->j, cursor->swap);
	}
	vec_release(&m.tail);
	vec_release(&m.scratch);
	return found;
}
