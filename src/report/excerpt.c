/* Parts of the source files around the lines that a report names, for the page. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "report/json_words.h"
#include "report/report.h"

enum { AROUND = 7, LINE_MAX_BYTES = 300 };

/* Wants the lines around `line` of a file: the values are filled in by read_lines. */
static void want_lines(json_t *files, json_t *paths, const char *file, const char *path,
		       uint32_t line)
{
	json_t *lines;
	char key[16];

	if (!file || !line)
		return;
	lines = json_object_get(files, file);
	if (!lines) {
		lines = json_object();
		json_object_set_new(files, file, lines);
		json_object_set_new(paths, file, json_words_text(path ? path : file));
	}
	for (uint32_t n = line > AROUND ? line - AROUND : 1; n <= line + AROUND; n++) {
		snprintf(key, sizeof(key), "%u", n);
		if (!json_object_get(lines, key))
			json_object_set_new(lines, key, json_null());
	}
}

static void want_rows(json_t *files, json_t *paths, const struct report_finding *finding)
{
	for (uint32_t i = 0; i < finding->interleaving_len; i++)
		want_lines(files, paths, finding->interleaving[i].file,
			   finding->interleaving[i].path, finding->interleaving[i].line);
	for (uint32_t i = 0; i < finding->sites_len; i++)
		want_lines(files, paths, finding->sites[i].at.file, NULL, finding->sites[i].at.line);
	if (finding->passing)
		want_rows(files, paths, finding->passing);
}

static void read_lines(json_t *lines, const char *text)
{
	for (uint32_t n = 1; *text; n++) {
		size_t len = strcspn(text, "\n"), used = len && text[len - 1] == '\r' ? len - 1 : len;
		char key[16];

		snprintf(key, sizeof(key), "%u", n);
		if (json_object_get(lines, key))
			json_object_set_new(lines, key,
					    json_words_bytes(text, used, LINE_MAX_BYTES));
		text += len + (text[len] == '\n');
	}
}

/* Lines that could not be read are left out; a line that the finding quotes is known. */
static void use_quotes(json_t *files, const struct report_finding *finding)
{
	for (uint32_t i = 0; i < finding->interleaving_len; i++) {
		const struct report_event *event = &finding->interleaving[i];
		json_t *lines = event->file ? json_object_get(files, event->file) : NULL;
		char key[16];

		snprintf(key, sizeof(key), "%u", event->line);
		if (event->source && json_is_null(json_object_get(lines, key)))
			json_object_set_new(lines, key, json_words_text(event->source));
	}
}

/* Of a saved finding the lines as they were then. */
static void use_saved(json_t *files, const struct report_finding *finding)
{
	const char *name, *key;
	json_t *lines, *line;

	json_object_foreach((json_t *)finding->excerpts, name, lines) {
		json_t *known = json_object_get(files, name);

		json_object_foreach(lines, key, line)
			if (json_is_null(json_object_get(known, key)))
				json_object_set(known, key, line);
	}
}

static void drop_unread(json_t *lines)
{
	const char *key;
	json_t *value;
	void *next;

	json_object_foreach_safe(lines, next, key, value)
		if (json_is_null(value))
			json_object_del(lines, key);
}

json_t *report_excerpts(const struct report *report, const char *root)
{
	json_t *files = json_object(), *paths = json_object(), *lines;
	const char *name;

	for (uint32_t i = 0; i < report->findings_len; i++)
		want_rows(files, paths, &report->findings[i]);
	json_object_foreach(files, name, lines) {
		const char *path = json_string_value(json_object_get(paths, name));
		struct strbuf text = {0};

		if (path && report_may_read(path, root) && file_read(path, &text, NULL))
			read_lines(lines, strbuf_text(&text));
		strbuf_release(&text);
	}
	for (uint32_t i = 0; i < report->findings_len; i++) {
		use_saved(files, &report->findings[i]);
		use_quotes(files, &report->findings[i]);
	}
	json_object_foreach(files, name, lines)
		drop_unread(lines);
	json_decref(paths);
	return files;
}
