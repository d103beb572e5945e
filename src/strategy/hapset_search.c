/* hapset_search.c: dynamic partial order reduction that follows a reversal only if its
 * pair of statements is not yet in the predecessor sets (the paper's Algorithms 5 and 6).
 *
 *   learn()  a good run goes into the set (continuous learning); for each event f of the
 *            run, the latest e before it that is dependent, may be co-enabled, and whose
 *            pair (e after f) has not been seen, is a reversal worth a run. A pair that
 *            was seen does not end the search for e: earlier events are asked, too.
 *   next()   the reversal found last whose pair has still not been seen.
 *
 * Sleep sets and wake-up trees cannot be used: they rely on complete exploration, and this
 * search prunes. There is no stack of states with sets of choices. Instead each reversal
 * carries its own beginning, as decisions: the events before e, the events between e and f that
 * do not depend on e, then f and, as soon as it is possible, e. So the run shows the pair that
 * the reversal is made for. The schedule is followed relaxed: where f cannot go first after
 * all, its decision is dropped. A pair asked for TRIES_MAX times in vain is given up.
 *
 * The search is never a proof.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"
#include "core/causality.h"
#include "core/locksets.h"
#include "core/order.h"
#include "strategy/hapset.h"
#include "strategy/strategy.h"

enum { TRIES_MAX = 4, LOOK_BACK_MAX = 256, KEPT_MAX = 2 };

struct reversal {
	uint64_t pair;
	struct decision *decisions; /* owned */
	uint32_t decisions_len;
};

/* Events e and f (or a ghost) of a trace that are to be swapped. */
struct candidate {
	uint32_t e, f;
	uint64_t pair;
};

struct search {
	struct strategy base;
	struct hapset *set; /* borrowed, or `own` */
	struct hapset own;
	struct order order;
	struct causality causality;
	struct locksets locksets;
	VEC(struct candidate) candidates; /* of the trace being looked at */
	struct map kept;        /* pair -> candidates of it */
	uint32_t next_access;   /* of the order, while events are looked at */
	VEC(struct reversal) stack;
	VEC(struct decision) decisions; /* handed out last */
	struct map tries;       /* pair -> runs that asked for it in vain */
	uint64_t pair;          /* asked for by the schedule handed out last */
	struct rng seeds;
	uint32_t train;         /* random runs that only fill the set */
	uint32_t trained;
	bool asked;             /* `pair` is valid */
	bool started;
	bool training;          /* the schedule handed out last was of the training */
};

/* ---- which pairs are worth a run ---- */

static bool is_news(const struct search *s, uint64_t pair)
{
	const uint64_t *tries = map_get(&s->tries, pair);

	return !hapset_has(s->set, pair) && (!tries || *tries < TRIES_MAX);
}

/* May e and the event or ghost j be enabled together? */
static bool may_be_coenabled(const struct search *s, uint32_t e, uint32_t j)
{
	const struct event *f = order_event(&s->order, j);

	if (j < s->order.events_len)
		return !causality_before(&s->causality, e, j) &&
		       !locksets_share(&s->locksets, e, j);
	return !causality_before_next(&s->causality, e, f) &&
	       !locksets_share_next(&s->locksets, e, f->actor);
}

/* The latest event before f (number j, as announced) on one of its objects that could come
 * after it instead, and whose pair has not been seen; `at` is where the accesses to the
 * object end. */
static uint32_t find_reversible(struct search *s, uint32_t j, const struct event *f, uint32_t at,
				uint64_t *pair)
{
	const struct trace *trace = s->order.trace;
	uint32_t of = statement_of(&s->set->statements, f);

	for (uint32_t n = 0; at != ORDER_NO_EVENT && n < LOOK_BACK_MAX; n++) {
		const struct order_access *seen = &s->order.accesses.items[at];
		const struct event *e = &trace->events[seen->event];
		uint32_t first;

		at = seen->prev;
		if (e->actor == f->actor || !hapset_conflict(e, f))
			continue;
		first = statement_of(&s->set->statements, e);
		*pair = hapset_pair(first, of);
		if (is_news(s, *pair) && may_be_coenabled(s, seen->event, j)) {
			hapset_race(s->set, first, of);
			return seen->event;
		}
	}
	return ORDER_NO_EVENT;
}

/* ---- reversals ---- */

static bool releases(const struct event *event, uint64_t object)
{
	for (uint32_t a = 0; a < event->access_len; a++)
		if (event->accesses[a].object == object &&
		    access_mode_unlocks(event->accesses[a].mode))
			return true;
	return false;
}

/* When f takes a lock, e has to wait until it is given back: f's actor goes on as it did. */
static void push_until_release(struct search *s, const struct event *f, uint32_t from)
{
	const struct trace *trace = s->order.trace;
	uint64_t object = 0;

	for (uint32_t a = 0; a < f->access_len && !object; a++)
		if (access_mode_locks(f->accesses[a].mode))
			object = f->accesses[a].object;
	for (uint32_t i = from; object && i < trace->events_len; i++) {
		if (trace->events[i].actor != f->actor)
			continue;
		*vec_push(&s->decisions) = decision_of(&trace->events[i]);
		if (releases(&trace->events[i], object))
			return;
	}
}

/* Is event i, after e, to go before f (number j)? Yes if it does not depend on e. If f itself
 * depends on e through events in between, e is put off until all of those are over, except for
 * events that cannot go without e. */
static bool goes_first(const struct search *s, uint32_t e, uint32_t i, bool is_direct)
{
	if (is_direct)
		return !order_before(&s->order, e, i);
	return s->order.trace->events[i].actor != s->order.trace->events[e].actor &&
	       !causality_before(&s->causality, e, i);
}

/* Could f go right in front of e, because no earlier event of its actor is after e? */
static bool is_direct_race(const struct search *s, uint32_t e, uint32_t j)
{
	uint32_t actor = order_event(&s->order, j)->actor;

	for (uint32_t i = order_place(&s->order, j); i-- > e;)
		if (s->order.trace->events[i].actor == actor)
			return !order_before(&s->order, e, i);
	return true;
}

static void push_reversal(struct search *s, const struct candidate *candidate)
{
	uint32_t e = candidate->e, j = candidate->f;
	const struct trace *trace = s->order.trace;
	const struct event *f = order_event(&s->order, j);
	uint32_t place = order_place(&s->order, j);
	bool is_direct = is_direct_race(s, e, j);

	s->decisions.len = 0;
	for (uint32_t i = 0; i < place; i++)
		if (i < e || (i > e && goes_first(s, e, i, is_direct)))
			*vec_push(&s->decisions) = decision_of(&trace->events[i]);
	*vec_push(&s->decisions) = decision_of(f);
	push_until_release(s, f, place + (j < trace->events_len));
	*vec_push(&s->decisions) = decision_of(&trace->events[e]);
	*vec_push(&s->stack) = (struct reversal){
		.pair = candidate->pair,
		.decisions = mem_dup(s->decisions.items,
				     s->decisions.len * sizeof(struct decision)),
		.decisions_len = (uint32_t)s->decisions.len,
	};
}

/* Where the accesses to the object of an access of event or ghost j end, before j. Those of
 * events are met one after the other. */
static uint32_t chain_before(struct search *s, uint32_t j, const struct access *access)
{
	const uint64_t *index;
	uint32_t place = order_place(&s->order, j), at;

	if (j < s->order.events_len)
		return s->order.accesses.items[s->next_access++].prev;
	index = map_get(&s->order.object_index, access->object);
	at = index ? s->order.objects.items[*index].last : ORDER_NO_EVENT;
	while (at != ORDER_NO_EVENT && s->order.accesses.items[at].event >= place)
		at = s->order.accesses.items[at].prev;
	return at;
}

static void look_at_event(struct search *s, uint32_t j)
{
	const struct event *f = order_event(&s->order, j);
	struct event announced = event_as_announced(f);
	struct candidate best = {.e = ORDER_NO_EVENT, .f = j};

	for (uint32_t a = 0; a < f->access_len; a++) {
		uint64_t pair;
		uint32_t e, at;

		if (f->accesses[a].mode == ACCESS_WORLD)
			continue;
		at = chain_before(s, j, &f->accesses[a]);
		e = hapset_counts(&announced.accesses[a])
			    ? find_reversible(s, j, &announced, at, &pair) : ORDER_NO_EVENT;
		if (e != ORDER_NO_EVENT && (best.e == ORDER_NO_EVENT || e > best.e)) {
			best.e = e;
			best.pair = pair;
		}
	}
	if (best.e != ORDER_NO_EVENT)
		*vec_push(&s->candidates) = best;
}

static int compare_depth(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->e != y->e)
		return x->e < y->e ? -1 : 1;
	return x->f < y->f ? -1 : x->f > y->f;
}

/* Of each pair only the deepest candidates: all of them would be too many to keep. */
static void thin_out(struct search *s)
{
	map_clear(&s->kept);
	for (size_t i = s->candidates.len; i-- > 0;) {
		struct candidate *candidate = &s->candidates.items[i];

		if (++*map_put(&s->kept, candidate->pair, NULL) > KEPT_MAX)
			candidate->e = ORDER_NO_EVENT;
	}
}

/* Looks at events in their order, then at ghosts. The deepest e goes on top, as in a depth first
 * search: a reversal further up may show the pair by chance in a harmless place, while the same
 * pair deeper down leads to the bug. */
static void look_for_reversals(struct search *s, const struct trace *trace)
{
	order_build(&s->order, trace, trace->events_len);
	causality_build(&s->causality, trace, CAUSALITY_PLAIN);
	locksets_build(&s->locksets, trace);
	s->candidates.len = s->next_access = 0;
	for (uint32_t j = 0; j < trace->events_len + s->order.ghosts_len; j++)
		look_at_event(s, j);
	if (s->candidates.len > 1)
		qsort(s->candidates.items, s->candidates.len, sizeof(*s->candidates.items),
		      compare_depth);
	thin_out(s);
	for (size_t i = 0; i < s->candidates.len; i++)
		if (s->candidates.items[i].e != ORDER_NO_EVENT)
			push_reversal(s, &s->candidates.items[i]);
}

/* ---- the strategy ---- */

static bool take_reversal(struct search *s, struct schedule *schedule)
{
	while (s->stack.len) {
		struct reversal reversal = vec_pop(&s->stack);
		bool wanted = is_news(s, reversal.pair);

		s->decisions.len = 0;
		if (wanted)
			vec_append(&s->decisions, reversal.decisions, reversal.decisions_len);
		mem_free(reversal.decisions);
		if (!wanted)
			continue;
		s->pair = reversal.pair;
		s->asked = true;
		schedule->decisions = s->decisions.items;
		schedule->decisions_len = (uint32_t)s->decisions.len;
		schedule->relaxed = true;
		return true;
	}
	return false;
}

static bool search_next(struct strategy *self, struct schedule *schedule,
			const struct trace **known)
{
	struct search *s = (struct search *)self;

	*schedule = (struct schedule){.tail = TAIL_FIRST};
	*known = NULL;
	s->asked = false;
	s->training = s->trained < s->train;
	if (s->training) {
		schedule->tail = TAIL_RANDOM;
		schedule->seed = rng_next(&s->seeds);
		return true;
	}
	if (!s->started) {
		s->started = true;
		return true;
	}
	return take_reversal(s, schedule);
}

static void search_learn(struct strategy *self, const struct trace *trace)
{
	struct search *s = (struct search *)self;

	if (hapset_is_good(trace))
		hapset_learn(s->set, trace);
	if (s->training) {
		s->trained++;
		return;
	}
	if (s->asked && !hapset_has(s->set, s->pair)) {
		++*map_put(&s->tries, s->pair, NULL);
		hapset_tried(s->set, s->pair);
	}
	look_for_reversals(s, trace);
}

/* The set is about statements and stays; the planned reversals name objects and go. */
static void search_restart(struct strategy *self)
{
	struct search *s = (struct search *)self;

	while (s->stack.len)
		mem_free(vec_pop(&s->stack).decisions);
	map_clear(&s->tries);
	s->started = s->asked = false;
}

static double search_progress(const struct strategy *self)
{
	return -1;
}

static bool search_is_burst(const struct strategy *self)
{
	return ((const struct search *)self)->training;
}

static const char *search_left_out(const struct strategy *self)
{
	return "only reversals of statement pairs not seen before were followed";
}

static void search_free(struct strategy *self)
{
	struct search *s = (struct search *)self;

	search_restart(self);
	vec_release(&s->candidates);
	vec_release(&s->stack);
	vec_release(&s->decisions);
	map_release(&s->tries);
	map_release(&s->kept);
	order_release(&s->order);
	causality_release(&s->causality);
	locksets_release(&s->locksets);
	hapset_release(&s->own);
	mem_free(s);
}

static const struct strategy_ops search_ops = {
	.next = search_next,
	.learn = search_learn,
	.restart = search_restart,
	.progress = search_progress,
	.is_burst = search_is_burst,
	.left_out = search_left_out,
	.free = search_free,
};

struct strategy *strategy_hapset(const struct strategy_params *params)
{
	struct search *s = mem_zalloc(sizeof(*s));

	s->base.ops = &search_ops;
	s->set = params->hapset ? params->hapset : &s->own;
	s->train = params->train;
	s->seeds = rng_seeded(params->seed);
	return &s->base;
}
