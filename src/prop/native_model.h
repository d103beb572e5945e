/* native_model.h: the back end for C and C++ programs that use fermata/model.h.
 *
 * The user's generators, steps and calls are in the program. To ask one of them, the tool writes
 * a request into memory shared with the program and lets it run once. So a question costs as
 * much as a run (some microseconds), a crash in a generator is an answer like any other, and
 * changing the test costs nothing: the same process serves all tests.
 *
 * A model without steps is compared with itself: a state is then the sequence of calls made so
 * far, and the allowed result of a call is the one it has when that sequence runs alone.
 */
#ifndef PROP_NATIVE_MODEL_H
#define PROP_NATIVE_MODEL_H

#include "prop/prop.h"

/* Takes the target (also when it fails: NULL with err). `program` is its name for messages;
 * borrowed. */
struct model *native_model_create(struct target *target, const char *program, struct err *err);

#endif
