/* framework.h: the test frameworks of C and C++ programs: which tests a program has, and how it is
 * told to run one of them. `fermata test --gtest ./tests` explores each on its own (native_cases.h). */
#ifndef CLI_FRAMEWORK_H
#define CLI_FRAMEWORK_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "cli/option.h"

enum framework {
#define FRAMEWORK(id, name, title, list, select, variable) FRAMEWORK_##id,
#include "cli/search/framework.def"
#undef FRAMEWORK
	FRAMEWORKS
};

VEC_TYPE(case_vec, const char *);

/* The framework that the options ask for; FRAMEWORKS if they ask for none. */
enum framework framework_asked(const struct test_options *options);
const char *framework_title(enum framework framework);

/* Runs the program, outside the tool's control, so that it lists its tests, and appends their names,
 * which live in the arena. `filter` is in the framework's own words, for Check and cmocka a pattern
 * with '*'; NULL: all tests. argv ends with NULL. */
bool framework_list(enum framework framework, char **argv, const char *filter, struct arena *arena,
		    struct case_vec *cases, struct err *err);

/* The command line that runs one test, in the arena; sets the variables that the program needs. */
char **framework_select(enum framework framework, char **argv, const char *name,
			struct arena *arena);

#endif
