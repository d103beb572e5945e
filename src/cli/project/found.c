#include "cli/project/found.h"

#include <ctype.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

enum { DEPTH_MAX = 5, FILES_MAX = 20000 };

void found_note(struct found *found, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	for (char *at = text; *at; at++)
		if (*at == '\n')
			*at = ' ';
	strbuf_addf(&found->notes, "# not taken: %s\n", text);
	found->notes_len++;
}

static bool is_listed(const struct found *found, const char *name)
{
	for (size_t i = 0; i < found->names.len; i++)
		if (strcmp(found->names.items[i], name) == 0)
			return true;
	return false;
}

void found_add_module(struct found *found, const char *name, const char *key, const char *paths,
		      const char *config)
{
	if (is_listed(found, name) || strpbrk(name, "\"\\"))
		return;
	*vec_push(&found->names) = arena_strdup(&found->arena, name);
	strbuf_addf(&found->tests, "\n[[test]]\nname = \"%s\"\n%s = \"%s\"\npa = %s\n", name, key, name,
		    paths);
	if (config)
		strbuf_addf(&found->tests, "config = \"%s\"\n", config);
}

/* ---- programs ---- */

/* A word that can stand in a string of the file: without quotes, and without a variable whose value
 * is not known. */
static bool is_plain(const char *word)
{
	return !strpbrk(word, "\"\\$");
}

static bool is_number(const char *word)
{
	return word[0] && strspn(word, "0123456789") == strlen(word);
}

static bool is_of_report(const char *option)
{
	static const char *const names[] = {"json", "junit", "sarif", "html", "out"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], option) == 0)
			return true;
	return false;
}

/* --max-runs 2000 --keep-going as max-runs = 2000 and keep-going = true. */
static void add_options(struct found *found, const struct found_program *program)
{
	const struct word_vec *words = program->options;

	for (size_t i = 0; words && i < words->len; i++) {
		const char *word = words->items[i], *equals = strchr(word, '='), *value = NULL, *key;

		if (strncmp(word, "--", 2) != 0) {
			found_note(found, "the option %s of %s", word, program->name);
			continue;
		}
		key = arena_printf(&found->arena, "%.*s", (int)strcspn(word + 2, "="), word + 2);
		if (equals)
			value = equals + 1;
		else if (i + 1 < words->len && strncmp(words->items[i + 1], "--", 2) != 0)
			value = words->items[++i];
		if (strcmp(key, "require-proof") == 0)
			strbuf_adds(&found->tests, "expect = \"proved\"\n");
		else if (is_of_report(key))
			found_note(found, "the option --%s of %s: `fermata run --%s` is for all tests",
				   key, program->name, key);
		else if (!value)
			strbuf_addf(&found->tests, "%s = true\n", key);
		else
			strbuf_addf(&found->tests, is_number(value) ? "%s = %s\n" : "%s = \"%s\"\n", key,
				    value);
	}
}

static bool are_plain(const struct word_vec *words)
{
	for (size_t i = 0; words && i < words->len; i++)
		if (!is_plain(words->items[i]))
			return false;
	return true;
}

void found_add_program(struct found *found, const struct found_program *program, const char *where)
{
	bool has_arguments = program->arguments && program->arguments->len;

	if (!is_plain(program->name) || !is_plain(program->path) || !are_plain(program->arguments) ||
	    !are_plain(program->options)) {
		found_note(found, "%s (%s): the value of a variable is not known", program->name, where);
		return;
	}
	if (is_listed(found, program->name)) {
		found_note(found, "%s (%s): another test has this name", program->name, where);
		return;
	}
	*vec_push(&found->names) = arena_strdup(&found->arena, program->name);
	strbuf_addf(&found->tests, "\n[[test]]\nname = \"%s\"\nprogram = %s\"%s\"", program->name,
		    has_arguments ? "[" : "", program->path);
	for (size_t i = 0; has_arguments && i < program->arguments->len; i++)
		strbuf_addf(&found->tests, ", \"%s\"", program->arguments->items[i]);
	strbuf_adds(&found->tests, has_arguments ? "]\n" : "\n");
	if (program->framework)
		strbuf_addf(&found->tests, "%s = true\n", program->framework);
	if (program->is_proved)
		strbuf_adds(&found->tests, "expect = \"proved\"\n");
	add_options(found, program);
}

/* ---- files ---- */

static void walk(struct found *found, const char *folder, unsigned depth, found_visit *visit,
		 void *ctx)
{
	struct dirent **entries;
	int len = depth < DEPTH_MAX ? scandir(folder, &entries, NULL, alphasort) : -1;

	for (int i = 0; i < len; i++) {
		const char *name = entries[i]->d_name;
		struct stat status;
		char *path = strcmp(folder, ".") == 0
				     ? arena_strdup(&found->arena, name)
				     : arena_printf(&found->arena, "%s/%s", folder, name);

		if (name[0] != '.' && ++found->files < FILES_MAX && lstat(path, &status) == 0) {
			if (S_ISDIR(status.st_mode))
				walk(found, path, depth + 1, visit, ctx);
			else if (S_ISREG(status.st_mode))
				visit(found, ctx, path, name);
		}
		free(entries[i]);
	}
	if (len >= 0)
		free(entries);
}

void found_walk(struct found *found, found_visit *visit, void *ctx)
{
	found->files = 0;
	walk(found, ".", 0, visit, ctx);
}

bool found_read(const char *path, char comment, struct strbuf *text)
{
	const char ends[] = {comment, '\n', '\0'};
	struct strbuf all = {0};
	bool ok = file_read(path, &all, NULL);

	for (const char *at = strbuf_text(&all); *at;) {
		size_t len = strcspn(at, ends);

		strbuf_add(text, at, len);
		at += len;
		at += *at == comment ? strcspn(at, "\n") : 0;
		if (*at)
			strbuf_addc(text, *at++);
	}
	strbuf_release(&all);
	return ok;
}

char *found_take_word(struct found *found, const char **at)
{
	const char *from, *end;
	char quote = 0;

	*at += strspn(*at, " \t\n,");
	if (**at == '"' || **at == '\'')
		quote = *(*at)++;
	from = end = *at;
	while (*end && (quote ? *end != quote : !strchr(" \t\n,()", *end)))
		end++;
	*at = end + (quote && *end == quote);
	return end > from ? arena_printf(&found->arena, "%.*s", (int)(end - from), from) : NULL;
}

bool found_ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && strcmp(text + len - end_len, end) == 0;
}
