/* beam_look.h: the state machine or the properties of an Erlang module, and the set-ups of its
 * tests.
 *
 * A module is a state machine with one or more set-ups, or it has properties that are run
 * unchanged. The set-up of a state machine can be a property of the module. Then properties have to be
 * evaluated to find it, and their code may start processes and register names; so each is evaluated on
 * a machine that is fresh from its checkpoint.
 */
#ifndef PROP_BEAM_LOOK_H
#define PROP_BEAM_LOOK_H

#include "prop/beam_driver.h"
#include "prop/beam_terms.h"

struct beam_look {
	struct beam_terms hows;  /* the set-ups of a state machine; tests take turns with them */
	VEC(term) properties;    /* names of properties, if there are no set-ups */
};

/* The driver is open, with the stand-ins. False with err if there is nothing to test, or if a state
 * machine has properties, but none of them is about its commands. */
bool beam_look(struct beam_look *look, struct beam_driver *d, struct err *err);
void beam_look_release(struct beam_look *look);

/* Does the property, run unchanged, make its commands in one process, one after the other? Asked
 * with the stand-ins. */
bool beam_look_is_sequential(struct beam_driver *d, term property);

#endif
