#include "certify/demand.h"

#include "core/dependence.h"

/* With more of them, a beginning would be demanded for each of too many subsets. */
enum { LOOSE_MAX = 14 };

/* A step f of the run for which demands are made. */
struct late {
	const struct event *event; /* as it happened, or as it was announced */
	uint32_t happened;     /* number of that step */
	uint32_t step;         /* as it was announced */
	uint32_t position;     /* RUNS_NONE: not taken */
	uint32_t withdrawn_by; /* position, or RUNS_NONE */
	const uint64_t *direct;
	bool may_wait;
};

struct maker {
	struct demands *demands;
	struct view *view;
	bool (*meet)(void *ctx, const struct demand *demand);
	void *ctx;
};

/* ---- the relation of two steps ---- */

/* Is e a timer of the actor of f? Then f may also be possible without it. */
static bool is_timer_of(const struct event *e, const struct event *f)
{
	return event_owner(e) == f->actor;
}

/* Does f exist only because of e? */
static bool is_needed(const struct event *f, const struct event *e)
{
	if (e->actor == f->actor)
		return true;
	return event_leads_to(e, f) && !event_is_upon(e, f) && !event_is_upon(f, e) &&
	       !event_polls(f) && !is_timer_of(e, f);
}

/* Of steps that f does not need: could f have gone before e? */
static bool can_swap(const struct event *f, const struct event *e)
{
	struct dependence_view view = {f, true, OBSERVERS_NONE};

	/* Of two timers of last resort either may fire first if they end at the same moment. */
	if (event_is_last_resort(e) || event_is_last_resort(f))
		return event_is_last_resort(e) && event_is_last_resort(f);
	if (is_timer_of(e, f))
		return true;
	switch (dependence_of(e, &view)) {
	case DEPENDENCE_RACES:
	case DEPENDENCE_FEEDS: /* another may have fed it */
		return true;
	case DEPENDENCE_OPENS: /* a signal: without it f goes on when its own door is open */
		return event_was_kept_waiting(f) || event_waits_for_any(f);
	default:
		return false;
	}
}

/* ---- locks ---- */

/* Does the actor of that position, which took the object, give it back in the set? */
static bool is_given_back(const struct view *view, const uint64_t *set, uint32_t position,
			  uint64_t object)
{
	uint32_t actor = view_event(view, position)->actor;

	for (uint32_t i = position + 1; i < view->len; i++) {
		const struct event *event = view_event(view, i);

		if (event->actor != actor || !bitset_has(set, i))
			continue;
		for (uint32_t a = 0; a < event->access_len; a++)
			if (event->accesses[a].object == object &&
			    access_mode_unlocks(event->accesses[a].mode))
				return true;
	}
	return false;
}

/* The position of a step in the set that keeps f out of a lock, or RUNS_NONE. */
static uint32_t find_holder(const struct view *view, const uint64_t *set, const struct event *f,
			    const struct access *wanted)
{
	bitset_foreach(i, set, view->words) {
		const struct event *event = view_event(view, (uint32_t)i);

		for (uint32_t a = 0; event->actor != f->actor && a < event->access_len; a++)
			if (event->accesses[a].object == wanted->object &&
			    access_mode_locks(event->accesses[a].mode) &&
			    access_modes_conflict(event->accesses[a].mode, wanted->announced) &&
			    !is_given_back(view, set, (uint32_t)i, wanted->object))
				return (uint32_t)i;
	}
	return RUNS_NONE;
}

/* ---- demands ---- */

static void take_out(struct view *view, uint64_t *set, uint32_t first)
{
	const uint64_t *behind = view_behind(view, first);

	for (uint32_t w = first / 64; w < view->words; w++)
		set[w] &= ~behind[w];
}

/* Takes out those who hold a lock that f waits for. False: f is not possible then, or the demand
 * is that of an earlier step. A step that met a signal instead of the lock does not depend on those
 * who hold the lock, so there is no demand of an earlier step. */
static bool open_locks(struct maker *maker, const struct late *f, uint32_t first)
{
	struct view *view = maker->view;
	uint64_t *set = maker->demands->wanted.items;

	for (uint32_t a = 0; a < f->event->access_len; a++) {
		const struct access *access = &f->event->accesses[a];
		bool has_waited = access_is_interrupted(access);
		uint32_t holder;

		if (!access_mode_needs_lock(access->announced) ||
		    (event_tries(f->event, access) && !has_waited))
			continue;
		while ((holder = find_holder(view, set, f->event, access)) != RUNS_NONE) {
			if ((holder < first && !has_waited) ||
			    bitset_has(maker->demands->needed.items, holder))
				return false;
			take_out(view, set, holder);
		}
	}
	return true;
}

/* The position of the last step of the set that changed the queue, or RUNS_NONE. */
static uint32_t find_last_change(const struct view *view, const uint64_t *set, uint64_t queue)
{
	for (uint32_t i = view->len; i-- > 0;) {
		const struct access *access = event_find_access(view_event(view, i), queue);

		if (bitset_has(set, i) && access &&
		    (access->mode == ACCESS_GIVE || access->mode == ACCESS_TAKE))
			return i;
	}
	return RUNS_NONE;
}

/* Is the last step of the set that changed the queue one that put something in? */
static bool is_filled(const struct view *view, const uint64_t *set, uint64_t queue)
{
	uint32_t last = find_last_change(view, set, queue);

	return last != RUNS_NONE &&
	       event_find_access(view_event(view, last), queue)->mode == ACCESS_GIVE;
}

/* f waited for a semaphore and met a signal instead. Takes out the step that took from the semaphore
 * last. Returns whether there is one. */
static bool refill_queues(struct maker *maker, const struct late *f)
{
	uint64_t *set = maker->demands->wanted.items;
	bool is_refilled = false;

	for (uint32_t a = 0; a < f->event->access_len; a++) {
		const struct access *access = &f->event->accesses[a];
		uint32_t last;

		if (access->announced != ACCESS_TAKE || !access_is_interrupted(access) ||
		    is_filled(maker->view, set, access->object))
			continue;
		last = find_last_change(maker->view, set, access->object);
		if (last == RUNS_NONE || bitset_has(maker->demands->needed.items, last))
			continue;
		take_out(maker->view, set, last);
		is_refilled = true;
	}
	return is_refilled;
}

/* f waited for a signal that e sent. Does another one in the set let it go on? */
static bool has_other_signal(const struct maker *maker, const struct late *f, uint32_t first)
{
	struct dependence_view view = {f->event, true, OBSERVERS_NONE};

	if (!event_waits_for_any(f->event) ||
	    dependence_of(view_event(maker->view, first), &view) != DEPENDENCE_OPENS)
		return true;
	for (uint32_t a = 0; a < f->event->access_len; a++)
		if (f->event->accesses[a].announced == ACCESS_TAKE &&
		    is_filled(maker->view, maker->demands->wanted.items,
			      f->event->accesses[a].object))
			return true;
	return false;
}

/* Fills the set `wanted` with all events that are not behind e or f. Returns false if f cannot go
 * before e: then nothing is demanded. */
static bool build_beginning(struct maker *maker, const struct late *f, uint32_t first)
{
	struct view *view = maker->view;
	uint64_t *set = maker->demands->wanted.items;

	memset(set, 0xff, view->words * sizeof(*set));
	bitset_cut(set, view->words, view->len);
	take_out(view, set, first);
	if (f->position != RUNS_NONE)
		take_out(view, set, f->position);
	if (f->withdrawn_by != RUNS_NONE)
		take_out(view, set, f->withdrawn_by);
	return !f->may_wait || (open_locks(maker, f, first) && has_other_signal(maker, f, first));
}

/* Lists wanted messages whose order to f does not show in this run. In a run that begins as
 * demanded it may show. Messages without which f is not there come before f in every run. Returns
 * how many there are. */
static uint32_t list_loose(const struct maker *maker, const struct late *f,
			   uint32_t loose[LOOSE_MAX])
{
	struct view *view = maker->view;
	uint32_t len = 0;

	if (!runs_have_tags(view->runs))
		return 0;
	bitset_foreach(i, maker->demands->wanted.items, view->words)
		if (bitset_has(runs_row(view->runs, f->step, RUNS_PLAIN), view->steps.items[i]) &&
		    !bitset_has(f->direct, i) && !bitset_has(maker->demands->needed.items, i)) {
			if (len < LOOSE_MAX)
				loose[len] = (uint32_t)i;
			len++;
		}
	return len;
}

/* A poll takes the signals of its own process along, so their deliveries need not come first. */
static void leave_out_taken_along(struct maker *maker, const struct late *f)
{
	struct view *view = maker->view;
	uint64_t *set = maker->demands->wanted.items;

	if (!runs_have_tags(view->runs))
		return;
	for (uint32_t i = 0; i < view->len; i++)
		if (bitset_has(set, i) && !bitset_has(f->direct, i) &&
		    event_is_taken_along(view_event(view, i), f->event))
			take_out(view, set, i);
}

/* f must come before e: in a run with all that is wanted, and with any part of the messages whose
 * order to f does not show. */
static bool make_one(struct maker *maker, const struct late *f, uint32_t first)
{
	struct demand demand = {.wanted = {maker->demands->wanted.items, f->step},
				.first = first};
	uint32_t loose[LOOSE_MAX], len;

	if (!build_beginning(maker, f, first))
		return true;
	leave_out_taken_along(maker, f);
	len = list_loose(maker, f, loose);
	demand.is_vague = len > LOOSE_MAX;
	if (!maker->meet(maker->ctx, &demand))
		return false;
	for (uint32_t subset = 1; !demand.is_vague && subset < 1u << len; subset++) {
		build_beginning(maker, f, first);
		leave_out_taken_along(maker, f);
		for (uint32_t i = 0; i < len; i++)
			if (subset >> i & 1)
				take_out(maker->view, maker->demands->wanted.items, loose[i]);
		if (!maker->meet(maker->ctx, &demand))
			return false;
	}
	if (!(f->event->flags & EVENT_FAILED))
		return true;
	build_beginning(maker, f, first);
	return !refill_queues(maker, f) || maker->meet(maker->ctx, &demand);
}

static void add_past(const struct view *view, uint64_t *set, uint32_t position)
{
	bitset_add(set, position);
	for (uint32_t w = 0; w < view->words; w++)
		set[w] |= view_past(view, position)[w];
}

/* Fills the set `needed`: the positions without which f is not there. */
static void find_needed(struct maker *maker, const struct late *f)
{
	const struct view *view = maker->view;
	const uint64_t *row = runs_row_of(view->runs, &maker->demands->needs, f->happened,
					  is_needed);
	uint64_t *needed = maker->demands->needed.items;

	memset(needed, 0, view->words * sizeof(*needed));
	bitset_foreach(i, f->direct, view->words)
		if (i != f->withdrawn_by && bitset_has(row, view->steps.items[i]))
			add_past(view, needed, (uint32_t)i);
}

/* The last position before `end` that f depends on and that it may have to come before. */
static uint32_t find_earlier(const struct maker *maker, const struct late *f, const uint64_t *row,
			     uint32_t end)
{
	const struct view *view = maker->view;
	const struct demands *demands = maker->demands;

	for (uint32_t w = (end + 63) / 64; w-- > 0;) {
		uint64_t bits = f->direct[w] & ~demands->needed.items[w];

		if (!f->may_wait)
			bits &= ~demands->between.items[w];
		if (w == end / 64)
			bits &= ~(~(uint64_t)0 << (end % 64));
		while (bits) {
			uint32_t e = w * 64 + 63 - (uint32_t)__builtin_clzll(bits);

			if (e == f->withdrawn_by || bitset_has(row, view->steps.items[e]))
				return e;
			bits &= ~((uint64_t)1 << (e % 64));
		}
	}
	return RUNS_NONE;
}

static bool make_all(struct maker *maker, const struct late *f)
{
	const struct view *view = maker->view;
	uint64_t *between = maker->demands->between.items;
	uint32_t e = f->position != RUNS_NONE ? f->position : view->len;
	const uint64_t *row;

	find_needed(maker, f);
	memset(between, 0, view->words * sizeof(*between));
	row = runs_row_of(view->runs, &maker->demands->swaps, f->happened, can_swap);
	while ((e = find_earlier(maker, f, row, e)) != RUNS_NONE) {
		if (!make_one(maker, f, e))
			return false;
		add_past(view, between, e);
	}
	return true;
}

static struct late late_of(const struct view *view, uint32_t step)
{
	return (struct late){.event = &view->runs->steps.items[step],
			     .happened = step,
			     .step = runs_announced(view->runs, step),
			     .position = RUNS_NONE,
			     .withdrawn_by = RUNS_NONE};
}

/* Does the event at the position depend on the step that was not taken, whose rows are given? */
static bool is_shown_to(const struct maker *maker, uint32_t position,
			const struct dependence_view *announced, const uint64_t *plain,
			const uint64_t *certain)
{
	uint32_t step = maker->view->steps.items[position];

	return bitset_has(plain, step) &&
	       (bitset_has(certain, step) ||
		dependence_is_shown(view_event(maker->view, position), announced));
}

/* Positions on which a step that was not taken depends. The timer of an owner is taken back by the
 * owner's next step. */
static void find_direct(struct maker *maker, struct late *f, const struct runs_ghost *ghost)
{
	struct view *view = maker->view;
	const uint64_t *plain = runs_row(view->runs, ghost->step, RUNS_PLAIN);
	const uint64_t *certain = runs_row(view->runs, ghost->step, runs_certain(view->runs));
	uint64_t *direct = maker->demands->direct.items;
	struct event *tagged = &maker->demands->ghost;
	struct dependence_view announced = {tagged, false, view->runs->observers};

	runs_tagged(view->runs, ghost->step, ghost->tags_from, tagged);
	f->event = tagged;
	memset(direct, 0, view->words * sizeof(*direct));
	for (uint32_t i = 0; i < view->len; i++)
		if (is_shown_to(maker, i, &announced, plain, certain) &&
		    (f->withdrawn_by == RUNS_NONE ||
		     !bitset_has(view_behind(view, f->withdrawn_by), i)))
			bitset_add(direct, i);
	if (f->withdrawn_by != RUNS_NONE &&
	    (!event_is_swallowed(f->event) || is_shown_to(maker, f->withdrawn_by, &announced,
							   plain, certain)))
		bitset_add(direct, f->withdrawn_by);
	f->direct = direct;
}

bool demands_each(struct demands *demands, struct view *view, uint32_t run,
		  bool (*meet)(void *ctx, const struct demand *demand), void *ctx)
{
	struct maker maker = {demands, view, meet, ctx};
	struct runs_run shown = view->runs->all.items[run];

	vec_reserve(&demands->wanted, view->words);
	vec_reserve(&demands->needed, view->words);
	vec_reserve(&demands->between, view->words);
	vec_reserve(&demands->direct, view->words);
	for (uint32_t i = 0; i < view->len; i++) {
		struct late f = late_of(view, view->steps.items[i]);

		f.event = &view->runs->steps.items[f.happened];
		f.may_wait = event_may_wait(f.event);
		f.position = i;
		f.direct = view_direct(view, i);
		if (!make_all(&maker, &f))
			return false;
	}
	for (uint32_t g = 0; g < shown.ghosts_len; g++) {
		struct runs_ghost ghost = view->runs->ghosts.items[shown.ghosts_from + g];
		struct late f = late_of(view, ghost.step);

		if (ghost.opened_by != RUNS_NONE &&
		    bitset_has(view_behind(view, ghost.withdrawn_by), ghost.opened_by))
			continue; /* f cannot go before the event that withdrew it */
		f.may_wait = event_may_wait(&view->runs->steps.items[ghost.step]);
		f.withdrawn_by = ghost.withdrawn_by;
		find_direct(&maker, &f, &ghost);
		if (!make_all(&maker, &f))
			return false;
	}
	return true;
}

void demands_release(struct demands *demands)
{
	vec_release(&demands->wanted);
	vec_release(&demands->needed);
	vec_release(&demands->between);
	vec_release(&demands->direct);
	runs_rows_release(&demands->needs);
	runs_rows_release(&demands->swaps);
}
