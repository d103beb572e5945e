/* session.h: one `fermata test`, from target to report: explores, explains and saves
 * each finding as it is confirmed, shows progress, writes the reports, and says which
 * exit status it deserves. The target is already there; this part does not know which. */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include <jansson.h>
#include <signal.h>

#include "cli/option.h"
#include "report/report.h"
#include "target/target.h"

/* Exit statuses, promised to scripts. */
enum {
	EXIT_NO_BUG = 0,
	EXIT_BUG = 1,
	EXIT_USAGE = 2,
	EXIT_NOT_PROVED = 3,
	EXIT_LOST = 4,
};

struct session {
	const struct test_options *options;
	const char *target_name; /* "native" or "beam" */
	const char *program;     /* what was tested, as the user named it */
	json_t *setup;           /* borrowed: all that replay needs to make the target again */
	const char *note;        /* said once before the verdict; NULL none */
	const char *name;        /* of one test of several: in front of its verdict; else NULL */
	FILE *collect;           /* the JSON report goes here, not to --json; else NULL */
};

/* The exit status a verdict deserves. */
int session_exit_status(enum report_verdict verdict, const struct test_options *options);

/* Writes a report as --json asks, if it does; the exit status becomes session_fail's if it
 * cannot be written. */
int session_write_json(const struct report *report, const struct test_options *options, int status);

/* The lines of a text (without empty ones) as strings in the arena; returns how many. */
uint32_t session_split_lines(struct arena *arena, const char *text, const char **lines,
			     uint32_t max);

/* Returns the exit status. Frees nothing of its arguments. */
int session_run(struct session *session, struct target *target);

/* Saves a finding that was just put into words and sets words->path, which the arena owns. */
struct arena;
struct found;
struct report_finding;
bool session_save(const struct session *session, struct target *target, const struct found *found,
		  struct report_finding *words, struct arena *arena, struct err *err);

/* Without --levels there are as many as limits; the last limit holds for further levels. */
struct strategy_params;
void session_set_levels(struct strategy_params *params, const struct test_options *options);

/* What was assumed (enum trace_assumed), in words; room for ASSUMPTIONS_MAX. Returns how many. */
enum { ASSUMPTIONS_MAX = 12 };
uint32_t session_list_assumptions(uint32_t assumed, const char **texts);

/* Set by SIGINT and SIGTERM once session_catch_signals was called, and by --max-time. */
extern volatile sig_atomic_t session_stop;
void session_catch_signals(double max_seconds);

/* The one clear line for an error, and the exit status for it. */
int session_fail(const struct err *err);

#endif
