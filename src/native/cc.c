#include "native/cc.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "native/cc_as.h"

/* Calls that gcc would turn into inline code, past the hooks; the runtime's own versions
 * tell which bytes they touch. */
static const char *const called_functions[] = {
	"memcpy", "memmove", "memset", "memcmp", "memchr", "mempcpy", "bcopy",  "bzero",
	"strcpy", "stpcpy",  "strncpy", "strcat", "strncat", "strlen", "strcmp", "strncmp",
	"strchr", "strrchr", "strdup", "strndup", "index", "rindex", "strspn", "strcspn",
	"strpbrk", "strstr", "strcasecmp", "strncasecmp", "strnlen", "stpncpy", "sprintf",
	"snprintf", "vsprintf", "vsnprintf",
};

static void add_gcc_flags(struct cc *cc, struct cc_words *words)
{
	cc_words_add(words, "--param=tsan-instrument-func-entry-exit=0");
	/* A loop that became a memset would have no hooks. */
	cc_words_add(words, "-fno-tree-loop-distribute-patterns");
	for (size_t i = 0; i < sizeof(called_functions) / sizeof(called_functions[0]); i++)
		cc_words_add(words, arena_printf(&cc->arena, "-fno-builtin-%s",
						 called_functions[i]));
}

/* clang turns inlined copies into calls itself, but sees g++ only as a write. */
static void add_clang_flags(struct cc_words *words)
{
	cc_words_add(words, "-mllvm");
	cc_words_add(words, "-tsan-instrument-func-entry-exit=0");
	cc_words_add(words, "-mllvm");
	cc_words_add(words, "-tsan-instrument-read-before-write=1");
}

static bool has_sanitizer(const struct cc_args *args)
{
	for (size_t i = 0; i < args->args.len; i++)
		if (strncmp(args->args.items[i].text, "-fsanitize=", strlen("-fsanitize=")) == 0)
			return true;
	return false;
}

/* Without an -O of the user's, -Og: at -O0 a loop that waits keeps in its frame what it saw, so
 * that fewer of its turns are void. But g++ -Og lets a function that ends without its return
 * run on into the next one, and such a program may run well at -O0; the three flags behind -Og
 * take that back. */
static void add_optimization(struct cc *cc, struct cc_words *words)
{
	cc_words_add(words, "-Og");
	if (cc->is_clang || has_sanitizer(&cc->args))
		return;
	cc_words_add(words, "-fsanitize=unreachable");
	cc_words_add(words, "-fno-sanitize=return");
	cc_words_add(words, "-fsanitize-undefined-trap-on-error");
}

/* The options that turn an ordinary compile command into an instrumented one. */
static void add_compile_flags(struct cc *cc, struct cc_words *words, bool has_code, bool with_note)
{
	const struct cc_args *args = &cc->args;

	if (!args->is_uninstrumented)
		cc_words_add(words, arena_printf(&cc->arena, "-B%s", cc->as_folder));
	if (!args->is_uninstrumented && cc->is_clang)
		cc_words_add(words, "-fno-integrated-as");
	if (!has_code)
		return;
	if (!args->has_debug)
		cc_words_add(words, "-g");
	if (!args->has_optimize)
		add_optimization(cc, words);
	cc_words_add(words, "-isystem");
	cc_words_add(words, cc->include);
	if (args->is_uninstrumented)
		return;
	cc_words_add(words, "-fsanitize=thread");
	cc_words_add(words, "-fno-omit-frame-pointer");
	/* A call that became a jump would be reported at its caller's line. */
	cc_words_add(words, "-fno-optimize-sibling-calls");
	if (cc->is_clang)
		add_clang_flags(words);
	else
		add_gcc_flags(cc, words);
	if (!with_note)
		return;
	cc_words_add(words, "-include");
	cc_words_add(words, cc->note);
}

/* The checking variants of memcpy and friends have other names; must come after the user's -D. */
static void add_last_flags(struct cc *cc, struct cc_words *words)
{
	if (!cc->args.is_uninstrumented)
		cc_words_add(words, "-U_FORTIFY_SOURCE");
}

static bool has_input(const struct cc_args *args, enum cc_language language)
{
	for (size_t i = 0; i < args->args.len; i++)
		if (args->args.items[i].role == CC_INPUT &&
		    args->args.items[i].language == language)
			return true;
	return false;
}

static void start_command(const struct cc *cc, struct cc_words *words)
{
	vec_append(words, cc->compiler.items, cc->compiler.len);
}

static void add_language(struct cc_words *words, const char *language)
{
	cc_words_add(words, "-x");
	cc_words_add(words, language);
}

static bool is_last_input(const struct cc_args *args, size_t at)
{
	for (size_t i = at + 1; i < args->args.len; i++)
		if (args->args.items[i].role == CC_INPUT)
			return false;
	return true;
}

/* -E, -S, -c and precompiled headers: one command, the user's arguments in their order. */
static bool compile_only(struct cc *cc, int *status, struct err *err)
{
	const struct cc_args *args = &cc->args;
	struct cc_words words = {0};
	bool has_source = has_input(args, CC_SOURCE);
	bool has_code = has_source || has_input(args, CC_PREPROCESSED) ||
			has_input(args, CC_HEADER);
	bool ok;

	start_command(cc, &words);
	/* Ours go first, where -x and -- cannot change their meaning. */
	add_compile_flags(cc, &words, has_code, has_source && args->stop != CC_STOP_PREPROCESSED);
	for (size_t i = 0; i < args->args.len; i++) {
		const struct cc_arg *arg = &args->args.items[i];

		if (arg->reread)
			add_language(&words, arg->reread);
		if (arg->role != CC_DROPPED && arg->role != CC_COMPILER)
			cc_words_add_arg(&words, arg);
		/* clang warns of a -x that no input follows. */
		if (arg->reread && !is_last_input(args, i))
			add_language(&words, "none");
	}
	add_last_flags(cc, &words);
	ok = cc_run(&words, status, err);
	vec_release(&words);
	return ok;
}

static bool goes_to_compile(const struct cc_arg *arg)
{
	switch (arg->role) {
	case CC_BOTH:
	case CC_COMPILE:
	case CC_DEBUG:
	case CC_OPTIMIZE:
	case CC_DEPENDENCIES:
	case CC_DEPENDENCY_FILE:
	case CC_DEPENDENCY_TARGET:
		return true;
	default:
		return false;
	}
}

/* The path without its suffix, and without its folder unless that is to be kept. */
static const char *stem_of(struct cc *cc, const char *path, bool keep_folder)
{
	const char *name = file_base_name(path);
	const char *dot = strrchr(name, '.');
	const char *end = dot && dot > name ? dot : path + strlen(path);
	const char *start = keep_folder ? path : name;

	return arena_strndup(&cc->arena, start, (size_t)(end - start));
}

/* -MD without -MF and -MT names things after the output, which here is a temporary object. */
static void add_dependency_names(struct cc *cc, const char *source, struct cc_words *words)
{
	const struct cc_args *args = &cc->args;
	const char *output = args->output ? args->output : "a.out";
	const char *stem = stem_of(cc, output, true);

	if (!args->has_dependencies)
		return;
	if (args->sources > 1)
		stem = arena_printf(&cc->arena, "%s-%s", stem, stem_of(cc, source, false));
	if (!args->has_dependency_file) {
		cc_words_add(words, "-MF");
		cc_words_add(words, arena_printf(&cc->arena, "%s.d", stem));
	}
	if (!args->has_dependency_target) {
		cc_words_add(words, "-MT");
		cc_words_add(words, output);
	}
}

/* Compiles one source of a command that also links. */
static bool compile_source(struct cc *cc, const struct cc_arg *input, const char *object,
			   int *status, struct err *err)
{
	const struct cc_args *args = &cc->args;
	struct cc_words words = {0};
	bool ok;

	start_command(cc, &words);
	add_compile_flags(cc, &words, input->language != CC_ASSEMBLER,
			  input->language == CC_SOURCE);
	for (size_t i = 0; i < args->args.len; i++)
		if (goes_to_compile(&args->args.items[i]))
			cc_words_add_arg(&words, &args->args.items[i]);
	add_last_flags(cc, &words);
	add_dependency_names(cc, input->text, &words);
	cc_words_add(&words, "-c");
	cc_words_add(&words, "-o");
	cc_words_add(&words, object);
	if (input->forced || input->reread)
		add_language(&words, input->forced ? input->forced : input->reread);
	cc_words_add(&words, input->text);
	ok = cc_run(&words, status, err);
	vec_release(&words);
	return ok;
}

static const char *object_path(struct cc *cc, size_t nth, const char *source, struct err *err)
{
	const char *name = arena_printf(&cc->arena, "%zu-%s.o", nth, file_base_name(source));

	return cc_temp_path(cc, name, err);
}

static bool compile_and_link(struct cc *cc, int *status, struct err *err)
{
	const struct cc_args *args = &cc->args;
	struct cc_words objects = {0};
	bool ok = true;

	for (size_t i = 0; i < args->args.len && ok && *status == 0; i++) {
		const struct cc_arg *arg = &args->args.items[i];
		const char *object = NULL;

		if (arg->role != CC_INPUT)
			continue;
		if (arg->language != CC_OBJECT) {
			object = object_path(cc, objects.len, arg->text, err);
			ok = object && compile_source(cc, arg, object, status, err);
		}
		cc_words_add(&objects, object);
	}
	if (ok && *status == 0)
		ok = cc_link(cc, &objects, status, err);
	vec_release(&objects);
	return ok;
}

/* Nothing to compile or link: -v, --version, -print-file-name=… */
static bool ask_compiler(struct cc *cc, int *status, struct err *err)
{
	struct cc_words words = {0};
	bool ok;

	start_command(cc, &words);
	for (size_t i = 0; i < cc->args.args.len; i++)
		if (cc->args.args.items[i].role != CC_COMPILER)
			cc_words_add_arg(&words, &cc->args.args.items[i]);
	ok = cc_run(&words, status, err);
	vec_release(&words);
	return ok;
}

static bool do_command(struct cc *cc, int *status, struct err *err)
{
	const struct cc_args *args = &cc->args;
	const char *header;

	if (args->inputs == 0)
		return ask_compiler(cc, status, err);
	cc->note = cc_own_file(cc, "fermata-note.h", err);
	header = cc->note ? cc_own_file(cc, "include/fermata/model.h", err) : NULL;
	cc->as_folder = header ? cc_as_folder(cc, err) : NULL;
	if (!cc->as_folder)
		return false;
	cc->include = arena_strndup(&cc->arena, header,
				    strlen(header) - strlen("/fermata/model.h"));
	if (args->stop != CC_BOTH || has_input(args, CC_HEADER))
		return compile_only(cc, status, err);
	return compile_and_link(cc, status, err);
}

bool cc_main(int argc, char **argv, bool cxx, int *status, struct err *err)
{
	struct cc cc = {0};
	bool ok;

	*status = 0;
	ok = cc_args_parse(&cc.args, argc - 1, argv + 1, &cc.arena, err) &&
	     cc_choose_compiler(&cc, cxx, err) && do_command(&cc, status, err);
	cc_remove_temp_dir(&cc);
	cc_args_release(&cc.args);
	vec_release(&cc.compiler);
	arena_release(&cc.arena);
	return ok;
}
