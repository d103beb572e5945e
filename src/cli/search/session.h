/* session.h: one `fermata test`, from target to report: explores, puts each finding into words and
 * saves it as it is confirmed, shows progress (progress.h) and writes the report (verdict.h). The
 * caller made the target, so that this part works for C programs and Erlang functions alike. */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include <jansson.h>

#include "cli/option.h"
#include "report/report.h"
#include "target/target.h"

struct stats;

struct session {
	const struct test_options *options;
	const char *target_name; /* "native" or "beam" */
	const char *program;     /* the tested program, as the user named it */
	json_t *setup;           /* borrowed: all that replay needs to make the target again */
	const char *note;        /* printed once before the report; or NULL */
	const char *name;        /* of one test of several: in front of its verdict; else NULL */
	bool is_beside;          /* other tests run at the same time: no progress is shown */
	FILE *collect;           /* the JSON report goes here, not to --json; else NULL */
	const char *strategy;    /* for the finding's file; NULL: that of the options */
	double started;          /* when the time of the test began; 0: when the search begins */
	const struct stats *stats; /* of the search while it runs: a finding keeps them; or NULL */
	const json_t *history;   /* of the search around this one (a property's); NULL: its own */
	const struct save_taken *taken; /* findings of this run that are saved already; or NULL */
};

/* Returns the exit status. Frees nothing of its arguments. */
int session_run(struct session *session, struct target *target);

/* For a session whose target could not be made, with the reason in `err`. Reports that control was
 * lost, or that the user interrupted the tool, in all formats that session_run() would write. Wrong
 * usage and bad input are one line on stderr. Returns the exit status. */
int session_not_begun(struct session *session, const struct err *err);

/* Saves a finding that was just put into words, with what `target` has learned about the program,
 * and sets words->path, which the arena owns. */
struct arena;
struct found;
bool session_save(const struct session *session, struct target *target, const struct found *found,
		  struct report_finding *words, struct arena *arena, struct err *err);

/* Sets levels and limits: without --levels there are as many levels as --limits has numbers; the
 * last limit holds for further levels. */
void session_set_levels(struct strategy_params *params, const struct test_options *options);

/* The parameters of the strategy that the options ask for. */
struct strategy_params session_params(const struct test_options *options);

#endif
