/* functions.h: the known effects of a library function, by its name.
 *
 * The rows are in functions.def; runtime/intercept.def adds the functions whose place the
 * runtime takes. A function in neither table is not known, and a program that calls it is
 * not proved. The compiler wrapper asks at link time, to put a stand-in before each function with
 * effects (cc_stub.h); the tool asks, too, so that it can name the functions that no stand-in
 * covers.
 */
#ifndef NATIVE_FUNCTIONS_H
#define NATIVE_FUNCTIONS_H

#include <stdbool.h>

struct function {
	const char *pattern;  /* of the row */
	const char *effects;  /* functions.def says in which words */
	bool is_intercepted;  /* the runtime has a function of that name */
};

/* The row of the name; NULL if it has none. */
const struct function *function_find(const char *name);

/* Does a call of the function need a stand-in that reports it to the runtime? */
bool function_needs_stub(const struct function *function);

/* Is it in the table as one that is not modelled? */
bool function_is_unknown(const struct function *function);

#endif
