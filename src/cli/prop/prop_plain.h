/* prop_plain.h: one plain PropEr property (prop/beam_plain.h), from its tests to the report.
 *
 * The tests that pass and the shrinking are many small explorations, which no reader wants to see
 * one by one: they have one progress line, one --stats file and one set of curves. The smallest
 * instance that fails is explored once more, as `fermata test` would do it, and that is the
 * finding. */
#ifndef CLI_PROP_PLAIN_H
#define CLI_PROP_PLAIN_H

#include "cli/prop/prop_session.h"
#include "prop/beam_driver.h"

/* Returns the exit status. `target` and `driver` are borrowed. is_sequential: the property is of a state
 * machine and makes its calls one after the other; the verdict says so. */
int prop_plain_run(struct prop_session *session, struct target *target, struct beam_driver *driver,
		   const char *module, const char *property, bool is_sequential);

#endif
