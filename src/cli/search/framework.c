#include "cli/search/framework.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"

enum { LIST_SECONDS = 60 };

static const struct {
	const char *name, *title, *list, *select, *variable;
} table[] = {
#define FRAMEWORK(id, name, title, list, select, variable) {name, title, list, select, variable},
#include "cli/search/framework.def"
#undef FRAMEWORK
};

enum framework framework_asked(const struct test_options *o)
{
	const bool asked[] = {o->gtest, o->catch2, o->doctest, o->check, o->cmocka};
	unsigned framework = 0;

	while (framework < FRAMEWORKS && !asked[framework])
		framework++;
	return (enum framework)framework;
}

const char *framework_title(enum framework framework)
{
	return table[framework].title;
}

/* ---- the command line ---- */

/* Catch2 and doctest take a name for a pattern, Catch2 also for an expression. */
static const char *escape_name(enum framework framework, const char *name, struct arena *arena)
{
	const char *special = framework == FRAMEWORK_CATCH2	 ? "\\,[]\"*~"
			      : framework == FRAMEWORK_DOCTEST ? "\\,"
								 : "";
	struct strbuf text = {0};
	const char *result;

	for (; *name; name++) {
		if (strchr(special, *name))
			strbuf_addc(&text, '\\');
		strbuf_addc(&text, *name);
	}
	result = arena_strdup(arena, strbuf_text(&text));
	strbuf_release(&text);
	return result;
}

static void set_variables(enum framework framework, const char *name, struct arena *arena)
{
	const char *variable = table[framework].variable;
	const char *equals = variable ? strchr(variable, '=') : NULL;

	if (equals)
		setenv(arena_strndup(arena, variable, (size_t)(equals - variable)), equals + 1, 1);
	if (!table[framework].select)
		setenv("FERMATA_CASE", name, 1);
}

/* The program's own words, then at most two of ours. */
static char **add_words(char **argv, const char *first, const char *second, struct arena *arena)
{
	size_t len = 0;
	char **words;

	while (argv[len])
		len++;
	words = arena_zalloc(arena, (len + 3) * sizeof(*words));
	memcpy(words, argv, len * sizeof(*words));
	if (first)
		words[len++] = arena_strdup(arena, first);
	if (second)
		words[len++] = arena_strdup(arena, second);
	return words;
}

char **framework_select(enum framework framework, char **argv, const char *name,
			struct arena *arena)
{
	const char *select = table[framework].select;

	set_variables(framework, name, arena);
	if (!select)
		return argv;
	return add_words(argv,
			 arena_printf(arena, "%s%s", select, escape_name(framework, name, arena)),
			 NULL, arena);
}

/* ---- listing ---- */

/* Waits for the end of the program's output, or until the time is over. */
static bool read_output(int fd, struct strbuf *out)
{
	double deadline = clock_seconds() + LIST_SECONDS;
	struct pollfd ready = {.fd = fd, .events = POLLIN};
	char block[4096];

	for (;;) {
		double left = deadline - clock_seconds();
		ssize_t len;

		if (left <= 0 || poll(&ready, 1, (int)(left * 1000) + 1) == 0)
			return false;
		len = read(fd, block, sizeof(block));
		if (len > 0)
			strbuf_add(out, block, (size_t)len);
		else if (len == 0 || errno != EINTR)
			return true;
	}
}

/* The output of the program, which is run once and not controlled. Its status does not matter: that of
 * Catch2 is the number of tests. */
static bool capture(char **argv, struct strbuf *out, struct err *err)
{
	int ends[2], status;
	pid_t child;
	bool ok;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return err_set_errno(err, "cannot make a pipe");
	fflush(NULL);
	child = fork();
	if (child < 0)
		return err_set_errno(err, "cannot start a process");
	if (child == 0) {
		sigset_t none;

		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		dup2(ends[1], 1);
		dup2(ends[1], 2);
		execvp(argv[0], argv);
		_exit(127);
	}
	close(ends[1]);
	ok = read_output(ends[0], out);
	close(ends[0]);
	if (!ok)
		kill(child, SIGKILL);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (ok && WIFEXITED(status) && WEXITSTATUS(status) == 127 && !out->len)
		return err_set(err, "cannot run %s", argv[0]);
	return ok || err_set(err, "%s did not list its tests within %d seconds", argv[0],
			     LIST_SECONDS);
}

static void add_case(struct case_vec *cases, const char *text, size_t len, struct arena *arena)
{
	while (len && strchr(" \t\r", text[len - 1]))
		len--;
	if (len)
		*vec_push(cases) = arena_strndup(arena, text, len);
}

/* "Suite." and below it "  Name  # GetParam() = 1". A disabled test is not run. */
static void read_gtest(const char *line, const char **suite, struct arena *arena,
		       struct case_vec *cases)
{
	size_t len = strcspn(line, "#");
	const char *name = line + strspn(line, " ");

	while (len && line[len - 1] == ' ')
		len--;
	if (name == line && len && line[len - 1] == '.') {
		*suite = arena_strndup(arena, line, len);
	} else if (name > line && *suite && len > (size_t)(name - line)) {
		const char *text = arena_printf(arena, "%s%.*s", *suite,
						(int)(line + len - name), name);

		if (!strstr(text, "DISABLED_"))
			add_case(cases, text, strlen(text), arena);
	}
}

static void read_line(enum framework framework, const char *line, const char **suite,
		      struct arena *arena, struct case_vec *cases)
{
	static const char listed[] = "fermata-case: ";
	size_t len = strlen(line);

	switch (framework) {
	case FRAMEWORK_GTEST:
		read_gtest(line, suite, arena, cases);
		break;
	case FRAMEWORK_CATCH2: /* a name that begins with '#' is in quotes */
		if (len > 2 && line[0] == '"' && line[len - 1] == '"')
			add_case(cases, line + 1, len - 2, arena);
		else
			add_case(cases, line, len, arena);
		break;
	case FRAMEWORK_DOCTEST:
		if (strncmp(line, "[doctest]", 9) != 0 && strncmp(line, "====", 4) != 0)
			add_case(cases, line, len, arena);
		break;
	default:
		if (strncmp(line, listed, strlen(listed)) == 0)
			add_case(cases, line + strlen(listed), len - strlen(listed), arena);
		break;
	}
}

static void read_list(enum framework framework, const struct strbuf *output, struct arena *arena,
		      struct case_vec *cases)
{
	const char *suite = NULL;

	for (const char *at = strbuf_text(output); *at;) {
		size_t len = strcspn(at, "\n");

		read_line(framework, arena_strndup(arena, at, len), &suite, arena, cases);
		at += len + (at[len] != '\0');
	}
}

/* Check and cmocka have no filter of their own. */
static void drop_others(struct case_vec *cases, const char *filter)
{
	size_t kept = 0;

	for (size_t i = 0; i < cases->len; i++)
		if (fnmatch(filter, cases->items[i], 0) == 0)
			cases->items[kept++] = cases->items[i];
	cases->len = kept;
}

bool framework_list(enum framework framework, char **argv, const char *filter, struct arena *arena,
		    struct case_vec *cases, struct err *err)
{
	const char *select = table[framework].select;
	const char *chosen = filter && select ? arena_printf(arena, "%s%s", select, filter) : NULL;
	struct strbuf output = {0};
	bool ok;

	set_variables(framework, "?", arena);
	ok = capture(add_words(argv, table[framework].list, chosen, arena), &output, err);
	/* From version 3 on Catch2 has another word for it. */
	if (ok && framework == FRAMEWORK_CATCH2 && strstr(strbuf_text(&output), "Unrecognised")) {
		strbuf_clear(&output);
		ok = capture(add_words(add_words(argv, "--list-tests", "--verbosity=quiet", arena),
				       chosen, NULL, arena), &output, err);
	}
	if (ok)
		read_list(framework, &output, arena, cases);
	if (ok && filter && !select)
		drop_others(cases, filter);
	strbuf_release(&output);
	return ok;
}
