/* The report for scripts: schema 1. Fields may be added; none changes its meaning or goes
 * away without a new schema number. */

#include "core/finding.h"
#include "report/json_words.h"

enum { OUTPUT_MAX = 16384 }; /* the last bytes of the output are kept */

static json_t *make_sites(const struct report_finding *finding)
{
	json_t *sites = json_array();

	for (uint32_t i = 0; i < finding->sites_len; i++) {
		const struct report_site *site = &finding->sites[i];
		json_t *one = json_words_frame(&site->at), *stack = json_array();

		for (uint32_t j = 0; j < site->frames_len; j++)
			json_array_append_new(stack, json_words_frame(&site->frames[j]));
		json_object_set_new(one, "actor", json_words_text(site->actor));
		json_object_set_new(one, "role", json_words_text(site->role));
		json_object_set_new(one, "step", json_words_step(site->step));
		json_object_set_new(one, "stack", stack);
		json_object_set_new(one, "locks",
				    json_words_list(site->locks, site->locks_len));
		json_array_append_new(sites, one);
	}
	return sites;
}

static void set_known(json_t *one, const char *key, const char *text)
{
	if (text)
		json_object_set_new(one, key, json_words_text(text));
}

static json_t *make_touches(const struct report_event *event)
{
	json_t *touches = json_array();

	for (uint32_t i = 0; i < event->touches_len; i++)
		json_array_append_new(touches,
				      json_pack("{s:o, s:o}", "object",
						json_words_text(event->touches[i].object), "mode",
						json_words_text(event->touches[i].mode)));
	return touches;
}

static void set_facts(json_t *one, const struct report_event *event)
{
	if (event->in_slice)
		json_object_set_new(one, "matters", json_true());
	set_known(one, "kind", event->kind);
	set_known(one, "object", event->object);
	set_known(one, "mode", event->mode);
	if (event->touches_len > 1)
		json_object_set_new(one, "touches", make_touches(event));
	set_known(one, "value", event->value);
	set_known(one, "peer", event->peer);
	if (event->kind && event->from != REPORT_NO_STEP)
		json_object_set_new(one, "from", json_integer(event->from));
}

static json_t *make_actors(const struct report_finding *finding)
{
	json_t *actors = json_array();

	for (uint32_t i = 0; i < finding->actors_len; i++)
		json_array_append_new(actors,
				      json_pack("{s:o, s:o}", "id",
						json_words_text(finding->actors[i].id), "name",
						json_words_text(finding->actors[i].name)));
	return actors;
}

static json_t *make_interleaving(const struct report_finding *finding)
{
	json_t *steps = json_array();

	for (uint32_t i = 0; i < finding->interleaving_len; i++) {
		const struct report_event *event = &finding->interleaving[i];
		json_t *one = json_object();

		json_object_set_new(one, "step", json_words_step(event->step));
		json_object_set_new(one, "actor", json_words_text(event->actor));
		json_object_set_new(one, "text", json_words_text(event->text));
		json_object_set_new(one, "file", json_words_text(event->file));
		json_object_set_new(one, "line", json_integer(event->line));
		if (event->source)
			json_object_set_new(one, "source", json_words_text(event->source));
		json_object_set_new(one, "preemption", json_boolean(event->is_preemption));
		if (event->step == REPORT_BETWEEN)
			json_object_set_new(one, "between", json_true());
		if (event->step == REPORT_BETWEEN && !event->is_culprit)
			json_object_set_new(one, "around", json_true());
		set_facts(one, event);
		json_array_append_new(steps, one);
	}
	return steps;
}

static json_t *make_waits(const struct report_finding *finding)
{
	json_t *waits = json_array();

	for (uint32_t i = 0; i < finding->waits_len; i++)
		json_array_append_new(waits, json_pack("{s:o, s:o, s:o}", "from",
						       json_words_text(finding->waits[i].from), "to",
						       json_words_text(finding->waits[i].to), "what",
						       json_words_text(finding->waits[i].what)));
	return waits;
}

/* The nearest passing run: a part of a finding. */
static json_t *make_passing(const struct report_finding *passing)
{
	json_t *one = json_object();

	json_object_set_new(one, "events", json_integer(passing->events));
	json_object_set_new(one, "preemptions", json_integer(passing->preemptions));
	json_object_set_new(one, "output",
			    json_words_bytes(passing->output, passing->output_len, OUTPUT_MAX));
	json_object_set_new(one, "actors", make_actors(passing));
	json_object_set_new(one, "interleaving", make_interleaving(passing));
	return one;
}

static void set_order(json_t *one, const struct report_finding *finding)
{
	json_t *also = json_array();

	if (finding->actors_len)
		json_object_set_new(one, "actors", make_actors(finding));
	if (finding->order) {
		json_object_set_new(one, "order", json_words_text(finding->order));
		json_object_set_new(one, "order_first", json_words_step(finding->order_first));
		json_object_set_new(one, "order_second", json_words_step(finding->order_second));
		set_known(one, "order_actor", finding->order_actor);
		for (uint32_t i = 0; i < finding->order_also_len; i++)
			json_array_append_new(also, json_words_step(finding->order_also[i]));
		if (finding->order_also_len)
			json_object_set(one, "order_also", also);
	}
	if (finding->waits_len)
		json_object_set_new(one, "waits", make_waits(finding));
	if (finding->passing)
		json_object_set_new(one, "passing", make_passing(finding->passing));
	json_decref(also);
}

json_t *report_finding_json(const struct report_finding *finding)
{
	json_t *one = json_object();

	json_object_set_new(one, "kind", json_words_text(finding_kind_text(finding->kind)));
	json_object_set_new(one, "message", json_words_text(finding->message));
	if (finding->details)
		json_object_set_new(one, "details", json_words_text(finding->details));
	json_object_set_new(one, "fingerprint", json_words_hex(finding->fingerprint));
	json_object_set_new(one, "executions_before",
			    json_integer((json_int_t)finding->executions_before));
	json_object_set_new(one, "events", json_integer(finding->events));
	json_object_set_new(one, "preemptions", json_integer(finding->preemptions));
	json_object_set_new(one, "shortest", json_boolean(!finding->is_cut));
	json_object_set_new(one, "timing", json_boolean(!finding->always || finding->shown < finding->always));
	if (finding->is_known)
		json_object_set_new(one, "known", json_true());
	if (finding->is_tied)
		json_object_set_new(one, "tied_to_environment", json_true());
	if (finding->moving)
		json_object_set_new(one, "may_depend_on", json_words_text(finding->moving));
	if (finding->always)
		json_object_set_new(one, "schedules", json_integer(finding->always));
	if (finding->always)
		json_object_set_new(one, "schedules_shown", json_integer(finding->shown));
	if (finding->always && finding->always_assuming)
		json_object_set_new(one, "schedules_assuming",
				    json_words_text(finding->always_assuming));
	if (finding->patient)
		json_object_set_new(one, "depends_on_sleeping", json_integer(finding->patient));
	if (finding->tried)
		json_object_set_new(one, "schedules_tried_in_time", json_integer(finding->tried));
	json_object_set_new(one, "path", json_words_text(finding->path));
	json_object_set_new(one, "output",
			    json_words_bytes(finding->output, finding->output_len, OUTPUT_MAX));
	json_object_set_new(one, "sites", make_sites(finding));
	json_object_set_new(one, "interleaving", make_interleaving(finding));
	set_order(one, finding);
	return one;
}

static void set_numbers(json_t *root, const struct report *report)
{
	json_object_set_new(root, "seed", json_integer((json_int_t)report->seed));
	json_object_set_new(root, "executions", json_integer((json_int_t)report->executions));
	json_object_set_new(root, "sampled", json_integer((json_int_t)report->sampled));
	json_object_set_new(root, "blocked_executions",
			    json_integer((json_int_t)report->blocked_executions));
	json_object_set_new(root, "spin_executions",
			    json_integer((json_int_t)report->spin_executions));
	json_object_set_new(root, "steps", json_integer((json_int_t)report->steps));
	json_object_set_new(root, "wall_seconds", json_real(report->wall_seconds));
	json_object_set_new(root, "cpu_seconds", json_real(report->cpu_seconds));
	json_object_set_new(root, "peak_rss_kb", json_integer((json_int_t)report->peak_rss_kb));
}

/* A borrowed part, copied so that the tree owns all it has. */
static json_t *copy_or(const json_t *part, json_t *empty)
{
	if (!part)
		return empty;
	json_decref(empty);
	return json_deep_copy(part);
}

void report_json(const struct report *report, struct strbuf *out)
{
	json_t *root = json_object(), *findings = json_array();

	for (uint32_t i = 0; i < report->findings_len; i++)
		json_array_append_new(findings, report_finding_json(&report->findings[i]));
	json_object_set_new(root, "schema", json_integer(1));
	json_object_set_new(root, "version", json_string(FERMATA_VERSION));
	json_object_set_new(root, "program", json_words_text(report->program));
	json_object_set_new(root, "verdict", json_string(report_verdict_text(report->verdict)));
	json_object_set_new(root, "complete", json_boolean(report->complete));
	json_object_set_new(root, "certified", json_boolean(report->certified));
	json_object_set_new(root, "not_certified", json_words_text(report->not_certified));
	json_object_set_new(root, "reason", json_words_text(report->reason));
	if (report->memory && report->memory[0])
		json_object_set_new(root, "memory", json_string(report->memory));
	if (report->equivalence)
		json_object_set_new(root, "equivalence", json_string(report->equivalence));
	json_object_set_new(root, "assumptions",
			    json_words_list(report->assumptions, report->assumptions_len));
	json_object_set_new(root, "strategy", json_words_text(report->strategy));
	set_numbers(root, report);
	json_object_set_new(root, "restart", json_words_text(report->restart));
	json_object_set_new(root, "restart_reason", json_words_text(report->restart_reason));
	json_object_set_new(root, "findings", findings);
	json_object_set_new(root, "coverage", copy_or(report->coverage, json_object()));
	json_object_set_new(root, "outcomes", copy_or(report->outcomes, json_array()));
	json_object_set_new(root, "counted_apart", copy_or(report->counted_apart, json_object()));
	if (report->history)
		json_object_set(root, "history", (json_t *)report->history);
	if (report->tests)
		json_object_set_new(root, "tests", json_deep_copy(report->tests));
	json_object_set_new(root, "warnings",
			    json_words_list(report->warnings, report->warnings_len));
	json_words_write(root, out);
}
