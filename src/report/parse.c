/* Saved findings and JSON reports back into the structs that reports are written from. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/harmless.h"
#include "core/finding.h"
#include "report/report.h"

/* A finding may come from anywhere. */
static const char *copy_harmless(const char *text, struct arena *arena)
{
	struct strbuf shown = {0};
	const char *copy;

	harmless_add(&shown, text, strlen(text), true);
	copy = arena_strdup(arena, strbuf_text(&shown));
	strbuf_release(&shown);
	return copy;
}

static const char *get_text(const json_t *object, const char *key, struct arena *arena)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? copy_harmless(text, arena) : NULL;
}

static uint32_t get_number(const json_t *object, const char *key, uint32_t missing)
{
	const json_t *value = json_object_get(object, key);

	return json_is_integer(value) ? (uint32_t)json_integer_value(value) : missing;
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static struct report_frame parse_frame(const json_t *json, struct arena *arena)
{
	return (struct report_frame){
		.function = get_text(json, "function", arena),
		.file = get_text(json, "file", arena),
		.line = get_number(json, "line", 0),
	};
}

static void parse_site(const json_t *json, struct arena *arena, struct report_site *site)
{
	const json_t *stack = json_object_get(json, "stack"),
		     *locks = json_object_get(json, "locks");
	struct report_frame *frames = arena_zalloc(arena,
						   (json_array_size(stack) + 1) * sizeof(*frames));
	const char **names = arena_zalloc(arena, (json_array_size(locks) + 1) * sizeof(*names));

	*site = (struct report_site){
		.actor = get_text(json, "actor", arena),
		.role = or_empty(get_text(json, "role", arena)),
		.at = parse_frame(json, arena),
		.step = get_number(json, "step", REPORT_NO_STEP),
		.frames = frames,
		.frames_len = (uint32_t)json_array_size(stack),
		.locks = names,
	};
	for (uint32_t i = 0; i < site->frames_len; i++)
		frames[i] = parse_frame(json_array_get(stack, i), arena);
	for (size_t i = 0; i < json_array_size(locks); i++) {
		const char *name = json_string_value(json_array_get(locks, i));

		if (name)
			names[site->locks_len++] = copy_harmless(name, arena);
	}
}

static uint32_t column_of(const char **columns, uint32_t *len, const char *actor)
{
	for (uint32_t i = 0; i < *len; i++)
		if (strcmp(columns[i], actor) == 0)
			return i;
	columns[*len] = actor;
	return (*len)++;
}

static bool is_site_step(const struct report_finding *finding, uint32_t step)
{
	for (uint32_t i = 0; i < finding->sites_len; i++)
		if (step != REPORT_NO_STEP && finding->sites[i].step == step)
			return true;
	return false;
}

/* Findings of older versions have no list of actors: these are called by their ids. */
static const char **parse_actors(const json_t *json, size_t room, struct arena *arena,
				 struct report_finding *out)
{
	size_t len = json_array_size(json);
	struct report_actor *actors = arena_zalloc(arena, (len + 1) * sizeof(*actors));
	const char **ids = arena_zalloc(arena, (len + room + 1) * sizeof(*ids));
	const char **columns = arena_zalloc(arena, (len + room + 1) * sizeof(*columns));

	for (size_t i = 0; i < len; i++) {
		const json_t *one = json_array_get(json, i);

		actors[i].id = or_empty(get_text(one, "id", arena));
		actors[i].name = or_empty(get_text(one, "name", arena));
		ids[i] = actors[i].id;
		columns[i] = actors[i].name;
	}
	out->actors = actors;
	out->actors_len = out->columns_len = (uint32_t)len;
	out->columns = columns;
	return ids;
}

static void parse_touches(const json_t *json, struct arena *arena, struct report_event *event)
{
	size_t len = json_array_size(json);
	struct report_touch *touches = arena_zalloc(arena, (len + 1) * sizeof(*touches));

	for (size_t i = 0; i < len; i++) {
		touches[i].object = or_empty(get_text(json_array_get(json, i), "object", arena));
		touches[i].mode = or_empty(get_text(json_array_get(json, i), "mode", arena));
	}
	event->touches = touches;
	event->touches_len = (uint32_t)len;
}

static void parse_waits(const json_t *json, struct arena *arena, struct report_finding *out)
{
	size_t len = json_array_size(json);
	struct report_wait *waits = arena_zalloc(arena, (len + 1) * sizeof(*waits));

	for (size_t i = 0; i < len; i++) {
		waits[i].from = or_empty(get_text(json_array_get(json, i), "from", arena));
		waits[i].to = or_empty(get_text(json_array_get(json, i), "to", arena));
		waits[i].what = or_empty(get_text(json_array_get(json, i), "what", arena));
	}
	out->waits = waits;
	out->waits_len = (uint32_t)len;
}

static void parse_facts(const json_t *json, struct arena *arena, struct report_event *event)
{
	event->in_slice = json_is_true(json_object_get(json, "matters"));
	event->kind = get_text(json, "kind", arena);
	event->object = get_text(json, "object", arena);
	event->mode = get_text(json, "mode", arena);
	parse_touches(json_object_get(json, "touches"), arena, event);
	event->value = get_text(json, "value", arena);
	event->peer = get_text(json, "peer", arena);
	event->from = get_number(json, "from", REPORT_NO_STEP);
}

static void parse_interleaving(const json_t *json_finding, struct arena *arena,
			       struct report_finding *out)
{
	const json_t *steps = json_object_get(json_finding, "interleaving");
	size_t len = json_array_size(steps);
	const char **ids = parse_actors(json_object_get(json_finding, "actors"), len, arena, out);
	const char **columns = (const char **)out->columns;

	out->interleaving = arena_zalloc(arena, (len + 1) * sizeof(*out->interleaving));
	for (size_t i = 0; i < len; i++) {
		const json_t *json = json_array_get(steps, i);
		struct report_event *event = &out->interleaving[out->interleaving_len++];

		*event = (struct report_event){
			.step = get_number(json, "step", REPORT_NO_STEP),
			.actor = or_empty(get_text(json, "actor", arena)),
			.text = or_empty(get_text(json, "text", arena)),
			.file = get_text(json, "file", arena),
			.line = get_number(json, "line", 0),
			.source = get_text(json, "source", arena),
			.is_preemption = json_is_true(json_object_get(json, "preemption")),
		};
		parse_facts(json, arena, event);
		out->slice_len += event->in_slice;
		event->column = column_of(ids, &out->columns_len, event->actor);
		if (event->column >= out->actors_len)
			columns[event->column] = event->actor;
		if (json_is_true(json_object_get(json, "between")))
			event->step = REPORT_BETWEEN;
		event->is_culprit = event->step == REPORT_BETWEEN
					    ? !json_is_true(json_object_get(json, "around"))
					    : is_site_step(out, event->step);
	}
}

static void parse_also(const json_t *json, struct arena *arena, struct report_finding *out)
{
	uint32_t *steps = arena_zalloc(arena, (json_array_size(json) + 1) * sizeof(*steps));

	for (size_t i = 0; i < json_array_size(json); i++)
		steps[i] = (uint32_t)json_integer_value(json_array_get(json, i));
	out->order_also = steps;
	out->order_also_len = (uint32_t)json_array_size(json);
}

static void parse_passing(const json_t *json, struct arena *arena, struct report_finding *out)
{
	struct report_finding *passing;

	if (!json_is_object(json))
		return;
	passing = arena_zalloc(arena, sizeof(*passing));
	*passing = (struct report_finding){
		.message = "",
		.events = get_number(json, "events", 0),
		.preemptions = get_number(json, "preemptions", 0),
		.output = or_empty(get_text(json, "output", arena)),
	};
	passing->output_len = strlen(passing->output);
	parse_interleaving(json, arena, passing);
	out->passing = passing;
}

void report_finding_parse(const json_t *json, struct arena *arena, struct report_finding *out)
{
	const char *kind = json_string_value(json_object_get(json, "kind"));
	const char *fingerprint = json_string_value(json_object_get(json, "fingerprint"));
	const json_t *sites = json_object_get(json, "sites");
	struct report_site *parsed = arena_zalloc(arena,
						  (json_array_size(sites) + 1) * sizeof(*parsed));

	*out = (struct report_finding){
		.kind = kind ? finding_kind_named(kind) : FINDING_KINDS,
		.message = or_empty(get_text(json, "message", arena)),
		.details = get_text(json, "details", arena),
		.executions_before = get_number(json, "executions_before", 0),
		.events = get_number(json, "events", 0),
		.preemptions = get_number(json, "preemptions", 0),
		.is_known = json_is_true(json_object_get(json, "known")),
		.is_cut = json_is_false(json_object_get(json, "shortest")),
		.is_tied = json_is_true(json_object_get(json, "tied_to_environment")),
		.moving = get_text(json, "may_depend_on", arena),
		.always = get_number(json, "schedules", 0),
		.shown = get_number(json, "schedules_shown", 0),
		.always_assuming = get_text(json, "schedules_assuming", arena),
		.tried = get_number(json, "schedules_tried_in_time", 0),
		.patient = get_number(json, "depends_on_sleeping", 0),
		.path = get_text(json, "path", arena),
		.sites = parsed,
		.sites_len = (uint32_t)json_array_size(sites),
		.output = or_empty(get_text(json, "output", arena)),
		.order = get_text(json, "order", arena),
		.order_first = get_number(json, "order_first", REPORT_NO_STEP),
		.order_second = get_number(json, "order_second", REPORT_NO_STEP),
		.order_actor = get_text(json, "order_actor", arena),
	};
	out->output_len = strlen(out->output);
	if (fingerprint)
		sscanf(fingerprint, "%" SCNx64, &out->fingerprint);
	for (uint32_t i = 0; i < out->sites_len; i++)
		parse_site(json_array_get(sites, i), arena, &parsed[i]);
	parse_interleaving(json, arena, out);
	parse_also(json_object_get(json, "order_also"), arena, out);
	report_mark_order(out);
	parse_waits(json_object_get(json, "waits"), arena, out);
	parse_passing(json_object_get(json, "passing"), arena, out);
}

/* ---- reports ---- */

static uint64_t get_count(const json_t *object, const char *key)
{
	json_int_t count = json_integer_value(json_object_get(object, key));

	return count > 0 ? (uint64_t)count : 0;
}

static const char **parse_texts(const json_t *list, struct arena *arena, uint32_t *len)
{
	const char **texts = arena_zalloc(arena, (json_array_size(list) + 1) * sizeof(*texts));

	*len = 0;
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *text = json_string_value(json_array_get(list, i));

		if (text)
			texts[(*len)++] = copy_harmless(text, arena);
	}
	return texts;
}

static enum report_verdict parse_verdict(const json_t *json)
{
	const char *word = json_string_value(json_object_get(json, "verdict"));

	for (int v = REPORT_PROVED; word && v < REPORT_VERDICTS; v++)
		if (strcmp(report_verdict_text((enum report_verdict)v), word) == 0)
			return (enum report_verdict)v;
	return REPORT_LOST_CONTROL;
}

static void parse_numbers(const json_t *json, struct report *out)
{
	out->seed = get_count(json, "seed");
	out->executions = get_count(json, "executions");
	out->sampled = get_count(json, "sampled");
	out->blocked_executions = get_count(json, "blocked_executions");
	out->spin_executions = get_count(json, "spin_executions");
	out->steps = get_count(json, "steps");
	out->wall_seconds = json_real_value(json_object_get(json, "wall_seconds"));
	out->cpu_seconds = json_real_value(json_object_get(json, "cpu_seconds"));
	out->peak_rss_kb = get_count(json, "peak_rss_kb");
}

void report_parse(const json_t *json, struct arena *arena, struct report *out)
{
	const json_t *findings = json_object_get(json, "findings");
	const char *name = get_text(json, "name", arena);

	*out = (struct report){
		.verdict = parse_verdict(json),
		.complete = json_is_true(json_object_get(json, "complete")),
		.certified = json_is_true(json_object_get(json, "certified")),
		.not_certified = get_text(json, "not_certified", arena),
		.program = name ? name : or_empty(get_text(json, "program", arena)),
		.reason = or_empty(get_text(json, "reason", arena)),
		.equivalence = get_text(json, "equivalence", arena),
		.memory = get_text(json, "memory", arena),
		.strategy = or_empty(get_text(json, "strategy", arena)),
		.remembered = get_text(json, "remembered", arena),
		.restart = or_empty(get_text(json, "restart", arena)),
		.restart_reason = or_empty(get_text(json, "restart_reason", arena)),
		.findings = arena_zalloc(arena, (json_array_size(findings) + 1) *
							sizeof(*out->findings)),
		.findings_len = (uint32_t)json_array_size(findings),
	};
	parse_numbers(json, out);
	out->assumptions = parse_texts(json_object_get(json, "assumptions"), arena,
				       &out->assumptions_len);
	out->warnings = parse_texts(json_object_get(json, "warnings"), arena, &out->warnings_len);
	for (uint32_t i = 0; i < out->findings_len; i++)
		report_finding_parse(json_array_get(findings, i), arena, &out->findings[i]);
}
