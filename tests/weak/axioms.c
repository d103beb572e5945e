/* axioms.c: the memory models as axioms on a graph, evaluated as they are written. A relation is a list
 * of bit masks, one per event. */
#include <string.h>

#include "enumerate.h"

enum { MAX = THREADS * EVENTS };

typedef struct {
	uint64_t rows[MAX];
} relation;

struct relations {
	const struct event *events[MAX];
	int n;
	bool is_atomic;
	relation sb, rf, mo, rb, eco, hb;
};

/* ---- relations ---- */

static void add_pair(relation *r, int i, int j)
{
	r->rows[i] |= (uint64_t)1 << j;
}

static bool has_pair(const relation *r, int i, int j)
{
	return r->rows[i] >> j & 1;
}

static relation compose(int n, const relation *a, const relation *b)
{
	relation result = {0};

	for (int i = 0; i < n; i++)
		for (uint64_t row = a->rows[i]; row; row &= row - 1)
			result.rows[i] |= b->rows[__builtin_ctzll(row)];
	return result;
}

static relation join(int n, const relation *a, const relation *b)
{
	relation result = {0};

	for (int i = 0; i < n; i++)
		result.rows[i] = a->rows[i] | b->rows[i];
	return result;
}

static relation closure(int n, relation r)
{
	for (int k = 0; k < n; k++)
		for (int i = 0; i < n; i++)
			if (r.rows[i] >> k & 1)
				r.rows[i] |= r.rows[k];
	return r;
}

static bool is_irreflexive(int n, const relation *r)
{
	for (int i = 0; i < n; i++)
		if (r->rows[i] >> i & 1)
			return false;
	return true;
}

static bool is_acyclic(int n, const relation *r)
{
	relation all = closure(n, *r);

	return is_irreflexive(n, &all);
}

/* The relation and the identity. */
static relation maybe(int n, relation r)
{
	for (int i = 0; i < n; i++)
		add_pair(&r, i, i);
	return r;
}

/* ---- of a graph ---- */

static bool is_futex(const struct event *e)
{
	return e->var >= FUTEXES && e->kind == UPDATE;
}

static bool is_same(const struct event *a, const struct event *b)
{
	bool has_a = event_reads(a) || event_writes(a), has_b = event_reads(b) || event_writes(b);

	return has_a && has_b && a->var == b->var;
}

static int place_of(const struct graph *g, int var, int key)
{
	int place = 0;

	if (key == INITIAL)
		return -1;
	while (g->mo[var][place] != key)
		place++;
	return place;
}

static void add_pairs_of(const struct graph *g, struct relations *r, int i, int j)
{
	const struct event *a = r->events[i], *b = r->events[j];
	int place;

	if (a->thread == b->thread && a->index < b->index)
		add_pair(&r->sb, i, j);
	if (!is_same(a, b))
		return;
	if (event_reads(b) && b->source == event_key(a))
		add_pair(&r->rf, i, j);
	if (!event_writes(b))
		return;
	place = place_of(g, b->var, event_key(b));
	if (event_writes(a) && place_of(g, a->var, event_key(a)) < place)
		add_pair(&r->mo, i, j);
	if (event_reads(a) && i != j && place_of(g, a->var, a->source) < place)
		add_pair(&r->rb, i, j);
}

static void fill(const struct graph *g, struct relations *r)
{
	relation some;

	memset(r, 0, sizeof(*r));
	r->is_atomic = true;
	for (int t = 0; t < THREADS; t++)
		for (int i = 0; i < g->len[t]; i++)
			r->events[r->n++] = &g->events[t][i];
	for (int i = 0; i < r->n; i++) {
		const struct event *e = r->events[i];

		for (int j = 0; j < r->n; j++)
			add_pairs_of(g, r, i, j);
		if (e->kind == UPDATE && place_of(g, e->var, event_key(e)) !=
						 place_of(g, e->var, e->source) + 1)
			r->is_atomic = false;
	}
	some = join(r->n, &r->rf, &r->mo);
	some = join(r->n, &some, &r->rb);
	r->eco = closure(r->n, some);
}

/* The identity on the events for which the test holds. */
static relation only(const struct relations *r, bool (*test)(const struct event *e))
{
	relation result = {0};

	for (int i = 0; i < r->n; i++)
		if (test(r->events[i]))
			add_pair(&result, i, i);
	return result;
}

/* ---- futexes ---- */

/* Which threads wait and which of them were chosen: each bit of a set of states is one way in which
 * wake-ups may have chosen. A state is waiting | chosen << THREADS. */
enum { STATES = 1 << (2 * THREADS) };

static void change_state(bool *to, int state, const struct event *e, bool blocks, bool is_decided)
{
	int me = 1 << e->thread, waiting = state & ((1 << THREADS) - 1);

	switch (e->action) {
	case ENTER:
		if (blocks || !is_decided)
			to[state | me] = true;
		if (!blocks || !is_decided)
			to[state] = true;
		return;
	case WAKE_ONE:
		if (!waiting)
			to[state] = true;
		for (int t = 0; t < THREADS; t++)
			if (waiting >> t & 1)
				to[(state ^ 1 << t) | 1 << (t + THREADS)] = true;
		return;
	case WAKE_ALL:
		to[waiting << THREADS | (state & ~waiting)] = true;
		return;
	case WOKEN:
		if (state & me << THREADS)
			to[state ^ me << THREADS] = true;
		return;
	default:
		to[state] = true; /* a thread that leaves was never in the set */
	}
}

/* The states that the futex may have after all steps on it. False if it can have none: the graph is not
 * possible. */
static bool run_futex(const struct graph *g, int var, bool *states)
{
	bool any = true;

	memset(states, 0, STATES);
	states[0] = true;
	for (int p = 0; p < g->mo_len[var] && any; p++) {
		const struct event *e = graph_event(g, g->mo[var][p]);
		bool has_looked = g->len[e->thread] > e->index + 1, next[STATES] = {0};
		bool blocks = has_looked && g->events[e->thread][e->index + 1].blocks;

		any = false;
		for (int s = 0; s < STATES; s++)
			if (states[s])
				change_state(next, s, e, blocks, has_looked);
		for (int s = 0; s < STATES; s++)
			any = any || next[s];
		memcpy(states, next, sizeof(next));
	}
	return any;
}

bool futex_can_wake(const struct graph *g, int var, int thread)
{
	bool states[STATES], can = false;

	run_futex(g, var, states);
	for (int s = 0; s < STATES; s++)
		can = can || (states[s] && s >> (THREADS + thread) & 1);
	return can;
}

/* A thread that enters after a wake-up sees the writes before (as in `before`) that wake-up. */
static bool looks_see(const struct relations *r, const relation *before)
{
	for (int i = 0; i + 1 < r->n; i++) {
		if (r->events[i]->action != ENTER || r->events[i + 1]->action != LOOK)
			continue;
		for (int w = 0; w < r->n; w++) {
			int action = r->events[w]->action;

			if ((action != WAKE_ONE && action != WAKE_ALL) || !has_pair(&r->mo, w, i))
				continue;
			for (int x = 0; x < r->n; x++)
				if (has_pair(&r->rb, i + 1, x) && has_pair(before, x, w))
					return false;
		}
	}
	return true;
}

static bool are_futexes_allowed(const struct graph *g, const struct relations *r,
				const relation *before)
{
	bool states[STATES];

	for (int v = FUTEXES; v < VARS; v++)
		if (g->mo_len[v] && !run_futex(g, v, states))
			return false;
	return looks_see(r, before);
}

/* ---- SC and TSO ---- */

static bool is_sc(const struct graph *g, const struct relations *r)
{
	relation all = join(r->n, &r->sb, &r->eco), before = join(r->n, &r->sb, &r->rf);

	before = closure(r->n, before);
	return r->is_atomic && is_acyclic(r->n, &all) && are_futexes_allowed(g, r, &before);
}

static bool is_barrier(const struct event *e)
{
	return e->is_locked || (e->order == SC && (e->kind == FENCE || e->kind == WRITE));
}

static bool is_load(const struct event *e)
{
	return e->kind == READ || (e->kind == UPDATE && !e->is_locked);
}

static bool is_kept(const struct graph *g, const struct event *a, const struct event *b)
{
	if (a->kind == FENCE || b->kind == FENCE)
		return false;
	if (a->kind != WRITE || !is_load(b))
		return true;
	for (int i = a->index; i <= b->index; i++)
		if (is_barrier(&g->events[a->thread][i]))
			return true;
	return false;
}

static bool is_tso(const struct graph *g, const struct relations *r)
{
	relation location = {0}, global = {0}, before = join(r->n, &r->sb, &r->rf);

	for (int i = 0; i < r->n; i++)
		for (int j = 0; j < r->n; j++) {
			const struct event *a = r->events[i], *b = r->events[j];

			if (has_pair(&r->sb, i, j) && is_same(a, b))
				add_pair(&location, i, j);
			if ((has_pair(&r->sb, i, j) && is_kept(g, a, b)) ||
			    (has_pair(&r->rf, i, j) && a->thread != b->thread))
				add_pair(&global, i, j);
		}
	location = join(r->n, &location, &r->eco);
	global = join(r->n, &global, &r->mo);
	global = join(r->n, &global, &r->rb);
	before = closure(r->n, before);
	return r->is_atomic && is_acyclic(r->n, &location) && is_acyclic(r->n, &global) &&
	       are_futexes_allowed(g, r, &before);
}

/* ---- RC11 ---- */

static bool releases(const struct event *e)
{
	return (e->order == REL || e->order == AR || e->order == SC) &&
	       (event_writes(e) || e->kind == FENCE);
}

static bool acquires(const struct event *e)
{
	return (e->order == ACQ || e->order == AR || e->order == SC) &&
	       (event_reads(e) || e->kind == FENCE);
}

static bool is_fence(const struct event *e)
{
	return e->kind == FENCE;
}

static bool is_update(const struct event *e)
{
	return e->kind == UPDATE;
}

static bool is_atomic_write(const struct event *e)
{
	return event_writes(e) && e->var < OBJECTS && e->order != NA;
}

static bool is_atomic_read(const struct event *e)
{
	return event_reads(e) && e->var < OBJECTS && e->order != NA;
}

/* The look at the word of a futex has its place among seq_cst accesses, and does not acquire. */
static bool is_seq_cst(const struct event *e)
{
	return e->order == SC || e->order == ORDER_LOOK;
}

static bool is_seq_cst_fence(const struct event *e)
{
	return e->order == SC && e->kind == FENCE;
}

/* Releases of an object before a step that acquires it; readers do not acquire from readers. */
static void add_object_edges(const struct relations *r, relation *hb)
{
	for (int i = 0; i < r->n; i++)
		for (int j = 0; j < r->n; j++) {
			int a = r->events[i]->action, b = r->events[j]->action;
			bool gives = a == UNLOCK || a == WRUNLOCK || a == RDUNLOCK || a == SEM_POST;
			bool takes = b == LOCK || b == TRY || b == WRLOCK || b == RDLOCK ||
				     b == SEM_WAIT || b == SEM_TRY;

			if (gives && takes && has_pair(&r->mo, i, j) &&
			    !(a == RDUNLOCK && b == RDLOCK))
				add_pair(hb, i, j);
		}
}

/* sw = [release] ; ([F] ; sb)? ; rs ; rf ; [read] ; (sb ; [F])? ; [acquire] */
static void fill_hb(struct relations *r)
{
	int n = r->n;
	relation fence = only(r, is_fence), release = only(r, releases), acquire = only(r, acquires);
	relation update = only(r, is_update), write = only(r, is_atomic_write);
	relation read = only(r, is_atomic_read), sw, end;

	sw = maybe(n, compose(n, &fence, &r->sb));
	sw = compose(n, &release, &sw);
	sw = compose(n, &sw, &write);
	end = maybe(n, closure(n, compose(n, &r->rf, &update))); /* the release sequence */
	sw = compose(n, &sw, &end);
	sw = compose(n, &sw, &r->rf);
	sw = compose(n, &sw, &read);
	end = maybe(n, compose(n, &r->sb, &fence));
	sw = compose(n, &sw, &end);
	sw = compose(n, &sw, &acquire);
	add_object_edges(r, &sw);
	r->hb = closure(n, join(n, &r->sb, &sw));
}

/* Without the futexes, which order nothing. */
static relation without_futexes(const struct relations *r, relation x)
{
	for (int i = 0; i < r->n; i++)
		for (int j = 0; j < r->n; j++)
			if (is_futex(r->events[i]) || is_futex(r->events[j]))
				x.rows[i] &= ~((uint64_t)1 << j);
	return x;
}

/* scb = sb | sb_diff ; hb ; sb_diff | hb on one variable | mo | rb */
static relation fill_scb(const struct relations *r)
{
	relation diff = without_futexes(r, r->sb), scb = join(r->n, &r->mo, &r->rb), detour;

	for (int i = 0; i < r->n; i++)
		for (int j = 0; j < r->n; j++)
			if (is_same(r->events[i], r->events[j])) {
				diff.rows[i] &= ~((uint64_t)1 << j);
				if (has_pair(&r->hb, i, j))
					add_pair(&scb, i, j);
			}
	scb = without_futexes(r, scb);
	detour = compose(r->n, &diff, &r->hb);
	detour = compose(r->n, &detour, &diff);
	scb = join(r->n, &scb, &detour);
	return join(r->n, &scb, &r->sb);
}

static bool is_psc_acyclic(const struct relations *r)
{
	int n = r->n;
	relation sc = only(r, is_seq_cst), fence = only(r, is_seq_cst_fence), scb = fill_scb(r);
	relation eco = without_futexes(r, r->eco), hb_maybe = maybe(n, r->hb);
	relation left = compose(n, &fence, &hb_maybe), right = compose(n, &hb_maybe, &fence);
	relation base, fences;

	left = join(n, &sc, &left);
	right = join(n, &sc, &right);
	base = compose(n, &left, &scb);
	base = compose(n, &base, &right);
	fences = compose(n, &r->hb, &eco);
	fences = compose(n, &fences, &r->hb);
	fences = join(n, &r->hb, &fences);
	fences = compose(n, &fence, &fences);
	fences = compose(n, &fences, &fence);
	base = join(n, &base, &fences);
	return is_acyclic(n, &base);
}

static bool is_rc11(const struct graph *g, struct relations *r)
{
	relation both;

	fill_hb(r);
	both = compose(r->n, &r->hb, &r->eco);
	return r->is_atomic && is_irreflexive(r->n, &r->hb) && is_irreflexive(r->n, &both) &&
	       is_psc_acyclic(r) && are_futexes_allowed(g, r, &r->hb);
}

bool is_allowed(const struct graph *g, enum model model)
{
	struct relations r;

	fill(g, &r);
	return model == MODEL_SC ? is_sc(g, &r) : model == MODEL_TSO ? is_tso(g, &r)
								     : is_rc11(g, &r);
}
