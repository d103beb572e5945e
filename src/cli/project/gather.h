/* gather.h: the reports of several tests put together into one: sums, counts by verdict, the verdict
 * over all, and the files that the options ask for. Used by the suites of `fermata test` and by
 * `fermata run`. Each test was explored in a child process, which returned its JSON report. */
#ifndef CLI_GATHER_H
#define CLI_GATHER_H

#include <jansson.h>

#include "base/arena.h"
#include "base/vec.h"
#include "cli/option.h"
#include "report/report.h"

struct gather {
	struct arena arena;
	VEC(struct report_finding) findings;
	json_t *tests;       /* array of their reports */
	json_t *assumptions; /* of all, each once */
	uint64_t executions, sampled, blocked, spins, steps, peak_rss_kb;
	double cpu_seconds;
	uint32_t counts[REPORT_VERDICTS];
	uint32_t certified;  /* tests whose proof is certified */
	uint32_t incomplete; /* tests whose schedules were not all explored */
	uint32_t broken;     /* tests that could not be run */
	uint32_t skipped;    /* tests that are not to be run, as they say themselves */
	uint32_t unmet;      /* tests that did not end as their file expects */
	uint32_t remembered; /* tests that were not run, because nothing has changed */
	uint32_t declared_line; /* of the run file: names the test whose reports are added; 0: none */
	uint32_t not_reached;   /* tests that were not begun when the run was interrupted */
};

void gather_init(struct gather *gather);
void gather_release(struct gather *gather);

/* Adds the report of a test, which gets the name. Takes the report. */
void gather_add(struct gather *gather, const char *name, json_t *report);

/* Adds a test by the answer of the child that explored it: its report, or the reason (child_fail)
 * for which there is none. Releases the text. */
struct child_answer;
void gather_take(struct gather *gather, const char *name, struct child_answer *answer);

/* Adds a test that is not to be run. */
void gather_add_skipped(struct gather *gather, const char *name, const char *reason);

/* Adds a test that could not be run. */
void gather_add_broken(struct gather *gather, const char *name, const char *reason);

/* Prints the counts and the verdict line, writes the forms, returns the exit status: of a bug, else
 * of lost control, else of a test that could not be run, else of an expectation that was not met. */
int gather_finish(struct gather *gather, const struct test_options *options, const char *program,
		  double seconds);

#endif
