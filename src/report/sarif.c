/* SARIF 2.1.0, for code hosts and editors. A finding is a result; its sites are locations;
 * the interleaving is a code flow with one thread flow per actor, whose executionOrder
 * gives the schedule. */
#include "core/finding.h"
#include "report/json_words.h"
#include "report/sarif_words.h"

static json_t *make_site_location(const struct report_site *site)
{
	struct strbuf text = {0};
	json_t *location;

	strbuf_addf(&text, "%s%s%s", site->actor ? site->actor : "", site->actor ? " " : "",
		    site->role);
	location = sarif_location(&site->at, strbuf_text(&text));
	strbuf_release(&text);
	return location;
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
		json_object_set_new(stack, "message", sarif_message(site->role));
		json_object_set_new(stack, "frames", frames);
		if (site->frames_len)
			json_array_append_new(stacks, stack);
		else
			json_decref(stack);
	}
	return stacks;
}

static json_t *make_flow_step(const struct report_event *event)
{
	json_t *step = json_object();
	struct report_frame at = {.file = event->file, .line = event->line};

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
	if (finding->always)
		strbuf_addf(&text, ". %s (%u others): not a timing bug.", REPORT_ALWAYS,
			    finding->always);
	message = sarif_message(strbuf_text(&text));
	strbuf_release(&text);
	return message;
}

static json_t *make_result(const struct report_finding *finding)
{
	json_t *result = json_object(), *locations = json_array(), *related = json_array();

	for (uint32_t i = 0; i < finding->sites_len; i++)
		json_array_append_new(i ? related : locations,
				      make_site_location(&finding->sites[i]));
	json_object_set_new(result, "ruleId", json_string(finding_kind_text(finding->kind)));
	json_object_set_new(result, "ruleIndex", json_integer(finding->kind));
	json_object_set_new(result, "level", json_string("error"));
	json_object_set_new(result, "message", make_text(finding));
	json_object_set_new(result, "locations", locations);
	json_object_set_new(result, "relatedLocations", related);
	json_object_set_new(result, "partialFingerprints",
			    sarif_fingerprint("fermata/v1", finding->fingerprint));
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

void report_sarif(const struct report *report, struct strbuf *out)
{
	json_t *results = json_array();

	for (uint32_t i = 0; i < report->findings_len; i++)
		json_array_append_new(results, make_result(&report->findings[i]));
	sarif_write("fermata", make_rules(), results, make_properties(report), out);
}
