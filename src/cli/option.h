/* option.h: the options of `fermata test`, from the environment and then from the command line,
 * which has priority. The table option.def is the manual.
 *
 * `prop` and `races --confirm` take the same options and add their own. An option for another kind
 * of program or another strategy would silently do nothing, so it is refused on the command line
 * (option_check_given). In the environment it is accepted, because one environment serves many
 * commands.
 *
 * To add an option: a line in option.def, a field below, a default in option_defaults, and for a
 * CUSTOM option its parser (option.c; a choice between words is one line there).
 */
#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "strategy/strategy.h"

enum { OPTION_SIDE_EFFECTS = 64, OPTION_STEP_SECONDS = 3, OPTION_MAX = 128 };

/* As test_options.coverage: measure as many runs as cost next to nothing. */
#define COVERAGE_SOME UINT64_MAX

/* --certify was not given: proofs are certified up to a limit (session.c). */
#define OPTION_CERTIFY_DEFAULT UINT64_MAX

/* Which runs are one (--equivalence): those with the same order of dependent steps, or with the same
 * reads-from. */
enum option_equivalence { EQUIVALENCE_ORDER, EQUIVALENCE_RF };

struct test_options {
	bool given[OPTION_MAX]; /* on the command line: for each line of option.def */
	const char *strategy;
	uint64_t seed, bound, depth, burst, max_runs, max_steps, jobs, spurious, first_seed, certify;
	double max_time, step_time;
	uint32_t bound_kind; /* enum bound_kind */
	uint32_t grain;      /* enum grain */
	uint64_t levels;     /* 0: as many as there are limits */
	uint32_t limits[STRATEGY_LEVELS], limits_len;
	const char *side_effects[OPTION_SIDE_EFFECTS], *conflicts;
	uint32_t side_effects_len;
	uint32_t ignore;     /* set of finding kinds */
	uint64_t timeouts;   /* as channel_options.timeouts_ms */
	bool has_timeouts;   /* --timeouts was given */
	uint32_t restart;    /* enum channel_restart */
	uint32_t memory;     /* enum memory_model */
	uint32_t equivalence; /* enum option_equivalence */
	uint32_t observers;  /* enum observers */
	bool suggest_orders;
	bool keep_going, quiet, full, require_proof, all_plain, hash_traces, resume;
	const char *json, *junit, *sarif, *html; /* forms.h */
	const char *stats;    /* stats.h */
	const char *baseline; /* baseline.h */
	const char *suppressions; /* suppress.h */
	const char *out, *stdin_path, *otp, *setup, *start, *config, *atomic, *normal_exit;
	const char *classes;
	uint32_t exits, stuck, io, delivery; /* as in struct beam_options */
	bool after_end, no_stems, system, count_blocks, eunit, exunit, ct;
	bool gtest, catch2, doctest, check, cmocka; /* framework.h */
	const char *filter, *tag, *skip_tag;
	const char *fleet, *secret_file; /* fleet/courier.h */
	uint64_t max_memory; /* MB; 0 the default */
	bool allow_io;
	uint64_t context, train; /* of `hapset` */
	const char *hapset;
	uint32_t criterion; /* of `coverage`: enum goal_criterion, or GOAL_CRITERIA for all */
	uint64_t coverage;  /* runs to measure, or COVERAGE_SOME */
};

void option_defaults(struct test_options *options);

/* Takes FERMATA_… variables. */
bool option_read_environment(struct test_options *options, struct err *err);

/* Parses argv[*at] if it is an option and moves *at past it and its argument. False with
 * err if it is wrong. If the word is not an option, *at is unchanged and true is returned. */
bool option_parse(struct test_options *options, int argc, char **argv, int *at, struct err *err);

/* False with err if an option of the command line does not apply to such a test. Options from the
 * environment are not checked. */
bool option_check_given(const struct test_options *options, bool is_erlang, struct err *err);

/* Sets one option by its name, as if --NAME VALUE were on the command line. The value of a flag is
 * NULL. The text of the value must live as long as the options. */
bool option_set(struct test_options *options, const char *name, const char *value, struct err *err);

/* The names of all options, by index; NULL after the last. */
const char *option_name(size_t index);

/* Is the option on the command line? For commands that take the options of `test` except some. */
bool option_is_given(const struct test_options *options, const char *name);

/* The error for an option that `test` does not have, with the nearest one. Always false. */
bool option_refuse(const char *word, struct err *err);

/* A whole number up to INT64_MAX; false with err. */
bool option_parse_number(const char *name, const char *text, uint64_t *number, struct err *err);

/* Which of the choices (the last is NULL) the text is; false with err that lists them. */
bool option_parse_choice(const char *name, const char *text, const char *const *choices,
			 uint32_t *index, struct err *err);

void option_print_help(FILE *out);
/* One line of it; `argument` may be NULL. */
void option_print_line(FILE *out, const char *name, const char *argument, const char *scope,
		       const char *text);

#endif
