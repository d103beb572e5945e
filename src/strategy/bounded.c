/* bounded.c: iterative preemption bounding (Concuerror paper, VI; CHESS), and delay
 * bounding (Emmi, Qadeer, Rakamaric, POPL 2011) with the same two stacks.
 *
 * A prefix ends with a choice that the default policy (go on with the last actor,
 * else the first enabled) would not make. Prefixes whose cost is within the current
 * bound wait on one stack, the others on the next; when the first is empty the bound
 * grows by one and the stacks swap. If the second never received anything the search
 * was complete, whatever the bound.
 *
 * Cost: a switch away from an actor that is still enabled is one preemption;
 * switches forced by a block or an exit, and to or from virtual actors, are free.
 * In delays: taking the k-th enabled actor instead of the default one costs k.
 * Announced events show which actors are blocked before one is chosen, so the paper's
 * correction of section VI-B (a switch that turned out free) is never needed here.
 *
 * No sleep sets: a class may have all its cheap members asleep.
 *
 * hapset-bounded is the same search, in which a choice is followed only if it would show an
 * order of two statements that no good run has shown (hapset_news.h).
 */
#include <string.h>

#include "base/bitset.h"
#include "base/mem.h"
#include "base/vec.h"
#include "strategy/bound_cost.h"
#include "strategy/hapset_news.h"
#include "strategy/strategy.h"

struct prefix {
	uint16_t *actors; /* owned */
	uint32_t len;
	uint32_t cost;    /* of all its switches */
};

VEC_TYPE(prefix_stack, struct prefix);

struct bounded {
	struct strategy base;
	struct prefix_stack now, later;
	VEC(struct decision) decisions;
	uint32_t bound, limit, bound_kind;
	uint32_t cost; /* of the prefix being run */
	bool started;
	bool cut; /* a prefix stayed beyond the limit */
	struct hapset *filter; /* borrowed, or `own`; NULL: every choice is followed */
	struct hapset own;
	struct hapset_news news;
};

static void push_prefix(struct bounded *b, const struct trace *trace, uint32_t len, uint32_t actor,
			uint32_t cost)
{
	struct prefix_stack *stack = cost <= b->bound ? &b->now : &b->later;
	struct prefix prefix = {.len = len + 1, .cost = cost};

	if (cost > b->limit) {
		b->cut = true;
		return;
	}
	prefix.actors = mem_alloc(prefix.len * sizeof(*prefix.actors));
	for (uint32_t i = 0; i < len; i++)
		prefix.actors[i] = (uint16_t)trace->events[i].actor;
	prefix.actors[len] = (uint16_t)actor;
	*vec_push(stack) = prefix;
}

/* Moves on to the next bound that has prefixes waiting. */
static bool refill(struct bounded *b)
{
	while (!b->now.len && b->later.len && b->bound < b->limit) {
		struct prefix_stack beyond = {0}, empty = b->now;

		b->bound++;
		b->now = b->later;
		b->later = empty;
		for (size_t i = 0; i < b->now.len;) { /* prefixes that cost too much still wait */
			if (b->now.items[i].cost <= b->bound) {
				i++;
				continue;
			}
			*vec_push(&beyond) = b->now.items[i];
			b->now.items[i] = b->now.items[--b->now.len];
		}
		vec_append(&b->later, beyond.items, beyond.len);
		vec_release(&beyond);
	}
	return b->now.len > 0;
}

static bool bounded_next(struct strategy *self, struct schedule *schedule,
		      const struct trace **known)
{
	struct bounded *b = (struct bounded *)self;
	struct prefix prefix;

	*schedule = (struct schedule){.tail = TAIL_FIRST};
	*known = NULL;
	b->decisions.len = 0;
	b->cost = 0;
	if (!b->started) {
		b->started = true;
		return true;
	}
	if (!refill(b))
		return false;
	prefix = vec_pop(&b->now);
	for (uint32_t i = 0; i < prefix.len; i++)
		*vec_push(&b->decisions) = (struct decision){
			.actor = prefix.actors[i], .kind = DECISION_ANY};
	mem_free(prefix.actors);
	b->cost = prefix.cost;
	schedule->decisions = b->decisions.items;
	schedule->decisions_len = prefix.len;
	return true;
}

/* The last actor before event i that is not virtual; ACTOR_NONE at the start. */
static uint32_t last_real(const struct trace *trace, uint32_t i)
{
	while (i-- > 0)
		if (!actor_is_virtual(&trace->actors[trace->events[i].actor]))
			return trace->events[i].actor;
	return ACTOR_NONE;
}

static void push_alternatives(struct bounded *b, const struct trace *trace, uint32_t i)
{
	const uint64_t *enabled = trace_enabled(trace, i);
	uint32_t last = last_real(trace, i);
	bool last_enabled = last != ACTOR_NONE && bitset_has(enabled, last);
	uint32_t delays = 0;

	bitset_foreach(actor, enabled, trace->enabled_words) {
		bool is_virtual = actor_is_virtual(&trace->actors[actor]);
		uint32_t cost;

		if (actor == trace->events[i].actor)
			continue;
		delays++;
		if (b->filter && !hapset_news_of(&b->news, i, (uint32_t)actor))
			continue;
		if (b->bound_kind == BOUND_DELAYS)
			cost = delays;
		else
			cost = last_enabled && actor != last && !is_virtual;
		push_prefix(b, trace, i, (uint32_t)actor, b->cost + cost);
	}
}

static void bounded_learn(struct strategy *self, const struct trace *trace)
{
	struct bounded *b = (struct bounded *)self;

	if (b->filter && hapset_is_good(trace))
		hapset_learn(b->filter, trace);
	if (b->filter)
		hapset_news_find(&b->news, b->filter, trace);
	/* Beyond the prefix the default policy ran: every other choice is new. Deepest last,
	 * so that the stack is worked off depth first. */
	for (uint32_t i = (uint32_t)b->decisions.len; i < trace->events_len; i++)
		push_alternatives(b, trace, i);
}

static void clear_stack(struct prefix_stack *stack)
{
	for (size_t i = 0; i < stack->len; i++)
		mem_free(stack->items[i].actors);
	stack->len = 0;
}

static void bounded_restart(struct strategy *self)
{
	struct bounded *b = (struct bounded *)self;

	clear_stack(&b->now);
	clear_stack(&b->later);
	b->bound = 0;
	b->started = b->cut = false;
}

static double bounded_progress(const struct strategy *self)
{
	return -1;
}

static const char *bounded_left_out(const struct strategy *self)
{
	const struct bounded *b = (const struct bounded *)self;

	if (b->filter)
		return "only orders of statements not seen before were followed";
	return b->cut ? bound_left_out(b->bound_kind) : NULL;
}

static void bounded_free(struct strategy *self)
{
	struct bounded *b = (struct bounded *)self;

	bounded_restart(self);
	vec_release(&b->now);
	vec_release(&b->later);
	vec_release(&b->decisions);
	hapset_release(&b->own);
	hapset_news_release(&b->news);
	mem_free(b);
}

static const struct strategy_ops bounded_ops = {
	.next = bounded_next,
	.learn = bounded_learn,
	.restart = bounded_restart,
	.progress = bounded_progress,
	.left_out = bounded_left_out,
	.free = bounded_free,
};

struct strategy *strategy_bounded(const struct strategy_params *params)
{
	struct bounded *b = mem_zalloc(sizeof(*b));

	b->base.ops = &bounded_ops;
	b->limit = params->bound;
	b->bound_kind = params->bound_kind;
	return &b->base;
}

struct strategy *strategy_hapset_bounded(const struct strategy_params *params)
{
	struct bounded *b = (struct bounded *)strategy_bounded(params);

	b->filter = params->hapset ? params->hapset : &b->own;
	return &b->base;
}
