/* slice.c: the steps that matter: those without which the bug does not happen.
 *
 * A step matters if it is before a step of the bug in the dependence order, unless it touches only
 * objects that no other actor touches, or only starts, ends or watches an actor. The steps of the
 * bug are its sites, the step at which the run ended, the locks that waiting actors hold, every step
 * on the object that an actor waits for in vain, and the pair whose order matters. */
#include <string.h>

#include "base/mem.h"
#include "core/object.h"
#include "core/order.h"
#include "explain/parts.h"

struct slice {
	struct explainer *x;
	const struct trace *trace;
	bool *essential; /* by step: a site, the end, one of the pair */
	bool *roots;     /* by step */
	bool *kept;
	bool *handled; /* by step: in the handler of a signal */
	bool has_handlers;
	uint32_t first;   /* the actor of the first site */
	bool is_circular; /* processes wait for each other, and the first site is one of them */
	uint32_t used;    /* the number of steps before the use of memory that is the bug; or 0 */
	bool is_stuck;    /* a process waits for ever: others that wait, too, may be the reason */
};

static void add_root(struct slice *s, uint32_t step)
{
	if (step < s->trace->events_len)
		s->roots[step] = s->essential[step] = true;
}

/* The last step of the actor before `before`. */
static void add_last_step(struct slice *s, uint32_t actor, uint32_t before)
{
	for (uint32_t i = before; i-- > 0;)
		if (i < s->trace->events_len && s->trace->events[i].actor == actor) {
			s->roots[i] = true;
			return;
		}
}

/* The mailbox of a process that waits at the end; 0 if it does not. */
static uint64_t mailbox_of(const struct trace *t, uint32_t actor)
{
	for (uint32_t i = 0; i < t->waiters_len; i++)
		if (t->waiters[i].actor == actor)
			return t->waiters[i].object;
	return 0;
}

/* The receiver of a message may have ended before it took it. */
static void add_end_of_receiver(struct slice *s, const struct event *send)
{
	uint32_t end = explain_ended_at(s->trace, send);

	if (end != REPORT_NO_STEP)
		s->roots[end] = true;
}

/* A message whose receiver ended and did not take it: the end, and what the receiver took last. */
static void add_lost(struct slice *s, uint32_t send)
{
	const struct trace *t = s->trace;
	uint32_t end = explain_lost_at(t, send);

	if (end == REPORT_NO_STEP)
		return;
	add_root(s, end);
	for (uint32_t i = end; i-- > 0;)
		if (t->events[i].actor == t->events[end].actor && t->events[i].kind == EVENT_RECEIVE) {
			s->roots[i] = true;
			return;
		}
}

/* The receiver has taken the message: what it did then, up to the next message that it took. */
static void add_reaction(struct slice *s, const struct event *send)
{
	const struct trace *t = s->trace;
	uint32_t take = explain_taken_at(t, send);

	if (take == REPORT_NO_STEP)
		return;
	s->roots[take] = true;
	for (uint32_t i = take + 1; i < t->events_len; i++) {
		if (t->events[i].actor != t->events[take].actor)
			continue;
		if (t->events[i].kind == EVENT_RECEIVE)
			return;
		s->roots[i] = s->roots[i] || t->events[i].kind == EVENT_SEND;
	}
}

/* The step that created the actor. */
static void add_spawn(struct slice *s, uint32_t actor)
{
	for (uint32_t i = 0; i < s->trace->events_len; i++)
		if (s->trace->events[i].kind == EVENT_SPAWN &&
		    event_created(&s->trace->events[i]) == actor)
			s->roots[i] = true;
}

/* The exit signal that ended the process. */
static void add_kill(struct slice *s, const struct death *death)
{
	for (uint32_t i = death->step; i-- > 0 && (death->flags & DEATH_BY_SIGNAL);)
		if (event_exit_receiver(&s->trace->events[i]) == death->actor) {
			s->roots[i] = true;
			return;
		}
}

/* Nobody waits for ever for a process that has failed, but it may be the one that should have spoken. */
static void add_deaths(struct slice *s)
{
	for (uint32_t i = 0; i < s->trace->deaths_len; i++) {
		const struct death *death = &s->trace->deaths[i];

		if (death->step && death->step <= s->trace->events_len) {
			s->roots[death->step - 1] = true;
			add_last_step(s, death->actor, death->step - 1);
			add_kill(s, death);
		}
	}
}

/* A process that waits for ever: the last message that it took, those that it sent since, what became of
 * them, and those that came since, which it does not take. */
static void add_conversation(struct slice *s, uint32_t actor)
{
	uint64_t mailbox = mailbox_of(s->trace, actor);

	for (uint32_t i = s->trace->events_len; i-- > 0;) {
		const struct event *event = &s->trace->events[i];

		if (event->actor != actor && mailbox && event_find_access(event, mailbox))
			s->roots[i] = true;
		if (event->actor != actor ||
		    (event->kind != EVENT_SEND && event->kind != EVENT_RECEIVE))
			continue;
		s->roots[i] = true;
		if (event->kind == EVENT_RECEIVE)
			return;
		add_end_of_receiver(s, event);
		add_reaction(s, event);
	}
	if (actor == s->first)
		add_spawn(s, actor); /* it has not taken any message: who made it, and for what? */
}

/* An actor that waits for ever: the locks it holds, and the steps on the object it waits for. */
static void add_waiting(struct slice *s, uint32_t actor)
{
	const struct trace *t = s->trace;
	struct held_lock held[LOCKS_MAX];
	uint32_t len = explain_locks(t, actor, t->events_len, held), met;

	for (uint32_t h = 0; h < len; h++)
		add_root(s, held[h].step); /* the lock is part of the bug */
	add_conversation(s, actor);
	if (len && explain_interrupting(s->x, actor, &met))
		add_root(s, met);
	for (uint32_t p = 0; p < t->pending_len; p++) {
		const struct event *pending = &t->pending[p];

		if (pending->actor != actor || !pending->access_len ||
		    OBJECT_CLASS(pending->accesses[0].object) == OBJECT_ACTOR)
			continue;
		for (uint32_t i = 0; i < t->events_len; i++)
			if (event_find_access(&t->events[i], pending->accesses[0].object) ||
			    (t->events[i].kind == EVENT_FUTEX_WAKE &&
			     event_find_access(&t->events[i],
					       explain_other_futex(pending->accesses[0].object))))
				s->roots[i] = true;
	}
}

/* A process that looks again and again: who started it, what it saw last, and a message that
 * it does not take. */
static void add_look(struct slice *s, uint32_t actor)
{
	add_spawn(s, actor);
	add_root(s, explain_unread(s->trace, actor, 0));
	for (uint32_t i = s->trace->events_len; i-- > 0;)
		if (s->trace->events[i].actor == actor) {
			add_root(s, i);
			return;
		}
}

/* The step that took the lock which is given back in memory that another thread frees, or that is freed. */
static void add_taking(struct slice *s, const struct finding *finding)
{
	const struct event *use = explain_used_step(s->x, finding);
	struct held_lock held[LOCKS_MAX];
	uint32_t len;

	if (explain_is_object_use(s->x, finding))
		use = &s->trace->events[finding->sites[0].step];
	if (!use || !use->access_len || !access_mode_unlocks(use->accesses[0].mode))
		return;
	len = explain_locks(s->trace, use->actor, (uint32_t)(use - s->trace->events), held);
	for (uint32_t i = 0; i < len; i++)
		if (held[i].object == use->accesses[0].object)
			add_root(s, held[i].step);
}

static void add_sites(struct slice *s, const struct finding *finding)
{
	for (uint32_t i = 0; i < finding->sites_len; i++) {
		const struct finding_site *site = &finding->sites[i];
		uint32_t time = explain_access_time(s->x, finding, site);

		if (site->actor == ACTOR_NONE)
			continue;
		if (time != REPORT_NO_STEP && finding->kind == FINDING_MEMORY)
			s->used = time;
		if (time != REPORT_NO_STEP)
			add_last_step(s, site->actor, time);
		else if (site->step < s->trace->events_len)
			add_root(s, site->step);
		else
			add_waiting(s, site->actor);
	}
}

static bool ends_by_step(uint32_t end)
{
	return end == END_ABORT || end == END_CRASH || end == END_EXIT;
}

/* ---- steps that are left out ---- */

static bool is_of_life(uint32_t kind)
{
	switch (kind) {
	case EVENT_CREATE: case EVENT_JOIN: case EVENT_DETACH: case EVENT_FINISH: case EVENT_SPAWN:
	case EVENT_LINK: case EVENT_UNLINK: case EVENT_MONITOR: case EVENT_DEMONITOR:
	case EVENT_FLAG: case EVENT_UNIQUE: case EVENT_CODE: case EVENT_IO: case EVENT_CLOCK:
	case EVENT_FENCE:
		return true;
	default:
		return false;
	}
}

/* Does any other actor touch the object, in a step or while it waits? */
static bool is_shared(const struct trace *t, uint64_t object, uint32_t actor)
{
	for (uint32_t i = 0; i < t->events_len; i++)
		if (t->events[i].actor != actor && event_find_access(&t->events[i], object))
			return true;
	for (uint32_t p = 0; p < t->pending_len; p++)
		if (t->pending[p].actor != actor && event_find_access(&t->pending[p], object))
			return true;
	return false;
}

/* Is only a library interested in the step? */
static bool is_of_library(struct slice *s, uint32_t step)
{
	struct target *target = s->x->target;
	const struct event *event = &s->trace->events[step];
	struct strbuf text = {0};
	bool is_of_library;

	if (explain_is_of_library(s->x, step) ||
	    (event->access_len && explain_is_team(explain_object(s->x, event->accesses[0].object))))
		return true;
	is_of_library = target->ops->describe_step && target->ops->describe_step(target, step, &text) &&
			strbuf_text(&text)[0] == TARGET_FRAMEWORK;
	strbuf_release(&text);
	return is_of_library;
}

/* Does it look for a global name, which processes of the system change? */
static bool looks_for_global_name(struct slice *s, uint32_t step)
{
	struct target *target = s->x->target;
	struct strbuf text = {0};
	bool looks = target->ops->describe_step &&
		     target->ops->describe_step(target, step, &text) &&
		     (strncmp(strbuf_text(&text), "global:", 7) == 0 ||
		      strncmp(strbuf_text(&text), ":global.", 8) == 0);

	strbuf_release(&text);
	return looks;
}

/* The steps in handlers of signals: behind a step before which a signal came, until the actor takes that step. */
static void find_handlers(struct slice *s)
{
	const struct trace *t = s->trace;

	for (uint32_t met = 0; met < t->events_len; met++) {
		if (!explain_meets_signal(&t->events[met]))
			continue;
		for (uint32_t i = met + 1; i < t->events_len; i++) {
			if (t->events[i].actor != t->events[met].actor)
				continue;
			if (t->events[i].site == t->events[met].site)
				break;
			s->handled[i] = s->has_handlers = true;
		}
	}
}

/* Do a handler of the actor and the actor itself touch the object? They are in no order, as if they were two threads. */
static bool is_shared_with_handler(const struct slice *s, uint64_t object, uint32_t actor)
{
	const struct trace *t = s->trace;
	bool inside = false, outside = false;

	for (uint32_t i = 0; i < t->events_len && s->has_handlers; i++) {
		if (t->events[i].actor != actor || !event_find_access(&t->events[i], object))
			continue;
		inside = inside || s->handled[i];
		outside = outside || !s->handled[i];
	}
	return inside && outside;
}

static bool is_idle(const struct slice *s, const struct event *event)
{
	if (event->kind == EVENT_EXIT_SIGNAL && explain_ended_at(s->trace, event) != REPORT_NO_STEP)
		return false; /* what the other process did because of it is its end */
	if (is_of_life(event->kind))
		return true;
	for (uint32_t a = 0; a < event->access_len; a++)
		if (is_shared(s->trace, event->accesses[a].object, event->actor) ||
		    is_shared_with_handler(s, event->accesses[a].object, event->actor))
			return false;
	return true;
}

/* ---- all ---- */

/* Does the text name the actor, and not another one whose place begins alike, P1.1 and P1.10? */
static bool is_named(const char *text, const struct name *name)
{
	const char *words[] = {name->id, name->alias};

	for (int n = 0; n < 2; n++)
		for (const char *at = words[n] ? strstr(text, words[n]) : NULL; at; at = strstr(at + 1, words[n]))
			if (!strchr("0123456789.", at[strlen(words[n])]) || !at[strlen(words[n])])
				return true;
	return false;
}

/* A call that fails, such as register(P) or trace(P), may fail because its process has ended before: shows that end. */
static void keep_ends(struct slice *s, uint32_t step)
{
	const char *text = explain_step(s->x, &s->trace->events[step], step);

	for (uint32_t i = 0; i < step && strstr(text, " (fails"); i++)
		for (uint32_t n = 0; n < s->x->names.len && s->trace->events[i].kind == EVENT_FINISH; n++) {
			const struct name *name = &s->x->names.items[n];

			if (name->actor == s->trace->events[i].actor && is_named(text, name))
				s->kept[i] = true;
		}
}

static void keep_causes(struct slice *s)
{
	struct order order = {.observers = OBSERVERS_NONE};
	const struct trace *t = s->trace;

	order_build(&order, t, 0);
	for (uint32_t root = 0; root < t->events_len; root++) {
		if (!s->roots[root])
			continue;
		for (uint32_t i = 0; i <= root; i++)
			s->kept[i] = s->kept[i] || order_before(&order, i, root);
	}
	for (uint32_t i = 0; i < t->events_len; i++)
		if (s->kept[i] &&
		    ((!s->roots[i] && is_idle(s, &t->events[i]) && !looks_for_global_name(s, i)) ||
		     (!s->essential[i] && is_of_library(s, i))))
			s->kept[i] = false;
	for (uint32_t i = 0; i < t->events_len; i++)
		if (s->essential[i])
			keep_ends(s, i);
	order_release(&order);
}

/* A table with nothing but the bug says nothing: what its actor did last is shown, too. */
static void keep_last_steps(struct slice *s, const struct finding *finding)
{
	uint32_t kept = 0, bug = 0, left = 3;

	for (uint32_t i = 0; i < s->trace->events_len; i++) {
		kept += s->kept[i];
		bug = s->kept[i] ? i : bug;
	}
	if (kept != 1 || s->x->shared_len ||
	    (finding->kind != FINDING_ASSERTION && finding->kind != FINDING_CRASH &&
	     finding->kind != FINDING_EXIT))
		return;
	for (uint32_t i = bug; i-- > 0 && left;)
		if (s->trace->events[i].actor == s->trace->events[bug].actor &&
		    !is_of_life(s->trace->events[i].kind) && !is_of_library(s, i)) {
			s->kept[i] = true;
			left--;
		}
}

/* ---- rows ---- */

/* Does the actor of the row wait, by way of others, for itself? */
static bool is_of_circle(const struct slice *s, const struct report_event *row)
{
	for (uint32_t i = 0; i < s->trace->pending_len; i++)
		if (strcmp(explain_actor(s->x, s->trace->pending[i].actor), row->actor) == 0)
			return explain_is_in_circle(s->trace, s->trace->pending[i].actor);
	return false;
}

/* Does a waiting actor explain something? Not if it waits for another to end, or rests as servers
 * do. */
static bool is_telling(const struct slice *s, const struct report_event *row)
{
	const struct trace *t = s->trace;

	if (row->kind && strcmp(row->kind, event_kind_text(EVENT_JOIN)) == 0 && is_of_circle(s, row))
		return true;
	if (row->kind && strcmp(row->kind, event_kind_text(EVENT_JOIN)) == 0)
		return s->x->out->sites_len && s->x->out->sites[0].actor &&
		       strcmp(s->x->out->sites[0].actor, row->actor) == 0;
	if (!t->waiters_len)
		return true;
	for (uint32_t i = 0; i < s->x->out->sites_len; i++)
		if (s->x->out->sites[i].actor && strcmp(s->x->out->sites[i].actor, row->actor) == 0)
			return true;
	for (uint32_t a = 0; a < t->actors_len && s->is_stuck; a++)
		if (explain_is_polling(t, a) && strcmp(explain_actor(s->x, a), row->actor) == 0)
			return true;
	for (uint32_t i = 0; i < t->waiters_len && s->is_stuck; i++)
		if (explain_waits_too(t, i, s->first) &&
		    strcmp(explain_actor(s->x, t->waiters[i].actor), row->actor) == 0)
			return true;
	for (uint32_t n = 0, at = s->first; n < t->waits_len && at != ACTOR_NONE; n++) {
		if (strcmp(explain_actor(s->x, at), row->actor) == 0)
			return s->is_circular;
		at = explain_waited_for(t, at);
	}
	return false;
}

/* The steps of a library between two accesses of one line are left out: then the second row says the
 * same as the first, "read memory: `jobs[name] = job;`". */
static bool is_repeated(struct explainer *x, const struct report_event *row, struct report_event *shown)
{
	const char *line = strstr(row->text, ": `"), *name;
	const char *other = shown ? strstr(shown->text, ": `") : NULL;

	if (!line || !other || row->step != REPORT_BETWEEN || shown->step != REPORT_BETWEEN ||
	    row->is_culprit || strcmp(row->actor, shown->actor) != 0 || strcmp(line, other) != 0)
		return false;
	name = strchr(shown->text, ' ');
	if (name && strncmp(row->text, "read ", strlen("read ")) != 0)
		shown->text = arena_printf(
			x->arena, "%s%s",
			strncmp(shown->text, "write ", 6) == 0 ? "write" : "update", name);
	return true;
}

/* A load that finds what the row before has found, as in a loop that waits. */
static bool is_same_load(const struct slice *s, const struct report_event *row, const struct report_event *shown)
{
	return shown && row->step < s->trace->events_len && shown->step < s->trace->events_len &&
	       s->trace->events[row->step].kind == EVENT_LOAD && !s->essential[row->step] &&
	       strcmp(row->actor, shown->actor) == 0 && strcmp(row->text, shown->text) == 0 &&
	       row->line == shown->line;
}

static void mark_rows(struct slice *s)
{
	struct report_finding *out = s->x->out;
	struct report_event *shown = NULL;
	uint32_t last = 0, end = s->used ? s->used - 1 : 0;

	for (uint32_t i = 0; i < s->trace->events_len; i++)
		end = s->kept[i] && i > end ? i : end;
	out->slice_len = 0;
	for (uint32_t i = 0; i < out->interleaving_len; i++) {
		struct report_event *row = &out->interleaving[i];

		last = row->step < s->trace->events_len ? row->step : last;
		row->in_slice = (row->step == REPORT_BETWEEN && (row->is_culprit || last <= end)) ||
				(row->step == REPORT_NO_STEP && is_telling(s, row)) ||
				(row->step < s->trace->events_len && s->kept[row->step]);
		row->in_slice = row->in_slice && !is_repeated(s->x, row, shown) && !is_same_load(s, row, shown);
		shown = row->in_slice ? row : shown;
		out->slice_len += row->in_slice;
	}
}

/* Behind the end of the process that failed, or the last step of a property that is false, only the step whose order matters is of interest. */
static void drop_consequences(struct slice *s, const struct finding *finding)
{
	uint32_t bug = finding->sites_len ? finding->sites[0].step : UINT32_MAX;

	bool is_end = s->trace->deaths_len && bug < s->trace->events_len &&
		      s->trace->events[bug].kind == EVENT_FINISH;

	if (!is_end && (finding->kind != FINDING_PROPERTY || bug >= s->trace->events_len))
		return;
	for (uint32_t i = bug + 1; i < s->trace->events_len; i++)
		s->kept[i] = s->kept[i] && s->essential[i];
}

/* Does the step come before the last one of the bug, or does the bug have no step? */
static bool is_before_bug(const struct trace *t, const struct finding *finding, uint32_t step)
{
	uint32_t bug = 0;

	for (uint32_t i = 0; i < finding->sites_len; i++)
		if (finding->sites[i].step < t->events_len && finding->sites[i].step > bug)
			bug = finding->sites[i].step;
	return step < t->events_len && (!bug || step < bug);
}

void explain_slice(struct explainer *x, const struct found *found, const struct finding *finding)
{
	const struct trace *t = x->trace;
	struct slice s = {.x = x,
			  .trace = t,
			  .essential = mem_zalloc(t->events_len + 1),
			  .roots = mem_zalloc(t->events_len + 1),
			  .kept = mem_zalloc(t->events_len + 1),
			  .handled = mem_zalloc(t->events_len + 1)};

	if (finding->sites_len)
		s.first = finding->sites[0].actor;
	add_sites(&s, finding);
	add_taking(&s, finding);
	s.is_circular = finding->kind == FINDING_DEADLOCK && t->waits_len;
	for (uint32_t n = 0, at = s.first; n < t->waits_len && s.is_circular && at != ACTOR_NONE; n++) {
		add_waiting(&s, at);
		at = explain_waited_for(t, at);
	}
	s.is_stuck = finding->kind == FINDING_STUCK;
	for (uint32_t i = 0; i < t->waiters_len && s.is_stuck; i++)
		if (explain_waits_too(t, i, s.first))
			add_waiting(&s, t->waiters[i].actor);
	for (uint32_t a = 0; a < t->actors_len && (s.is_stuck || finding->kind == FINDING_LIVELOCK); a++)
		if (explain_is_polling(t, a))
			add_look(&s, a);
	if (explain_is_left(t, finding))
		add_spawn(&s, s.first);
	if (s.is_stuck)
		add_deaths(&s);
	if (explain_earlier_join(t, finding) != REPORT_NO_STEP)
		add_root(&s, explain_earlier_join(t, finding));
	/* A race or a use of freed memory does not end the run: its end comes after the bug. */
	if (ends_by_step(t->end) && t->events_len && finding->kind != FINDING_MEMORY &&
	    finding->kind != FINDING_RACE)
		add_root(&s, t->events_len - 1);
	if (found_has_pair(found)) {
		add_root(&s, found->reversed.first);
		for (uint32_t i = 0; i < found->reversed.also_len; i++)
			add_root(&s, found->reversed.also[i]);
		if (explain_has_second(x, found) || is_before_bug(t, finding, found->reversed.second))
			add_root(&s, found->reversed.second);
		else /* the actor may have no row */
			add_spawn(&s, found->reversed.actor);
	}
	if (found_has_pair(found) && s.is_stuck) {
		add_lost(&s, found->reversed.first);
		add_lost(&s, found->reversed.second);
	}
	find_handlers(&s);
	keep_causes(&s);
	keep_last_steps(&s, finding);
	drop_consequences(&s, finding);
	explain_fold_calls(x, s.kept, s.essential);
	mark_rows(&s);
	mem_free(s.essential);
	mem_free(s.roots);
	mem_free(s.kept);
	mem_free(s.handled);
}
