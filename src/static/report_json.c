#include "static/report.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/mem.h"

enum { INDENT = 2, SCHEMA = 1 };

/* Texts come from files; what is not UTF-8 must not spoil the document. */
static json_t *text(const char *bytes)
{
	json_t *string = json_string(bytes);

	return string ? string : json_string("?");
}

static json_t *site_object(const struct suspect_site *site)
{
	json_t *object = json_object();

	json_object_set_new(object, "module", text(site->module));
	json_object_set_new(object, "file", text(site->file));
	json_object_set_new(object, "line", json_integer(site->line));
	json_object_set_new(object, "function", text(site->function));
	json_object_set_new(object, "call", text(site->call));
	return object;
}

static void add_trial(json_t *object, const struct suspect_trial *trial)
{
	json_object_set_new(object, "outcome", text(suspect_outcome_word(trial->outcome)));
	json_object_set_new(object, "confirmed", json_boolean(trial->outcome == SUSPECT_CONFIRMED));
	json_object_set_new(object, "test", trial->test ? text(trial->test) : json_null());
	json_object_set_new(object, "finding", trial->path[0] ? text(trial->path) : json_null());
	json_object_set_new(object, "fails", text(trial->fails));
	json_object_set_new(object, "detail", text(trial->detail));
}

static json_t *suspect_object(const struct suspect *s)
{
	json_t *object = json_object(), *path = json_array();

	for (size_t i = 0; i < s->path_len; i++)
		json_array_append_new(path, site_object(&s->path[i]));
	json_object_set_new(object, "kind", text(s->kind));
	json_object_set_new(object, "module", text(s->module));
	json_object_set_new(object, "function", text(s->function));
	json_object_set_new(object, "read", site_object(&s->read));
	json_object_set_new(object, "write", site_object(&s->write));
	json_object_set_new(object, "path", path);
	json_object_set_new(object, "confidence", text(suspect_confidence_name(s->confidence)));
	json_object_set_new(object, "doubt", text(s->reason));
	json_object_set_new(object, "table", text(s->table));
	json_object_set_new(object, "key", text(s->key));
	json_object_set_new(object, "why", text(s->why));
	json_object_set_new(object, "repair", text(s->fix));
	json_object_set_new(object, "fingerprint",
			    json_sprintf("%016llx", (unsigned long long)s->fingerprint));
	if (s->trial.test || s->trial.outcome != SUSPECT_UNTRIED)
		add_trial(object, &s->trial);
	return object;
}

void report_races_json(struct strbuf *out, const struct suspects *found)
{
	json_t *root = json_object(), *findings = json_array(), *errors = json_array();
	char *dump;

	for (size_t i = 0; i < found->len; i++)
		json_array_append_new(findings, suspect_object(&found->items[i]));
	for (size_t i = 0; i < found->errors_len; i++)
		json_array_append_new(errors, text(found->errors[i]));
	json_object_set_new(root, "schema", json_integer(SCHEMA));
	json_object_set_new(root, "version", text(FERMATA_VERSION));
	json_object_set_new(root, "modules", json_integer((json_int_t)found->modules));
	json_object_set_new(root, "functions", json_integer((json_int_t)found->functions));
	if (found->were_tried)
		json_object_set_new(root, "executions",
				    json_integer((json_int_t)found->executions));
	json_object_set_new(root, "findings", findings);
	json_object_set_new(root, "errors", errors);
	dump = json_dumps(root, JSON_INDENT(INDENT));
	strbuf_adds(out, dump);
	strbuf_addc(out, '\n');
	free(dump); /* jansson's own allocation */
	json_decref(root);
}
