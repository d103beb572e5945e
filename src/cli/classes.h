/* classes.h: the class of every explored run, written to a file (--classes FILE).
 *
 * For those who test the search itself: on a small program `dfs` and `dpor` must show the same
 * set of classes (core/class.h). One line per run that was not cut: its class, how it ended, and
 * its steps as actor:kind. When the search begins anew, so does the file.
 */
#ifndef CLI_CLASSES_H
#define CLI_CLASSES_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "core/trace.h"

struct classes {
	FILE *file; /* NULL: nobody asks */
};

/* path NULL: does nothing. */
bool classes_start(struct classes *classes, const char *path, struct err *err);

/* NULL: all begins anew. */
void classes_add(struct classes *classes, const struct trace *trace);

/* False with err if something could not be written. */
bool classes_finish(struct classes *classes, struct err *err);

#endif
