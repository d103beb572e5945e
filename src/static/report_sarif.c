#include "static/report.h"

#include <jansson.h>
#include <stdlib.h>

#include "static/vocabulary.h"

enum { INDENT = 2 };

static json_t *message(const char *text)
{
	json_t *string = json_string(text);

	return json_pack("{s:o}", "text", string ? string : json_string("?"));
}

static json_t *location(const struct suspect_site *site, const char *what)
{
	struct strbuf text = {0};
	json_t *physical = json_pack("{s:{s:s}}", "artifactLocation", "uri", site->file);
	json_t *object = json_object();

	if (site->line)
		json_object_set_new(physical, "region",
				    json_pack("{s:i}", "startLine", (int)site->line));
	strbuf_addf(&text, "%s: %s in %s:%s", what, site->call, site->module, site->function);
	json_object_set_new(object, "physicalLocation", physical);
	json_object_set_new(object, "message", message(strbuf_text(&text)));
	strbuf_release(&text);
	return object;
}

/* From the read, through the calls, to the write. */
static json_t *code_flow(const struct suspect *s)
{
	json_t *steps = json_array();

	json_array_append_new(steps, json_pack("{s:o}", "location", location(&s->read, "read")));
	for (size_t i = 0; i < s->path_len; i++)
		json_array_append_new(steps, json_pack("{s:o}", "location",
						       location(&s->path[i], "call")));
	json_array_append_new(steps, json_pack("{s:o}", "location", location(&s->write, "write")));
	return json_pack("{s:[{s:o}]}", "threadFlows", "locations", steps);
}

static const char *level(const struct suspect *s)
{
	if (s->trial.outcome == SUSPECT_CONFIRMED)
		return "error";
	return s->confidence == SUSPECT_LOW ? "note" : "warning";
}

static json_t *result(const struct suspect *s)
{
	struct strbuf text = {0};
	json_t *object = json_object();
	json_t *related = location(&s->write, "write");

	strbuf_addf(&text, "%s is read here and written at %s:%u: %s. Usual repair: %s.", s->what,
		    s->write.file, s->write.line, s->why, s->fix);
	if (s->trial.outcome == SUSPECT_CONFIRMED)
		strbuf_addf(&text, " Confirmed by %s; replay: fermata replay %s.", s->trial.test,
			    s->trial.path);
	json_object_set_new(related, "id", json_integer(1));
	json_object_set_new(object, "ruleId", json_string(s->kind));
	json_object_set_new(object, "level", json_string(level(s)));
	json_object_set_new(object, "message", message(strbuf_text(&text)));
	json_object_set_new(object, "locations", json_pack("[o]", location(&s->read, "read")));
	json_object_set_new(object, "relatedLocations", json_pack("[o]", related));
	json_object_set_new(object, "codeFlows", json_pack("[o]", code_flow(s)));
	json_object_set_new(object, "partialFingerprints",
			    json_pack("{s:o}", "fermataRace/v1",
				      json_sprintf("%016llx", (unsigned long long)s->fingerprint)));
	strbuf_release(&text);
	return object;
}

static json_t *rules(void)
{
	json_t *array = json_array();

	for (int kind = 0; kind < RACE_KINDS; kind++) {
		const struct race_kind_info *info = race_kind_info((enum race_kind)kind);

		json_array_append_new(array, json_pack("{s:s, s:{s:s}, s:{s:s}}", "id", info->name,
						       "shortDescription", "text", info->what,
						       "help", "text", info->fix));
	}
	return array;
}

void report_races_sarif(struct strbuf *out, const struct suspects *found)
{
	json_t *results = json_array();
	json_t *driver = json_pack("{s:s, s:s, s:o}", "name", "fermata races", "version",
				   FERMATA_VERSION, "rules", rules());
	json_t *root;
	char *dump;

	for (size_t i = 0; i < found->len; i++)
		json_array_append_new(results, result(&found->items[i]));
	root = json_pack("{s:s, s:s, s:[{s:{s:o}, s:o}]}", "$schema",
			 "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0",
			 "runs", "tool", "driver", driver, "results", results);
	dump = json_dumps(root, JSON_INDENT(INDENT));
	strbuf_adds(out, dump);
	strbuf_addc(out, '\n');
	free(dump); /* jansson's own allocation */
	json_decref(root);
}
