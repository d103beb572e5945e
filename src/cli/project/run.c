#include "cli/project/run.h"

#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "cli/exits.h"
#include "cli/help.h"
#include "cli/project/cache.h"
#include "cli/project/gather.h"
#include "cli/project/runfile.h"
#include "cli/replay/baseline.h"
#include "cli/search/cases.h"
#include "cli/search/child.h"
#include "cli/search/framework.h"
#include "cli/search/native_cases.h"
#include "cli/search/stopping.h"
#include "cli/search/verdict.h"
#include "cli/test.h"

static const char usage[] =
	"usage: fermata run [options] [FILE]\n"
	"\n"
	"Runs all tests that FILE names (default fermata.toml) and reports them together. Paths in\n"
	"FILE are relative to its folder, and so are the findings (.fermata). `fermata init`\n"
	"writes a first FILE; docs/run-file.md describes it.\n"
	"\n"
	"The budget of FILE is divided over the tests; time that a test does not need goes to the\n"
	"tests after it. A test is not run again while its program, its options and the tool are\n"
	"unchanged: its verdict is remembered, and the verdict line says so.\n"
	"\n"
	"  --here         paths in FILE are relative to the current folder, not to that of FILE\n"
	"  --only WORD    run only the tests that have WORD in their name; can be repeated\n"
	"  --list         print the names of the tests and do not run them\n"
	"  --no-cache     run every test, also the unchanged ones\n"
	"\n"
	"The options of `fermata test` apply to every test and win over FILE: --junit FILE, --sarif\n"
	"FILE, --html FILE, --json FILE, --max-time SECONDS, --keep-going …\n"
	"\n"
	"Exit status: 1 a bug, 4 control was lost in a test, 2 wrong usage or a test that could not\n"
	"be run, 3 a test that did not end as FILE expects, 0 otherwise.\n";

enum { ONLY_MAX = 64 };

struct words {
	const char *path;
	const char *only[ONLY_MAX];
	size_t only_len;
	bool wants_list, no_cache, stays_here;
	VEC(char *) options; /* those of `fermata test`, with their values */
};

/* ---- one test ---- */

static int collect_work(void *ctx, FILE *out)
{
	const struct run_test *test = ctx;

	return test_collect(&test->options, test->kind != RUN_PROGRAM, test->words, test->paths,
			    test->name, false, out);
}

/* Of a program of a test framework. The whole run does not end with one that cannot be listed. */
static void explore_framework(struct run_test *test, double seconds, struct gather *parts)
{
	struct err err = {0};

	if (native_cases_explore(&test->options, framework_asked(&test->options), test->words,
				 seconds, parts, &err))
		return;
	exits_fail(&err);
	gather_add_broken(parts, test->name, err.message);
}

/* The reports of a program or function (one) or of the tests of a suite. A new array. */
static json_t *explore_reports(struct run_test *test, double seconds, struct err *err)
{
	struct child_answer answer;
	struct gather parts;
	json_t *reports;

	gather_init(&parts);
	if (cases_kind(&test->options) != SUITE_NONE) {
		enum suite_kind kind = cases_kind(&test->options);

		for (char **module = test->words; *module && !stop_wanted; module++)
			cases_run_module(&test->options, kind, *module, test->paths, seconds,
					 &parts);
	} else if (framework_asked(&test->options) != FRAMEWORKS) {
		explore_framework(test, seconds, &parts);
	} else if (child_ask(collect_work, test, &answer, err)) {
		gather_take(&parts, test->name, &answer);
	}
	reports = json_incref(parts.tests);
	gather_release(&parts);
	return reports;
}

static bool has_verdict(const json_t *report, const char *verdict)
{
	const char *text = json_string_value(json_object_get(report, "verdict"));

	return text && strcmp(text, verdict) == 0;
}

static void print_remembered(const struct test_options *options, const json_t *reports)
{
	static const char ours[] = "fermata: ";

	for (size_t i = 0; i < json_array_size(reports); i++) {
		struct arena arena = {0};
		struct strbuf line = {0};
		struct report report;

		if (has_verdict(json_array_get(reports, i), "skipped"))
			continue;
		report_parse(json_array_get(reports, i), &arena, &report);
		report_verdict_line(&report, &line);
		fprintf(verdict_stream(options), "%s%s: %s\n", ours, report.program,
			strbuf_text(&line) + strlen(ours));
		strbuf_release(&line);
		arena_release(&arena);
	}
}

/* ---- expectations ---- */

/* An expected bug is a known one. */
static void excuse_bug(json_t *report)
{
	json_t *findings = json_object_get(report, "findings");

	json_object_set_new(report, "verdict", json_string(report_verdict_text(REPORT_KNOWN)));
	json_object_set_new(report, "reason", json_string("the search ended at the expected bug"));
	for (size_t i = 0; i < json_array_size(findings); i++)
		json_object_set_new(json_array_get(findings, i), "known", json_true());
}

static void set_unmet(const struct run_test *test, json_t *report, const char *text)
{
	json_object_set_new(report, "unmet", json_string(text));
	exits_warn("%s: not as expected: %s", test->name, text);
}

static void apply_expectation(const struct run_test *test, json_t *reports)
{
	size_t bugs = 0;

	for (size_t i = 0; i < json_array_size(reports); i++) {
		json_t *report = json_array_get(reports, i);

		bugs += json_array_size(json_object_get(report, "findings")) > 0;
		if (test->expect == EXPECT_BUG && has_verdict(report, "bug"))
			excuse_bug(report);
		if (test->expect == EXPECT_PROVED &&
		    (has_verdict(report, "no-bug-found") || has_verdict(report, "known")))
			set_unmet(test, report, "a proof is expected (expect = \"proved\")");
	}
	if (test->expect == EXPECT_BUG && !bugs && json_array_size(reports))
		set_unmet(test, json_array_get(reports, 0),
			  "a bug is expected (expect = \"bug\"), and none was found");
}

/* ---- all tests ---- */

static bool is_chosen(const struct words *words, const struct run_test *test)
{
	for (size_t i = 0; i < words->only_len; i++)
		if (strstr(test->name, words->only[i]))
			return true;
	return !words->only_len;
}

/* The budget as the tests share it. */
struct shares {
	double budget;
	uint64_t tests_len;
};

static uint64_t hash_limits(const struct run_test *test, const struct shares *shares)
{
	uint64_t parts[] = {(uint64_t)(test->options.max_time * 1000),
			    (uint64_t)(shares->budget * 1000),
			    shares->budget > 0 ? shares->tests_len : 0};

	return hash_bytes(parts, sizeof(parts));
}

/* Two tests of the file may run the same suite with other options: a name that the file gives stands
 * before those of the suite's tests. */
static void add_name(const struct run_test *test, const char *name, struct strbuf *out)
{
	if (strcmp(test->name, test->words[0]) != 0 && strcmp(test->name, name) != 0)
		strbuf_addf(out, "%s: ", test->name);
	strbuf_adds(out, name);
}

static bool run_test(struct run_test *test, const struct shares *shares, double share,
		     bool no_cache, struct gather *gather, struct err *err)
{
	uint64_t key = no_cache ? 0 : cache_key(test), limits = hash_limits(test, shares);
	json_t *reports;

	if (share > 0 && (test->options.max_time <= 0 || test->options.max_time > share))
		test->options.max_time = share;
	exits_name_test(test->name);
	reports = key ? cache_find(test, key, limits) : NULL;
	if (reports) {
		print_remembered(&test->options, reports);
	} else {
		reports = explore_reports(test, share, err);
		if (key && !stop_wanted)
			cache_store(test, key, limits, reports);
	}
	exits_name_test(NULL);
	apply_expectation(test, reports);
	gather->declared_line = test->line;
	for (size_t i = 0; i < json_array_size(reports); i++) {
		json_t *report = json_incref(json_array_get(reports, i));
		struct strbuf name = {0};

		add_name(test, json_string_value(json_object_get(report, "name")), &name);
		gather_add(gather, strbuf_text(&name), report);
		strbuf_release(&name);
	}
	json_decref(reports);
	return !err->message[0];
}

/* At least this much time for a test, even if the budget is used up. */
static const double LEAST_SECONDS = 0.5;

/* Once for each file, although every test names it. */
static void warn_of_baselines(const struct runfile *file)
{
	const char *warned = "";

	for (size_t i = 0; i < file->tests.len; i++) {
		const char *path = file->tests.items[i].options.baseline;

		if (!baseline_is_absent(path) || strcmp(path, warned) == 0)
			continue;
		exits_warn(BASELINE_ABSENT, path);
		warned = path;
	}
}

static int run_all(struct runfile *file, const struct words *words)
{
	double start = clock_seconds();
	struct shares shares = {.budget = file->budget};
	struct gather gather;
	struct err err = {0};
	size_t left;
	int status = EXIT_USAGE;
	bool ok = true;

	gather_init(&gather);
	warn_of_baselines(file);
	for (size_t i = 0; i < file->tests.len; i++)
		shares.tests_len += is_chosen(words, &file->tests.items[i]);
	left = shares.tests_len;
	for (size_t i = 0; ok && i < file->tests.len && !stop_wanted; i++) {
		double spent = clock_seconds() - start, share = 0;

		if (!is_chosen(words, &file->tests.items[i]))
			continue;
		if (file->budget > 0)
			share = (file->budget - spent) / (double)left;
		if (file->budget > 0 && share < LEAST_SECONDS)
			share = LEAST_SECONDS;
		ok = run_test(&file->tests.items[i], &shares, share, words->no_cache, &gather,
			      &err);
		left--;
	}
	gather.not_reached = stop_wanted ? (uint32_t)left : 0;
	if (!ok)
		status = exits_fail(&err);
	else if (json_array_size(gather.tests))
		status = gather_finish(&gather, &file->options, file->path, clock_seconds() - start);
	else
		exits_warn("no test of %s has the name that --only asks for", file->path);
	gather_release(&gather);
	return status;
}

/* ---- the command ---- */

static bool parse_words(struct words *words, int argc, char **argv, struct err *err)
{
	struct test_options ignored;

	option_defaults(&ignored);
	for (int at = 1; at < argc;) {
		int before = at;

		if (strcmp(argv[at], "--list") == 0) {
			words->wants_list = true;
			at++;
		} else if (strcmp(argv[at], "--no-cache") == 0) {
			words->no_cache = true;
			at++;
		} else if (strcmp(argv[at], "--here") == 0) {
			words->stays_here = true;
			at++;
		} else if (strcmp(argv[at], "--only") == 0) {
			if (at + 1 >= argc || words->only_len == ONLY_MAX)
				return err_set(err, "--only needs a word, at most %d times", ONLY_MAX);
			words->only[words->only_len++] = argv[at + 1];
			at += 2;
		} else if (!option_parse(&ignored, argc, argv, &at, err)) {
			return false;
		} else if (at > before) {
			for (int i = before; i < at; i++)
				*vec_push(&words->options) = argv[i];
		} else if (argv[at][0] == '-' || words->path) {
			return err_set(err, "run takes one file; unexpected '%s'", argv[at]);
		} else {
			words->path = argv[at++];
		}
	}
	if (cases_kind(&ignored) != SUITE_NONE)
		return err_set(err, "--eunit, --exunit and --ct belong into the file: eunit = \"MODULE\"");
	return true;
}

/* Works in the folder of the file. `path` then is its name there. */
static bool enter_folder(const char **path, struct words *words, struct arena *arena,
			 struct err *err)
{
	const char *slash = strrchr(*path, '/');
	char here[4096];

	if (access(*path, R_OK) != 0)
		return err_set_errno(err, "cannot read %s", *path);
	if (!slash || words->stays_here)
		return true;
	if (!getcwd(here, sizeof(here)) ||
	    chdir(slash == *path ? "/" : arena_printf(arena, "%.*s", (int)(slash - *path), *path)))
		return err_set_errno(err, "cannot enter the folder of %s", *path);
	*path = slash + 1;
	for (size_t i = 0; i < words->options.len; i++) {
		static const char *const files[] = {"--json", "--junit", "--sarif", "--html", "--out",
						    "--baseline", "--suppressions", "--config", "--conflicts",
						    "--hapset", "--classes", "--stdin"};
		char *one = words->options.items[i], *equals = strchr(one, '=');
		size_t len = equals ? (size_t)(equals - one) : strlen(one);

		for (size_t j = 0; j < sizeof(files) / sizeof(files[0]); j++) {
			const char *value = equals ? equals + 1 : words->options.items[i + 1];

			if (strlen(files[j]) != len || strncmp(files[j], one, len) != 0 ||
			    value[0] == '/' || strcmp(value, "-") == 0)
				continue;
			value = arena_printf(arena, "%s/%s", here, value);
			if (equals)
				words->options.items[i] = arena_printf(arena, "%s=%s", files[j], value);
			else
				words->options.items[++i] = (char *)value;
			break;
		}
	}
	return true;
}

int cli_run(int argc, char **argv)
{
	struct words words = {0};
	struct arena arena = {0};
	struct runfile file = {0};
	struct err err = {0};
	const char *path;
	int status = EXIT_NO_BUG;

	if (help_asked(argc, argv, usage))
		return EXIT_NO_BUG;
	if (!parse_words(&words, argc, argv, &err)) {
		status = exits_fail(&err);
	} else {
		path = words.path ? words.path : "fermata.toml";
		stop_catch_signals(0);
		cache_forget_noise();
		if (!enter_folder(&path, &words, &arena, &err) ||
		    !runfile_read(&file, path, (int)words.options.len, words.options.items, &err))
			status = exits_fail(&err);
		else if (words.wants_list)
			for (size_t i = 0; i < file.tests.len; i++)
				printf("%-8s %s\n", runfile_kind_text(file.tests.items[i].kind),
				       file.tests.items[i].name);
		else
			status = run_all(&file, &words);
	}
	runfile_release(&file);
	vec_release(&words.options);
	arena_release(&arena);
	return status;
}
