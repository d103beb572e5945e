/* bpor.c: preemption and delay bounding with partial order reduction.
 *
 * The same order of search as bounded.c: beginnings within the current bound first, then those that
 * cost one more. Two reductions leave out equivalent runs:
 *
 *   sleep sets      of the runs of one class one is made. With costs of single runs that would be
 *                   wrong, because the one that is made may cost more than another. So here a
 *                   beginning costs what its class costs (bound_cost.h), and a class is left
 *                   out only if none of its runs is within the bound. The sleepers of a
 *                   beginning add to its cost: its runs have to pass them over.
 *   persistent sets at a place only those actors are tried whose next steps others may conflict
 *                   with (footprint.h).
 *
 * Bounded partial order reduction (Coons, Musuvathi and McKinley, OOPSLA 2013) compares the costs
 * of single runs. It therefore comes back not only to the place of a race but also to the begin of
 * the block that would be preempted there. Here those places are not needed: a beginning that
 * preempts a block costs nothing if an equivalent one does not preempt it.
 *
 * Two sorts of programs are left to bounded.c, from the run on that shows it. Timers have no place
 * in the order in which delays are counted. And where persistent sets are large, or steps often do
 * less than they announce, most runs are made in vain: then the plain search needs fewer runs.
 *
 * A run may turn out to cost more than the current bound. It has been made then, so it counts, and
 * what branches off it waits for its turn; beyond the limit it was made in vain.
 *
 * With a bound that cuts, a persistent set may be too small because a step would be announced only
 * by runs beyond the bound. The result is not a proof then, like that of bounded.c.
 */
#include <string.h>

#include "base/bitset.h"
#include "base/mem.h"
#include "base/vec.h"
#include "strategy/bound_cost.h"
#include "strategy/footprint.h"
#include "strategy/strategy.h"

/* A beginning of runs: all its steps but the last have been run. */
struct beginning {
	uint16_t *actors;       /* owned */
	struct event *sleepers; /* owned: before its last step */
	uint32_t len, sleepers_len;
	uint32_t cost;
};

VEC_TYPE(beginning_stack, struct beginning);

struct bpor {
	struct strategy base;
	struct beginning_stack now, later;
	VEC(struct decision) decisions;
	struct event_vec sleepers; /* handed out with the schedule */
	struct event_vec asleep;   /* scratch: at the place that is looked at */
	struct event_vec tried;    /* scratch: these, and the actors tried there */
	struct bound_cost costs;
	struct footprints footprints;
	struct strategy *plain; /* owned: the search without reduction, once it has taken over */
	struct strategy_params params;
	uint64_t runs, in_vain; /* in vain: every actor slept, or it went on beyond the bound */
	uint32_t bound, limit;
	bool started;
	bool cut; /* a beginning stayed beyond the limit */
};

/* More runs in vain than this, and than so many for each other run, are too many. */
enum { IN_VAIN_MAX = 20000, IN_VAIN_SHARE = 3 };

static void drop(struct beginning *b)
{
	mem_free(b->actors);
	mem_free(b->sleepers);
}

static void clear_stack(struct beginning_stack *stack)
{
	while (stack->len)
		drop(&vec_pop(stack));
}

/* ---- the next run ---- */

/* Moves the beginnings that the bound now allows from `later` to `now`. */
static void raise_bound(struct bpor *b)
{
	size_t kept = 0;

	b->bound++;
	for (size_t i = 0; i < b->later.len; i++) {
		if (b->later.items[i].cost <= b->bound)
			*vec_push(&b->now) = b->later.items[i];
		else
			b->later.items[kept++] = b->later.items[i];
	}
	b->later.len = kept;
}

static bool bpor_next(struct strategy *self, struct schedule *schedule, const struct trace **known)
{
	struct bpor *b = (struct bpor *)self;
	struct beginning begin;

	if (b->plain)
		return b->plain->ops->next(b->plain, schedule, known);
	*schedule = (struct schedule){.tail = TAIL_FIRST};
	*known = NULL;
	b->decisions.len = b->sleepers.len = 0;
	if (!b->started) {
		b->started = true;
		return true;
	}
	while (!b->now.len && b->later.len && b->bound < b->limit)
		raise_bound(b);
	if (!b->now.len)
		return false;
	begin = vec_pop(&b->now);
	for (uint32_t i = 0; i < begin.len; i++)
		*vec_push(&b->decisions) = (struct decision){
			.actor = begin.actors[i], .kind = DECISION_ANY};
	vec_append(&b->sleepers, begin.sleepers, begin.sleepers_len);
	drop(&begin);
	schedule->decisions = b->decisions.items;
	schedule->decisions_len = (uint32_t)b->decisions.len;
	schedule->sleep_from = schedule->decisions_len - 1;
	schedule->sleepers = b->sleepers.items;
	schedule->sleepers_len = (uint32_t)b->sleepers.len;
	return true;
}

/* ---- a run is learned ---- */

/* Those that the step does not wake sleep on. */
static void wake(struct event_vec *asleep, const struct event *step)
{
	size_t kept = 0;

	for (size_t i = 0; i < asleep->len; i++)
		if (!bound_depends(&asleep->items[i], step))
			asleep->items[kept++] = asleep->items[i];
	asleep->len = kept;
}

static bool is_asleep(const struct bpor *b, uint32_t actor)
{
	for (size_t i = 0; i < b->asleep.len; i++)
		if (b->asleep.items[i].actor == actor)
			return true;
	return false;
}

/* The first `place` steps of the trace, then the actor; the actors tried before it sleep. */
static void push_beginning(struct bpor *b, const struct trace *trace, uint32_t place,
			   uint32_t actor, uint32_t cost)
{
	struct beginning begin = {.len = place + 1, .cost = cost,
				  .sleepers_len = (uint32_t)b->tried.len};

	if (cost > b->limit) {
		b->cut = true;
		return;
	}
	begin.actors = mem_alloc(begin.len * sizeof(*begin.actors));
	for (uint32_t i = 0; i < place; i++)
		begin.actors[i] = (uint16_t)trace->events[i].actor;
	begin.actors[place] = (uint16_t)actor;
	begin.sleepers = mem_alloc((b->tried.len + 1) * sizeof(*begin.sleepers));
	memcpy(begin.sleepers, b->tried.items, b->tried.len * sizeof(*begin.sleepers));
	*vec_push(cost <= b->bound ? &b->now : &b->later) = begin;
}

/* The actor that the run chose at the place, or else the first that is enabled and awake. */
static uint32_t find_first(const struct bpor *b, const struct trace *trace, uint32_t place)
{
	if (place < trace->events_len && !is_asleep(b, trace->events[place].actor))
		return trace->events[place].actor;
	bitset_foreach(actor, trace_enabled(trace, place), trace->enabled_words)
		if (!is_asleep(b, (uint32_t)actor))
			return (uint32_t)actor;
	return ACTOR_NONE;
}

/* The cost of going on with the event at the place; any cost up to `enough` is as good. */
static uint32_t find_cost(struct bpor *b, const struct trace *trace, uint32_t place,
			  const struct event *event, uint32_t enough)
{
	struct bound_others others = {.enabled = trace_enabled(trace, place),
				      .words = trace->enabled_words,
				      .next = b->footprints.next.items,
				      .asleep = b->tried.items,
				      .asleep_len = b->tried.len,
				      .ended = b->footprints.ended.items};

	return bound_cost_of(&b->costs, place, event, &others, enough, b->limit);
}

/* Adds the beginnings that go on otherwise at the place. False: the run is not wanted from there
 * on, because its class was run before, or because it is beyond the bound. */
static bool look_at_place(struct bpor *b, const struct trace *trace, uint32_t place)
{
	uint32_t first = find_first(b, trace, place);
	uint32_t taken = place < trace->events_len ? trace->events[place].actor : ACTOR_NONE;
	bool goes_on = taken != ACTOR_NONE && taken == first;

	if (first == ACTOR_NONE)
		return false;
	footprints_choose(&b->footprints, trace, place, first);
	vec_clear(&b->tried);
	vec_append(&b->tried, b->asleep.items, b->asleep.len);
	if (goes_on) {
		goes_on = find_cost(b, trace, place, &trace->events[place], b->limit) <= b->limit;
		b->in_vain += !goes_on;
		b->cut = b->cut || !goes_on;
		*vec_push(&b->tried) = trace->events[place];
	}
	bitset_foreach(actor, b->footprints.set.items, trace->enabled_words) {
		struct event next;
		uint32_t cost;

		if (actor == taken || is_asleep(b, (uint32_t)actor) ||
		    !b->footprints.next.items[actor])
			continue;
		next = event_as_announced(b->footprints.next.items[actor]);
		cost = find_cost(b, trace, place, &next, b->bound);
		push_beginning(b, trace, place, (uint32_t)actor, cost);
		*vec_push(&b->tried) = next;
	}
	return goes_on;
}

static void begin_anew(struct bpor *b)
{
	clear_stack(&b->now);
	clear_stack(&b->later);
	b->bound = 0;
	b->started = b->cut = false;
	b->footprints.relied_on.len = 0;
	map_clear(&b->footprints.relied);
}

/* Is the program one for the search without reduction? */
static bool is_for_plain(struct bpor *b, const struct trace *trace)
{
	b->runs++;
	b->in_vain += trace->end == END_ASLEEP;
	if (b->in_vain > IN_VAIN_MAX + IN_VAIN_SHARE * (b->runs - b->in_vain))
		return true;
	return b->costs.kind == BOUND_DELAYS && footprints_have_timer(trace);
}

static void bpor_learn(struct strategy *self, const struct trace *trace)
{
	struct bpor *b = (struct bpor *)self;
	uint32_t place = (uint32_t)b->decisions.len;

	if (b->plain) {
		b->plain->ops->learn(b->plain, trace);
		return;
	}
	if (is_for_plain(b, trace)) {
		begin_anew(b);
		b->plain = strategy_bounded(&b->params);
		return;
	}
	if (!footprints_add(&b->footprints, trace)) {
		begin_anew(b);
		return;
	}
	if (trace->end == END_DIVERGED || trace->events_len < place)
		return;
	bound_cost_begin(&b->costs, trace);
	footprints_start(&b->footprints, trace, place);
	vec_clear(&b->asleep);
	vec_append(&b->asleep, b->sleepers.items, b->sleepers.len);
	if (place)
		wake(&b->asleep, &trace->events[place - 1]);
	for (; place < trace->events_len && look_at_place(b, trace, place); place++) {
		footprints_pass(&b->footprints, trace, place);
		wake(&b->asleep, &trace->events[place]);
	}
	if (place == trace->events_len && trace->end == END_ASLEEP)
		look_at_place(b, trace, place);
}

static void bpor_restart(struct strategy *self)
{
	struct bpor *b = (struct bpor *)self;

	begin_anew(b);
	footprints_clear(&b->footprints);
	if (b->plain)
		b->plain->ops->free(b->plain);
	b->plain = NULL;
	b->runs = b->in_vain = 0;
}

static double bpor_progress(const struct strategy *self)
{
	return -1;
}

static const char *bpor_left_out(const struct strategy *self)
{
	const struct bpor *b = (const struct bpor *)self;

	if (b->plain)
		return b->plain->ops->left_out(b->plain);
	return b->cut ? bound_left_out(b->costs.kind) : NULL;
}

static void bpor_free(struct strategy *self)
{
	struct bpor *b = (struct bpor *)self;

	bpor_restart(self);
	vec_release(&b->now);
	vec_release(&b->later);
	vec_release(&b->decisions);
	vec_release(&b->sleepers);
	vec_release(&b->asleep);
	vec_release(&b->tried);
	bound_cost_release(&b->costs);
	footprints_release(&b->footprints);
	mem_free(b);
}

static const struct strategy_ops bpor_ops = {
	.next = bpor_next,
	.learn = bpor_learn,
	.restart = bpor_restart,
	.progress = bpor_progress,
	.left_out = bpor_left_out,
	.free = bpor_free,
};

struct strategy *strategy_bpor(const struct strategy_params *params)
{
	struct bpor *b = mem_zalloc(sizeof(*b));

	b->base.ops = &bpor_ops;
	b->params = *params;
	b->limit = params->bound;
	b->costs.kind = params->bound_kind;
	return &b->base;
}
