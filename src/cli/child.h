/* child.h: work done in a process of its own, which hands a text back through a pipe.
 *
 * There is one Erlang machine per OS process, and a machine that was opened stays as it is; so
 * whoever needs several of them asks children, one after the other.
 */
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

#include <stdio.h>

#include "base/err.h"
#include "base/strbuf.h"

/* What a child wrote, and the exit status it ended with. */
struct child_answer {
	struct strbuf text;
	int status;
};

/* Runs in the child; what it returns is the exit status. */
typedef int child_work(void *ctx, FILE *out);

/* False with err if no child could be started. The caller releases the text. */
bool child_ask(child_work *work, void *ctx, struct child_answer *answer, struct err *err);

#endif
