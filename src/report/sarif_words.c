#include "report/sarif_words.h"

#include <string.h>

#include "report/json_words.h"

json_t *sarif_message(const char *text)
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

json_t *sarif_location(const struct report_frame *frame, const char *message)
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
		json_object_set_new(location, "message", sarif_message(message));
	return location;
}

json_t *sarif_rule(const char *id, const char *description, const char *help)
{
	json_t *rule = json_object();

	json_object_set_new(rule, "id", json_string(id));
	json_object_set_new(rule, "shortDescription", sarif_message(description));
	if (help)
		json_object_set_new(rule, "help", sarif_message(help));
	return rule;
}

json_t *sarif_fingerprint(const char *key, uint64_t fingerprint)
{
	json_t *prints = json_object();

	json_object_set_new(prints, key, json_words_hex(fingerprint));
	return prints;
}

#define BASE "SRCROOT"

/* `prefix` is the URI of the folder, with a slash at its end. */
static void relate(json_t *value, const char *prefix)
{
	const char *uri = json_string_value(json_object_get(value, "uri")), *key;
	json_t *member;
	size_t i;

	if (uri && strncmp(uri, prefix, strlen(prefix)) == 0) {
		json_object_set_new(value, "uri", json_string(uri + strlen(prefix)));
		uri = json_string_value(json_object_get(value, "uri"));
	}
	if (uri && strncmp(uri, "file:", strlen("file:")) != 0)
		json_object_set_new(value, "uriBaseId", json_string(BASE));
	json_object_foreach(value, key, member)
		relate(member, prefix);
	json_array_foreach(value, i, member)
		relate(member, prefix);
}

json_t *sarif_make_relative(json_t *value, const char *root)
{
	struct strbuf folder = {0};
	json_t *uri;

	strbuf_addf(&folder, "%s/", strcmp(root, "/") == 0 ? "" : root);
	uri = make_uri(strbuf_text(&folder));
	strbuf_release(&folder);
	relate(value, json_string_value(uri));
	return json_pack("{s:{s:o}}", BASE, "uri", uri);
}

void sarif_write(const char *tool_name, json_t *rules, json_t *results, json_t *more,
		 struct strbuf *out)
{
	json_t *root = json_object(), *runs = json_array(), *run = json_object();
	json_t *tool = json_object(), *driver = json_object();

	json_object_set_new(driver, "name", json_string(tool_name));
	json_object_set_new(driver, "version", json_string(FERMATA_VERSION));
	json_object_set_new(driver, "rules", rules);
	json_object_set_new(tool, "driver", driver);
	json_object_set_new(run, "tool", tool);
	json_object_set_new(run, "results", results);
	json_object_set_new(run, "columnKind", json_string("unicodeCodePoints"));
	if (more)
		json_object_update(run, more);
	json_decref(more);
	json_array_append_new(runs, run);
	json_object_set_new(root, "$schema",
			    json_string("https://json.schemastore.org/sarif-2.1.0.json"));
	json_object_set_new(root, "version", json_string("2.1.0"));
	json_object_set_new(root, "runs", runs);
	json_words_write(root, out);
}
