/* explain.h: a finding in words: asks the target what its sites and objects are called
 * and fills in the plain structs that reports are written from. */
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
