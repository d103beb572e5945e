#include <string.h>

#include "base/file.h"
#include "cli/project/found.h"

static const char paths[] = "[\"_build/test/lib/*/ebin\", \"_build/test/cases\"]";

/* Does the text up to `end` use a template of test cases: `use ExUnit.Case`, `use My.DataCase`? */
static bool uses_case(const char *at, const char *end)
{
	while ((at = strstr(at, "use ")) && at < end) {
		size_t len = strcspn(at += strlen("use "), " ,\n");

		if (len >= 4 && strncmp(at + len - 4, "Case", 4) == 0)
			return true;
	}
	return false;
}

/* The modules that begin at the first column; the first one counts in any case. */
static void visit_case(struct found *found, void *ctx, const char *path, const char *name)
{
	static const char word[] = "\ndefmodule ";
	struct strbuf text = {0};
	bool is_first = true;

	(void)ctx;
	if (!found_ends_with(name, "_test.exs") || strncmp(path, "_build/", 7) == 0 ||
	    strncmp(path, "deps/", 5) == 0)
		return;
	strbuf_addc(&text, '\n');
	for (const char *at = file_read(path, &text, NULL) ? strbuf_text(&text) : "";
	     (at = strstr(at, word));) {
		const char *module, *end;

		at += strlen(word);
		module = found_take_word(found, &at);
		end = strstr(at, word);
		if (module && (is_first || uses_case(at, end ? end : at + strlen(at))))
			found_add_module(found, module, "exunit", paths, NULL);
		is_first = false;
	}
	strbuf_release(&text);
}

/* The name behind "app: :" in mix.exs; NULL if the file does not name the application so. */
static const char *find_application(struct found *found, const char *path)
{
	struct strbuf text = {0};
	const char *at, *name = NULL;

	if (file_read(path, &text, NULL) && (at = strstr(strbuf_text(&text), "app: :"))) {
		at += strlen("app: :");
		name = arena_printf(&found->arena, "%.*s",
				    (int)strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789"), at);
	}
	strbuf_release(&text);
	return name;
}

struct umbrella {
	const char *folder; /* of the applications: "apps" */
	struct strbuf names;
};

static void visit_application(struct found *found, void *ctx, const char *path, const char *name)
{
	struct umbrella *umbrella = ctx;
	size_t len = strlen(umbrella->folder);
	const char *application;

	if (strcmp(name, "mix.exs") != 0 || strncmp(path, umbrella->folder, len) != 0 ||
	    path[len] != '/' || strchr(path + len + 1, '/') != strrchr(path, '/'))
		return;
	application = find_application(found, path);
	if (application)
		strbuf_addf(&umbrella->names, "%s%s", umbrella->names.len ? "," : "", application);
	else
		found_note(found, "the application of %s: its name is not found; it is not started",
			   path);
}

/* The applications that mix test would start, and their configuration. */
void found_read_mix(struct found *found)
{
	static const char key[] = "apps_path:";
	struct umbrella umbrella = {.folder = "apps"};
	struct strbuf text = {0};
	const char *at, *application = find_application(found, "mix.exs");

	found_walk(found, visit_case, NULL);
	if (found_read("mix.exs", '#', &text) && (at = strstr(strbuf_text(&text), key))) {
		at += strlen(key);
		umbrella.folder = found_take_word(found, &at);
		if (umbrella.folder)
			found_walk(found, visit_application, &umbrella);
		application = umbrella.names.len ? strbuf_text(&umbrella.names) : NULL;
	}
	strbuf_adds(&found->options, "config = \"_build/test/fermata.config\"\n");
	if (application)
		strbuf_addf(&found->options, "start = \"%s\"\n", application);
	else
		found_note(found, "the application of mix.exs: its name is not found; add start = "
				  "\"NAME\" under [options]");
	strbuf_release(&umbrella.names);
	strbuf_release(&text);
}
