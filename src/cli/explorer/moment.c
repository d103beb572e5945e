#include "cli/explorer/moment.h"

#include <string.h>

#include "base/bitset.h"
#include "base/mem.h"
#include "beam/look.h"
#include "core/object.h"
#include "detect/detect.h"
#include "explain/explain.h"
#include "explain/parts.h"

enum { RELEARN_MAX = 100, REFINED_MAX = 12 };

/* ---- the two runs ---- */

static uint32_t find_actor(const struct trace *trace, const char *id)
{
	char name[ACTOR_NAME_MAX];

	for (uint32_t i = 0; i < trace->actors_len; i++) {
		actor_name(trace->actors, i, name);
		if (strcmp(name, id) == 0)
			return i;
	}
	return ACTOR_NONE;
}

/* Runs the decisions; the target may have to learn first. */
static bool run(struct target *target, const struct decision *decisions, uint32_t len,
		uint32_t tail, struct trace *trace, struct err *err)
{
	struct schedule schedule = {.decisions = decisions, .decisions_len = len, .tail = tail,
				    .resumes = true};
	uint32_t tries = 0;
	bool ok;

	do {
		ok = target->ops->run(target, &schedule, trace, err);
	} while (ok && trace->end == END_RELEARN && ++tries < RELEARN_MAX);
	if (ok && (trace->end == END_LOST || trace->end == END_RELEARN))
		return err_set_unsupported(err, "lost control: %s",
					   trace->message ? trace->message : "unknown");
	return ok;
}

/* The actor of a choice may be created by the choice before it, so its index is known only after a
 * run of those: the table of actors is that of the last run. */
static bool run_choices(struct moment *m, struct target *target, const char *const *choices,
			uint32_t len, struct decision *decisions, struct trace *trace,
			struct err *err)
{
	if (!run(target, decisions, 0, TAIL_FIRST, trace, err))
		return false;
	while (m->steps < len) {
		uint32_t known = m->steps;

		for (; known < len; known++) {
			uint32_t actor = find_actor(trace, choices[known]);

			if (actor == ACTOR_NONE)
				break;
			decisions[known] = (struct decision){.actor = actor, .kind = DECISION_ANY};
		}
		if (!run(target, decisions, known, TAIL_FIRST, trace, err))
			return false;
		if (trace->events_len < known || known == m->steps) {
			m->steps = trace->events_len < known ? trace->events_len : known;
			m->is_possible = false;
			return run(target, decisions, m->steps, TAIL_FIRST, trace, err);
		}
		m->steps = known;
	}
	return true;
}

/* ---- why an actor cannot go ---- */

static uint32_t find_holder(const struct trace *trace, uint64_t object)
{
	for (uint32_t i = 0; i < trace->actors_len; i++) {
		struct held_lock held[LOCKS_MAX];
		uint32_t len = explain_locks(trace, i, trace->events_len, held);

		for (uint32_t h = 0; h < len; h++)
			if (held[h].object == object)
				return i;
	}
	return ACTOR_NONE;
}

static const char *find_reason(struct explainer *x, const struct event *event)
{
	uint64_t object = event->access_len ? event->accesses[0].object : 0;
	uint32_t holder = OBJECT_CLASS(object) == OBJECT_LOCK ? find_holder(x->trace, object)
							      : ACTOR_NONE;
	const char *name = object ? explain_object(x, object) : "it";

	if (event_joined(event) != ACTOR_NONE)
		return arena_printf(x->arena, "%s has not ended",
				    explain_actor(x, event_joined(event)));
	if (holder == event->actor)
		return arena_printf(x->arena, "it holds %s itself", name);
	if (holder != ACTOR_NONE)
		return arena_printf(x->arena, "%s holds %s", explain_actor(x, holder), name);
	switch (event->kind) {
	case EVENT_COND_WAKE:
		return arena_printf(x->arena, "nobody has signalled %s since it began to wait", name);
	case EVENT_SEM_WAIT:
		return arena_printf(x->arena, "semaphore %s is 0", name);
	case EVENT_BARRIER_LEAVE:
		return arena_printf(x->arena, "others have not arrived at barrier %s", name);
	case EVENT_FUTEX_BLOCK: case EVENT_FUTEX_WAIT:
		return "nobody has woken it";
	default:
		return actor_is_virtual(&x->trace->actors[event->actor])
			       ? "it is not its time yet" : "the value that it waits for is not there";
	}
}

static const char *look_reason(struct explainer *x, uint32_t actor)
{
	struct strbuf text = {0};
	const char *result;

	look_why(x->target, actor, &text);
	result = arena_strndup(x->arena, strbuf_text(&text), text.len ? text.len - 1 : 0);
	strbuf_release(&text);
	return result;
}

/* ---- the actors ---- */

static const struct event *find_pending(const struct trace *trace, uint32_t actor)
{
	for (uint32_t i = 0; i < trace->pending_len; i++)
		if (trace->pending[i].actor == actor)
			return &trace->pending[i];
	return NULL;
}

static bool has_lived(const struct trace *trace, uint32_t actor)
{
	for (uint32_t i = 0; i < trace->events_len; i++)
		if (trace->events[i].actor == actor)
			return true;
	return false;
}

static void fill_actor(struct moment *m, struct explainer *x, bool is_beam, const struct name *name)
{
	const uint64_t *enabled = trace_enabled(x->trace, x->trace->events_len);
	const struct event *event = find_pending(x->trace, name->actor);
	bool is_virtual = name->actor < x->trace->actors_len &&
			  actor_is_virtual(&x->trace->actors[name->actor]);
	struct moment_actor *actor;

	if (!event && (is_virtual || !has_lived(x->trace, name->actor)))
		return;
	actor = &m->actors[m->actors_len++];
	*actor = (struct moment_actor){.id = name->id, .name = name->text, .index = name->actor,
				       .has_ended = !event,
				       .can_go = event && bitset_has(enabled, name->actor)};
	if (!event)
		return;
	actor->text = explain_step(x, event, REPORT_NO_STEP);
	actor->at = explain_place(x, event->site, (uint32_t)TARGET_AT_END, name->actor);
	if (!actor->can_go)
		actor->why = is_beam ? look_reason(x, name->actor) : find_reason(x, event);
	actor->text = names_replace(&m->names, actor->text, x->arena);
	actor->why = actor->why ? names_replace(&m->names, actor->why, x->arena) : NULL;
}

/* Behind the last choice: `trace` is the run that stopped there. */
static void fill_actors(struct moment *m, struct target *target, bool is_beam,
			const struct trace *trace)
{
	struct explainer x = {.target = target, .trace = trace, .arena = &m->arena, .out = &m->run};

	m->actors = arena_zalloc(&m->arena, (m->names.len + 1) * sizeof(*m->actors));
	for (uint32_t i = 0; i < m->names.len; i++)
		fill_actor(m, &x, is_beam, &m->names.items[i]);
}

/* An announced step has few words: its values are known when it is taken. So each actor that can go
 * takes its step, in a run of its own that stops there. */
static void refine(struct moment *m, struct target *target, struct decision *decisions)
{
	uint32_t tried = 0;

	for (uint32_t i = 0; i < m->actors_len && tried < REFINED_MAX; i++) {
		struct moment_actor *actor = &m->actors[i];
		struct explainer x = {.target = target, .arena = &m->arena, .out = &m->run};
		struct trace trace;
		struct err err = {0};

		if (!actor->can_go)
			continue;
		tried++;
		decisions[m->steps] = (struct decision){.actor = actor->index, .kind = DECISION_ANY};
		if (!run(target, decisions, m->steps + 1, TAIL_STOP, &trace, &err) ||
		    trace.events_len <= m->steps)
			continue;
		x.trace = &trace;
		actor->text = names_replace(&m->names, explain_step(&x, &trace.events[m->steps],
								    m->steps), &m->arena);
		actor->at = explain_place(&x, trace.events[m->steps].site, m->steps, actor->index);
	}
}

/* ---- the run ---- */

static void fill_run(struct moment *m, struct target *target, const struct trace *trace)
{
	struct detectors *detectors = detectors_new();
	struct finding_vec findings = {0};

	m->trace = trace_copy(trace);
	m->end = trace_end_text(trace->end);
	m->is_over = trace->events_len <= m->steps;
	detectors_look(detectors, m->trace, &findings);
	m->has_finding = findings.len > 0;
	if (m->has_finding) {
		struct found found = {.finding = findings.items[0], .trace = m->trace,
				      .preemptions = trace_preemptions(trace),
				      .output = (char *)trace->output,
				      .output_len = trace->output_len};

		m->finding = findings.items[0];
		explain_finding(target, &found, &m->arena, &m->run);
	} else {
		explain_run(target, m->trace, &m->arena, &m->run);
	}
	names_make(&m->names, target, m->trace, &m->arena);
	vec_release(&findings);
	detectors_free(detectors);
}

bool moment_make(struct moment *m, struct target *target, bool is_beam, const char *const *choices,
		 uint32_t len, struct err *err)
{
	struct decision *decisions = mem_alloc(((size_t)len + 1) * sizeof(*decisions));
	struct trace trace;
	bool ok;

	*m = (struct moment){.is_possible = true};
	target->ops->want_stacks(target, true);
	ok = run_choices(m, target, choices, len, decisions, &trace, err);
	if (ok) {
		fill_run(m, target, &trace);
		ok = run(target, decisions, m->steps, TAIL_STOP, &trace, err);
	}
	if (ok) {
		fill_actors(m, target, is_beam, &trace);
		refine(m, target, decisions);
	}
	mem_free(decisions);
	return ok;
}

void moment_release(struct moment *m)
{
	mem_free(m->trace);
	arena_release(&m->arena);
}

/* ---- as JSON ---- */

static json_t *text_or_null(const char *text)
{
	return text ? json_stringn_nocheck(text, strlen(text)) : json_null();
}

json_t *moment_json(const struct moment *m)
{
	json_t *actors = json_array();

	for (uint32_t i = 0; i < m->actors_len; i++) {
		const struct moment_actor *a = &m->actors[i];

		json_array_append_new(
			actors, json_pack("{s:s, s:s, s:b, s:b, s:o, s:o, s:i, s:o}", "id", a->id,
					  "name", a->name, "can_go", a->can_go, "has_ended",
					  a->has_ended, "text", text_or_null(a->text), "file",
					  text_or_null(a->at.file), "line", (int)a->at.line, "why",
					  text_or_null(a->why)));
	}
	return json_pack("{s:i, s:b, s:b, s:b, s:s, s:o}", "steps", (int)m->steps, "possible",
			 m->is_possible, "over", m->is_over, "has_finding", m->has_finding, "end",
			 m->end, "actors", actors);
}
