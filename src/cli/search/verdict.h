/* verdict.h: from the numbers of a search to what the user reads: verdict, assumptions, warnings,
 * exit status; and writing the report to the terminal (files: forms.h). Shared by `test`, `prop`,
 * the tests of a suite and `races --confirm`. */
#ifndef CLI_VERDICT_H
#define CLI_VERDICT_H

#include "base/arena.h"
#include "cli/option.h"
#include "explore/explore.h"
#include "report/report.h"

/* Fills in verdict, complete and reason. The report has its findings already. */
void verdict_decide(struct report *report, const struct explore_result *result,
		   const struct target_facts *facts, struct arena *arena);

/* The verdict of a search that cannot be a proof. */
enum report_verdict verdict_of_samples(bool is_found, uint64_t runs);

/* The exit status for a report with its verdict. With known findings only, --require-proof wants
 * that all schedules were explored. */
int verdict_status(const struct report *report, const struct test_options *options);

/* The assumptions (set of enum trace_assumed) in words, and that the kinds which --ignore names do not
 * count. Returns how many. */
uint32_t verdict_list_assumptions_and_ignored(uint64_t assumed, const struct test_options *options,
					      struct arena *arena,
					      const char *texts[ASSUMPTIONS_MAX]);

/* The lines of a text (without empty ones) as strings in the arena; returns how many. */
uint32_t verdict_split_lines(struct arena *arena, const char *text, const char **lines,
			     uint32_t max);

/* Where text for people goes: stdout, or stderr if a form (forms.h) took stdout. */
FILE *verdict_stream(const struct test_options *options);

/* Prints the report, or with --quiet its verdict line. `name`: of one test of several, in front
 * of its verdict; else NULL. If stdout cannot be written, the verdict line goes to stderr. Returns
 * `status`, or the status of a failed write where that is worse. */
int verdict_print(struct report *report, const struct test_options *options, const char *name,
		  struct arena *arena, int status);

#endif
