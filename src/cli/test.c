#include "cli/test.h"

#include <ctype.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/vec.h"
#include "cli/code_path.h"
#include "cli/exits.h"
#include "cli/replay/baseline.h"
#include "cli/search/beam_session.h"
#include "cli/search/cases.h"
#include "cli/search/forms.h"
#include "cli/search/framework.h"
#include "cli/search/native_cases.h"
#include "cli/search/native_setup.h"
#include "cli/search/session.h"
#include "cli/search/stopping.h"
#include "cli/search/suggest.h"
#include "strategy/strategy.h"

static void print_usage(FILE *out)
{
	fputs("usage: fermata test [options] -- PROGRAM [ARGS…]\n"
	      "       fermata test [options] --gtest|--catch2|--doctest|--check|--cmocka PROGRAM [ARGS…]\n"
	      "       fermata test [options] [-pa DIR]… MODULE:FUNCTION\n"
	      "       fermata test [options] [-pa DIR]… --eunit|--exunit|--ct MODULE[:TEST]…\n"
	      "\n"
	      "Runs a concurrent program under every schedule that can make a difference, or as\n"
	      "many as the limits allow, and reports bugs that depend on timing. Each option can\n"
	      "also be set in the environment: FERMATA_MAX_TIME=60 instead of --max-time 60.\n", out);
	option_print_help(out);
	exits_print(out, EXIT_NO_BUG, EXIT_BUG, EXIT_USAGE, EXIT_NOT_PROVED, EXIT_LOST,
		    EXIT_INTERRUPTED, -1);
}

static void print_strategy(const char *name, const char *text, void *ctx)
{
	printf("  %-14s %s\n", name, text);
}

static bool check_strategy(const char *name, struct err *err)
{
	struct strategy_params params = {0};
	struct strategy *strategy = strategy_create(name, &params);

	if (!strategy)
		return err_set(err, "unknown strategy '%s' (--strategy help lists them)", name);
	strategy->ops->free(strategy);
	return true;
}

/* The default strategies stand for the one that knows the memory model. Erlang has none. */
static void choose_graphs(struct test_options *o, bool is_erlang)
{
	if (o->equivalence == EQUIVALENCE_RF && o->memory == MEMORY_SC && !o->all_plain &&
	    strcmp(o->strategy, "graphs") != 0)
		o->memory = MEMORY_RF;
	if (is_erlang)
		o->memory = MEMORY_SC;
	else if (o->memory != MEMORY_SC &&
		 (strcmp(o->strategy, "auto") == 0 || strcmp(o->strategy, "dpor") == 0))
		o->strategy = "graphs";
}

/* Only one strategy knows graphs; of the others only samplers know old values. */
static bool check_memory(const struct test_options *o, struct err *err)
{
	bool is_graphs = strcmp(o->strategy, "graphs") == 0;
	bool is_weak = o->memory != MEMORY_SC;

	if (o->equivalence == EQUIVALENCE_RF &&
	    (o->memory != MEMORY_RF || !is_graphs || o->resume || o->suggest_orders))
		return err_set(err,
			       "--equivalence rf needs --memory sc and --strategy auto or dpor, "
			       "without --all-plain, --resume and --suggest-orders");
	if (is_graphs && !is_weak)
		return err_set(err, "--strategy graphs needs --memory tso or rc11");
	if (is_weak && !is_graphs && !strategy_is_sampler(o->strategy))
		return err_set(err, "--memory tso and rc11 need --strategy graphs, random, pct, pos, "
				    "surw or rff");
	if (!is_graphs && o->suggest_orders)
		return err_set(err, "--suggest-orders needs --memory tso or rc11 and --strategy graphs");
	if (is_weak && o->all_plain)
		return err_set(err, "--all-plain needs --memory sc");
	return true;
}

/* Can a folder of that name be created? That is not tried: it costs as much as a hundred runs. */
static bool can_hold(const char *dir)
{
	char *copy = mem_strdup(dir);
	bool can = access(dirname(copy), W_OK | X_OK) == 0;

	mem_free(copy);
	return can;
}

/* Before anything runs: can findings be written there? */
static bool check_folder(const char *dir, struct err *err)
{
	struct stat status;

	if (stat(dir, &status) == 0) {
		if (!S_ISDIR(status.st_mode))
			return err_set(err, "%s is not a folder", dir);
		if (access(dir, W_OK) != 0)
			return err_set_errno(err, "cannot write into %s", dir);
		return true;
	}
	if (!can_hold(dir))
		return err_set_errno(err, "cannot create the folder %s", dir);
	return true;
}

bool test_check_options(const struct test_options *options, struct err *err)
{
	struct baseline baseline = {0};
	bool ok = check_strategy(options->strategy, err) && check_memory(options, err) &&
		  check_folder(options->out, err) && forms_check(options, err) &&
		  baseline_read(&baseline, options->baseline, err);

	baseline_release(&baseline);
	return ok;
}

/* assert_receive waits 100 ms by default: a safety net, as the longer timeouts are. */
enum { EXUNIT_TIMEOUTS_MS = 100 };

bool test_prepare(struct test_options *o, bool is_erlang, struct err *err)
{
	if (!option_check_given(o, is_erlang, err))
		return false;
	choose_graphs(o, is_erlang);
	if (o->exunit && !o->has_timeouts)
		o->timeouts = EXUNIT_TIMEOUTS_MS;
	if (o->count_blocks && strcmp(o->strategy, "dfs") != 0 &&
	    strcmp(o->strategy, "bounded") != 0 && strcmp(o->strategy, "bounded-plain") != 0)
		return err_set(err, "--count-blocks is for the strategies dfs and bounded");
	if (o->filter && !is_erlang && framework_asked(o) == FRAMEWORKS)
		return err_set(err, "--filter needs --gtest, --catch2, --doctest, --check or --cmocka");
	return test_check_options(o, err);
}

/* When it began, and of one test of several also its name and where its report goes (session.h). */
struct place {
	double started;
	const char *name;
	FILE *collect;
	bool is_beside;
};

static int test_native(const struct test_options *options, char **argv, struct place place)
{
	struct native_setup setup;
	struct session session = {.options = options, .target_name = "native", .program = argv[0],
				  .name = place.name, .collect = place.collect, .started = place.started,
				  .is_beside = place.is_beside};
	struct target *target;
	struct err err = {0};
	int status;

	target = native_setup_create(&setup, options, argv, &err);
	if (target) {
		session.setup = native_setup_json(&setup, target);
		status = session_run(&session, target);
		json_decref(session.setup);
		if (options->suggest_orders)
			suggest_orders(options, target);
		target->ops->free(target);
	} else {
		status = session_not_begun(&session, &err);
	}
	native_setup_release(&setup);
	return status;
}

static int test_beam(const struct test_options *options, const char *function,
		     const char *const *paths, struct place place)
{
	struct beam_subject subject = {.function = function, .paths = paths};
	struct session session = {.options = options, .target_name = "beam", .program = function,
				  .name = place.name, .collect = place.collect, .started = place.started,
				  .is_beside = place.is_beside};

	return beam_session_run(&session, &subject);
}

int test_collect(const struct test_options *options, bool is_erlang, char **argv,
		 const char *const *paths, const char *name, bool is_beside, FILE *collect)
{
	struct place place = {stop_catch_signals(options->max_time), name, collect, is_beside};

	return is_erlang ? test_beam(options, argv[0], paths, place)
			 : test_native(options, argv, place);
}

/* MODULE:FUNCTION or My.Mod.fun, and no file of that name. */
static bool is_beam_function(const char *name, size_t paths_len)
{
	return access(name, F_OK) != 0 && (strchr(name, ':') || (paths_len && strchr(name, '.')));
}

VEC_TYPE(module_vec, const char *);

enum { ASKED_FOR_HELP = -1 };

/* Options and -pa folders up to the first other word. */
static bool parse_words(int argc, char **argv, struct test_options *options,
			struct folder_vec *paths, int *at, struct err *err)
{
	while (*at < argc && strcmp(argv[*at], "--") != 0) {
		int before = *at;

		if (strcmp(argv[*at], "--help") == 0) {
			*at = ASKED_FOR_HELP;
			return true;
		}
		if (code_path_take(paths, argc, argv, at))
			continue;
		if (!option_parse(options, argc, argv, at, err))
			return false;
		if (*at == before)
			break;
	}
	return true;
}

/* A word with a space cannot be a module, and modules of Elixir begin with a capital letter. */
static bool is_test_name(const char *text, bool is_exunit)
{
	return strchr(text, ' ') || (is_exunit && !isupper((unsigned char)text[0]) &&
				     !strpbrk(text, ":."));
}

/* Every word that is left is a module, or MODULE:TEST; options may stand between them. The name of a
 * test belongs to the module before it: --exunit CounterTest "adds twice". */
static void add_module(struct module_vec *modules, struct arena *arena, const char *named,
		       bool is_exunit)
{
	if (modules->len && is_test_name(named, is_exunit) &&
	    !strchr(modules->items[modules->len - 1], ':'))
		modules->items[modules->len - 1] = arena_printf(
			arena, "%s:%s", modules->items[modules->len - 1], named);
	else
		*vec_push(modules) = named;
}

static int test_suite(struct test_options *options, int argc, char **argv, int at,
		      struct folder_vec *paths)
{
	struct module_vec modules = {0};
	struct arena arena = {0};
	struct err err = {0};
	int status;

	while (at < argc) {
		add_module(&modules, &arena, argv[at++], options->exunit);
		if (!parse_words(argc, argv, options, paths, &at, &err) || at == ASKED_FOR_HELP)
			break;
	}
	*vec_push(paths) = NULL;
	*vec_push(&modules) = NULL;
	if (err.message[0])
		status = exits_fail(&err);
	else
		status = cases_run(options, cases_kind(options), modules.items, paths->items);
	arena_release(&arena);
	vec_release(&modules);
	return status;
}

/* Tests the program, function or modules that the words from argv[at] on name. */
static int test_words(struct test_options *options, int argc, char **argv, int at,
		      struct folder_vec *paths)
{
	bool is_native = at < argc && strcmp(argv[at], "--") == 0, is_erlang, is_suite;
	enum suite_kind suite = cases_kind(options);
	const char *function = NULL;
	struct err err = {0};
	double started;

	at += is_native;
	if (!is_native && at < argc && suite == SUITE_NONE &&
	    framework_asked(options) == FRAMEWORKS && is_beam_function(argv[at], paths->len)) {
		function = argv[at++];
		if (parse_words(argc, argv, options, paths, &at, &err) && at < argc)
			err_set(&err, "test takes one function; unexpected word '%s'",
				at == ASKED_FOR_HELP ? "--help" : argv[at]);
	} else if (at >= argc && suite != SUITE_NONE) {
		err_set(&err, "--%s needs a module", suite_text(suite));
	} else if (at >= argc) {
		err_set(&err, "test needs a program: fermata test [options] -- PROGRAM [ARGS…]");
	} else if (!is_native && argv[at][0] == '-') {
		option_refuse(argv[at], &err);
	}
	is_erlang = function || suite != SUITE_NONE;
	if (err.message[0] || !test_prepare(options, is_erlang, &err))
		return exits_fail(&err);
	if (baseline_is_absent(options->baseline))
		exits_warn(BASELINE_ABSENT, options->baseline);
	is_suite = is_erlang ? !function : framework_asked(options) != FRAMEWORKS;
	started = stop_catch_signals(is_suite ? 0 : options->max_time);
	if (is_erlang && !function)
		return test_suite(options, argc, argv, at, paths);
	if (is_suite)
		return native_cases_run(options, framework_asked(options), argv + at);
	if (!function)
		return test_native(options, argv + at, (struct place){.started = started});
	*vec_push(paths) = NULL;
	return test_beam(options, function, paths->items, (struct place){.started = started});
}

int cli_test(int argc, char **argv)
{
	struct folder_vec paths = {0};
	struct test_options options;
	struct err err = {0};
	int at = 1, status = EXIT_NO_BUG;

	option_defaults(&options);
	if (!option_read_environment(&options, &err) ||
	    !parse_words(argc, argv, &options, &paths, &at, &err))
		status = exits_fail(&err);
	else if (at == ASKED_FOR_HELP)
		print_usage(stdout);
	else if (strcmp(options.strategy, "help") == 0)
		strategy_list(print_strategy, NULL);
	else
		status = test_words(&options, argc, argv, at, &paths);
	vec_release(&paths);
	return status;
}
