/* SARIF 2.1.0, for code hosts and editors. A finding is a result; its sites are locations;
 * the interleaving is a code flow with one thread flow per actor, whose executionOrder
 * gives the schedule. */
#include <string.h>

#include "core/finding.h"
#include "report/json_words.h"

static json_t *make_message(const char *text)
{
	json_t *message = json_object();

	json_object_set_new(message, "text", json_words_text(text));
	return message;
}

static bool is_unreserved(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       strchr("-._~/+@", c);
}

/* A path as a URI reference; absolute ones get the file scheme. */
static json_t *make_uri(const char *path)
{
	struct strbuf uri = {0};
	json_t *value;

	if (path[0] == '/')
		strbuf_adds(&uri, "file://");
	for (; *path; path++) {
		if (is_unreserved(*path))
			strbuf_addc(&uri, *path);
		else
			strbuf_addf(&uri, "%%%02X", (unsigned char)*path);
	}
	value = json_string(strbuf_text(&uri));
	strbuf_release(&uri);
	return value;
}

static json_t *make_physical(const char *file, uint32_t line)
{
	json_t *physical = json_object(), *artifact = json_object(), *region = json_object();

	json_object_set_new(artifact, "uri", make_uri(file));
	json_object_set_new(physical, "artifactLocation", artifact);
	json_object_set_new(region, "startLine", json_integer(line ? line : 1));
	json_object_set_new(physical, "region", region);
	return physical;
}

static json_t *make_location(const struct report_frame *frame, const char *message)
{
	json_t *location = json_object();

	if (frame->file)
		json_object_set_new(location, "physicalLocation",
				    make_physical(frame->file, frame->line));
	if (frame->function) {
		json_t *logical = json_object(), *list = json_array();

		json_object_set_new(logical, "name", json_words_text(frame->function));
		json_object_set_new(logical, "kind", json_string("function"));
		json_array_append_new(list, logical);
		json_object_set_new(location, "logicalLocations", list);
	}
	if (message)
		json_object_set_new(location, "message", make_message(message));
	return location;
}

static json_t *make_site_location(const struct report_site *site)
{
	struct strbuf text = {0};
	json_t *location;

	strbuf_addf(&text, "%s%s%s", site->actor ? site->actor : "", site->actor ? " " : "",
		    site->role);
	location = make_location(&site->at, strbuf_text(&text));
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
					    make_location(&site->frames[j], NULL));
			json_array_append_new(frames, frame);
		}
		json_object_set_new(stack, "message", make_message(site->role));
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

	json_object_set_new(step, "location", make_location(&at, event->text));
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

static json_t *make_result(const struct report_finding *finding)
{
	json_t *result = json_object(), *locations = json_array(), *related = json_array();
	json_t *prints = json_object();

	for (uint32_t i = 0; i < finding->sites_len; i++)
		json_array_append_new(i ? related : locations,
				      make_site_location(&finding->sites[i]));
	json_object_set_new(prints, "fermata/v1", json_words_hex(finding->fingerprint));
	json_object_set_new(result, "ruleId", json_string(finding_kind_text(finding->kind)));
	json_object_set_new(result, "ruleIndex", json_integer(finding->kind));
	json_object_set_new(result, "level", json_string("error"));
	json_object_set_new(result, "message", make_message(finding->message));
	json_object_set_new(result, "locations", locations);
	json_object_set_new(result, "relatedLocations", related);
	json_object_set_new(result, "partialFingerprints", prints);
	json_object_set_new(result, "stacks", make_stacks(finding));
	json_object_set_new(result, "codeFlows", make_code_flows(finding));
	return result;
}

static json_t *make_rules(void)
{
	json_t *rules = json_array();

	for (uint32_t kind = 0; kind < FINDING_KINDS; kind++) {
		json_t *rule = json_object();

		json_object_set_new(rule, "id", json_string(finding_kind_text(kind)));
		json_object_set_new(rule, "shortDescription",
				    make_message(finding_kind_sentence(kind)));
		json_array_append_new(rules, rule);
	}
	return rules;
}

static json_t *make_run(const struct report *report)
{
	json_t *run = json_object(), *tool = json_object(), *driver = json_object();
	json_t *results = json_array(), *properties = json_object();

	for (uint32_t i = 0; i < report->findings_len; i++)
		json_array_append_new(results, make_result(&report->findings[i]));
	json_object_set_new(driver, "name", json_string("fermata"));
	json_object_set_new(driver, "version", json_string(FERMATA_VERSION));
	json_object_set_new(driver, "rules", make_rules());
	json_object_set_new(tool, "driver", driver);
	json_object_set_new(properties, "verdict",
			    json_string(report_verdict_text(report->verdict)));
	json_object_set_new(properties, "strategy", json_words_text(report->strategy));
	json_object_set_new(properties, "seed", json_integer((json_int_t)report->seed));
	json_object_set_new(properties, "executions",
			    json_integer((json_int_t)report->executions));
	json_object_set_new(run, "tool", tool);
	json_object_set_new(run, "results", results);
	json_object_set_new(run, "columnKind", json_string("unicodeCodePoints"));
	json_object_set_new(run, "properties", properties);
	return run;
}

void report_sarif(const struct report *report, struct strbuf *out)
{
	json_t *root = json_object(), *runs = json_array();

	json_array_append_new(runs, make_run(report));
	json_object_set_new(root, "$schema",
			    json_string("https://json.schemastore.org/sarif-2.1.0.json"));
	json_object_set_new(root, "version", json_string("2.1.0"));
	json_object_set_new(root, "runs", runs);
	json_words_write(root, out);
}
