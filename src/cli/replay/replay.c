/* The subcommand `fermata replay`: one saved finding, or all of a folder. */
#include "cli/replay/replay.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/vec.h"
#include "cli/code_path.h"
#include "cli/exits.h"
#include "cli/help.h"
#include "cli/option.h"
#include "cli/pager.h"
#include "cli/replay/lookup.h"
#include "cli/replay/relocate.h"
#include "cli/replay/replay_report.h"
#include "cli/replay/rerun.h"
#include "cli/replay/surroundings.h"
#include "cli/search/child.h"
#include "cli/search/output.h"
#include "cli/search/stopping.h"

static const char usage[] =
	"usage: fermata replay [options] FINDING [-- PROGRAM [ARGS…]]\n"
	"       fermata replay [options] --all [DIR]\n"
	"\n"
	"Runs the schedule of a saved finding (.fermata/KIND-ID, or the beginning of KIND-ID or ID)\n"
	"again. There are four answers: the finding is shown again; it is not shown although the\n"
	"schedule was followed to its end; the program went another way at some step; control was\n"
	"lost. If the schedule does not show it, some schedules near it are tried.\n"
	"\n"
	"  -- PROGRAM [ARGS…]   C, C++: run this program instead of the recorded one\n"
	"  -pa DIR              Erlang: load modules from DIR instead of the recorded folders\n"
	"  --all                replay every finding in DIR (default .fermata) and print a table\n"
	"  --full               print all steps, not only those that matter\n"
	"  --times N            run it N times; all runs must show the finding\n"
	"  --trust              run a program outside the current folder without asking\n"
	"  --gdb                C, C++: run gdb, stopped at the first step; the commands `fermata\n"
	"                       next`, `back`, `goto`, `until`, `end` move in the schedule,\n"
	"                       `info threads` and `thread` have every thread of the program,\n"
	"                       `fermata who` and `why` show who goes next and who waits\n"
	"  --debug              Erlang: a prompt, stopped at the first step; `help` lists its commands:\n"
	"                       next, back, goto, until, who, why, stack, mailbox, state, ets, eval\n"
	"  --json FILE          write the answers as JSON (- for stdout)\n"
	"  --junit FILE         write the answers as JUnit XML (- for stdout)\n"
	"\n"
	"Exit status: 1 shown again, 0 not shown and the schedule was followed to its end,\n"
	"5 the program went another way, 4 control was lost, 2 wrong usage or bad input,\n"
	"130 interrupted by Ctrl-C.\n"
	"With --all: the first of 1, 4, 2, 0 that a finding has; a program that went another way\n"
	"does not count, because a fix does that to it.\n";

#define DEFAULT_FOLDER ".fermata"

struct words {
	const char *path; /* a finding, or with --all a folder */
	uint64_t times;
	bool gdb, debug, all, trust, full;
	uint64_t stop_at; /* of --gdb: debugger.h */
	const char *json, *junit;
	struct relocate_options replaced;
	VEC(const char *) paths;
};

/* ---- the command line ---- */

static bool take_value(int argc, char **argv, int *at, const char **value, struct err *err)
{
	if (*at + 1 >= argc)
		return err_set(err, "%s needs a value", argv[*at]);
	*value = argv[++*at];
	return true;
}

static bool parse_option(int argc, char **argv, int *at, struct words *words, struct err *err)
{
	const char *word = argv[*at], *value = NULL;

	if (strcmp(word, "--times") == 0)
		return take_value(argc, argv, at, &value, err) &&
		       option_parse_number("times", value, &words->times, err);
	if (strcmp(word, "--stop-at") == 0) {
		words->gdb = true;
		return take_value(argc, argv, at, &value, err) &&
		       option_parse_number("stop-at", value, &words->stop_at, err);
	}
	if (strcmp(word, "--json") == 0)
		return take_value(argc, argv, at, &words->json, err);
	if (strcmp(word, "--junit") == 0)
		return take_value(argc, argv, at, &words->junit, err);
	if (strcmp(word, "-pa") == 0) {
		if (!take_value(argc, argv, at, &value, err))
			return false;
		code_path_check(value);
		*vec_push(&words->paths) = value;
		return true;
	}
	if (strcmp(word, "--gdb") == 0)
		words->gdb = true;
	else if (strcmp(word, "--debug") == 0)
		words->debug = true;
	else if (strcmp(word, "--full") == 0)
		words->full = true;
	else if (strcmp(word, "--all") == 0)
		words->all = true;
	else if (strcmp(word, "--trust") == 0)
		words->trust = true;
	else
		return help_refuse_option(word, usage, "replay", err);
	return true;
}

static bool check_words(const struct words *words, struct err *err)
{
	if (!words->path)
		return err_set(err, "replay needs the path of a saved finding");
	if (!words->times)
		return err_set(err, "--times takes a number above 0");
	if (words->all && (words->gdb || words->debug || words->replaced.argv))
		return err_set(err, "--all cannot be combined with --gdb, --debug or a program");
	return true;
}

static bool parse_words(int argc, char **argv, struct words *words, struct err *err)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--") == 0) {
			if (i + 1 == argc)
				return err_set(err, "-- needs a program behind it");
			words->replaced.argv = argv + i + 1;
			break;
		}
		if (argv[i][0] == '-') {
			if (!parse_option(argc, argv, &i, words, err))
				return false;
		} else if (words->path) {
			return err_set(err, "replay takes one finding; unexpected '%s'", argv[i]);
		} else {
			words->path = argv[i];
		}
	}
	if (words->paths.len) {
		*vec_push(&words->paths) = NULL;
		words->replaced.paths = words->paths.items;
	}
	if (words->all && !words->path)
		words->path = DEFAULT_FOLDER;
	return check_words(words, err);
}

/* ---- one finding ---- */

static bool ask_terminal(const char *program)
{
	char answer[16] = "";

	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return false;
	fprintf(stderr, "The finding runs ");
	exits_print_harmless(stderr, program);
	fprintf(stderr, ",\nwhich is outside the current folder. Run it? [y/N] ");
	return fgets(answer, sizeof(answer), stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

/* A finding must not show a file of the user to its sender, nor let a program work on one. */
static bool stays_inside(const struct saved *saved, const char *path, struct err *err)
{
	const char *input = relocate_outside_input(saved, ".");
	const char *folder = relocate_outside_folder(saved, path, ".");

	if (input)
		return err_set(err, "%s gives its program %s to read, which is outside the current "
			       "folder: add --trust to allow it", path, input);
	if (folder)
		return err_set(err, "%s runs its program in %s, which is outside the current folder: "
			       "add --trust to allow it", path, folder);
	return true;
}

/* A finding may come from anywhere: it must not run programs that the user did not expect.
 * `staying`: code that was not moved along with the finding; or NULL. */
static bool is_trusted(const struct words *words, const struct saved *saved, const char *path,
		       const char *staying, struct err *err)
{
	const char *program, *variable;

	if (words->trust)
		return true;
	if (surroundings_is_outside(saved, ".", &variable))
		return err_set(err, "%s sets %s to a folder outside the current one, from which "
			       "code may be loaded: add --trust to allow it", path, variable);
	if (staying && relocate_is_path_outside(staying, "."))
		return ask_terminal(staying) ||
		       err_set(err, "%s was moved without %s: add --trust to run the original, "
			       "or name the code to run: -- PROGRAM, or -pa DIR", path, staying);
	if (words->replaced.argv || !relocate_is_outside(saved, ".", &program))
		return stays_inside(saved, path, err);
	if (ask_terminal(program))
		return true;
	return err_set(err, "%s runs the program %s, which is outside the current folder: add "
		       "--trust to allow it, or name the program: -- PROGRAM", path, program);
}

static void warn_of_lines(const char *lines)
{
	while (*lines) {
		size_t len = strcspn(lines, "\n");

		exits_warn("%.*s", (int)len, lines);
		lines += len + (lines[len] == '\n');
	}
}

struct job {
	const struct words *words;
	const char *path;
	bool is_quiet, is_paged;
};

/* In a child: a BEAM target needs a process of its own, and the working folder changes. */
static int work(void *ctx, FILE *out)
{
	const struct job *job = ctx;
	struct saved saved = {0};
	struct rerun r = {.saved = &saved, .path = job->path, .times = job->words->times,
			  .gdb = job->words->gdb, .debug = job->words->debug, .full = job->words->full,
			  .stop_at = (uint32_t)job->words->stop_at, .answer = RERUN_BAD};
	char path[PATH_MAX];
	struct strbuf warnings = {0};
	struct err err = {0};

	if (r.gdb && realpath(job->path, path)) /* the working folder changes */
		r.path = path;
	if (save_load(job->path, &saved, &err)) {
		const char *staying =
			relocate(&saved, job->path, &job->words->replaced, &warnings);

		if (is_trusted(job->words, &saved, job->path, staying, &err)) {
			warn_of_lines(strbuf_text(&warnings));
			rerun(&r);
		}
	}
	if (err.message[0])
		r.line = err.message;
	if (!job->is_quiet && r.answer == RERUN_SHOWN && !r.gdb && !r.debug)
		replay_print_finding(&r, job->is_paged);
	replay_write_answer(&r, out);
	saved_release(&saved);
	strbuf_release(&warnings);
	arena_release(&r.arena);
	return r.gdb && r.status ? r.status : rerun_answer_status(r.answer);
}

static bool replay_one(const struct words *words, const char *path, bool is_quiet,
		       struct replay_row *row, struct arena *arena, struct err *err)
{
	struct job job = {words, path, is_quiet, pager_is_wanted()};
	struct child_answer answer;
	double started = clock_seconds();
	bool ok = child_ask(work, &job, &answer, err);

	if (!ok)
		return false;
	*row = (struct replay_row){.path = path, .status = answer.status};
	replay_read_answer(strbuf_text(&answer.text), row, arena);
	row->seconds = clock_seconds() - started;
	strbuf_release(&answer.text);
	return true;
}

/* ---- all of a folder ---- */

VEC_TYPE(name_vec, char *);

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Every file of the folder that is meant to be a finding, in order, also one that is damaged: its
 * row says so. Others (test sources) are left out. */
static bool list_findings(const char *folder, struct name_vec *names, struct arena *arena,
			  struct err *err)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	if (!dir && errno == ENOENT && strcmp(folder, DEFAULT_FOLDER) == 0)
		return true; /* nothing has been found yet */
	if (!dir)
		return err_set_errno(err, "cannot read the folder %s", folder);
	while ((entry = readdir(dir))) {
		char *path = arena_printf(arena, "%s/%s", folder, entry->d_name);

		if (entry->d_name[0] != '.' && save_is_meant(path))
			*vec_push(names) = path;
	}
	closedir(dir);
	if (names->len)
		qsort(names->items, names->len, sizeof(*names->items), compare_names);
	return true;
}

/* One finding, by its path or a part of its name. */
static bool replay_word(const struct words *words, bool is_quiet, struct replay_row_vec *rows,
			struct arena *arena, struct err *err)
{
	const char *path = lookup_finding(words->path, arena, err);

	return path && replay_one(words, path, is_quiet, vec_push(rows), arena, err);
}

static bool replay_all(const struct words *words, struct replay_row_vec *rows, struct arena *arena,
		       struct err *err)
{
	struct name_vec names = {0};
	bool ok = list_findings(words->path, &names, arena, err);

	for (size_t i = 0; ok && i < names.len && !stop_wanted; i++)
		ok = replay_one(words, names.items[i], true, vec_push(rows), arena, err);
	vec_release(&names);
	return ok;
}

/* ---- the command ---- */

/* Each that can be written. Returns the status, which a bug keeps although a report is lost. */
static int write_reports(const struct words *words, const struct replay_row_vec *rows, int status)
{
	struct strbuf text = {0};
	struct err err = {0};

	if (words->json) {
		replay_json(rows, &text);
		if (!output_write(words->json, &text, &err))
			status = exits_fail_after(status, &err);
	}
	if (words->junit) {
		text.len = 0;
		replay_junit(rows, &text);
		if (!output_write(words->junit, &text, &err))
			status = exits_fail_after(status, &err);
	}
	strbuf_release(&text);
	return status;
}

static int run_words(const struct words *words)
{
	FILE *out = replay_stream(words->json, words->junit);
	struct replay_row_vec rows = {0};
	struct arena arena = {0};
	struct err err = {0};
	int status;

	if (words->all ? replay_all(words, &rows, &arena, &err)
		       : replay_word(words, out != stdout, &rows, &arena, &err)) {
		status = words->all ? replay_print_table(&rows, words->path, out)
				    : replay_print_answer(&rows.items[0], out);
		if (stop_wanted == STOP_INTERRUPTED)
			status = EXIT_INTERRUPTED;
		if (fflush(out) != 0) {
			err_set_errno(&err, "cannot write the answer");
			status = exits_fail_after(status, &err);
		}
		status = write_reports(words, &rows, status);
	} else {
		status = exits_fail(&err);
	}
	vec_release(&rows);
	arena_release(&arena);
	return status;
}

int cli_replay(int argc, char **argv)
{
	struct words words = {.times = 1};
	struct err err = {0};
	int status;

	if (help_asked(argc, argv, usage))
		return EXIT_NO_BUG;
	stop_catch_signals(0);
	status = parse_words(argc, argv, &words, &err) ? run_words(&words) : exits_fail(&err);
	vec_release(&words.paths);
	return status;
}
