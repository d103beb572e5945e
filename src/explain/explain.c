#include "explain/explain.h"

#include <string.h>

#include "base/bitset.h"
#include "base/file.h"
#include "base/mem.h"
#include "core/object.h"
#include "explain/fingerprint.h"
#include "explain/parts.h"
#include "explain/weak.h"

enum { EVENTS_SHOWN = 20000 };

/* ---- steps ---- */

/* An address says nothing: the row has the line of the source. */
const char *explain_name_or_memory(const char *name)
{
	return strncmp(name, "0x", 2) == 0 ? "memory" : name;
}

static void add_peer_or_object(struct explainer *x, const struct event *event, struct strbuf *text)
{
	if (event_created(event) != ACTOR_NONE && event->kind != EVENT_SEND)
		strbuf_addf(text, " %s", explain_actor(x, event_created(event)));
	else if (event_joined(event) != ACTOR_NONE)
		strbuf_addf(text, " %s", explain_actor(x, event_joined(event)));
	else if (event->access_len && event->accesses[0].object)
		strbuf_addf(text, " %s",
			    explain_name_or_memory(explain_object(x, event->accesses[0].object)));
}

/* "wait on not_empty (unlocks lock)" */
static void add_cond_wait(struct explainer *x, const struct event *event, struct strbuf *text)
{
	const char *lock = NULL, *cond = NULL;

	for (uint32_t a = 0; a < event->access_len; a++) {
		uint64_t object = event->accesses[a].object;

		if (OBJECT_CLASS(object) == OBJECT_LOCK && !lock)
			lock = explain_object(x, object);
		else if (OBJECT_CLASS(object) == OBJECT_COND && !cond)
			cond = explain_object(x, object);
	}
	strbuf_addf(text, "wait on %s", cond ? cond : "a condition");
	if (lock)
		strbuf_addf(text, " (unlocks %s)", lock);
}

/* The words behind a step that did less than it announced: " (fails)", " (timed out)" … */
static const char *failure_of(const struct explainer *x, const struct event *event)
{
	switch (event->kind) {
	case EVENT_TO_CANCEL: case EVENT_TO_SIGNAL: case EVENT_SIGNAL_TAKE: case EVENT_RECEIVE:
	case EVENT_CANCELLED:
		return "";
	case EVENT_EXIT_SIGNAL:
		return " (already ended)";
	case EVENT_IO_POLL:
		return " (nothing is ready)";
	case EVENT_RDLOCK:
		return explain_enters_queue(event) ? " (waits)" : " (fails)";
	case EVENT_LOCK:
		if (event->access_len == 1 && event->accesses[0].mode == ACCESS_ACQUIRE)
			return " (its wait on a condition has timed out)"; /* it has the lock */
		return explain_enters_queue(event) || x->trace->memory != MEMORY_SC ? " (waits)" : " (timed out)";
	case EVENT_COND_WAKE:
		return " (timed out)";
	default:
		return " (fails)";
	}
}

const char *explain_step(struct explainer *x, const struct event *event, uint32_t step)
{
	struct strbuf text = {0};
	const char *result;
	bool is_described = step != REPORT_NO_STEP && x->target->ops->describe_step &&
		       x->target->ops->describe_step(x->target, step, &text);

	if (explain_meets_signal(event)) {
		explain_met_signal(x, event, &text);
		result = arena_strdup(x->arena, strbuf_text(&text));
		strbuf_release(&text);
		return result;
	}
	if (!is_described && event->kind == EVENT_COND_WAIT) {
		add_cond_wait(x, event, &text);
	} else if (!is_described && !explain_call(x, event, &text)) {
		strbuf_adds(&text, step == REPORT_NO_STEP ? event_wait_text(event->kind)
							  : event_kind_text(event->kind));
		add_peer_or_object(x, event, &text);
	}
	if (step != REPORT_NO_STEP)
		explain_value(x, step, &text);
	/* The result of a described step says that it failed: "ets:insert_new(t, {a,1}) → false". */
	if (event->flags & EVENT_FAILED && !strstr(strbuf_text(&text), " (fails") &&
	    !(is_described && strstr(strbuf_text(&text), " → ")))
		strbuf_adds(&text, failure_of(x, event));
	result = arena_strdup(x->arena, strbuf_text(&text) + (strbuf_text(&text)[0] ==
							      TARGET_FRAMEWORK));
	strbuf_release(&text);
	return result;
}

static bool is_culprit(const struct explainer *x, uint32_t step)
{
	for (uint32_t i = 0; i < x->out->sites_len; i++)
		if (x->out->sites[i].step == step)
			return true;
	return false;
}

static uint32_t column_of(const struct explainer *x, uint32_t actor)
{
	uint32_t column = 0;

	for (uint32_t i = 0; i < x->names.len && x->names.items[i].actor != actor; i++)
		column += x->names.items[i].is_taken;
	return column;
}

/* The line of a library that every call goes through says nothing about this one, nor does a line of our own
 * OpenMP library. */
bool explain_is_framework(const char *file)
{
	static const char *const files[] = {
		"gen.erl",	     "gen_server.erl", "gen_statem.erl",	 "gen_event.erl",
		"proc_lib.erl",	     "supervised.ex",  "lib/task/supervised.ex", "gen_server.ex",
		"lib/gen_server.ex", "registry.ex",    "lib/registry.ex",
		"fermata_inet.erl",  "fermata_stream.erl", "fermata_datagram.erl",
		"fermata_listener.erl",
	};

	for (size_t i = 0; file && i < sizeof(files) / sizeof(files[0]); i++)
		if (strcmp(file, files[i]) == 0)
			return true;
	return file && strstr(file, "/fermata-runtime/");
}

struct report_event *explain_row(struct explainer *x, uint32_t step, uint32_t actor,
				 const char *text, struct report_frame at)
{
	struct report_event *added = &x->out->interleaving[x->out->interleaving_len++];

	if (explain_is_framework(at.file))
		at = (struct report_frame){0};
	*added = (struct report_event){
		.step = step,
		.actor = explain_actor(x, actor),
		.column = column_of(x, actor),
		.text = text,
		.file = at.file,
		.path = explain_source_path(x, at.file),
		.line = at.line,
		.from = REPORT_NO_STEP,
	};
	return added;
}

/* Could `last`, the actor of the step before, have gone on instead? */
static bool is_preemption(const struct trace *t, uint32_t step, uint32_t last)
{
	uint32_t actor = t->events[step].actor;

	return last != ACTOR_NONE && last != actor && !actor_is_virtual(&t->actors[actor]) &&
	       bitset_has(trace_enabled(t, step), last);
}

/* The step before `step` that led to it: the message or signal that it takes, the creation of its
 * actor, the end of the actor that it joins. */
static uint32_t find_cause(const struct trace *t, uint32_t step)
{
	const struct event *event = &t->events[step];
	bool is_fed = event_kind_flags(event->kind) & (EVENT_KIND_TAKES | EVENT_KIND_FED);

	for (uint32_t i = step; i-- > 0;) {
		const struct event *before = &t->events[i];

		if ((is_fed && event_is_fed_by(event, before)) ||
		    (event_joined(event) == before->actor && event->kind == EVENT_JOIN) ||
		    (event->ordinal == 0 && event_created(before) == event->actor &&
		     before->kind != EVENT_SEND))
			return i;
	}
	return REPORT_NO_STEP;
}

static void add_touches(struct explainer *x, const struct event *event, struct report_event *row)
{
	struct report_touch *touches;

	if (event->access_len < 2)
		return;
	touches = arena_zalloc(x->arena, event->access_len * sizeof(*touches));
	for (uint32_t a = 0; a < event->access_len; a++) {
		if (!event->accesses[a].object)
			continue;
		touches[row->touches_len++] = (struct report_touch){
			names_replace(&x->names, explain_object(x, event->accesses[a].object),
				      x->arena),
			access_mode_text(event->accesses[a].mode)};
	}
	row->touches = touches;
}

/* For the page: the object, the way in which it is touched, and where the step comes from. */
static void add_facts(struct explainer *x, uint32_t step, struct report_event *row)
{
	const struct event *event = &x->trace->events[step];
	const struct access *access = event->access_len ? &event->accesses[0] : NULL;
	struct strbuf value = {0};

	row->kind = event_kind_text(event->kind);
	row->from = find_cause(x->trace, step);
	if (access && access->object) {
		row->object = explain_object(x, access->object);
		row->mode = access_mode_text(access->mode);
	}
	add_touches(x, event, row);
	if (event_created(event) != ACTOR_NONE)
		row->peer = explain_actor(x, event_created(event));
	explain_value(x, step, &value);
	if (value.len)
		row->value = arena_strdup(x->arena,
					  strbuf_text(&value) + strspn(strbuf_text(&value), " ="));
	strbuf_release(&value);
}

/* A timer of last resort fires only when no process can go on. */
static bool is_early_timer(const struct trace *t, uint32_t step)
{
	if (t->actors[t->events[step].actor].kind != ACTOR_TIMER)
		return false;
	for (uint32_t a = 0; a < t->actors_len; a++)
		if (!actor_is_virtual(&t->actors[a]) && bitset_has(trace_enabled(t, step), a))
			return true;
	return false;
}

/* The site of a step; where a library crashed, or where a process was when it ended. */
static uint64_t site_of(struct explainer *x, const struct event *event)
{
	uint64_t site = event->kind == EVENT_CRASH    ? x->trace->end_site
			: event->kind == EVENT_FINISH ? explain_end_site(x, event->actor)
						      : 0;

	return site ? site : event->site;
}

static void add_step(struct explainer *x, uint32_t step, uint32_t last)
{
	const struct event *event = &x->trace->events[step];
	struct report_event *added = explain_row(
		x, step, event->actor, explain_step(x, event, step),
		explain_caller_place(x, site_of(x, event), step, event->actor));

	added->is_culprit = is_culprit(x, step);
	added->is_preemption = is_preemption(x->trace, step, last);
	added->is_early = is_early_timer(x->trace, step);
	add_facts(x, step, added);
}

/* ---- rows between and behind the steps ---- */

/* The access in words: "writes counter", "read of 4 bytes in a block that was freed". */
static const char *describe_access(struct explainer *x, const struct finding *finding,
				   const struct finding_site *site)
{
	/* The message begins with the name of the actor. */
	const char *colon = strstr(finding->message, ": ");
	const struct event *used;

	if (finding->kind == FINDING_HANG)
		return arena_strdup(x->arena, site->role);
	if (explain_is_object_use(x, finding))
		return explain_taking_away(x, finding);
	if (finding->kind == FINDING_MISUSE && site != finding->sites)
		return arena_printf(x->arena, "%s %s", event_kind_text(EVENT_LOCK),
				    explain_object(x, finding->object));
	used = site == finding->sites ? explain_used_step(x, finding) : NULL;
	if (used)
		return arena_printf(x->arena, "%s" EXPLAIN_FREED, explain_announced(x, used));
	if ((finding->kind == FINDING_MEMORY || finding->kind == FINDING_MISUSE) && colon)
		return arena_strdup(x->arena, colon + 2);
	return arena_printf(x->arena, "%s %s", site->role,
			    explain_name_or_memory(explain_object(x, finding->object)));
}

/* The accesses that are part of the bug and came just before a step. */
static void add_accesses(struct explainer *x, const struct finding *finding, uint32_t step)
{
	for (uint32_t n = 0; n < finding->sites_len; n++) {
		/* The lock that is misused is taken first. */
		uint32_t i = finding->kind == FINDING_MISUSE ? finding->sites_len - 1 - n : n;
		const struct finding_site *site = &finding->sites[i];

		if (explain_access_time(x, finding, site) == step)
			explain_row(x, REPORT_BETWEEN, site->actor,
				    describe_access(x, finding, site), x->out->sites[i].at)
				->is_culprit = true;
	}
}

static bool is_last_of(const struct trace *t, uint32_t step)
{
	for (uint32_t i = step + 1; i < t->events_len; i++)
		if (t->events[i].actor == t->events[step].actor)
			return false;
	return true;
}

/* The rows between the last step and this one. */
static void add_between(struct explainer *x, const struct finding *finding, uint32_t step)
{
	uint32_t use = explain_is_use_behind(x, finding, step) ? explain_using(x, finding) : 0;

	explain_plains(x, step, 0, use);
	add_accesses(x, finding, step);
	explain_plains(x, step, use, UINT32_MAX);
	if (x->ending != ACTOR_NONE && step && x->trace->events[step - 1].actor == x->ending &&
	    is_last_of(x->trace, step - 1))
		explain_row(x, REPORT_BETWEEN, x->ending, REPORT_ENDS, (struct report_frame){0});
}

static void add_waiting(struct explainer *x)
{
	for (uint32_t p = 0; p < x->trace->pending_len; p++) {
		const struct event *event = &x->trace->pending[p];
		const char *what = explain_step(x, event, REPORT_NO_STEP);
		const char *patterns = explain_patterns(x->trace, event->actor);
		struct report_event *row;

		if (actor_is_virtual(&x->trace->actors[event->actor]))
			continue;
		/* A condition is waited on, as in the row before. */
		what = event->kind == EVENT_COND_WAKE && event->access_len
			       ? arena_printf(x->arena, "waits on %s",
					      explain_object(x, event->accesses[0].object))
			       : event->kind == EVENT_RECEIVE && patterns[0]
				       ? arena_printf(x->arena, "waits: receive %s", patterns)
				       : arena_printf(x->arena, "waits: %s", what);
		row = explain_row(
			x, REPORT_NO_STEP, event->actor, what,
			explain_caller_place(x, event->site, (uint32_t)TARGET_AT_END, event->actor));
		row->kind = event_kind_text(event->kind);
		if (event_joined(event) != ACTOR_NONE)
			row->peer = explain_actor(x, event_joined(event));
		else if (event->access_len && event->accesses[0].object)
			row->object = explain_object(x, event->accesses[0].object);
	}
}

static void fill_columns(struct explainer *x)
{
	struct report_finding *out = x->out;
	struct report_actor *actors = arena_zalloc(x->arena, (x->names.len + 1) * sizeof(*actors));
	const char **columns = arena_zalloc(x->arena, (x->names.len + 1) * sizeof(*columns));

	for (uint32_t i = 0; i < x->names.len; i++) {
		if (!x->names.items[i].is_taken)
			continue;
		actors[out->actors_len++] = (struct report_actor){x->names.items[i].id,
								  x->names.items[i].text};
		columns[out->columns_len++] = x->names.items[i].text;
	}
	out->actors = actors;
	out->columns = columns;
}

static void fill_interleaving(struct explainer *x, const struct finding *finding)
{
	const struct trace *t = x->trace;
	uint32_t first = t->events_len > EVENTS_SHOWN ? t->events_len - EVENTS_SHOWN : 0;
	uint32_t last = ACTOR_NONE;
	size_t room;

	room = t->events_len - first + t->pending_len + finding->sites_len + x->shared_len +
	       3; /* explain_not_reached() adds one, and the end of a thread is one */
	x->out->interleaving = arena_zalloc(x->arena, room * sizeof(*x->out->interleaving));
	fill_columns(x);
	for (uint32_t i = 0; i < t->events_len; i++) {
		if (i >= first) {
			add_between(x, finding, i);
			add_step(x, i, last);
		}
		if (!actor_is_virtual(&t->actors[t->events[i].actor]))
			last = t->events[i].actor;
	}
	add_between(x, finding, t->events_len);
	if (t->end == END_DEADLOCK || t->end == END_SPIN || finding->kind == FINDING_DEADLOCK ||
	    finding->kind == FINDING_STUCK)
		add_waiting(x);
}

/* ---- names ---- */

static const char *rename_text(struct explainer *x, const char *text)
{
	const char *named = text ? names_replace(&x->names, text, x->arena) : NULL;

	return named && x->target->ops->describe_step ? explain_tidy(x, explain_bytes(named, x->arena)) : named;
}

/* Until now actors were called by their places in the spawn tree. */
static void rename_all(struct explainer *x)
{
	struct report_finding *out = x->out;

	out->message = rename_text(x, out->message);
	out->details = rename_text(x, out->details);
	out->order = rename_text(x, out->order);
	for (uint32_t i = 0; i < out->sites_len; i++) {
		struct report_site *site = (struct report_site *)&out->sites[i];
		const char **locks = (const char **)site->locks;

		site->role = rename_text(x, site->role);
		for (uint32_t j = 0; j < site->locks_len; j++)
			locks[j] = rename_text(x, locks[j]);
	}
	for (uint32_t i = 0; i < out->waits_len; i++)
		((struct report_wait *)out->waits)[i].what = rename_text(x, out->waits[i].what);
	for (uint32_t i = 0; i < out->interleaving_len; i++) {
		out->interleaving[i].text = rename_text(x, out->interleaving[i].text);
		out->interleaving[i].object = rename_text(x, out->interleaving[i].object);
	}
}

/* ---- a run without a finding ---- */

void explain_run(struct target *target, const struct trace *trace, struct arena *arena,
		 struct report_finding *out)
{
	const struct finding none = {.kind = FINDING_KINDS};
	struct explainer x = {
		.target = target, .trace = trace, .arena = arena, .out = out, .ending = ACTOR_NONE};

	*out = (struct report_finding){
		.kind = FINDING_KINDS,
		.message = "",
		.events = trace->events_len,
		.preemptions = trace_preemptions(trace),
		.output = arena_strndup(arena, trace->output ? trace->output : "",
					trace->output_len),
		.output_len = trace->output_len,
		.order_first = REPORT_NO_STEP,
		.order_second = REPORT_NO_STEP,
	};
	names_make(&x.names, target, trace, arena);
	explain_choose_plains(&x, &none);
	fill_interleaving(&x, &none);
	rename_all(&x);
}

static void keep_passing_step(struct explainer *x, struct target *passing, uint32_t step)
{
	struct strbuf text = {0};

	if (passing->ops->describe_step && passing->ops->describe_step(passing, step, &text))
		x->passing_step = arena_strdup(x->arena, strbuf_text(&text) +
						 (strbuf_text(&text)[0] == TARGET_FRAMEWORK));
	strbuf_release(&text);
}

/* Is the first step of the pair a timer, and does another one that is due at the same time come first in
 * the passing run? */
static void find_same_time(struct explainer *failing, const struct trace *passing,
			   const struct found_pair *pair)
{
	const struct event *first = &failing->trace->events[pair->first];

	if (failing->trace->actors[first->actor].kind != ACTOR_TIMER ||
	    first->deadline <= DEADLINE_UNTOLD)
		return;
	for (uint32_t i = pair->first; i <= pair->passing && i < passing->events_len; i++)
		if (passing->actors[passing->events[i].actor].kind == ACTOR_TIMER &&
		    passing->events[i].actor != first->actor &&
		    passing->events[i].deadline == first->deadline)
			failing->same_time = arena_printf(
				failing->arena, "%s's timer",
				explain_actor(failing,
					      passing->actors[passing->events[i].actor].parent));
}

static void keep_pair(struct explainer *failing, struct target *target, const struct trace *passing,
		      const struct found_pair *pair)
{
	keep_passing_step(failing, target, pair->passing);
	failing->passing_ordinal = passing->events[pair->passing].ordinal;
	find_same_time(failing, passing, pair);
}

/* The nearest passing run in words, run by an instance of its own: the target of the finding must
 * not learn from it. */
static void explain_passing(struct explainer *failing, const struct found *found)
{
	struct target *target = failing->target;
	struct schedule schedule = {.decisions = found->passing,
				    .decisions_len = found->passing_len, .tail = TAIL_FIRST};
	struct report_finding *out = arena_zalloc(failing->arena, sizeof(*out));
	struct target *again;
	struct trace trace;
	struct err err = {0};

	again = found->is_tied && target->ops->again_here ? target->ops->again_here(target, &err)
							   : target->ops->again(target, &err);
	if (!again)
		return;
	again->ops->want_stacks(again, true);
	if (again->ops->run(again, &schedule, &trace, &err) && trace.end == END_DONE) {
		struct trace *copy = trace_copy(&trace);

		if (found_has_pair(found))
			keep_pair(failing, again, copy, &found->reversed);
		explain_run(again, copy, failing->arena, out);
		failing->out->passing = out;
		failing->passing = copy;
	}
	again->ops->free(again);
}

static const char *add_sentence(struct explainer *x, const char *first, const char *second)
{
	return first && second ? arena_printf(x->arena, "%s %s", first, second) : first;
}

static const uint32_t *copy_steps(struct arena *arena, const uint32_t *steps, uint32_t len)
{
	uint32_t *copy = arena_zalloc(arena, (len + 1) * sizeof(*copy));

	memcpy(copy, steps, len * sizeof(*copy));
	return copy;
}

void explain_finding(struct target *target, const struct found *found, struct arena *arena,
		     struct report_finding *out)
{
	struct finding shown = found->finding;
	const struct finding *finding = &shown;
	const char *moving = target_moving(target);
	struct explainer x = {.target = target, .trace = found->trace, .arena = arena, .out = out};

	*out = (struct report_finding){
		.kind = finding->kind,
		.fingerprint = fingerprint_of(target, &found->finding),
		.executions_before = finding->executions_before,
		.events = found->trace->events_len,
		.preemptions = found->preemptions,
		.is_cut = found->is_cut,
		.is_tied = found->is_tied,
		.always = found->always,
		.shown = found->shown,
		.always_assuming = explain_assumptions(found->always_assumed, arena),
		.tried = found->tried,
		.patient = found->patient,
		.output = arena_strndup(arena, found->output ? found->output : "",
					found->output_len),
		.output_len = found->output_len,
		.order_first = REPORT_NO_STEP,
		.order_second = REPORT_NO_STEP,
		.moving = moving ? arena_strdup(arena, moving) : NULL,
	};
	explain_head(&x, &shown);
	explain_misuse_step(&x, &shown);
	names_make(&x.names, target, found->trace, arena);
	for (uint32_t i = 0; i < finding->sites_len; i++)
		names_take(&x.names, finding->sites[i].actor);
	if (found->passing)
		explain_passing(&x, found);
	if (out->passing)
		explain_name_missing(&x, found);
	explain_choose_plains(
		&x, finding); /* before things are named, because alike ones are numbered */
	explain_sites(&x, finding);
	out->message = explain_tidy(&x, explain_message(&x, finding));
	out->details = explain_weak(target, found, arena);
	x.ending = explain_ending(&x, found);
	fill_interleaving(&x, finding);
	explain_slice(&x, found, finding);
	if (found_has_pair(found)) {
		explain_not_reached(&x, found);
		out->order = add_sentence(&x, explain_order(&x, found),
					  explain_swapped(&x, found->reversed.second));
		out->order_first = found->reversed.first;
		out->order_also = copy_steps(arena, found->reversed.also, found->reversed.also_len);
		out->order_also_len = found->reversed.also_len;
		if (explain_has_second(&x, found))
			out->order_second = found->reversed.second;
		else
			out->order_actor = explain_actor(&x, found->reversed.actor);
		report_mark_order(out);
	}
	explain_waits(&x, finding);
	rename_all(&x);
	mem_free(x.passing);
}
