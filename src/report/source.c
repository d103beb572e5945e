/* Reading the source lines that a report shows. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/vec.h"
#include "report/report.h"

struct source {
	const char *path;
	VEC(const char *) lines;
};

VEC_TYPE(source_vec, struct source);

static const char *trim(struct arena *arena, const char *line, size_t len)
{
	while (len && isspace((unsigned char)line[0]))
		line++, len--;
	while (len && isspace((unsigned char)line[len - 1]))
		len--;
	return arena_strndup(arena, line, len);
}

bool report_may_read(const char *path, const char *root)
{
	char folder[PATH_MAX], resolved[PATH_MAX];
	size_t len;

	if (!root)
		return true;
	if (!realpath(root, folder) || !realpath(path, resolved))
		return false;
	len = strlen(folder);
	return strncmp(resolved, folder, len) == 0 && (resolved[len] == '/' || len == 1);
}

static void load(struct source *source, const char *root, struct arena *arena)
{
	struct strbuf text = {0};
	const char *line, *end;

	if (report_may_read(source->path, root) && file_read(source->path, &text, NULL))
		for (line = strbuf_text(&text); *line; line = *end ? end + 1 : end) {
			end = line + strcspn(line, "\n");
			*vec_push(&source->lines) = trim(arena, line, (size_t)(end - line));
		}
	strbuf_release(&text);
}

static struct source *find(struct source_vec *sources, const char *path, const char *root,
			   struct arena *arena)
{
	for (size_t i = 0; i < sources->len; i++)
		if (strcmp(sources->items[i].path, path) == 0)
			return &sources->items[i];
	*vec_push(sources) = (struct source){.path = path};
	load(vec_last(sources), root, arena);
	return vec_last(sources);
}

static void fill(struct report_event *event, struct source_vec *sources, const char *root,
		 struct arena *arena)
{
	struct source *source;

	if (!event->file || event->line == 0 || event->source)
		return;
	source = find(sources, event->path ? event->path : event->file, root, arena);
	if (event->line <= source->lines.len)
		event->source = source->lines.items[event->line - 1];
}

void report_read_sources(struct report *report, const char *root, struct arena *arena)
{
	struct source_vec sources = {0};

	for (uint32_t i = 0; i < report->findings_len; i++) {
		struct report_finding *finding = &report->findings[i];

		for (uint32_t j = 0; j < finding->interleaving_len; j++)
			fill(&finding->interleaving[j], &sources, root, arena);
	}
	for (size_t i = 0; i < sources.len; i++)
		vec_release(&sources.items[i].lines);
	vec_release(&sources);
}
