#include "native/functions.h"

#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

static const struct function rows[] = {
#define INTERCEPTED(name, ...) {#name, "", true},
#include "runtime/intercept.def"
#undef INTERCEPTED
#define FUNCTION(pattern, effects) {pattern, effects, false},
#define MATH(root) {"=" root, "", false},
#include "native/functions.def"
#undef FUNCTION
#undef MATH
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* A row of the mathematics library stands for all floating-point types. */
static bool fits_math(const char *root, const char *name)
{
	static const char *const suffixes[] = {"", "f", "l", "f32", "f64", "f128", "f32x", "f64x"};
	size_t len = strlen(root);

	if (strncmp(root, name, len) != 0)
		return false;
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (strcmp(suffixes[i], name + len) == 0)
			return true;
	return false;
}

static bool fits(const char *pattern, const char *name)
{
	if (pattern[0] == '=')
		return fits_math(pattern + 1, name);
	if (pattern[0] != name[0] && pattern[0] != '*')
		return false;
	if (!strpbrk(pattern, "*["))
		return strcmp(pattern, name) == 0;
	return fnmatch(pattern, name, 0) == 0;
}

const struct function *function_find(const char *name)
{
	for (size_t i = 0; i < ROWS; i++)
		if (fits(rows[i].pattern, name))
			return &rows[i];
	return NULL;
}

bool function_needs_stub(const struct function *function)
{
	return !function || (function->effects[0] && strcmp(function->effects, "-") != 0);
}

bool function_is_unknown(const struct function *function)
{
	return !function || strchr(function->effects, '?') != NULL;
}
