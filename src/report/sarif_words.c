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

void sarif_write(const char *tool_name, json_t *rules, json_t *results, json_t *properties,
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
	if (properties)
		json_object_set_new(run, "properties", properties);
	json_array_append_new(runs, run);
	json_object_set_new(root, "$schema",
			    json_string("https://json.schemastore.org/sarif-2.1.0.json"));
	json_object_set_new(root, "version", json_string("2.1.0"));
	json_object_set_new(root, "runs", runs);
	json_words_write(root, out);
}
