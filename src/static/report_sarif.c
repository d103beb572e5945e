#include "static/report.h"

#include "report/json_words.h"
#include "report/sarif_words.h"
#include "static/vocabulary.h"

static json_t *make_location(const struct suspect_site *site, const char *role)
{
	struct report_frame at = {.file = site->file, .line = site->line};
	struct strbuf text = {0};
	json_t *location;

	strbuf_addf(&text, "%s: %s in %s:%s", role, site->call, site->module, site->function);
	location = sarif_location(&at, strbuf_text(&text));
	strbuf_release(&text);
	return location;
}

static void add_step(json_t *steps, const struct suspect_site *site, const char *role)
{
	json_array_append_new(steps, json_pack("{s:o}", "location", make_location(site, role)));
}

/* From the read, through the calls, to the write. */
static json_t *make_code_flow(const struct suspect *s)
{
	json_t *steps = json_array();

	add_step(steps, &s->read, "read");
	for (size_t i = 0; i < s->path_len; i++)
		add_step(steps, &s->path[i], "call");
	add_step(steps, &s->write, "write");
	return json_pack("{s:[{s:o}]}", "threadFlows", "locations", steps);
}

static const char *level_of(const struct suspect *s)
{
	if (s->trial.outcome == SUSPECT_CONFIRMED)
		return "error";
	return s->confidence == SUSPECT_LOW ? "note" : "warning";
}

static json_t *make_result(const struct suspect *s)
{
	struct strbuf text = {0};
	json_t *result = json_object();
	json_t *related = make_location(&s->write, "write");

	strbuf_addf(&text, "%s is read here and written at %s:%u: %s. Usual repair: %s.", s->what,
		    s->write.file, s->write.line, s->why, s->fix);
	if (s->trial.outcome == SUSPECT_CONFIRMED) {
		strbuf_addf(&text, " Confirmed by %s; replay: fermata replay ", s->trial.test);
		strbuf_add_shell(&text, s->trial.path);
		strbuf_addc(&text, '.');
	}
	json_object_set_new(related, "id", json_integer(1));
	json_object_set_new(result, "ruleId", json_string(s->kind));
	json_object_set_new(result, "level", json_string(level_of(s)));
	json_object_set_new(result, "message", sarif_message(strbuf_text(&text)));
	json_object_set_new(result, "locations", json_pack("[o]", make_location(&s->read, "read")));
	json_object_set_new(result, "relatedLocations", json_pack("[o]", related));
	json_object_set_new(result, "codeFlows", json_pack("[o]", make_code_flow(s)));
	json_object_set_new(result, "partialFingerprints",
			    sarif_fingerprint("fermataRace/v1", s->fingerprint));
	strbuf_release(&text);
	return result;
}

void report_races_sarif(struct strbuf *out, const struct suspects *found)
{
	json_t *rules = json_array(), *results = json_array();

	for (int kind = 0; kind < RACE_KINDS; kind++) {
		const struct race_kind_info *info = race_kind_info((enum race_kind)kind);

		json_array_append_new(rules, sarif_rule(info->name, info->what, info->fix));
	}
	for (size_t i = 0; i < found->len; i++)
		json_array_append_new(results, make_result(&found->items[i]));
	sarif_write("fermata races", rules, results, NULL, out);
}
