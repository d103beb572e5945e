#include "cli/project/init.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "cli/exits.h"
#include "cli/help.h"
#include "native/elf.h"

static const char usage[] =
	"usage: fermata init [--force]\n"
	"\n"
	"Writes fermata.toml, the file of `fermata run`, from what is in the current folder: the\n"
	"tests that CMakeLists.txt or meson.build name, EUnit modules and Common Test suites of\n"
	"rebar3, ExUnit cases of mix, and programs that fermata-cc has built. The file is meant to be edited and kept.\n"
	"\n"
	"  --force    replace a file that is there\n"
	"\n"
	"Exit status: 0 written, 2 not written.\n";

enum { DEPTH_MAX = 5, FILES_MAX = 20000 };

struct init {
	struct arena arena;
	struct strbuf tests;
	VEC(const char *) names;
	size_t files; /* looked at */
};

/* ---- the file ---- */

static bool is_listed(const struct init *init, const char *name)
{
	for (size_t i = 0; i < init->names.len; i++)
		if (strcmp(init->names.items[i], name) == 0)
			return true;
	return false;
}

VEC_TYPE(word_vec, const char *);

/* `key` is eunit, exunit or ct; `paths` is the value of pa. */
static void add_modules(struct init *init, const char *name, const char *key, const char *paths)
{
	if (is_listed(init, name) || strpbrk(name, "\"\\"))
		return;
	*vec_push(&init->names) = arena_strdup(&init->arena, name);
	strbuf_addf(&init->tests, "\n[[test]]\nname = \"%s\"\n%s = \"%s\"\npa = %s\n", name, key, name,
		    paths);
}

/* A program with its arguments. Nothing is written if a word has a variable or a quote. */
static void add_program(struct init *init, const char *name, const char *program,
			const struct word_vec *arguments)
{
	bool has_arguments = arguments && arguments->len;

	if (is_listed(init, name) || strpbrk(name, "\"\\$") || strpbrk(program, "\"\\$"))
		return;
	for (size_t i = 0; has_arguments && i < arguments->len; i++)
		if (strpbrk(arguments->items[i], "\"\\$"))
			return;
	*vec_push(&init->names) = arena_strdup(&init->arena, name);
	strbuf_addf(&init->tests, "\n[[test]]\nname = \"%s\"\nprogram = %s\"%s\"", name,
		    has_arguments ? "[" : "", program);
	for (size_t i = 0; has_arguments && i < arguments->len; i++)
		strbuf_addf(&init->tests, ", \"%s\"", arguments->items[i]);
	strbuf_adds(&init->tests, has_arguments ? "]\n" : "\n");
}

/* ---- walking ---- */

typedef void visit(struct init *init, const char *path, const char *name);

/* Visits every file below the folder, in the order of names; hidden folders are left out. */
static void walk(struct init *init, const char *folder, unsigned depth, visit *visit_file)
{
	struct dirent **entries;
	int len = depth < DEPTH_MAX ? scandir(folder, &entries, NULL, alphasort) : -1;

	for (int i = 0; i < len; i++) {
		const char *name = entries[i]->d_name;
		struct stat status;
		char *path = strcmp(folder, ".") == 0
				     ? arena_strdup(&init->arena, name)
				     : arena_printf(&init->arena, "%s/%s", folder, name);

		if (name[0] != '.' && ++init->files < FILES_MAX && lstat(path, &status) == 0) {
			if (S_ISDIR(status.st_mode))
				walk(init, path, depth + 1, visit_file);
			else if (S_ISREG(status.st_mode))
				visit_file(init, path, name);
		}
		free(entries[i]);
	}
	if (len >= 0)
		free(entries);
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

/* ---- CMake and Meson ---- */

/* The word at *at, quoted or not, in the arena; *at moves behind it. NULL at the end of a call. */
static char *take_word(struct init *init, const char **at)
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
	return end > from ? arena_printf(&init->arena, "%.*s", (int)(end - from), from) : NULL;
}

/* The text of a file in which # begins a comment, without the comments. */
static bool read_code(const char *path, struct strbuf *text)
{
	struct strbuf all = {0};
	bool ok = file_read(path, &all, NULL);

	for (const char *at = strbuf_text(&all); *at;) {
		size_t len = strcspn(at, "#\n");

		strbuf_add(text, at, len);
		at += len;
		at += *at == '#' ? strcspn(at, "\n") : 0;
		if (*at)
			strbuf_addc(text, *at++);
	}
	strbuf_release(&all);
	return ok;
}

/* $<TARGET_FILE:x> is the program of the target x. */
static const char *target_of(struct init *init, const char *command)
{
	static const char begin[] = "$<TARGET_FILE:";

	if (strncmp(command, begin, strlen(begin)) != 0)
		return command;
	command += strlen(begin);
	return arena_printf(&init->arena, "%.*s", (int)strcspn(command, ">"), command);
}

static bool is_keyword(const char *word)
{
	return word[0] && strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == strlen(word);
}

/* add_test(NAME x COMMAND y …), add_test(x y …), fermata_add_test(NAME x TARGET y ARGS …): the
 * program is the target y of the build folder. */
static void read_cmake_call(struct init *init, const char *at, const char *folder)
{
	const char *name = NULL, *command = NULL, *key = "";
	struct word_vec arguments = {0};
	char *word;

	while (*at != ')' && (word = take_word(init, &at))) {
		bool is_program = strcmp(key, "COMMAND") == 0 || strcmp(key, "TARGET") == 0;

		at += strspn(at, " \t\n");
		if (is_keyword(word))
			key = word;
		else if (!name && (!*key || strcmp(key, "NAME") == 0))
			name = word;
		else if (!command && (!*key || is_program))
			command = target_of(init, word);
		else if (!*key || strcmp(key, "COMMAND") == 0 || strcmp(key, "ARGS") == 0)
			*vec_push(&arguments) = word;
	}
	if (name && command)
		add_program(init, name, arena_printf(&init->arena, "build-fermata/%s%s", folder, command),
			    &arguments);
	vec_release(&arguments);
}

static void visit_cmake(struct init *init, const char *path, const char *name)
{
	const char *folder;
	struct strbuf text = {0};

	(void)name;
	if (ends_with(path, "CMakeLists.txt") && read_code(path, &text)) {
		size_t len = strlen(path) - strlen("CMakeLists.txt");

		folder = arena_printf(&init->arena, "%.*s", (int)len, path);
		for (const char *at = strbuf_text(&text); (at = strstr(at, "add_test("));)
			read_cmake_call(init, at += strlen("add_test("), folder);
	}
	strbuf_release(&text);
}

/* exe = executable('target', …) … test('name', exe): the target of the variable. */
static const char *find_target(struct init *init, const char *text, const char *variable)
{
	size_t len = strlen(variable);

	for (const char *at = text; (at = strstr(at, variable)); at += len) {
		const char *after = at + len;

		after += strspn(after, " \t");
		if (*after != '=' || after[1] == '=')
			continue;
		after += 1 + strspn(after + 1, " \t");
		if (strncmp(after, "executable(", strlen("executable(")) == 0) {
			after += strlen("executable(");
			return take_word(init, &after);
		}
	}
	return NULL;
}

/* The words of the list that begins at *at with [. */
static void take_list(struct init *init, const char *at, struct word_vec *words)
{
	char *word;

	at += strspn(at, " \t\n:");
	if (*at++ != '[')
		return;
	for (;;) {
		at += strspn(at, " \t\n,");
		if (*at == ']' || !(word = take_word(init, &at)))
			return;
		*vec_push(words) = arena_printf(&init->arena, "%.*s", (int)strcspn(word, "]"), word);
	}
}

/* test(title, program, args: […]). Of a title that is the variable of a loop over a list, one test
 * for each value. */
static void read_meson_call(struct init *init, const char *text, const char *at, const char *folder)
{
	struct word_vec titles = {0}, arguments = {0};
	bool is_quoted = *at == '\'';
	const char *end = at + strcspn(at, ")"), *title = take_word(init, &at), *word, *program, *found;

	word = title ? take_word(init, &at) : NULL;
	program = word ? find_target(init, text, word) : NULL;
	found = strstr(at, "args");
	if (found && found < end)
		take_list(init, found + strlen("args"), &arguments);
	if (is_quoted)
		*vec_push(&titles) = title;
	else if (title && (found = strstr(text, arena_printf(&init->arena, "foreach %s :", title))))
		take_list(init, found + strcspn(found, ":"), &titles);
	for (size_t i = 0; program && i < titles.len; i++) {
		struct word_vec words = {0};

		for (size_t a = 0; a < arguments.len; a++)
			*vec_push(&words) = !is_quoted && strcmp(arguments.items[a], title) == 0
						    ? titles.items[i]
						    : arguments.items[a];
		add_program(init, titles.items[i],
			    arena_printf(&init->arena, "build-fermata/%s%s", folder, program), &words);
		vec_release(&words);
	}
	vec_release(&titles);
	vec_release(&arguments);
}

static void visit_meson(struct init *init, const char *path, const char *name)
{
	size_t len = strlen(path) - strlen("meson.build");
	struct strbuf text = {0};
	const char *folder;

	(void)name;
	if (ends_with(path, "meson.build") && read_code(path, &text)) {
		folder = arena_printf(&init->arena, "%.*s", (int)len, path);
		for (const char *at = strbuf_text(&text); (at = strstr(at, "test("));) {
			bool is_call = at == strbuf_text(&text) ||
				       (!isalnum((unsigned char)at[-1]) && at[-1] != '_');

			at += strlen("test(");
			if (is_call)
				read_meson_call(init, strbuf_text(&text), at, folder);
		}
	}
	strbuf_release(&text);
}

/* ---- rebar3 and mix ---- */

static void visit_erlang(struct init *init, const char *path, const char *name)
{
	bool is_suite = ends_with(name, "_SUITE.erl");
	size_t len = strlen(name) - strlen(".erl");

	if ((!is_suite && !ends_with(name, "_tests.erl")) || strncmp(path, "_build/", 7) == 0)
		return;
	add_modules(init, arena_printf(&init->arena, "%.*s", (int)len, name), is_suite ? "ct" : "eunit",
		    "[\"_build/test/lib/*/ebin\", \"_build/test/lib/*/test\"]");
}

static void visit_exunit(struct init *init, const char *path, const char *name)
{
	static const char word[] = "defmodule ";
	struct strbuf text = {0};
	const char *at;

	if (!ends_with(name, "_test.exs") || strncmp(path, "_build/", 7) == 0 ||
	    strncmp(path, "deps/", 5) == 0)
		return;
	if (file_read(path, &text, NULL) && (at = strstr(strbuf_text(&text), word))) {
		const char *module;

		at += strlen(word);
		module = take_word(init, &at);
		if (module)
			add_modules(init, module, "exunit",
				    "[\"_build/test/lib/*/ebin\", \"_build/test/cases\"]");
	}
	strbuf_release(&text);
}

/* ---- programs ---- */

static void visit_program(struct init *init, const char *path, const char *name)
{
	struct elf_program program = {0};
	struct err err = {0};
	struct strbuf value = {0};

	if (!strchr(path, '/'))
		strbuf_adds(&value, "./");
	strbuf_adds(&value, path);
	if (access(path, X_OK) == 0 && elf_program_read(&program, path, &err) &&
	    program.has_runtime && !program.is_library && !strstr(path, "CMakeFiles/") &&
	    !strstr(path, "meson-private/") &&
	    !strstr(strbuf_text(&init->tests), arena_printf(&init->arena, "\"%s\"",
							     strbuf_text(&value))))
		add_program(init, name, strbuf_text(&value), NULL);
	elf_program_release(&program);
	strbuf_release(&value);
}

/* ---- the command ---- */

static const struct {
	const char *file, *tool, *build;
	visit *visit_file;
} tools[] = {
	{"CMakeLists.txt", "CMake",
	 "CC=fermata-cc CXX=fermata-c++ cmake -B build-fermata && cmake --build build-fermata",
	 visit_cmake},
	{"meson.build", "Meson",
	 "CC=fermata-cc CXX=fermata-c++ meson setup build-fermata && ninja -C build-fermata",
	 visit_meson},
	{"rebar.config", "rebar3", "rebar3 as test compile", visit_erlang},
	{"mix.exs", "mix", "MIX_ENV=test mix fermata --compile", visit_exunit},
	{"Makefile", "make", "make clean && make CC=fermata-cc CXX=fermata-c++", NULL},
};

/* The application that mix test would start, and its configuration. */
static void add_application(struct init *init, struct strbuf *out)
{
	struct strbuf text = {0};
	const char *at;

	if (file_read("mix.exs", &text, NULL) && (at = strstr(strbuf_text(&text), "app: :"))) {
		at += strlen("app: :");
		at = arena_printf(&init->arena, "%.*s",
				  (int)strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789"), at);
		strbuf_addf(out, "config = \"_build/test/fermata.config\"\nstart = \"%s\"\n", at);
	}
	strbuf_release(&text);
}

static void look(struct init *init, struct strbuf *out)
{
	strbuf_adds(out, "# The tests that `fermata run` runs; docs/run-file.md describes this file.\n");
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		if (access(tools[i].file, R_OK) != 0)
			continue;
		strbuf_addf(out, "# Build first (%s): %s\n", tools[i].tool, tools[i].build);
		init->files = 0;
		if (tools[i].visit_file)
			walk(init, ".", 0, tools[i].visit_file);
	}
	init->files = 0;
	walk(init, ".", 0, visit_program);
	strbuf_adds(out, "\nbudget = 300     # seconds for all tests together\n\n[options]\n"
			 "# baseline = \"fermata.baseline\"   # known findings, which do not fail\n");
	add_application(init, out);
	if (!init->names.len)
		strbuf_adds(out, "\n# [[test]]\n# name = \"queue\"\n# program = [\"./queue_test\", "
				 "\"3\"]\n# expect = \"proved\"\n");
	strbuf_add(out, strbuf_text(&init->tests), init->tests.len);
}

int cli_init(int argc, char **argv)
{
	bool is_forced = argc == 2 && strcmp(argv[1], "--force") == 0;
	struct init init = {0};
	struct strbuf text = {0};
	struct err err = {0};

	if (help_asked(argc, argv, usage))
		return EXIT_NO_BUG;
	if (argc > 1 && !is_forced) {
		help_refuse_option(argv[1], usage, "init", &err);
		return exits_fail(&err);
	}
	if (!is_forced && access("fermata.toml", F_OK) == 0) {
		err_set(&err, "fermata.toml is there already; --force replaces it");
		return exits_fail(&err);
	}
	look(&init, &text);
	file_write("fermata.toml", strbuf_text(&text), text.len, &err);
	if (!err.message[0] && init.names.len)
		printf("fermata.toml has %zu test%s; build as its first lines say, then: fermata run\n",
		       init.names.len, PLURAL(init.names.len));
	else if (!err.message[0])
		printf("no test was found; fermata.toml has an example to complete\n");
	strbuf_release(&text);
	strbuf_release(&init.tests);
	vec_release(&init.names);
	arena_release(&init.arena);
	return err.message[0] ? exits_fail(&err) : EXIT_NO_BUG;
}
