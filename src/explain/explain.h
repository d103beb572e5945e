/* explain.h: puts a finding into words. It asks the target for the names of sites and objects and
 * fills in the plain structs that reports are written from.
 *
 * The choices for the reader are made here, not in the target. A step is shown at the line of the
 * user's own code, even if it happened inside a library. A call stack ends where the user's code
 * begins. The plain accesses of a race stand between the steps around them. In a deadlock every
 * waiting actor is shown. The target describes a step if it can (target->describe_step); otherwise
 * the step is described by its kind and its first object.
 */
#ifndef EXPLAIN_EXPLAIN_H
#define EXPLAIN_EXPLAIN_H

#include "base/arena.h"
#include "explore/explore.h"
#include "report/report.h"

/* Right after the target ran the finding's schedule with stacks recorded. Everything in
 * *out lives in the arena. */
void explain_finding(struct target *target, const struct found *found, struct arena *arena,
		     struct report_finding *out);

/* The same for a run that need not show a finding: its actors, steps and output, without a sentence.
 * `trace` is that of the run, or a copy of it. */
void explain_run(struct target *target, const struct trace *trace, struct arena *arena,
		 struct report_finding *out);

#endif
