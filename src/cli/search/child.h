/* child.h: work done in a child process, which returns a text through a pipe.
 *
 * There is one Erlang machine per OS process, and it cannot be opened a second time. A command
 * that needs several machines therefore starts children, one after the other.
 */
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

#include <stdio.h>

#include "base/err.h"
#include "base/strbuf.h"

/* The text that a child wrote, and its exit status. */
struct child_answer {
	struct strbuf text;
	int status;
};

/* Runs in the child and returns its exit status. */
typedef int child_work(void *ctx, FILE *out);

/* False with err if no child could be started. The caller releases the text. */
bool child_ask(child_work *work, void *ctx, struct child_answer *answer, struct err *err);

/* The end of a child that cannot do its work: prints the reason, and writes it to `out` (if that is
 * not NULL) as an object with this one key, for the reports of the parent. Returns the exit status. */
#define CHILD_FAILED "failed"
int child_fail(FILE *out, const struct err *err);

#endif
