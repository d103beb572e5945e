/* runfile.h: fermata.toml: the tests of a project, with their options and what is expected of them.
 *
 *     budget = 60                          # seconds for all tests together
 *
 *     [options]                            # of every test, by the names of `fermata test`
 *     baseline = "fermata.baseline"
 *
 *     [[test]]
 *     name = "queue"
 *     program = ["build/queue_test", "3"]  # or: function, eunit, exunit, ct
 *     expect = "proved"                    # or "bug"; without it: no bug
 *     ignore = ["leak"]
 *
 * docs/run-file.md is the manual. Options come from the defaults, the environment, [options], the
 * [[test]] and the command line; the later one wins. Every wrong line is refused with its number.
 */
#ifndef CLI_RUNFILE_H
#define CLI_RUNFILE_H

#include "base/arena.h"
#include "base/vec.h"
#include "cli/option.h"
#include "cli/project/toml.h"

enum run_kind { RUN_PROGRAM, RUN_FUNCTION, RUN_EUNIT, RUN_EXUNIT, RUN_CT, RUN_KINDS };
enum run_expect { EXPECT_NO_BUG, EXPECT_PROVED, EXPECT_BUG };

struct run_test {
	const char *name;
	unsigned line;
	enum run_kind kind;
	char **words;             /* program and arguments, or function, or modules; NULL at the end */
	const char *const *paths; /* -pa folders; NULL at the end */
	enum run_expect expect;
	struct test_options options;
	uint64_t hash; /* of all that the file and the command line say that could change a result */
};

struct runfile {
	const char *path;
	double budget;               /* seconds; 0: no limit */
	struct test_options options; /* for the report over all tests */
	VEC(struct run_test) tests;
	struct arena arena;
	struct toml_entry_vec entries;
};

/* Reads and checks all of it. The words of the command line are options of `fermata test`; they have
 * been checked to be such. False with err. */
bool runfile_read(struct runfile *file, const char *path, int argc, char **argv, struct err *err);
void runfile_release(struct runfile *file);

/* The word of the kind in the file: "program". */
const char *runfile_kind_text(enum run_kind kind);

#endif
