#include "cli/explain.h"

#include <string.h>

#include "base/bitset.h"
#include "cli/explain_weak.h"
#include "cli/fingerprint.h"
#include "core/object.h"
#include "native/symbols.h"

enum { FRAMES_MAX = 32, EVENTS_SHOWN = 500, LOCKS_MAX = 32 };

struct explainer {
	struct target *target;
	const struct trace *trace;
	struct arena *arena;
	struct report_finding *out;
};

static const char *name_actor(struct explainer *x, uint32_t actor)
{
	char name[ACTOR_NAME_MAX];

	if (actor == ACTOR_NONE || actor >= x->trace->actors_len)
		return NULL;
	actor_name(x->trace->actors, actor, name);
	return arena_strdup(x->arena, name);
}

static const char *name_object(struct explainer *x, uint64_t object)
{
	struct strbuf text = {0};
	const char *result;

	x->target->ops->describe_object(x->target, object, &text);
	result = arena_strdup(x->arena, strbuf_text(&text));
	strbuf_release(&text);
	return result;
}

/* Copies the strings, because the report outlives the target. */
static struct report_frame frame_of(struct explainer *x, const struct target_frame *frame)
{
	return (struct report_frame){
		.function = frame->function ? arena_strdup(x->arena, frame->function) : NULL,
		.file = frame->file ? arena_strdup(x->arena, frame->file) : NULL,
		.line = frame->line,
	};
}

/* Is this frame the code that called main or the function of a thread? */
static bool is_outside(const struct target_frame *frame)
{
	return strcmp(frame->function, "begin_thread") == 0 ||
	       strncmp(frame->function, "__libc_start", strlen("__libc_start")) == 0;
}

/* The index of the first frame in the user's own code, or `len`. */
static uint32_t find_user(const struct target_frame *frames, uint32_t len)
{
	struct symbols_frame candidates[FRAMES_MAX + 2] = {0};

	for (uint32_t i = 0; i < len; i++)
		candidates[i].file = frames[i].file;
	candidates[len].file = ""; /* a sentinel: the search always ends */
	return symbols_user_frame(candidates, len + 1);
}

/* The call stack, without the frames of a library around the user's outermost function. `key` is
 * the first argument of the target's stack(). */
static uint32_t find_stack(struct explainer *x, uint32_t key, uint32_t actor,
			   struct target_frame frames[FRAMES_MAX])
{
	uint32_t len = x->target->ops->stack(x->target, key, actor, frames, FRAMES_MAX);
	uint32_t inside = 0, users = 0;

	while (inside < len && (!frames[inside].function || !is_outside(&frames[inside])))
		inside++;
	for (uint32_t i = 0; i < inside; i++)
		if (find_user(&frames[i], 1) == 0)
			users = i + 1;
	return users ? users : inside;
}

/* The place of a step: the innermost line of the user's own code on the stack. A reader wants to
 * see `std::lock_guard guard(lock)`, not the lines of the library that it leads to. */
static struct report_frame describe_place(struct explainer *x, uint64_t site, uint32_t key,
					  uint32_t actor)
{
	struct target_frame frames[FRAMES_MAX + 1];
	uint32_t len = 1, user;

	x->target->ops->describe_site(x->target, site, &frames[0]);
	if (find_user(frames, 1) == 1)
		len += find_stack(x, key, actor, frames + 1);
	user = find_user(frames, len);
	return frame_of(x, &frames[user < len ? user : 0]);
}

/* ---- the interleaving ---- */

static bool shows_value(uint32_t kind)
{
	return kind == EVENT_LOAD || kind == EVENT_RMW || kind == EVENT_CAS;
}

/* A value that does not fit into an int is most likely an address. */
static void add_value(struct strbuf *text, int64_t value)
{
	if (value > UINT32_MAX)
		strbuf_addf(text, " = 0x%lx", (unsigned long)value);
	else
		strbuf_addf(text, " = %ld", (long)value);
}

static const char *describe_step(struct explainer *x, const struct event *event, uint32_t step)
{
	struct strbuf text = {0};
	const char *result;
	bool is_described = step != REPORT_NO_STEP && x->target->ops->describe_step &&
		       x->target->ops->describe_step(x->target, step, &text);

	if (!is_described)
		strbuf_adds(&text, step == REPORT_NO_STEP ? event_wait_text(event->kind)
							  : event_kind_text(event->kind));
	if (is_described)
		;
	else if (event_created(event) != ACTOR_NONE && event->kind != EVENT_SEND)
		strbuf_addf(&text, " %s", name_actor(x, event_created(event)));
	else if (event_joined(event) != ACTOR_NONE)
		strbuf_addf(&text, " %s", name_actor(x, event_joined(event)));
	else if (event->access_len && event->accesses[0].object)
		strbuf_addf(&text, " %s", name_object(x, event->accesses[0].object));
	if (shows_value(event->kind))
		add_value(&text, (int64_t)event->value);
	if (event->flags & EVENT_FAILED && event->kind == EVENT_LOCK &&
	    x->trace->memory != MEMORY_SC)
		strbuf_adds(&text, " (waits)");
	else if (event->flags & EVENT_FAILED)
		strbuf_adds(&text, event->kind == EVENT_COND_WAKE || event->kind == EVENT_LOCK
					   ? " (timed out)" : " (fails)");
	result = arena_strdup(x->arena, strbuf_text(&text));
	strbuf_release(&text);
	return result;
}

static uint32_t column_of(struct explainer *x, const char *actor)
{
	const char **columns = (const char **)x->out->columns;

	for (uint32_t i = 0; i < x->out->columns_len; i++)
		if (strcmp(columns[i], actor) == 0)
			return i;
	columns[x->out->columns_len] = actor;
	return x->out->columns_len++;
}

static bool is_culprit(const struct explainer *x, uint32_t step)
{
	for (uint32_t i = 0; i < x->out->sites_len; i++)
		if (x->out->sites[i].step == step)
			return true;
	return false;
}

static struct report_event *add_row(struct explainer *x, uint32_t step, uint32_t actor,
				    const char *text, struct report_frame at)
{
	struct report_event *added = &x->out->interleaving[x->out->interleaving_len++];

	*added = (struct report_event){
		.step = step,
		.actor = name_actor(x, actor),
		.text = text,
		.file = at.file,
		.line = at.line,
	};
	added->column = column_of(x, added->actor);
	return added;
}

/* Could `last`, the actor of the step before, have gone on instead? */
static bool is_preemption(const struct trace *t, uint32_t step, uint32_t last)
{
	uint32_t actor = t->events[step].actor;

	return last != ACTOR_NONE && last != actor && !actor_is_virtual(&t->actors[actor]) &&
	       bitset_has(trace_enabled(t, step), last);
}

static void add_step(struct explainer *x, uint32_t step, uint32_t last)
{
	const struct event *event = &x->trace->events[step];
	struct report_event *added =
		add_row(x, step, event->actor, describe_step(x, event, step),
			describe_place(x, event->site, step, event->actor));

	added->is_culprit = is_culprit(x, step);
	added->is_preemption = is_preemption(x->trace, step, last);
}

static const struct plain *plain_of(const struct explainer *x, const struct finding_site *site)
{
	uint32_t index = site->step & ~(uint32_t)TARGET_OF_PLAIN;

	if (site->step == (uint32_t)TARGET_AT_END || !(site->step & (uint32_t)TARGET_OF_PLAIN) ||
	    index >= x->trace->plains_len)
		return NULL;
	return &x->trace->plains[index];
}

/* The number of steps before an access that is not a step itself: a plain access of a race, or a
 * use of freed memory, which is recorded with the step before it. REPORT_NO_STEP if the site is a
 * step. */
static uint32_t time_of_access(const struct explainer *x, const struct finding *finding,
			       const struct finding_site *site)
{
	const struct plain *plain = plain_of(x, site);

	if (plain)
		return plain->step;
	if (finding->kind == FINDING_MEMORY && site->actor != ACTOR_NONE &&
	    site->step < x->trace->events_len)
		return site->step + 1;
	return REPORT_NO_STEP;
}

/* The access in words: "writes counter", "read of 4 bytes in a block that was freed". */
static const char *describe_access(struct explainer *x, const struct finding *finding,
				   const struct finding_site *site)
{
	/* The message begins with the name of the actor. */
	const char *colon = strstr(finding->message, ": ");

	if (finding->kind == FINDING_MEMORY && colon)
		return arena_strdup(x->arena, colon + 2);
	return arena_printf(x->arena, "%s %s", site->role, name_object(x, finding->object));
}

/* The accesses that are part of the bug and came just before a step. */
static void add_accesses(struct explainer *x, const struct finding *finding, uint32_t step)
{
	for (uint32_t i = 0; i < finding->sites_len; i++) {
		const struct finding_site *site = &finding->sites[i];

		if (time_of_access(x, finding, site) == step)
			add_row(x, REPORT_BETWEEN, site->actor, describe_access(x, finding, site),
				x->out->sites[i].at)->is_culprit = true;
	}
}

static void add_waiting(struct explainer *x)
{
	for (uint32_t p = 0; p < x->trace->pending_len; p++) {
		const struct event *event = &x->trace->pending[p];
		const char *what = describe_step(x, event, REPORT_NO_STEP);

		if (!actor_is_virtual(&x->trace->actors[event->actor]))
			add_row(x, REPORT_NO_STEP, event->actor,
				arena_printf(x->arena, "waits: %s", what),
				describe_place(x, event->site, (uint32_t)TARGET_AT_END,
					       event->actor));
	}
}

static void fill_interleaving(struct explainer *x, const struct finding *finding)
{
	const struct trace *t = x->trace;
	uint32_t first = t->events_len > EVENTS_SHOWN ? t->events_len - EVENTS_SHOWN : 0;
	size_t room = t->events_len - first + t->pending_len + finding->sites_len + 1;
	uint32_t last = ACTOR_NONE;

	x->out->interleaving = arena_zalloc(x->arena, room * sizeof(*x->out->interleaving));
	x->out->columns = arena_zalloc(x->arena, (t->actors_len + 1) * sizeof(char *));
	for (uint32_t i = 0; i < t->events_len; i++) {
		if (i >= first) {
			add_accesses(x, finding, i);
			add_step(x, i, last);
		}
		if (!actor_is_virtual(&t->actors[t->events[i].actor]))
			last = t->events[i].actor;
	}
	add_accesses(x, finding, t->events_len);
	if (t->end == END_DEADLOCK || t->end == END_SPIN || finding->kind == FINDING_DEADLOCK ||
	    finding->kind == FINDING_STUCK)
		add_waiting(x);
}

/* ---- sites ---- */

struct held_lock {
	uint64_t object;
	uint32_t step; /* that took it */
};

/* Applies an access to a lock to the set of held locks; returns the new size of the set. */
static uint32_t follow_lock(struct held_lock *held, uint32_t len, const struct access *access,
			    uint32_t step)
{
	uint32_t kept = 0;

	if (access_mode_unlocks(access->mode)) {
		for (uint32_t h = 0; h < len; h++)
			if (held[h].object != access->object)
				held[kept++] = held[h];
		return kept;
	}
	if ((access->mode == ACCESS_ACQUIRE || access->mode == ACCESS_SHARE) && len < LOCKS_MAX)
		held[len++] = (struct held_lock){access->object, step};
	return len;
}

/* The locks an actor held when it took step number `before`, by following its steps. */
static uint32_t find_locks(const struct trace *t, uint32_t actor, uint32_t before,
			   struct held_lock held[LOCKS_MAX])
{
	uint32_t len = 0;

	for (uint32_t i = 0; i < before && i < t->events_len; i++) {
		const struct event *event = &t->events[i];

		/* Using a FILE needs its lock for the step only. */
		if (event->actor != actor || event->kind == EVENT_IO_WRITE ||
		    event->kind == EVENT_IO_READ)
			continue;
		for (uint32_t a = 0; a < event->access_len; a++)
			if (OBJECT_CLASS(event->accesses[a].object) == OBJECT_LOCK)
				len = follow_lock(held, len, &event->accesses[a], i);
	}
	return len;
}

static void fill_locks(struct explainer *x, uint32_t actor, uint32_t before,
		       struct report_site *site)
{
	struct held_lock held[LOCKS_MAX];
	uint32_t len = find_locks(x->trace, actor, before, held);
	const char **names = arena_zalloc(x->arena, (len + 1) * sizeof(*names));

	for (uint32_t h = 0; h < len; h++) {
		uint64_t taken = x->trace->events[held[h].step].site;
		struct report_frame at = describe_place(x, taken, held[h].step, actor);

		names[h] = arena_printf(x->arena, "%s (taken at %s:%u)",
					name_object(x, held[h].object), at.file ? at.file : "?",
					at.line);
	}
	site->locks = names;
	site->locks_len = len;
}

/* A use of freed memory is recorded with the step before it. If both are in one function, the
 * stack of that step is right except for its innermost line. */
static uint32_t correct_stack(struct target_frame *frames, uint32_t len,
			      const struct report_frame *at)
{
	if (!len || !frames[0].function || !at->function ||
	    strcmp(frames[0].function, at->function) != 0)
		return 0;
	frames[0].file = at->file;
	frames[0].line = at->line;
	return len;
}

static void fill_frames(struct explainer *x, const struct finding *finding,
			const struct finding_site *from, struct report_site *site)
{
	struct target_frame frames[FRAMES_MAX];
	uint32_t len = find_stack(x, from->step, from->actor, frames);
	struct report_frame *copies;

	if (!plain_of(x, from) && time_of_access(x, finding, from) != REPORT_NO_STEP)
		len = correct_stack(frames, len, &site->at);
	copies = arena_zalloc(x->arena, (len + 1) * sizeof(*copies));
	for (uint32_t i = 0; i < len; i++)
		copies[i] = frame_of(x, &frames[i]);
	site->frames = copies;
	site->frames_len = len;
}

/* The number of steps before the site. */
static uint32_t time_of(const struct explainer *x, const struct finding *finding,
			const struct finding_site *from)
{
	uint32_t access = time_of_access(x, finding, from);

	if (access != REPORT_NO_STEP)
		return access;
	if (from->step == (uint32_t)TARGET_AT_END)
		return x->trace->events_len;
	return from->step & (uint32_t)TARGET_OF_PLAIN ? 0 : from->step;
}

static bool is_step(const struct explainer *x, const struct finding *finding,
		    const struct finding_site *site)
{
	return !(site->step & (uint32_t)TARGET_OF_PLAIN) &&
	       time_of_access(x, finding, site) == REPORT_NO_STEP;
}

/* ---- deadlocks ---- */

static const struct event *find_pending(const struct trace *trace, uint32_t actor)
{
	for (uint32_t i = 0; i < trace->pending_len; i++)
		if (trace->pending[i].actor == actor)
			return &trace->pending[i];
	return NULL;
}

static uint32_t find_holder(const struct trace *trace, uint64_t object)
{
	for (uint32_t i = 0; i < trace->held_len; i++)
		if (trace->held[i].object == object)
			return trace->held[i].actor;
	return ACTOR_NONE;
}

/* "waits in lock for forks[1], held by P1.2": the detector knows neither name. */
static const char *describe_wait(struct explainer *x, const struct event *event)
{
	uint64_t object = event->access_len ? event->accesses[0].object : 0;
	uint32_t holder = object ? find_holder(x->trace, object) : ACTOR_NONE;
	const char *verb = event_wait_text(event->kind);

	if (event_joined(event) != ACTOR_NONE)
		return arena_printf(x->arena, "waits in %s for %s", verb,
				    name_actor(x, event_joined(event)));
	if (holder != ACTOR_NONE)
		return arena_printf(x->arena, "waits in %s for %s, held by %s", verb,
				    name_object(x, object),
				    holder == event->actor ? "itself" : name_actor(x, holder));
	return arena_printf(x->arena, "waits in %s%s%s, and nobody is left to end it", verb,
			    object ? " for " : "", object ? name_object(x, object) : "");
}

static const char *describe_role(struct explainer *x, const struct finding_site *site)
{
	const struct event *event = x->trace->end == END_DEADLOCK
					    ? find_pending(x->trace, site->actor) : NULL;

	return event ? describe_wait(x, event) : arena_strdup(x->arena, site->role);
}

/* The head of the detector's message, then every waiting actor: the sites begin with the cycle. */
static const char *describe_deadlock(struct explainer *x, const struct finding *finding)
{
	struct strbuf text = {0};
	const char *result;

	strbuf_add(&text, finding->message, strcspn(finding->message, ":"));
	for (uint32_t i = 0; i < x->out->sites_len; i++)
		strbuf_addf(&text, "%s %s %s", i ? ";" : ":", x->out->sites[i].actor,
			    x->out->sites[i].role);
	result = arena_strdup(x->arena, strbuf_text(&text));
	strbuf_release(&text);
	return result;
}

static void fill_sites(struct explainer *x, const struct finding *finding)
{
	struct report_site *sites = arena_zalloc(x->arena,
						 (finding->sites_len + 1) * sizeof(*sites));

	for (uint32_t i = 0; i < finding->sites_len; i++) {
		const struct finding_site *from = &finding->sites[i];

		sites[i] = (struct report_site){
			.actor = name_actor(x, from->actor),
			.role = describe_role(x, from),
			.at = describe_place(x, from->site, from->step, from->actor),
			.step = is_step(x, finding, from) ? from->step : REPORT_NO_STEP,
		};
		fill_frames(x, finding, from, &sites[i]);
		fill_locks(x, from->actor, time_of(x, finding, from), &sites[i]);
	}
	x->out->sites = sites;
	x->out->sites_len = finding->sites_len;
}

static const char *explain_message(struct explainer *x, const struct finding *finding)
{
	if (finding->kind == FINDING_DEADLOCK && x->trace->end == END_DEADLOCK)
		return describe_deadlock(x, finding);
	if (!finding->object)
		return arena_strdup(x->arena, finding->message);
	return arena_printf(x->arena, "%s (%s)", finding->message, name_object(x, finding->object));
}

void explain_finding(struct target *target, const struct found *found, struct arena *arena,
		     struct report_finding *out)
{
	const struct finding *finding = &found->finding;
	struct explainer x = {target, found->trace, arena, out};

	*out = (struct report_finding){
		.kind = finding->kind,
		.fingerprint = fingerprint_of(target, finding),
		.executions_before = finding->executions_before,
		.events = found->trace->events_len,
		.preemptions = found->preemptions,
		.is_cut = found->is_cut,
		.is_tied = found->is_tied,
		.always = found->always,
		.tried = found->tried,
		.output = arena_strndup(arena, found->output ? found->output : "",
					found->output_len),
		.output_len = found->output_len,
	};
	fill_sites(&x, finding);
	out->message = explain_message(&x, finding);
	out->details = explain_weak(target, found, arena);
	fill_interleaving(&x, finding);
}
