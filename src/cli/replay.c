/* The subcommand `fermata replay [--gdb] FINDING`. */
#include "cli/replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/mem.h"
#include "cli/beam_setup.h"
#include "cli/exits.h"
#include "cli/explain.h"
#include "cli/help.h"
#include "cli/native_setup.h"
#include "cli/prop_beam.h"
#include "cli/prop_session.h"
#include "cli/stopping.h"
#include "explore/save.h"
#include "prop/checker.h"
#include "prop/native_model.h"

static void print_finding(struct report_finding *words)
{
	struct report report = {.findings = words, .findings_len = 1};
	struct report_style style = {.colour = report_wants_colour(1)};
	struct arena arena = {0};
	struct strbuf text = {0};

	report_read_sources(&report, &arena);
	report_finding_text(words, &style, &text);
	fputs(strbuf_text(&text), stdout);
	strbuf_release(&text);
	arena_release(&arena);
}

static void print_verdict(struct report_finding *words)
{
	struct report report = {.verdict = REPORT_BUG, .findings = words, .findings_len = 1};
	struct strbuf text = {0};

	report_verdict_line(&report, &text);
	puts(strbuf_text(&text));
	strbuf_release(&text);
}

/* `test_of`: what the target runs is a test of this program's model (prop/checker.h). */
static void explain(struct target *target, struct found *found, const char *test_of,
		    struct arena *arena, struct report_finding *words)
{
	struct prop_failure failure;

	if (!test_of) {
		explain_finding(target, found, arena, words);
		return;
	}
	failure = (struct prop_failure){checker_model(target), target, checker_test(target),
					checker_outcomes(target), found};
	prop_session_explain(&failure, test_of, arena, words);
}

/* Runs the schedule `times` times; every run must show the finding. */
static int replay(struct target *target, const struct saved *saved, const char *path,
		  uint64_t times, const char *test_of)
{
	struct found found = {
		.finding = {.kind = finding_kind_named(saved->kind),
			    .fingerprint = saved->fingerprint},
		.decisions = saved->decisions,
		.decisions_len = saved->decisions_len,
		.other = saved->other,
		.other_len = saved->other_len,
	};
	struct arena arena = {0};
	struct report_finding words;
	struct trace trace;
	struct err err = {0};
	uint64_t shown = 0;

	target->ops->want_stacks(target, true);
	for (uint64_t i = 0; i < times; i++)
		shown += found_confirm(target, &found, &trace, &err);
	if (err.message[0])
		return exits_fail(&err);
	if (shown != times) {
		if (times == 1)
			printf("fermata: lost control: the %s does not show any more (the run "
			       "ended: %s); was the program changed?\n", saved->kind,
			       trace_end_text(trace.end));
		else
			printf("fermata: lost control: the %s showed %lu times out of %lu\n",
			       saved->kind, shown, times);
		return EXIT_LOST;
	}
	found.trace = trace_copy(&trace);
	found.preemptions = trace_preemptions(&trace);
	explain(target, &found, test_of, &arena, &words);
	words.path = path;
	words.executions_before = (uint64_t)json_integer_value(
		json_object_get(saved->words, "executions_before"));
	print_finding(&words);
	if (times > 1)
		printf("replayed %lu times out of %lu\n", shown, times);
	print_verdict(&words);
	mem_free(found.trace);
	arena_release(&arena);
	return EXIT_BUG;
}

/* Runs gdb on the process in which the schedule has just failed. */
static int debug(struct target *target, const struct saved *saved)
{
	struct schedule schedule = {.decisions = saved->decisions,
				    .decisions_len = saved->decisions_len, .tail = TAIL_FIRST};
	struct err err = {0};
	pid_t stopped = native_run_stopped(target, &schedule, &err), gdb;
	char number[16];
	int status;

	if (stopped < 0)
		return exits_fail(&err);
	snprintf(number, sizeof(number), "%d", (int)stopped);
	gdb = fork();
	if (gdb == 0) {
		execlp("gdb", "gdb", "-q", "-p", number, "-ex", "backtrace", (char *)NULL);
		fprintf(stderr, "fermata: cannot start gdb: is it installed?\n");
		_exit(EXIT_USAGE);
	}
	while (gdb > 0 && waitpid(gdb, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) && WEXITSTATUS(status) ? WEXITSTATUS(status) : EXIT_BUG;
}

static int replay_native(const struct saved *saved, const char *path, uint64_t times, bool gdb)
{
	struct native_setup setup;
	struct err err = {0};
	struct target *target = native_setup_load(&setup, saved->setup, &err);
	int status;

	if (target && target->ops->load_knowledge(target, saved->knowledge, &err))
		status = gdb ? debug(target, saved) : replay(target, saved, path, times, NULL);
	else
		status = exits_fail(&err);
	if (target)
		target->ops->free(target);
	native_setup_release(&setup);
	return status;
}

static int replay_beam(const struct saved *saved, const char *path, uint64_t times)
{
	struct beam_setup setup;
	struct err err = {0};
	struct target *target = beam_setup_load(&setup, saved->setup, &err);
	int status;

	if (target && target->ops->load_knowledge(target, saved->knowledge, &err))
		status = replay(target, saved, path, times, NULL);
	else
		status = exits_fail(&err);
	if (target)
		target->ops->free(target);
	beam_setup_release(&setup);
	return status;
}

/* ---- tests of a model ---- */

/* Frees the model. */
static int replay_test(struct model *model, const char *program, const struct saved *saved,
		       const char *path, uint64_t times, bool gdb)
{
	const json_t *prop = json_object_get(saved->setup, "prop");
	json_int_t search = json_integer_value(json_object_get(prop, "search"));
	struct target *inner = model->ops->target(model), *target = NULL;
	struct prop_test test;
	struct err err = {0};
	int status;

	if (model->ops->load(model, json_object_get(prop, "test"), &test, &err))
		target = prop_target_create(model, &test, search > 0 ? (uint64_t)search : 1, &err);
	if (target && inner->ops->load_knowledge(inner, saved->knowledge, &err))
		status = gdb ? debug(inner, saved) : replay(target, saved, path, times, program);
	else
		status = exits_fail(&err);
	if (target)
		target->ops->free(target);
	model->ops->free(model);
	return status;
}

static int replay_native_test(const struct saved *saved, const char *path, uint64_t times, bool gdb)
{
	struct native_setup setup;
	struct err err = {0};
	struct target *target = native_setup_load(&setup, saved->setup, &err);
	struct model *model = target ? native_model_create(target, setup.program.argv[0], &err)
				     : NULL;
	int status = model ? replay_test(model, setup.program.argv[0], saved, path, times, gdb)
			   : exits_fail(&err);

	native_setup_release(&setup);
	return status;
}

static int replay_beam_test(const struct saved *saved, const char *path, uint64_t times)
{
	const char *name = json_string_value(json_object_get(saved->words, "program"));
	struct err err = {0};
	struct model *model;
	struct prop_beam_replay *opened = prop_beam_load(saved->setup, &model, &err);
	struct target *target;
	int status;

	if (!opened)
		return exits_fail(&err);
	if (model) {
		status = replay_test(model, name ? name : "the module", saved, path, times, false);
	} else {
		target = prop_beam_target(opened);
		status = target->ops->load_knowledge(target, saved->knowledge, &err)
				 ? replay(target, saved, path, times, NULL)
				 : exits_fail(&err);
	}
	prop_beam_free(opened);
	return status;
}

static int replay_any(const struct saved *saved, const char *path, uint64_t times, bool gdb)
{
	bool is_test = json_object_get(saved->setup, "prop") != NULL;
	bool is_beam = strcmp(saved->target, "beam") == 0;

	if (is_beam && gdb)
		fprintf(stderr, "fermata: --gdb works for C and C++ programs only\n");
	else if (is_beam)
		return is_test ? replay_beam_test(saved, path, times)
			       : replay_beam(saved, path, times);
	else if (strcmp(saved->target, "native") == 0)
		return is_test ? replay_native_test(saved, path, times, gdb)
			       : replay_native(saved, path, times, gdb);
	else
		fprintf(stderr, "fermata: %s: unknown kind of program '%s'\n", path,
			saved->target);
	return EXIT_USAGE;
}

static const char usage[] =
	"usage: fermata replay [--gdb] [--times N] FINDING\n"
	"\n"
	"Runs a saved finding again (.fermata/KIND-ID) and shows how it happens.\n"
	"\n"
	"  --times N   N times; says how often it showed\n"
	"  --gdb       C, C++: runs gdb on the process in which it has just happened\n"
	"\n"
	"Exit status: 1 it is still there, 2 wrong usage or bad input, 4 it does not show any\n"
	"more.\n";

struct words {
	const char *path;
	uint64_t times;
	bool gdb;
};

static bool parse_words(int argc, char **argv, struct words *words, struct err *err)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--times") == 0) {
			if (i + 1 == argc)
				return err_set(err, "--times needs a value");
			if (!option_parse_number("times", argv[++i], &words->times, err))
				return false;
		} else if (strcmp(argv[i], "--gdb") == 0) {
			words->gdb = true;
		} else if (argv[i][0] == '-') {
			return err_set(err, "unknown option %s (fermata replay --help lists them)",
				       argv[i]);
		} else if (words->path) {
			return err_set(err, "replay takes one finding; unexpected '%s'", argv[i]);
		} else {
			words->path = argv[i];
		}
	}
	if (!words->path)
		return err_set(err, "replay needs the path of a saved finding");
	return words->times || err_set(err, "--times takes a number above 0");
}

int cli_replay(int argc, char **argv)
{
	struct words words = {.times = 1};
	struct saved saved = {0};
	struct err err = {0};
	int status;

	if (help_asked(argc, argv, usage))
		return EXIT_NO_BUG;
	if (!parse_words(argc, argv, &words, &err))
		return exits_fail(&err);
	stop_catch_signals(0);
	if (!save_load(words.path, &saved, &err))
		status = exits_fail(&err);
	else
		status = replay_any(&saved, words.path, words.times, words.gdb);
	saved_release(&saved);
	return status;
}
