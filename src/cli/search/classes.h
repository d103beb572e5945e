/* classes.h: the class of every explored run, written to a file (--classes FILE).
 *
 * To test the search itself: on a small program `dfs` and `dpor` must show the same
 * set of classes (core/class.h). One line per run that was not cut: its class, how it ended, and
 * its steps as actor:kind. When the search begins anew, so does the file.
 */
#ifndef CLI_CLASSES_H
#define CLI_CLASSES_H

#include "base/err.h"
#include "base/strbuf.h"
#include "core/trace.h"

struct classes {
	const char *path; /* borrowed; NULL: the option was not given */
	struct strbuf text;
};

void classes_start(struct classes *classes, const char *path);

/* Adds a run. NULL: the search begins anew. */
void classes_add(struct classes *classes, const struct trace *trace);

/* Writes the file. False with err if it cannot be written. */
bool classes_finish(struct classes *classes, struct err *err);

#endif
