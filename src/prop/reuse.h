/* reuse.h: the schedule of a larger test, for a smaller one (PULSE paper, section 6.3).
 *
 * The decisions of calls that are gone are left out, those of a call that moved to the
 * prefix go to the front, and actors are renamed with their branches. The remaining decisions
 * are followed as far as possible, in one of two ways: by their actors (REUSE_ACTORS), which
 * fits as long as each call takes as many steps as before; or by their events (REUSE_STEPS),
 * which fits as long as objects keep their names.
 */
#ifndef PROP_REUSE_H
#define PROP_REUSE_H

#include "base/vec.h"
#include "core/schedule.h"
#include "prop/candidates.h"

enum reuse_how { REUSE_ACTORS, REUSE_STEPS, REUSE_WAYS };

VEC_TYPE(decision_vec, struct decision);

/* Fills in *out (cleared first). `outcomes` are those of the larger test in `trace`. */
void reuse_decisions(const struct prop_test *larger, const struct prop_outcome *outcomes,
		     const struct trace *trace, const struct candidate *smaller, enum reuse_how how,
		     struct decision_vec *out);

#endif
