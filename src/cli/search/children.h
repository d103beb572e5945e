/* children.h: several children (child.h) at a time, whose answers are taken in the order in which
 * they were started. The output of a child is held back until its answer is taken, so the output is
 * that of children which ran one after the other.
 *
 *     struct children all = {.max = 4};
 *
 *     while (… there is work …)
 *             children_start(&all, work, ctx, &err);    waits while four are running
 *     while (children_take(&all, &answer, &ctx))
 *             … answer …
 *     children_release(&all);
 */
#ifndef CLI_CHILDREN_H
#define CLI_CHILDREN_H

#include <sys/types.h>

#include "base/vec.h"
#include "cli/option.h"
#include "cli/search/child.h"

struct one_child {
	pid_t pid;
	int fd;           /* to read its answer from; -1: it has ended */
	int printed[2];   /* files with what it has printed: stdout, stderr */
	void *ctx;
	bool is_passed_on; /* it knows of an interruption */
	struct child_answer answer;
};

struct children {
	uint32_t max;
	VEC(struct one_child) all;
	size_t taken;
};

/* How many tests of a suite may run at a time: one, if they change the world (--allow-io) or if each
 * begins with what the tests before it have learned (--hapset). */
uint32_t children_max(const struct test_options *options);

/* `ctx` stays valid until its answer is taken. False with err if no child could be started. */
bool children_start(struct children *children, child_work *work, void *ctx, struct err *err);

/* Waits for the first child whose answer was not taken and prints what it has printed. False: there
 * is none. The caller releases the text. */
bool children_take(struct children *children, struct child_answer *answer, void **ctx);

void children_release(struct children *children);

#endif
