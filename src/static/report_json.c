#include "static/report.h"

#include "report/json_words.h"

enum { SCHEMA = 1 };

static json_t *site_object(const struct suspect_site *site)
{
	json_t *object = json_object();

	json_object_set_new(object, "module", json_words_text(site->module));
	json_object_set_new(object, "file", json_words_text(site->file));
	json_object_set_new(object, "line", json_integer(site->line));
	json_object_set_new(object, "function", json_words_text(site->function));
	json_object_set_new(object, "call", json_words_text(site->call));
	return object;
}

static void add_trial(json_t *object, const struct suspect_trial *trial)
{
	json_object_set_new(object, "outcome",
			    json_words_text(suspect_outcome_word(trial->outcome)));
	json_object_set_new(object, "confirmed", json_boolean(trial->outcome == SUSPECT_CONFIRMED));
	json_object_set_new(object, "test", json_words_text(trial->test));
	json_object_set_new(object, "finding",
			    json_words_text(trial->path[0] ? trial->path : NULL));
	json_object_set_new(object, "fails", json_words_text(trial->fails));
	json_object_set_new(object, "detail", json_words_text(trial->detail));
}

static json_t *suspect_object(const struct suspect *s)
{
	json_t *object = json_object(), *path = json_array();

	for (size_t i = 0; i < s->path_len; i++)
		json_array_append_new(path, site_object(&s->path[i]));
	json_object_set_new(object, "kind", json_words_text(s->kind));
	json_object_set_new(object, "module", json_words_text(s->module));
	json_object_set_new(object, "function", json_words_text(s->function));
	json_object_set_new(object, "read", site_object(&s->read));
	json_object_set_new(object, "write", site_object(&s->write));
	json_object_set_new(object, "path", path);
	json_object_set_new(object, "rival", s->has_rival ? site_object(&s->rival) : json_null());
	json_object_set_new(object, "rival_entry",
			    json_words_text(s->rival_entry[0] ? s->rival_entry : NULL));
	json_object_set_new(object, "confidence",
			    json_words_text(suspect_confidence_name(s->confidence)));
	json_object_set_new(object, "doubt", json_words_text(s->reason));
	json_object_set_new(object, "table", json_words_text(s->table));
	json_object_set_new(object, "key", json_words_text(s->key));
	json_object_set_new(object, "why", json_words_text(s->why));
	json_object_set_new(object, "repair", json_words_text(s->fix));
	json_object_set_new(object, "fingerprint", json_words_hex(s->fingerprint));
	if (s->accepted)
		json_object_set_new(object, "accepted", json_words_text(s->accepted));
	if (s->trial.test || s->trial.outcome != SUSPECT_UNTRIED)
		add_trial(object, &s->trial);
	return object;
}

void report_races_json(struct strbuf *out, const struct suspects *found)
{
	json_t *root = json_object(), *findings = json_array(), *errors = json_array();
	json_t *ignored = json_array();

	for (size_t i = 0; i < found->len; i++)
		json_array_append_new(findings, suspect_object(&found->items[i]));
	for (size_t i = 0; i < found->errors_len; i++)
		json_array_append_new(errors, json_words_text(found->errors[i]));
	for (size_t i = 0; i < found->ignored_len; i++)
		json_array_append_new(ignored, suspect_object(&found->ignored[i]));
	json_object_set_new(root, "schema", json_integer(SCHEMA));
	json_object_set_new(root, "version", json_words_text(FERMATA_VERSION));
	json_object_set_new(root, "modules", json_integer((json_int_t)found->modules));
	json_object_set_new(root, "functions", json_integer((json_int_t)found->functions));
	if (found->were_tried)
		json_object_set_new(root, "executions",
				    json_integer((json_int_t)found->executions));
	json_object_set_new(root, "findings", findings);
	json_object_set_new(root, "ignored", ignored);
	json_object_set_new(root, "errors", errors);
	json_words_write(root, out);
}
