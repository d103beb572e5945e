#include "target/contract.h"

#include <stdarg.h>
#include <string.h>

#include "base/mem.h"
#include "core/dependence.h"
#include "core/object.h"

/* The parts of a run that every check works on. */
struct check {
	struct contract *memory;
	const struct schedule *schedule;
	const struct trace *trace;
	struct strbuf *why;
};

__attribute__((format(printf, 3, 4)))
static bool broken(const struct check *c, uint32_t step, const char *format, ...)
{
	char name[ACTOR_NAME_MAX] = "";
	const struct trace *t = c->trace;
	va_list args;

	strbuf_addf(c->why, "step %u", step + 1);
	if (step < t->events_len && t->events[step].actor < t->actors_len) {
		actor_name(t->actors, t->events[step].actor, name);
		strbuf_addf(c->why, " (%s of %s)", event_kind_text(t->events[step].kind), name);
	}
	strbuf_adds(c->why, ": ");
	va_start(args, format);
	strbuf_vaddf(c->why, format, args);
	va_end(args);
	return false;
}

static const char *name_of(const struct check *c, uint32_t actor, char name[ACTOR_NAME_MAX])
{
	actor_name(c->trace->actors, actor, name);
	return name;
}

/* ---- shape ---- */

static bool check_access(const struct check *c, uint32_t step, const struct access *access)
{
	if (access->mode >= ACCESS_MODES || access->announced >= ACCESS_MODES)
		return broken(c, step, "an access has a mode that does not exist");
	if (OBJECT_CLASS(access->object) >= OBJECT_CLASSES)
		return broken(c, step, "an access is to an object of a class that does not exist");
	if (!access->object && access->mode != ACCESS_WORLD)
		return broken(c, step, "an access (%s) is to no object",
			      access_mode_text(access->mode));
	if (!access_mode_is_weaker(access->mode, access->announced))
		return broken(c, step, "the access that happened (%s) is stronger than the access "
			      "that was announced (%s)", access_mode_text(access->mode),
			      access_mode_text(access->announced));
	return true;
}

static bool check_event(const struct check *c, uint32_t step, const struct event *event)
{
	if (event->actor >= c->trace->actors_len)
		return broken(c, step, "the event's actor is not in the table of actors");
	if (event->kind >= EVENT_KINDS)
		return broken(c, step, "the event's kind does not exist");
	if (event->access_len > event_room(event))
		return broken(c, step, "the event has more accesses than fit");
	if (event_peer(event) != ACTOR_NONE && event_peer(event) >= c->trace->actors_len)
		return broken(c, step, "the event's peer is not in the table of actors");
	for (uint32_t a = 0; a < event->access_len; a++)
		if (!check_access(c, step, &event->accesses[a]))
			return false;
	return true;
}

static bool check_ordinals(const struct check *c)
{
	const struct trace *t = c->trace;
	uint32_t *counts = c->memory->counts.items;

	for (uint32_t i = 0; i < t->events_len; i++)
		if (t->events[i].ordinal != counts[t->events[i].actor]++)
			return broken(c, i, "event %u of its actor has the ordinal %u",
				      counts[t->events[i].actor] - 1, t->events[i].ordinal);
	for (uint32_t i = 0; i < t->pending_len; i++)
		if (t->pending[i].ordinal != counts[t->pending[i].actor])
			return broken(c, t->events_len, "a pending event has the ordinal %u, %u "
				      "events of its actor came before", t->pending[i].ordinal,
				      counts[t->pending[i].actor]);
	return true;
}

static bool check_shape(const struct check *c)
{
	const struct trace *t = c->trace;

	if (t->end > END_LOST)
		return broken(c, t->events_len, "the run ended in a way that does not exist");
	if ((size_t)t->enabled_words * 64 < t->actors_len && t->end != END_RELEARN)
		return broken(c, t->events_len, "the enabled sets are too small for %u actors",
			      t->actors_len);
	for (uint32_t i = 0; i < t->events_len; i++) {
		if (!check_event(c, i, &t->events[i]))
			return false;
		if (event_kind_flags(t->events[i].kind) & EVENT_KIND_ENDS && i + 1 < t->events_len)
			return broken(c, i, "the run went on after an event that ends it");
	}
	for (uint32_t i = 0; i < t->pending_len; i++)
		if (!check_event(c, t->events_len, &t->pending[i]))
			return false;
	return check_ordinals(c);
}

/* ---- who had announced which step ---- */

static const struct event no_event = {.actor = ACTOR_NONE};

static const struct event *find_pending(const struct trace *t, uint32_t actor)
{
	for (uint32_t i = 0; i < t->pending_len; i++)
		if (t->pending[i].actor == actor)
			return &t->pending[i];
	return NULL;
}

/* The step that the actor has announced before event `step`, when its next event, if it has one,
 * is upcoming[actor]. A step that was withdrawn is announced until its withdrawal. */
static void look_up(const struct check *c, uint32_t actor, uint32_t step)
{
	const struct trace *t = c->trace;
	uint32_t next = c->memory->upcoming.items[actor];
	const struct event *event = next ? &t->events[next - 1] : find_pending(t, actor);
	uint32_t until = next ? next - 1 : UINT32_MAX;

	for (uint32_t i = 0; i < t->withdrawn_len; i++)
		if (t->withdrawn[i].event.actor == actor && t->withdrawn[i].step >= step &&
		    t->withdrawn[i].step < until) {
			event = &t->withdrawn[i].event;
			until = t->withdrawn[i].step;
		}
	c->memory->announced.items[actor] = event ? event_as_announced(event) : no_event;
}

static void start_looking(const struct check *c)
{
	struct contract *m = c->memory;
	const struct trace *t = c->trace;

	for (uint32_t a = 0; a < t->actors_len; a++)
		m->upcoming.items[a] = 0;
	for (uint32_t i = t->events_len; i-- > 0;) {
		m->following.items[i] = m->upcoming.items[t->events[i].actor];
		m->upcoming.items[t->events[i].actor] = i + 1;
	}
	for (uint32_t a = 0; a < t->actors_len; a++)
		look_up(c, a, 0);
}

/* Event `step` has been taken: its actor has announced another one, and withdrawals hold. */
static void look_on(const struct check *c, uint32_t step)
{
	const struct trace *t = c->trace;
	uint32_t actor = t->events[step].actor;

	c->memory->upcoming.items[actor] = c->memory->following.items[step];
	look_up(c, actor, step + 1);
	for (uint32_t i = 0; i < t->withdrawn_len; i++)
		if (t->withdrawn[i].step == step)
			look_up(c, t->withdrawn[i].event.actor, step + 1);
}

/* ---- enabled ---- */

static bool check_enabled(const struct check *c, uint32_t step)
{
	const struct trace *t = c->trace;
	const uint64_t *enabled = trace_enabled(t, step);
	char name[ACTOR_NAME_MAX];

	if (step < t->events_len && !bitset_has(enabled, t->events[step].actor))
		return broken(c, step, "the actor ran and was not enabled");
	bitset_foreach(actor, enabled, t->enabled_words) {
		if (actor >= t->actors_len)
			return broken(c, step, "actor number %zu is enabled and does not exist",
				      actor);
		if (c->memory->announced.items[actor].actor == ACTOR_NONE &&
		    t->end != END_EXIT && t->end != END_ABORT && t->end != END_CRASH)
			return broken(c, step, "%s is enabled and has not announced a step",
				      name_of(c, (uint32_t)actor, name));
	}
	return true;
}

/* A virtual actor comes into being with its owner: a thread whose first step is a weak
 * compare-and-swap has announced it, and that it may fail, when the thread is created. */
static bool creates_owner(const struct check *c, const struct event *did, uint32_t actor)
{
	const struct actor *a = &c->trace->actors[actor];

	return actor_is_virtual(a) && a->parent != ACTOR_NONE && event_created(did) == a->parent;
}

/* An actor that went round a spin loop is held until something that it read is written, which
 * need not be what it has announced to read next. The last step of a turn may be that of a timer. */
static bool has_spun(const struct check *c, uint32_t step, uint32_t actor)
{
	for (uint32_t i = step; i-- > 0;)
		if (c->trace->events[i].actor == actor || event_owner(&c->trace->events[i]) == actor)
			return c->trace->events[i].flags & EVENT_VOID;
	return false;
}

/* An idle timer is enabled when no other actor is, whatever the last of the others did. Timers
 * with a deadline fire in the order of deadlines, so each step on a timer may enable another
 * timer. */
static bool check_change(const struct check *c, uint32_t step, uint32_t actor, bool is_enabled)
{
	const struct event *did = &c->trace->events[step];
	const struct event *announced = &c->memory->announced.items[actor];
	char name[ACTOR_NAME_MAX];

	if (actor == did->actor || announced->actor == ACTOR_NONE ||
	    event_is_last_resort(announced) || announced->deadline ||
	    creates_owner(c, did, actor) || event_dependent_anyhow(did, announced) ||
	    event_forestalls(did, announced) || has_spun(c, step, actor))
		return true;
	return broken(c, step, "%s %s enabled by it, and its %s does not depend on it",
		      name_of(c, actor, name), is_enabled ? "became" : "stopped being",
		      event_kind_text(announced->kind));
}

/* Looks at each actor that is enabled before event `step` and not after, or the other way. */
static bool check_changes(const struct check *c, uint32_t step)
{
	const struct trace *t = c->trace;
	const uint64_t *before = trace_enabled(t, step), *after = trace_enabled(t, step + 1);

	for (uint32_t w = 0; w < t->enabled_words; w++)
		for (uint64_t bits = before[w] ^ after[w]; bits; bits &= bits - 1) {
			uint32_t actor = w * 64 + (uint32_t)__builtin_ctzll(bits);

			if (actor < t->actors_len &&
			    !check_change(c, step, actor, bitset_has(after, actor)))
				return false;
		}
	return true;
}

static bool is_withdrawn_by(const struct trace *t, uint32_t actor, uint32_t step)
{
	for (uint32_t i = 0; i < t->withdrawn_len; i++)
		if (t->withdrawn[i].event.actor == actor && t->withdrawn[i].step == step)
			return true;
	return false;
}

/* A timer that could have fired before event `step` of its owner is withdrawn by it, also if it is
 * announced again at once: a timer that fires is behind every step of its owner, so without the
 * withdrawal nobody would try it before this one. */
static bool check_owned(const struct check *c, uint32_t step)
{
	const struct trace *t = c->trace;
	char name[ACTOR_NAME_MAX];

	bitset_foreach(actor, trace_enabled(t, step), t->enabled_words) {
		const struct event *announced = &c->memory->announced.items[actor];

		if (announced->actor != ACTOR_NONE && !event_is_last_resort(announced) &&
		    event_owner(announced) == t->events[step].actor &&
		    !is_withdrawn_by(t, (uint32_t)actor, step))
			return broken(c, step, "%s was enabled and not withdrawn by this step of "
				      "its owner", name_of(c, (uint32_t)actor, name));
	}
	return true;
}

/* ---- following ---- */

/* A wait that is announced together with its timer is another step when it is taken, with the timer
 * or without it. So is a wait that a cancellation ends: it takes the request. */
static bool may_change_waits(const struct trace *trace)
{
	for (uint32_t i = 0; i < trace->actors_len; i++)
		if (actor_is_virtual(&trace->actors[i]))
			return true;
	for (uint32_t i = 0; i < trace->events_len; i++)
		if (trace->events[i].kind == EVENT_CANCEL)
			return true;
	return false;
}

/* Is the next actor drawn by a policy that looks at the steps announced by all, which the trace does
 * not tell? */
static bool is_by_announcements(const struct check *c)
{
	const struct schedule *s = c->schedule;

	return c->memory->follower->next >= s->decisions_len &&
	       (s->tail == TAIL_POS || s->tail == TAIL_RFF || s->tail == TAIL_SURW) &&
	       (c->memory->announcements_change || may_change_waits(c->trace));
}

/* Loads under a weak memory model may be postponed while they would look in vain, which the trace
 * does not tell. */
static void find_later(const struct check *c, const struct follower_view *view, uint32_t step,
		       uint64_t *later)
{
	for (uint32_t w = 0; w < view->words; w++)
		later[w] = 0;
	for (uint32_t a = 0; a < view->actors_len; a++)
		if (a != c->trace->events[step].actor &&
		    follower_announced(view, a)->kind == EVENT_LOAD &&
		    follower_announced(view, a)->is_weak)
			bitset_add(later, a);
}

static bool check_pick(const struct check *c, struct follower_view *view, uint32_t step)
{
	uint64_t later[BITSET_WORDS(FOLLOWER_ACTORS)];
	struct follower *f = c->memory->follower;
	const struct trace *t = c->trace;
	char name[ACTOR_NAME_MAX];
	int pick;

	if (is_by_announcements(c))
		return follower_is_choosable(f, view, t->events[step].actor) ||
		       broken(c, step, "the actor ran and was asleep");
	if (c->schedule->tail == TAIL_LOWEST) {
		find_later(c, view, step, later);
		view->later = later;
	}
	pick = follower_pick(f, view);
	view->later = NULL;
	if (pick == (int)t->events[step].actor)
		return true;
	if (pick < 0)
		return broken(c, step, "by the schedule the run ends before it (%s)",
			      trace_end_text(f->end));
	return broken(c, step, "by the schedule %s goes",
		      name_of(c, (uint32_t)pick, name));
}

/* Why did the run stop where an actor could still go? */
static bool check_stop(const struct check *c, struct follower_view *view)
{
	struct follower *f = c->memory->follower;
	const struct trace *t = c->trace;
	char name[ACTOR_NAME_MAX];
	int pick;

	if (t->end != END_DIVERGED && t->end != END_ASLEEP && t->end != END_STOPPED)
		return true;
	view->enabled = trace_enabled(t, t->events_len);
	if (bitset_is_empty(view->enabled, view->words))
		return broken(c, t->events_len, "the run ended as %s with nobody enabled",
			      trace_end_text(t->end));
	pick = follower_pick(f, view);
	if (pick >= 0)
		return broken(c, t->events_len, "the run ended as %s, by the schedule %s goes",
			      trace_end_text(t->end), name_of(c, (uint32_t)pick, name));
	if (f->end != t->end)
		return broken(c, t->events_len, "the run ended as %s, by the schedule as %s",
			      trace_end_text(t->end), trace_end_text(f->end));
	return true;
}

static bool check_steps(const struct check *c)
{
	const struct trace *t = c->trace;
	struct follower *f = c->memory->follower;
	struct follower_view view = {
		.words = t->enabled_words,
		.actors_len = t->actors_len,
		.announced = (const char *)c->memory->announced.items,
		.stride = sizeof(struct event),
		.actors = t->actors,
	};

	start_looking(c);
	follower_start(f, c->schedule);
	for (uint32_t i = 0; i < t->events_len; i++) {
		view.enabled = trace_enabled(t, i);
		if (!check_enabled(c, i) || !check_owned(c, i) || !check_pick(c, &view, i))
			return false;
		follower_took(f, &view, &t->events[i]);
		look_on(c, i);
		if (i + 1 < t->events_len && !check_changes(c, i))
			return false;
	}
	if (!check_stop(c, &view))
		return false;
	/* Before a run ends as spinning its spinners go round once more, off the record. */
	if (f->dropped != t->dropped && t->end != END_PARKED && t->end != END_SPIN)
		return broken(c, t->events_len, "%u decisions were dropped, %u could not be "
			      "followed", t->dropped, f->dropped);
	return true;
}

/* ---- ending ---- */

static bool check_last(const struct check *c, uint32_t kind)
{
	const struct trace *t = c->trace;

	if (t->events_len && t->events[t->events_len - 1].kind == kind)
		return true;
	return broken(c, t->events_len, "the run ended as %s and its last event is not %s",
		      trace_end_text(t->end), event_kind_text(kind));
}

static bool check_nobody(const struct check *c)
{
	const struct trace *t = c->trace;
	const uint64_t *enabled = trace_enabled(t, t->events_len);
	size_t first = bitset_next(enabled, t->enabled_words, 0);
	char name[ACTOR_NAME_MAX];

	if (first == SIZE_MAX)
		return true;
	return broken(c, t->events_len, "the run ended as %s and %s was enabled",
		      trace_end_text(t->end), name_of(c, (uint32_t)first, name));
}

static bool check_end(const struct check *c)
{
	const struct trace *t = c->trace;
	bool ended = t->events_len &&
		     event_kind_flags(t->events[t->events_len - 1].kind) & EVENT_KIND_ENDS;

	switch (t->end) {
	case END_DONE:
		return ended || check_nobody(c);
	case END_EXIT:
		return check_last(c, EVENT_EXIT);
	case END_ABORT:
		return check_last(c, EVENT_ABORT);
	case END_DEADLOCK:
		if (!t->pending_len)
			return broken(c, t->events_len, "a deadlock with nobody waiting");
		return check_nobody(c);
	default:
		return true;
	}
}

/* ---- all ---- */

static void make_room(struct contract *m, const struct trace *t)
{
	vec_reserve(&m->announced, t->actors_len + 1);
	vec_reserve(&m->upcoming, t->actors_len + 1);
	vec_reserve(&m->counts, t->actors_len + 1);
	vec_reserve(&m->following, t->events_len + 1);
	memset(m->counts.items, 0, t->actors_len * sizeof(*m->counts.items));
	if (!m->follower)
		m->follower = mem_zalloc(sizeof(*m->follower));
}

bool contract_holds(struct contract *contract, const struct schedule *schedule,
		    const struct trace *trace, struct strbuf *why)
{
	struct check c = {contract, schedule, trace, why};

	make_room(contract, trace);
	if (!check_shape(&c))
		return false;
	if (trace->end == END_RELEARN || trace->end == END_LOST || trace->end == END_SILENT)
		return true;
	return check_steps(&c) && check_end(&c);
}

void contract_release(struct contract *m)
{
	vec_release(&m->announced);
	vec_release(&m->upcoming);
	vec_release(&m->following);
	vec_release(&m->counts);
	mem_free(m->follower);
	m->follower = NULL;
}

/* ---- twice the same ---- */

static bool is_same_access(const struct access *a, const struct access *b)
{
	return a->object == b->object && a->mode == b->mode && a->announced == b->announced &&
	       access_has_same_detail(a, b);
}

static bool is_same_event(const struct event *a, const struct event *b)
{
	bool same = a->actor == b->actor && a->ordinal == b->ordinal && a->kind == b->kind &&
		    a->access_len == b->access_len && a->flags == b->flags &&
		    event_has_same_peer(a, b) && a->site == b->site &&
		    a->value == b->value && a->deadline == b->deadline && a->memory_order == b->memory_order;

	for (uint32_t i = 0; same && i < a->access_len; i++)
		same = is_same_access(&a->accesses[i], &b->accesses[i]);
	return same;
}

static bool differ(const struct trace *t, uint32_t step, const char *what, struct strbuf *why)
{
	struct check c = {.trace = t, .why = why};

	return broken(&c, step, "the same schedule gave another %s when it was run again", what);
}

bool contract_same(const struct trace *a, const struct trace *b, struct strbuf *why)
{
	size_t set = a->enabled_words * sizeof(*a->enabled);

	for (uint32_t i = 0; i < a->events_len && i < b->events_len; i++) {
		if (!is_same_event(&a->events[i], &b->events[i]))
			return differ(a, i, "event", why);
		if (a->enabled_words == b->enabled_words &&
		    memcmp(trace_enabled(a, i), trace_enabled(b, i), set) != 0)
			return differ(a, i, "set of enabled actors", why);
	}
	if (a->events_len != b->events_len)
		return differ(a->events_len > b->events_len ? a : b,
			      a->events_len < b->events_len ? a->events_len : b->events_len,
			      "number of events", why);
	if (a->end != b->end || a->code != b->code)
		return differ(a, a->events_len, "end", why);
	if (a->pending_len != b->pending_len)
		return differ(a, a->events_len, "number of pending steps", why);
	for (uint32_t i = 0; i < a->pending_len; i++)
		if (!is_same_event(&a->pending[i], &b->pending[i]))
			return differ(a, a->events_len, "pending step", why);
	if (a->deaths_len != b->deaths_len || a->waiters_len != b->waiters_len ||
	    a->waits_len != b->waits_len)
		return differ(a, a->events_len, "number of ends or waits", why);
	if (a->notices_len != b->notices_len || a->withdrawn_len != b->withdrawn_len ||
	    a->plains_len != b->plains_len || a->dropped != b->dropped)
		return differ(a, a->events_len, "number of notices, withdrawals or accesses", why);
	if (a->output_len != b->output_len ||
	    (a->output_len && memcmp(a->output, b->output, a->output_len) != 0))
		return differ(a, a->events_len, "output", why);
	return true;
}
