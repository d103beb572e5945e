#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/project/found.h"

static const char paths[] = "[\"_build/test/lib/*/ebin\", \"_build/test/lib/*/test\"]";

struct rebar {
	struct word_vec modules, suites;
	const char *eunit_config, *ct_config; /* NULL: none */
};

/* ---- test modules ---- */

/* Does a line begin with the head of a test or of a generator of tests: "add_test() ->"? */
static bool has_tests(const char *text)
{
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		size_t len = 0;

		if (!islower((unsigned char)line[0]))
			continue;
		while (isalnum((unsigned char)line[len]) || line[len] == '_' || line[len] == '@')
			len++;
		if (strncmp(line + len, "()", 2) == 0 &&
		    ((len > 5 && strncmp(line + len - 5, "_test", 5) == 0) ||
		     (len > 6 && strncmp(line + len - 6, "_test_", 6) == 0)))
			return true;
	}
	return false;
}

static void visit_module(struct found *found, void *ctx, const char *path, const char *name)
{
	struct rebar *rebar = ctx;
	struct strbuf text = {0};
	const char *module;

	if (!found_ends_with(name, ".erl") || strncmp(path, "_", 1) == 0)
		return;
	module = arena_printf(&found->arena, "%.*s", (int)(strlen(name) - strlen(".erl")), name);
	if (found_ends_with(module, "_SUITE"))
		*vec_push(&rebar->suites) = module;
	else if (found_ends_with(module, "_tests") ||
		 (found_read(path, '%', &text) && has_tests(strbuf_text(&text))))
		*vec_push(&rebar->modules) = module;
	strbuf_release(&text);
}

/* EUnit tests counter_tests together with counter. */
static bool is_included(struct found *found, const struct rebar *rebar, const char *module)
{
	const char *base;

	if (!found_ends_with(module, "_tests"))
		return false;
	base = arena_printf(&found->arena, "%.*s", (int)(strlen(module) - strlen("_tests")), module);
	for (size_t i = 0; i < rebar->modules.len; i++)
		if (strcmp(rebar->modules.items[i], base) == 0)
			return true;
	return false;
}

/* ---- rebar.config ---- */

/* The end of the term in brackets that begins at or after `at`. */
static const char *find_end(const char *at)
{
	int depth = 0;

	for (at += strcspn(at, "[{"); *at; at++) {
		depth += *at == '[' || *at == '{';
		depth -= *at == ']' || *at == '}';
		if (depth == 0)
			return at;
	}
	return at;
}

/* The quoted words of {key, …} between the two places. */
static void take_files(struct found *found, const char *at, const char *end, const char *key,
		       struct word_vec *files)
{
	const char *value = strstr(at, arena_printf(&found->arena, "{%s,", key)), *last;

	if (!value || value > end)
		return;
	last = find_end(value);
	while ((value = memchr(value, '"', (size_t)(last - value)))) {
		const char *word = found_take_word(found, &value);

		if (word)
			*vec_push(files) = word;
	}
}

/* The value of the key config for the tests with these options of rebar.config. More than one file
 * is written as a file that includes them. */
static const char *find_config(struct found *found, const char *text, const char *options)
{
	const char *at = strstr(text, arena_printf(&found->arena, "{%s", options)), *config = NULL;
	struct word_vec files = {0};
	struct strbuf list = {0};
	struct err err = {0};

	if (at) {
		take_files(found, at, find_end(at), "sys_config", &files);
		take_files(found, at, find_end(at), "config", &files);
	}
	if (files.len == 1) {
		config = files.items[0];
	} else if (files.len) {
		config = arena_printf(&found->arena, "fermata-%s.config", options);
		strbuf_addf(&list, "%%%% The files of %s in rebar.config.\n[", options);
		for (size_t i = 0; i < files.len; i++)
			strbuf_addf(&list, "%s\"%s\"", i ? ", " : "", files.items[i]);
		strbuf_adds(&list, "].\n");
		if (!file_write(config, strbuf_text(&list), list.len, &err))
			found_note(found, "%s of rebar.config: %s", options, err.message);
	}
	strbuf_release(&list);
	vec_release(&files);
	return config;
}

void found_read_rebar(struct found *found)
{
	struct rebar rebar = {0};
	struct strbuf text = {0};

	found_walk(found, visit_module, &rebar);
	if (found_read("rebar.config", '%', &text)) {
		rebar.eunit_config = find_config(found, strbuf_text(&text), "eunit_opts");
		rebar.ct_config = find_config(found, strbuf_text(&text), "ct_opts");
	}
	for (size_t i = 0; i < rebar.suites.len; i++)
		found_add_module(found, rebar.suites.items[i], "ct", paths, rebar.ct_config);
	for (size_t i = 0; i < rebar.modules.len; i++)
		if (!is_included(found, &rebar, rebar.modules.items[i]))
			found_add_module(found, rebar.modules.items[i], "eunit", paths,
					 rebar.eunit_config);
	strbuf_release(&text);
	vec_release(&rebar.modules);
	vec_release(&rebar.suites);
}
