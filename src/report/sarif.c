/* SARIF 2.1.0, for code hosts and editors. A finding is a result; its sites are locations;
 * the interleaving is a code flow with one thread flow per actor, whose executionOrder
 * gives the schedule. */
#include <string.h>
#include <unistd.h>

#include "core/finding.h"
#include "report/json_words.h"
#include "report/sarif_words.h"

/* The standard wants the members of these arrays to differ. */
static void append_unique(json_t *array, json_t *value)
{
	for (size_t i = 0; i < json_array_size(array); i++)
		if (json_equal(json_array_get(array, i), value)) {
			json_decref(value);
			return;
		}
	json_array_append_new(array, value);
}

static json_t *make_site_message(const struct report_site *site)
{
	struct strbuf text = {0};
	json_t *message;

	strbuf_addf(&text, "%s%s%s", site->actor ? site->actor : "", site->actor ? " " : "",
		    site->role);
	message = sarif_message(strbuf_text(&text));
	strbuf_release(&text);
	return message;
}

static json_t *make_site_location(const struct report_site *site, const struct report_frame *at)
{
	json_t *location = sarif_location(at, NULL);

	json_object_set_new(location, "message", make_site_message(site));
	return location;
}

/* A known place counts; if `is_read`, only one in a file that is there. */
static bool is_good(const char *file, bool is_read)
{
	return file && (!is_read || access(file, R_OK) == 0);
}

/* The place of the first site that has a file, else of the first frame in its stacks that has one.
 * False if neither has. */
static bool find_frame(const struct report_finding *finding, bool is_read, struct report_frame *at)
{
	for (uint32_t i = 0; i < finding->sites_len; i++)
		if (is_good(finding->sites[i].at.file, is_read)) {
			*at = finding->sites[i].at;
			return true;
		}
	for (uint32_t i = 0; i < finding->sites_len; i++)
		for (uint32_t j = 0; j < finding->sites[i].frames_len; j++)
			if (is_good(finding->sites[i].frames[j].file, is_read)) {
				*at = finding->sites[i].frames[j];
				at->function = finding->sites[0].at.function;
				return true;
			}
	return false;
}

/* The last step with a file, of the steps that are part of the bug if one of those has a file. */
static bool find_step(const struct report_finding *finding, bool is_read, struct report_frame *at)
{
	bool is_found = false, is_culprit = false;

	for (uint32_t i = 0; i < finding->interleaving_len; i++) {
		const struct report_event *event = &finding->interleaving[i];
		const char *file = event->path ? event->path : event->file;

		if (!is_good(file, is_read) || (is_culprit && !event->is_culprit))
			continue;
		*at = (struct report_frame){.file = file, .line = event->line};
		is_found = true;
		is_culprit = event->is_culprit;
	}
	if (is_found && finding->sites_len)
		at->function = finding->sites[0].at.function;
	return is_found;
}

/* Code hosts show a result at a file of the project, so every result must have one. A line of a file
 * that is there comes first; then the line of the run file that names the test; then a line that
 * is known, of a file that is elsewhere; then the tested program or the saved finding. */
static struct report_frame find_place(const struct report *report,
				      const struct report_finding *finding)
{
	struct report_frame at = {0};

	if (find_frame(finding, true, &at) || find_step(finding, true, &at))
		return at;
	at.function = finding->sites_len ? finding->sites[0].at.function : NULL;
	if (finding->declared_line) {
		at.file = report->program;
		at.line = finding->declared_line;
	} else if (!find_frame(finding, false, &at) && !find_step(finding, false, &at)) {
		at.file = access(report->program, R_OK) == 0 || !finding->path ? report->program
									       : finding->path;
		at.file = at.file[0] ? at.file : "unknown";
	}
	return at;
}

static json_t *make_stacks(const struct report_finding *finding)
{
	json_t *stacks = json_array();

	for (uint32_t i = 0; i < finding->sites_len; i++) {
		const struct report_site *site = &finding->sites[i];
		json_t *stack = json_object(), *frames = json_array();

		for (uint32_t j = 0; j < site->frames_len; j++) {
			json_t *frame = json_object();

			json_object_set_new(frame, "location",
					    sarif_location(&site->frames[j], NULL));
			json_array_append_new(frames, frame);
		}
		json_object_set_new(stack, "message", make_site_message(site));
		json_object_set_new(stack, "frames", frames);
		if (site->frames_len)
			append_unique(stacks, stack);
		else
			json_decref(stack);
	}
	return stacks;
}

static json_t *make_flow_step(const struct report_event *event)
{
	json_t *step = json_object();
	struct report_frame at = {.file = event->path ? event->path : event->file,
				  .line = event->line};

	json_object_set_new(step, "location", sarif_location(&at, event->text));
	if (event->step != REPORT_NO_STEP && event->step != REPORT_BETWEEN)
		json_object_set_new(step, "executionOrder", json_integer(event->step + 1));
	json_object_set_new(step, "importance", json_string(event->is_culprit ? "essential"
									      : "important"));
	return step;
}

static json_t *make_thread_flow(const struct report_finding *finding, uint32_t column)
{
	json_t *flow = json_object(), *steps = json_array();

	for (uint32_t i = 0; i < finding->interleaving_len; i++)
		if (finding->interleaving[i].column == column)
			json_array_append_new(steps, make_flow_step(&finding->interleaving[i]));
	json_object_set_new(flow, "id", json_words_text(finding->columns[column]));
	json_object_set_new(flow, "locations", steps);
	if (json_array_size(steps) > 0)
		return flow;
	json_decref(flow);
	return NULL;
}

static json_t *make_code_flows(const struct report_finding *finding)
{
	json_t *flows = json_array(), *flow = json_object(), *threads = json_array();

	for (uint32_t i = 0; i < finding->columns_len; i++) {
		json_t *thread = make_thread_flow(finding, i);

		if (thread)
			json_array_append_new(threads, thread);
	}
	json_object_set_new(flow, "threadFlows", threads);
	if (json_array_size(threads) > 0)
		json_array_append_new(flows, flow);
	else
		json_decref(flow);
	return flows;
}

static json_t *make_text(const struct report_finding *finding)
{
	struct strbuf text = {0};
	json_t *message;

	strbuf_adds(&text, finding->message);
	if (finding->always) {
		strbuf_adds(&text, ". ");
		report_add_always(&text, finding);
	}
	if (finding->patient) {
		strbuf_adds(&text, ". ");
		report_add_patient(&text, finding);
	}
	if (finding->moving) {
		strbuf_adds(&text, ". ");
		report_add_moving(&text, finding);
	}
	message = sarif_message(strbuf_text(&text));
	strbuf_release(&text);
	return message;
}

static json_t *make_locations(const struct report *report, const struct report_finding *finding)
{
	static const struct report_site nowhere = {.role = "the finding"};
	struct report_frame at = find_place(report, finding);
	const struct report_site *site = finding->sites_len ? &finding->sites[0] : &nowhere;
	json_t *locations = json_array();

	json_array_append_new(locations, make_site_location(site, &at));
	return locations;
}

static json_t *make_result(const struct report *report, const struct report_finding *finding)
{
	json_t *result = json_object(), *related = json_array();

	for (uint32_t i = 1; i < finding->sites_len; i++)
		if (finding->sites[i].at.file)
			append_unique(related, make_site_location(&finding->sites[i],
								  &finding->sites[i].at));
	json_object_set_new(result, "ruleId", json_string(finding_kind_text(finding->kind)));
	json_object_set_new(result, "ruleIndex", json_integer(finding->kind));
	json_object_set_new(result, "level", json_string("error"));
	json_object_set_new(result, "message", make_text(finding));
	json_object_set_new(result, "locations", make_locations(report, finding));
	json_object_set_new(result, "relatedLocations", related);
	json_object_set_new(result, "partialFingerprints",
			    sarif_fingerprint("fermata/v1", finding->fingerprint));
	if (finding->is_known) {
		json_object_set_new(result, "baselineState", json_string("unchanged"));
		json_object_set_new(result, "suppressions",
				    json_pack("[{s:s, s:s}]", "kind", "external", "justification",
					      "known (--baseline)"));
	}
	json_object_set_new(result, "stacks", make_stacks(finding));
	json_object_set_new(result, "codeFlows", make_code_flows(finding));
	return result;
}

static json_t *make_rules(void)
{
	json_t *rules = json_array();

	for (uint32_t kind = 0; kind < FINDING_KINDS; kind++)
		json_array_append_new(rules, sarif_rule(finding_kind_text(kind),
							finding_kind_sentence(kind), NULL));
	return rules;
}

static json_t *make_properties(const struct report *report)
{
	json_t *properties = json_object();

	json_object_set_new(properties, "verdict",
			    json_string(report_verdict_text(report->verdict)));
	json_object_set_new(properties, "strategy", json_words_text(report->strategy));
	json_object_set_new(properties, "seed", json_integer((json_int_t)report->seed));
	json_object_set_new(properties, "executions",
			    json_integer((json_int_t)report->executions));
	json_object_set_new(properties, "sampled", json_integer((json_int_t)report->sampled));
	return properties;
}

/* A note for each test of a suite that could not be run or lost control. */
static bool add_failed_tests(const struct report *report, json_t *notes)
{
	bool is_any = false;

	for (size_t i = 0; i < json_array_size(report->tests); i++) {
		const json_t *test = json_array_get(report->tests, i);
		const char *verdict = json_string_value(json_object_get(test, "verdict"));
		const char *name = json_string_value(json_object_get(test, "name"));
		const char *reason = json_string_value(json_object_get(test, "reason"));
		struct strbuf text = {0};

		if (!verdict || (strcmp(verdict, "broken") != 0 &&
				 strcmp(verdict, report_verdict_text(REPORT_LOST_CONTROL)) != 0))
			continue;
		is_any = true;
		strbuf_addf(&text, "%s: %s", name ? name : "?", reason ? reason : "");
		json_array_append_new(notes, json_pack("{s:s, s:o}", "level", "error", "message",
						       sarif_message(strbuf_text(&text))));
		strbuf_release(&text);
	}
	return is_any;
}

/* A search that lost control or was interrupted is not a clean bill of health: its run failed, and so
 * did that of a suite with a test that could not be run. */
static json_t *make_invocations(const struct report *report)
{
	json_t *invocation = json_object(), *list = json_array(), *notes = json_array();
	bool is_lost = report->verdict == REPORT_LOST_CONTROL ||
		       report->verdict == REPORT_INTERRUPTED;
	bool has_failed = add_failed_tests(report, notes);

	if (is_lost && report->reason[0])
		json_array_append_new(notes, json_pack("{s:s, s:o}", "level", "error", "message",
						       sarif_message(report->reason)));
	for (uint32_t i = 0; i < report->warnings_len; i++)
		json_array_append_new(notes, json_pack("{s:s, s:o}", "level", "warning", "message",
						       sarif_message(report->warnings[i])));
	json_object_set_new(invocation, "executionSuccessful", json_boolean(!is_lost && !has_failed));
	json_object_set_new(invocation, "toolExecutionNotifications", notes);
	json_array_append_new(list, invocation);
	return list;
}

void report_sarif(const struct report *report, struct strbuf *out)
{
	json_t *results = json_array(), *more = json_object();

	for (uint32_t i = 0; i < report->findings_len; i++)
		json_array_append_new(results, make_result(report, &report->findings[i]));
	json_object_set_new(more, "properties", make_properties(report));
	json_object_set_new(more, "invocations", make_invocations(report));
	if (report->root)
		json_object_set_new(more, "originalUriBaseIds",
				    sarif_make_relative(results, report->root));
	sarif_write("fermata", make_rules(), results, more, out);
}
