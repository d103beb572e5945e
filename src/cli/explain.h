/* explain.h: a finding in words: asks the target what its sites and objects are called
 * and fills in the plain structs that reports are written from.
 *
 * What a reader wants to see decides here, not in the target: a step is shown where the user's
 * own code made it, whatever library it was inside; a stack ends where that code begins; the
 * plain accesses of a race stand between the steps they happened between; of a run that is stuck
 * everybody who waits is shown. The steps themselves are told by the target if it has words for
 * them (target->describe_step), else by their kind and first object.
 */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include "base/arena.h"
#include "explore/explore.h"
#include "report/report.h"

/* Right after the target ran the finding's schedule with stacks recorded. Everything in
 * *out lives in the arena. */
void explain_finding(struct target *target, const struct found *found, struct arena *arena,
		     struct report_finding *out);

#endif
