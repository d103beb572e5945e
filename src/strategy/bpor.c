/* bpor.c: preemption and delay bounding with partial order reduction.
 *
 * The same order of search as bounded.c: beginnings within the current bound first, then those that
 * cost one more. Two reductions leave out equivalent runs:
 *
 *   sleep sets      of the runs of one class one is made. With costs of single runs that would be
 *                   wrong, because the one that is made may cost more than another. So here a
 *                   beginning costs what its class costs (bound_cost.h), and a class is left
 *                   out only if none of its runs is within the bound. The sleepers of a
 *                   beginning add delays to its cost: its runs have to pass them over.
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
 * When a persistent set turns out to have been too small the search begins anew. Its first runs are
 * kept, so that those which come again need not be made again.
 *
 * With a bound that cuts, a persistent set may be too small because a step would be announced only
 * by runs beyond the bound. The result is not a proof then, like that of bounded.c.
 */
#include <string.h>

#include "base/bitset.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "core/dependence.h"
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
VEC_TYPE(kept_vec, struct trace *);

struct bpor {
	struct strategy base;
	struct beginning_stack now, later;
	struct beginning_stack beyond; /* perhaps no run of these is wanted: see find_cost */
	VEC(struct decision) decisions;
	struct event_vec sleepers; /* handed out with the schedule */
	struct event_vec asleep;   /* scratch: at the place that is looked at */
	struct event_vec tried;    /* scratch: these, and the actors tried there */
	struct kept_vec kept;      /* owned: the first runs */
	struct map kept_places;    /* hash of the schedule -> its place in `kept`, plus one */
	uint64_t kept_events;      /* of all of them */
	struct bound_cost costs;
	struct footprints footprints;
	struct strategy *plain; /* owned: the search without reduction, once it has taken over */
	struct strategy_params params;
	uint64_t runs, in_vain; /* in vain: every actor slept, or it went on beyond the bound */
	uint32_t bound, limit;
	bool started;
	bool cut; /* a run is beyond the limit */
	bool looks_beyond; /* the beginning that is run is one of `beyond` */
};

/* More runs in vain than this, and than so many for each other run, are too many. */
enum { IN_VAIN_MAX = 20000, IN_VAIN_SHARE = 3 };

/* Runs are kept while they have no more events than this. */
enum { KEPT_EVENTS = 200000 };

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

/* Takes the next beginning. False if no beginning is left. */
static bool take_beginning(struct bpor *b)
{
	struct beginning begin;

	b->decisions.len = b->sleepers.len = 0;
	b->looks_beyond = false;
	if (!b->started) {
		b->started = true;
		return true;
	}
	while (!b->now.len && b->later.len && b->bound < b->limit)
		raise_bound(b);
	b->looks_beyond = !b->now.len;
	if (b->looks_beyond && !b->beyond.len)
		return false;
	begin = b->looks_beyond ? vec_pop(&b->beyond) : vec_pop(&b->now);
	for (uint32_t i = 0; i < begin.len; i++)
		*vec_push(&b->decisions) = (struct decision){
			.actor = begin.actors[i], .kind = DECISION_ANY};
	vec_append(&b->sleepers, begin.sleepers, begin.sleepers_len);
	drop(&begin);
	return true;
}

static uint64_t hash_sleeper(const struct event *sleeper)
{
	uint64_t hash = hash_combine(sleeper->actor, event_peer(sleeper));

	for (uint32_t a = 0; a < sleeper->access_len; a++) {
		const struct access *access = &sleeper->accesses[a];

		hash = hash_combine(hash, access->object);
		hash = hash_combine(hash, access->mode);
		if (!access_is_mail(access)) /* whose tag is of one run */
			hash = hash_combine(hash, access->detail);
	}
	return hash;
}

/* Of the beginning that was taken last. The same beginning with the same sleepers is the same run. */
static uint64_t hash_beginning(const struct bpor *b)
{
	uint64_t hash = b->decisions.len;

	for (size_t i = 0; i < b->decisions.len; i++)
		hash = hash_combine(hash, b->decisions.items[i].actor);
	for (size_t i = 0; i < b->sleepers.len; i++)
		hash = hash_combine(hash, hash_sleeper(&b->sleepers.items[i]));
	return hash;
}

static void keep(struct bpor *b, const struct trace *trace)
{
	if (trace->end == END_DIVERGED || b->kept_events + trace->events_len > KEPT_EVENTS)
		return;
	*vec_push(&b->kept) = trace_copy(trace);
	b->kept_events += trace->events_len;
	*map_put(&b->kept_places, hash_beginning(b), NULL) = b->kept.len;
}

static void learn_run(struct bpor *b, const struct trace *trace);

static bool bpor_next(struct strategy *self, struct schedule *schedule, const struct trace **known)
{
	struct bpor *b = (struct bpor *)self;

	if (b->plain)
		return b->plain->ops->next(b->plain, schedule, known);
	*schedule = (struct schedule){.tail = TAIL_FIRST};
	*known = NULL;
	while (take_beginning(b)) {
		const uint64_t *place = map_get(&b->kept_places, hash_beginning(b));

		if (place) {
			learn_run(b, b->kept.items[*place - 1]);
			continue;
		}
		schedule->decisions = b->decisions.items;
		schedule->decisions_len = (uint32_t)b->decisions.len;
		schedule->sleep_from = schedule->decisions_len ? schedule->decisions_len - 1 : 0;
		schedule->sleepers = b->sleepers.items;
		schedule->sleepers_len = (uint32_t)b->sleepers.len;
		return true;
	}
	return false;
}

/* ---- a run is learned ---- */

/* Those that the step does not wake sleep on. */
static void wake(struct event_vec *asleep, const struct event *step)
{
	size_t kept = 0;

	for (size_t i = 0; i < asleep->len; i++)
		if (!dependence_by_either(&asleep->items[i], step))
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
	struct beginning_stack *stack = cost <= b->bound ? &b->now : &b->later;

	if (cost > b->limit && b->cut)
		return;
	begin.actors = mem_alloc(begin.len * sizeof(*begin.actors));
	for (uint32_t i = 0; i < place; i++)
		begin.actors[i] = (uint16_t)trace->events[i].actor;
	begin.actors[place] = (uint16_t)actor;
	begin.sleepers = mem_alloc((b->tried.len + 1) * sizeof(*begin.sleepers));
	memcpy(begin.sleepers, b->tried.items, b->tried.len * sizeof(*begin.sleepers));
	*vec_push(cost > b->limit ? &b->beyond : stack) = begin;
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

static void note_cut(struct bpor *b)
{
	b->cut = true;
	clear_stack(&b->beyond);
}

/* The cost of going on with the event at the place; any cost up to `enough` is as good. A greater
 * cost than the limit means that no run is wanted, or that it is beyond the limit. The second is
 * certain if the beginning is beyond the limit without its sleepers, too: a run that goes on from it
 * exists, whether it is wanted or not. Else a run has to show it (`beyond`), unless another one is
 * known to be beyond the limit. */
static uint32_t find_cost(struct bpor *b, const struct trace *trace, uint32_t place,
			  const struct event *event, uint32_t enough)
{
	struct bound_others others = {.enabled = trace_enabled(trace, place),
				      .words = trace->enabled_words,
				      .next = b->footprints.next.items,
				      .asleep = b->tried.items,
				      .ended = b->footprints.ended.items};
	uint32_t cost;

	if (b->costs.kind == BOUND_DELAYS) /* programs with timers are left to bounded.c then */
		others.asleep_len = b->tried.len;

	if (b->looks_beyond)
		return b->limit + 1;
	cost = bound_cost_of(&b->costs, place, event, &others, enough, b->limit);
	if (cost <= b->limit || b->cut)
		return cost;
	others.asleep_len = 0;
	if (bound_cost_of(&b->costs, place, event, &others, b->limit, b->limit) > b->limit)
		note_cut(b);
	return cost;
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
		uint32_t cost = find_cost(b, trace, place, &trace->events[place], b->limit);

		goes_on = cost <= b->limit || b->looks_beyond;
		b->in_vain += !goes_on;
		if (!goes_on)
			push_beginning(b, trace, place, taken, cost);
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
	clear_stack(&b->beyond);
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

/* Adds the beginnings that branch off the run behind the beginning that was taken last. */
static void learn_run(struct bpor *b, const struct trace *trace)
{
	uint32_t place = (uint32_t)b->decisions.len;

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
	else if (place == trace->events_len && b->looks_beyond)
		note_cut(b);
}

static void bpor_learn(struct strategy *self, const struct trace *trace)
{
	struct bpor *b = (struct bpor *)self;

	if (b->plain) {
		b->plain->ops->learn(b->plain, trace);
		return;
	}
	if (is_for_plain(b, trace)) {
		begin_anew(b);
		b->plain = strategy_bounded(&b->params);
		return;
	}
	keep(b, trace);
	if (footprints_add(&b->footprints, trace))
		learn_run(b, trace);
	else
		begin_anew(b);
}

static void forget_kept(struct bpor *b)
{
	while (b->kept.len)
		mem_free(vec_pop(&b->kept));
	map_clear(&b->kept_places);
	b->kept_events = 0;
}

static void bpor_restart(struct strategy *self)
{
	struct bpor *b = (struct bpor *)self;

	begin_anew(b);
	forget_kept(b);
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
	vec_release(&b->beyond);
	vec_release(&b->kept);
	map_release(&b->kept_places);
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
