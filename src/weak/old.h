/* old.h: samplers under a weak memory model.
 *
 * A sampler chooses who goes next and knows nothing of values: in its runs each load reads the last
 * write. old_values() puts a strategy around it. After each run of the sampler, some runs follow that
 * begin like the run before and then let one load read an older write that the memory model allows
 * there, or place one store earlier in modification order; the rest is again up to the sampler:
 *
 *	run of the sampler   T1: x = 1, y = 1   T2: r = y (1), s = x (1)
 *	next run             T1: x = 1, y = 1   T2: r = y (1), s = x (0), …
 *
 * Each of these runs changes a later step than the one before, so a run may have several old values.
 * The oldest write that may be read is the most likely.
 */
#ifndef WEAK_OLD_H
#define WEAK_OLD_H

#include "strategy/strategy.h"

/* Takes the sampler and returns a new strategy. */
struct strategy *old_values(struct strategy *sampler, const struct strategy_params *params);

#endif
