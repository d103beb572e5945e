/* beam_model.h: a module with PropEr's state-machine callbacks as a model (prop.h).
 *
 * The callbacks run on our VM through fermata_prop (beam_driver.h), between the runs of the
 * target and unexplored. A run of a test: the machine goes back to its checkpoint. The user's
 * set-up and the calls of the prefix run unexplored under the default schedule. Then the
 * branches run under the schedule, together with the processes that the prefix has started. The
 * results of the calls are reported as notes (vm/bifs/notes.h).
 *
 * The value of a call holds its arguments and its result, so that the model can check it without
 * other information.
 */
#ifndef PROP_BEAM_MODEL_H
#define PROP_BEAM_MODEL_H

#include "beam/target.h"
#include "prop/beam_driver.h"
#include "prop/beam_terms.h"
#include "prop/prop.h"

/* Takes over `driver`, which is open on `target` (a BEAM target without a function; owned from
 * now on). `hows` are the set-ups of the module; they are copied. */
struct model *beam_model_create(struct target *target, const struct beam_driver *driver,
				const struct beam_terms *hows);

#endif
