/* races.c: fermata races [options] PATH...: static race analysis of .beam files. */
#include "cli/races.h"

#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "cli/code_path.h"
#include "cli/exits.h"
#include "cli/pager.h"
#include "cli/search/confirm.h"
#include "cli/search/output.h"
#include "cli/search/stopping.h"
#include "static/races.h"
#include "static/report.h"
#include "static/silence.h"

static const char usage[] =
	"usage: fermata races [options] PATH...\n"
	"\n"
	"Finds races in .beam files and in folders of them: places where a process reads\n"
	"shared data and later writes as if no other process could have changed it.\n"
	"\n"
	"  --all                   also report races of low confidence\n"
	"  --calls                 also report a read and a write in two calls of one server\n"
	"  --unknown-calls HOW     ignore (default) calls of unknown funs, or follow them to\n"
	"                          every function of that arity\n"
	"  --suppress FILE         races not to report: KIND MODULE:FUNCTION/ARITY per line\n"
	"  --explain RACE          show how the race with this id, or at FILE:LINE, happens, with\n"
	"                          both processes side by side\n"
	"  --baseline FILE         report only races that are not in this --json report\n"
	"  --confirm [M:F]         explore the test M:F for schedules that show the races;\n"
	"                          without a test, make each racy call in two processes\n"
	"  --confirm --eunit M     the same with the EUnit tests of module M (or --exunit)\n"
	"  -pa DIR                 folder where --confirm finds modules, besides PATH\n"
	"  --json FILE             write the report as JSON (- for stdout)\n"
	"  --sarif FILE            write the report as SARIF 2.1.0 (- for stdout)\n"
	"  --quiet                 print nothing on stdout\n"
	"\n"
	"--confirm takes the options of `fermata test` (--max-time, --out, --setup, ...).\n"
	"\n"
	"Exit status: 0 no race found, 1 a race was found, 2 wrong usage or bad input,\n"
	"4 control was lost while confirming.\n";

struct settings {
	struct races_options options;
	const char *suppress;
	const char *baseline;
	const char *explain;
	const char *json;
	const char *sarif;
	bool is_quiet;
	bool wants_help;
	bool wants_confirm;
	struct confirm confirm;
	VEC(const char *) paths; /* to be analysed */
};

/* ---- options ---- */

static bool parse_unknown_calls(const char *how, struct settings *s, struct err *err)
{
	s->options.follow_unknown = strcmp(how, "follow") == 0;
	if (s->options.follow_unknown || strcmp(how, "ignore") == 0)
		return true;
	return err_set(err, "--unknown-calls is ignore or follow, not \"%s\"", how);
}

static bool *find_flag(struct settings *s, const char *word)
{
	return strcmp(word, "--all") == 0     ? &s->options.all
	       : strcmp(word, "--calls") == 0 ? &s->options.calls
	       : strcmp(word, "--quiet") == 0 ? &s->is_quiet
	       : strcmp(word, "--help") == 0  ? &s->wants_help
					      : NULL;
}

static const char **find_text(struct settings *s, const char *word, size_t len)
{
	const struct {
		const char *name;
		const char **field;
	} texts[] = {{"--suppress", &s->suppress}, {"--baseline", &s->baseline},
		     {"--json", &s->json}, {"--sarif", &s->sarif},
		     {"--explain", &s->explain}};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (strlen(texts[i].name) == len && strncmp(texts[i].name, word, len) == 0)
			return texts[i].field;
	return NULL;
}

/* The value of the option argv[*at], behind = or in the next word; NULL with err. */
static const char *take_value(int argc, char **argv, int *at, struct err *err)
{
	const char *word = argv[(*at)++], *equals = strchr(word, '=');

	if (equals)
		return equals + 1;
	if (*at < argc)
		return argv[(*at)++];
	err_set(err, "%s needs a value", word);
	return NULL;
}

static bool is_test(const char *word)
{
	return word[0] != '-' && access(word, F_OK) != 0 && strpbrk(word, ":.") &&
	       !strchr(word, '/');
}

/* --confirm, --confirm=M:F or --confirm M:F */
static void take_confirm(struct settings *s, int argc, char **argv, int *at)
{
	const char *equals = strchr(argv[(*at)++], '=');

	s->wants_confirm = true;
	if (equals)
		s->confirm.test = equals + 1;
	else if (*at < argc && is_test(argv[*at]))
		s->confirm.test = argv[(*at)++];
}

/* One option, or a path. */
static bool parse_word(int argc, char **argv, int *at, struct settings *s, struct err *err)
{
	const char *word = argv[*at], *value;
	size_t len = strcspn(word, "=");
	const char **text = find_text(s, word, len);
	bool *flag = find_flag(s, word);

	if (flag) {
		*flag = true;
		++*at;
	} else if (text) {
		*text = take_value(argc, argv, at, err);
		return *text != NULL;
	} else if (strncmp(word, "--unknown-calls", len) == 0 && len == strlen("--unknown-calls")) {
		value = take_value(argc, argv, at, err);
		return value && parse_unknown_calls(value, s, err);
	} else if (strcmp(word, "-pa") == 0) {
		value = take_value(argc, argv, at, err);
		if (value)
			code_path_check(value);
		*vec_push(&s->confirm.paths) = value;
		return value != NULL;
	} else if (strncmp(word, "--confirm", len) == 0 && len == strlen("--confirm")) {
		take_confirm(s, argc, argv, at);
	} else if ((strcmp(word, "--eunit") == 0 || strcmp(word, "--exunit") == 0) &&
		   *at + 1 < argc) {
		s->wants_confirm = true;
		s->confirm.options.eunit = word[3] == 'u';
		s->confirm.options.exunit = word[3] == 'x';
		s->confirm.test = argv[*at + 1];
		*at += 2;
	} else if (strncmp(word, "--", 2) == 0 && word[2]) {
		return option_parse(&s->confirm.options, argc, argv, at, err) &&
		       (!s->confirm.options.fleet ||
			err_set(err, "--fleet is for fermata test and fermata run")) &&
		       ((!option_is_given(&s->confirm.options, "junit") &&
			 !option_is_given(&s->confirm.options, "html")) ||
			err_set(err, "races writes --json and --sarif only, not %s", word));
	} else {
		*vec_push(&s->paths) = argv[(*at)++];
	}
	return true;
}

static bool parse_options(int argc, char **argv, struct settings *s, struct err *err)
{
	bool is_end = false; /* of options */

	option_defaults(&s->confirm.options);
	s->confirm.options.strategy = "suspects";
	if (!option_read_environment(&s->confirm.options, err))
		return false;
	for (int at = 1; at < argc;) {
		if (is_end)
			*vec_push(&s->paths) = argv[at++];
		else if ((is_end = strcmp(argv[at], "--") == 0))
			at++;
		else if (!parse_word(argc, argv, &at, s, err))
			return false;
	}
	return s->wants_help || s->paths.len ||
	       err_set(err, "races needs a .beam file or a folder");
}

/* ---- reports ---- */

static bool write_report(const char *path, void (*report)(struct strbuf *, const struct suspects *),
			 const struct suspects *found)
{
	struct strbuf text = {0};
	struct err err = {0};
	bool ok;

	report(&text, found);
	ok = output_write(path, &text, &err);
	if (!ok)
		fprintf(stderr, "fermata: %s\n", err.message);
	strbuf_release(&text);
	return ok;
}

static bool silence(const struct settings *s, struct races *races)
{
	struct suspects *found = &races->found;
	struct strbuf warnings = {0};
	struct err err = {0};
	bool good;

	silence_by_comments(found, &races->arena);
	good = (!s->suppress || silence_by_file(found, s->suppress, &warnings, &err)) &&
	       (!s->baseline || silence_by_baseline(found, s->baseline, &err));
	fputs(strbuf_text(&warnings), stderr);
	if (!good)
		fprintf(stderr, "fermata: %s\n", err.message);
	strbuf_release(&warnings);
	return good;
}

static bool print_text(const struct suspects *found)
{
	struct strbuf text = {0};
	struct err err = {0};
	bool ok;

	report_races_text(&text, found);
	ok = pager_print(strbuf_text(&text), pager_is_wanted());
	if (!ok) {
		err_set_errno(&err, "cannot write to stdout");
		fprintf(stderr, "fermata: %s\n", err.message);
	}
	strbuf_release(&text);
	return ok;
}

static bool write_reports(const struct settings *s, const struct suspects *found)
{
	bool is_stdout_taken = (s->json && strcmp(s->json, "-") == 0) ||
			       (s->sarif && strcmp(s->sarif, "-") == 0);

	for (size_t i = 0; i < found->errors_len; i++)
		fprintf(stderr, "fermata: %s\n", found->errors[i]);
	/* The text comes first: a report that cannot be written must not hide the result. */
	return (s->is_quiet || is_stdout_taken || print_text(found)) &&
	       (!s->json || write_report(s->json, report_races_json, found)) &&
	       (!s->sarif || write_report(s->sarif, report_races_sarif, found));
}

static int explain(const struct settings *s, const struct suspects *found)
{
	struct strbuf text = {0};
	size_t told = report_races_explain(&text, found, s->explain);

	pager_print(strbuf_text(&text), pager_is_wanted());
	strbuf_release(&text);
	if (!told)
		fprintf(stderr, "fermata: no race has the id or the place \"%s\"\n", s->explain);
	return told ? EXIT_NO_BUG : EXIT_USAGE;
}

/* ---- confirming ---- */

/* The folder of each path that was analysed is on the search path. */
static void add_search_paths(struct settings *s, struct arena *arena)
{
	for (size_t i = 0; i < s->paths.len; i++) {
		struct stat status;
		char *path = arena_strdup(arena, s->paths.items[i]);

		if (stat(path, &status) != 0)
			continue;
		*vec_push(&s->confirm.paths) = S_ISDIR(status.st_mode) ? path : dirname(path);
	}
}

/* EXIT_NO_BUG: go on. */
static int run_confirm(struct settings *s, struct races *races)
{
	struct err err = {0};

	if (!s->wants_confirm)
		return EXIT_NO_BUG;
	add_search_paths(s, &races->arena);
	stop_catch_signals(0);
	switch (confirm_suspects(&s->confirm, &races->found, &races->arena, &err)) {
	case CONFIRM_DONE: return EXIT_NO_BUG;
	case CONFIRM_LOST:
		fprintf(stderr, "fermata: %s\n", err.message);
		return EXIT_LOST;
	default:
		fprintf(stderr, "fermata: %s\n", err.message);
		return EXIT_USAGE;
	}
}

static int analyse(struct settings *s)
{
	struct races races;
	int status;

	s->options.all |= s->explain != NULL; /* any race can be explained */
	races_analyse(&races, s->paths.items, s->paths.len, &s->options);
	if (s->explain) {
		status = explain(s, &races.found);
		races_release(&races);
		return status;
	}
	if (!silence(s, &races)) {
		status = EXIT_USAGE;
	} else {
		status = run_confirm(s, &races);
		if (status != EXIT_USAGE && !write_reports(s, &races.found))
			status = EXIT_USAGE;
	}
	if (status == EXIT_NO_BUG)
		status = races.found.len          ? EXIT_BUG
			 : races.found.errors_len ? EXIT_USAGE
						  : EXIT_NO_BUG;
	races_release(&races);
	return status;
}

int cli_races(int argc, char **argv)
{
	struct settings s = {0};
	struct err err = {0};
	int status = EXIT_NO_BUG;

	if (!parse_options(argc, argv, &s, &err)) {
		fprintf(stderr, "fermata: %s (fermata races --help)\n", err.message);
		status = EXIT_USAGE;
	} else if (s.wants_help) {
		fputs(usage, stdout);
	} else {
		status = analyse(&s);
	}
	vec_release(&s.paths);
	vec_release(&s.confirm.paths);
	return status;
}
