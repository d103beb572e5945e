/* native_model.h: the back end for C and C++ programs that use fermata/model.h.
 *
 * The user's generators, steps and calls are in the program; we ask by writing into the
 * memory it shares with us and letting it run once. So a question costs as much as a run
 * (some microseconds), a crash in a generator is an answer like any other, and changing the
 * test costs nothing: the same process serves all tests.
 *
 * A model without steps is compared with itself: a state is then the sequence of calls made
 * so far, and what a call may return is what it does return when that sequence runs alone.
 */
#ifndef PROP_NATIVE_MODEL_H
#define PROP_NATIVE_MODEL_H

#include "prop/prop.h"

/* Takes the target (also when it fails: NULL with err). `program` is its name for messages;
 * borrowed. */
struct model *native_model_create(struct target *target, const char *program, struct err *err);

#endif
