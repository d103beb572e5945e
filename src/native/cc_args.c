#include "native/cc_args.h"

#include <ctype.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"

enum takes { ALONE, JOINED, NEXT, EITHER };

static const struct option {
	const char *text;
	enum takes takes;
	enum cc_role role;
} options[] = {
#define CC_OPTION(text, takes, role) {text, takes, CC_##role},
#include "native/cc_option.def"
#undef CC_OPTION
};

enum { OPTIONS = sizeof(options) / sizeof(options[0]), RESPONSE_DEPTH = 16 };

void cc_words_add(struct cc_words *words, const char *word)
{
	*vec_push(words) = word;
}

void cc_words_add_arg(struct cc_words *words, const struct cc_arg *arg)
{
	cc_words_add(words, arg->text);
	if (arg->next)
		cc_words_add(words, arg->next);
}

/* ---- response files ---- */

static bool read_whole(const char *path, struct strbuf *out)
{
	char chunk[4096];
	ssize_t got;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	while ((got = read(fd, chunk, sizeof(chunk))) > 0)
		strbuf_add(out, chunk, (size_t)got);
	close(fd);
	return got == 0;
}

/* One word by the rules of gcc: blanks separate, quotes and backslash protect. */
static const char *take_word(const char *at, struct strbuf *word)
{
	char quote = 0;

	for (; *at && (quote || !isspace((unsigned char)*at)); at++) {
		if (*at == '\\' && at[1])
			strbuf_addc(word, *++at);
		else if (quote ? *at == quote : *at == '"' || *at == '\'')
			quote = quote ? 0 : *at;
		else
			strbuf_addc(word, *at);
	}
	return at;
}

static bool expand(struct cc_words *out, const char *word, int depth, struct arena *arena,
		   struct err *err)
{
	struct strbuf file = {0}, one = {0};
	bool ok = true;

	/* A response file that does not exist is an ordinary argument. */
	if (word[0] != '@' || access(word + 1, F_OK) != 0) {
		cc_words_add(out, arena_strdup(arena, word));
		return true;
	}
	if (depth == RESPONSE_DEPTH)
		return err_set(err, "%s: response files include each other", word + 1);
	if (!read_whole(word + 1, &file)) {
		ok = err_set_errno(err, "%s", word + 1);
		goto out;
	}
	for (const char *at = strbuf_text(&file); ok;) {
		while (isspace((unsigned char)*at))
			at++;
		if (!*at)
			break;
		strbuf_clear(&one);
		at = take_word(at, &one);
		ok = expand(out, strbuf_text(&one), depth + 1, arena, err);
	}
out:
	strbuf_release(&file);
	strbuf_release(&one);
	return ok;
}

/* ---- options ---- */

static bool option_fits(const struct option *option, const char *text)
{
	size_t len = strlen(option->text);
	bool exact = strcmp(option->text, text) == 0;

	switch (option->takes) {
	case ALONE:
	case NEXT:
		return exact;
	case JOINED:
		return !exact && strncmp(option->text, text, len) == 0;
	case EITHER:
		return strncmp(option->text, text, len) == 0;
	}
	return false;
}

static struct cc_arg parse_option(const struct cc_words *words, size_t *i)
{
	struct cc_arg arg = {.text = words->items[*i], .value = "", .role = CC_BOTH};
	size_t n = 0;

	while (n < OPTIONS && !option_fits(&options[n], arg.text))
		n++;
	if (n == OPTIONS)
		return arg;
	arg.role = options[n].role;
	arg.value = arg.text + strlen(options[n].text);
	if (options[n].takes != ALONE && !*arg.value && *i + 1 < words->len)
		arg.value = arg.next = words->items[++*i];
	return arg;
}

static bool has_suffix(const char *text, const char *list)
{
	const char *dot = strrchr(text, '.');
	size_t len = dot ? strlen(dot) : 0;

	for (const char *at = list; len && (at = strstr(at, dot)) != NULL; at += len)
		if (at[len] == ' ')
			return true;
	return false;
}

static enum cc_language language_of(const char *path, const char *forced)
{
	if (forced) {
		if (strstr(forced, "header"))
			return CC_HEADER;
		if (strstr(forced, "cpp-output"))
			return CC_PREPROCESSED;
		return strncmp(forced, "assembler", 9) == 0 ? CC_ASSEMBLER : CC_SOURCE;
	}
	if (strcmp(path, "-") == 0 ||
	    has_suffix(path, ".c .cc .cp .cxx .cpp .CPP .c++ .C .m .mm .M .i .ii "))
		return CC_SOURCE;
	if (has_suffix(path, ".mi .mii "))
		return CC_PREPROCESSED;
	if (has_suffix(path, ".h .hh .H .hp .hxx .hpp .HPP .h++ .tcc "))
		return CC_HEADER;
	return has_suffix(path, ".s .S .sx ") ? CC_ASSEMBLER : CC_OBJECT;
}

static void note_input(struct cc_args *out, struct cc_arg *arg, const char *forced)
{
	arg->role = CC_INPUT;
	arg->forced = forced;
	arg->language = language_of(arg->text, forced);
	if (!forced && has_suffix(arg->text, ".i .ii "))
		arg->reread = has_suffix(arg->text, ".i ") ? "c" : "c++";
	out->inputs++;
	out->sources += arg->language != CC_OBJECT;
}

/* -fsanitize=a,b: thread is ours; undefined and its parts can stay; the rest cannot. */
static bool check_sanitizers(struct cc_arg *arg, struct arena *arena, struct err *err)
{
	static const char *const impossible[] = {"address", "hwaddress", "memory", "leak",
						 "kernel-", "fuzzer", "dataflow", "safe-stack"};
	struct strbuf kept = {0};
	char *list = arena_strdup(arena, arg->value), *save = NULL;

	for (char *one = strtok_r(list, ",", &save); one; one = strtok_r(NULL, ",", &save)) {
		for (size_t i = 0; i < sizeof(impossible) / sizeof(impossible[0]); i++)
			if (strncmp(one, impossible[i], strlen(impossible[i])) == 0) {
				strbuf_release(&kept);
				return err_set(err, "-fsanitize=%s cannot be combined with fermata",
					       one);
			}
		if (strcmp(one, "thread") != 0)
			strbuf_addf(&kept, "%s%s", kept.len ? "," : "-fsanitize=", one);
	}
	arg->role = kept.len ? CC_BOTH : CC_DROPPED;
	arg->text = arena_strdup(arena, strbuf_text(&kept));
	strbuf_release(&kept);
	return true;
}

static bool says_no_thread(const char *list)
{
	return strstr(list, "thread") != NULL || strcmp(list, "all") == 0;
}

/* The earliest stop in the pipeline wins, whatever the order of the options. */
static void note_stop(struct cc_args *out, enum cc_role stop)
{
	if (stop > out->stop)
		out->stop = stop;
}

static bool note_option(struct cc_args *out, struct cc_arg *arg, struct arena *arena,
			struct err *err)
{
	switch (arg->role) {
	case CC_SANITIZE:
		return check_sanitizers(arg, arena, err);
	case CC_OTHER_MACHINE:
		return err_set_unsupported(err, "%s: only 64-bit programs can be tested",
					   arg->text);
	case CC_NO_SANITIZE:
		out->is_uninstrumented |= says_no_thread(arg->value);
		arg->role = says_no_thread(arg->value) ? CC_DROPPED : CC_BOTH;
		break;
	case CC_COMPILER:
		out->compiler = arg->value;
		break;
	case CC_OUTPUT:
		out->output = arg->value;
		break;
	case CC_STOP_COMPILED:
	case CC_STOP_ASSEMBLY:
	case CC_STOP_PREPROCESSED:
		note_stop(out, arg->role);
		break;
	default:
		break;
	}
	out->is_static |= arg->role == CC_STATIC;
	out->is_shared |= arg->role == CC_SHARED;
	out->is_relocatable |= arg->role == CC_RELOCATABLE;
	out->has_debug |= arg->role == CC_DEBUG;
	out->has_optimize |= arg->role == CC_OPTIMIZE;
	out->has_dependencies |= arg->role == CC_DEPENDENCIES;
	out->has_dependency_file |= arg->role == CC_DEPENDENCY_FILE;
	out->has_dependency_target |= arg->role == CC_DEPENDENCY_TARGET;
	return true;
}

static bool parse_words(struct cc_args *out, const struct cc_words *words, struct arena *arena,
			struct err *err)
{
	const char *forced = NULL; /* by -x, for the inputs behind it */

	for (size_t i = 0; i < words->len; i++) {
		struct cc_arg arg = {.text = words->items[i], .value = ""};

		if (arg.text[0] == '-' && arg.text[1]) {
			arg = parse_option(words, &i);
			if (!note_option(out, &arg, arena, err))
				return false;
			if (arg.role == CC_LANGUAGE)
				forced = strcmp(arg.value, "none") == 0 ? NULL : arg.value;
		} else {
			note_input(out, &arg, forced);
		}
		*vec_push(&out->args) = arg;
	}
	return true;
}

bool cc_args_parse(struct cc_args *out, int argc, char **argv, struct arena *arena,
		   struct err *err)
{
	struct cc_words words = {0};
	bool ok = true;

	*out = (struct cc_args){.stop = CC_BOTH};
	for (int i = 0; i < argc && ok; i++)
		ok = expand(&words, argv[i], 0, arena, err);
	ok = ok && parse_words(out, &words, arena, err);
	if (!ok)
		cc_args_release(out);
	vec_release(&words);
	return ok;
}

void cc_args_release(struct cc_args *args)
{
	vec_release(&args->args);
}
