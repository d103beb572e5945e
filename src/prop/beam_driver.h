/* beam_driver.h: calls of the Erlang module fermata_prop (src/vm/erlang), which knows PropEr.
 *
 * Each call runs on the machine from its checkpoint, under the default schedule, not explored:
 *
 *     struct process *p = beam_driver_begin(&driver);     restores; arguments go on p's heap
 *     term args[] = {driver.module, beam_terms_get(&states, state, p)};
 *     switch (beam_driver_ask(&driver, "initial", args, 2, &value, err)) …
 *
 * The returned term lives until the next begin or run. Modules that a call has loaded are loaded
 * into the checkpoint before the next call, so that each is loaded once.
 */
#ifndef PROP_BEAM_DRIVER_H
#define PROP_BEAM_DRIVER_H

#include "base/strbuf.h"
#include "prop/prop.h"
#include "vm/vm.h"

enum { BEAM_DRIVER_STAND_INS = 9 };

struct beam_driver {
	term name;            /* fermata_prop */
	term module;          /* the user's */
	uint32_t modules_len; /* loaded at the checkpoint */
	const word *originals[BEAM_DRIVER_STAND_INS]; /* of PropEr */
};

/* The machine is open and at its checkpoint. Loads PropEr, fermata_prop and the module. */
bool beam_driver_open(struct beam_driver *d, const char *module, struct err *err);

/* PropEr's functions that generate and run commands become the driver's own; and back. */
void beam_driver_stand_in(struct beam_driver *d, bool on);

struct process *beam_driver_begin(struct beam_driver *d);

/* Runs fermata_prop:function and returns its result, or TERM_NONE with err. */
term beam_driver_call(struct beam_driver *d, const char *function, const term *args,
		      unsigned args_len, struct err *err);

/* The same for functions that return {yes, Value}, no, {no, Text} or {failed, Text}. `why` gets the
 * text of a no; value and why may be NULL. */
enum prop_answer beam_driver_ask(struct beam_driver *d, const char *function, const term *args,
				 unsigned args_len, term *value, struct strbuf *why,
				 struct err *err);

/* Loads into the checkpoint the modules that the last call or run has loaded. */
void beam_driver_learn(struct beam_driver *d);

#endif
