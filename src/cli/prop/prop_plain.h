/* prop_plain.h: one plain PropEr property (prop/beam_plain.h), from its tests to the report.
 *
 * The tests that pass and the shrinking are many small explorations, which nobody wants to see one by
 * one: they have one progress line, one --stats file and one set of curves. The smallest instance that
 * fails is explored once more, as `fermata test` would do it, and that is the finding. */
#ifndef CLI_PROP_PLAIN_H
#define CLI_PROP_PLAIN_H

#include "cli/prop/prop_session.h"
#include "prop/beam_driver.h"

/* Returns the exit status. `target` and `driver` are borrowed. */
int prop_plain_run(struct prop_session *session, struct target *target, struct beam_driver *driver,
		   const char *module, const char *property);

#endif
