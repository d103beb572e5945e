/* setup.h: the code that is run once, not explored, before exploration begins: --config, --start,
 * --setup.
 *
 * It runs under the default schedule, in a process that stays when it is done, so that tables and
 * linked processes of the set-up live on. Work that the set-up has left (a process that it
 * spawned and that has not run yet) is explored with the test.
 *
 * --system: OTP's system processes (application_controller, kernel_sup, logger …), which otherwise
 * do what they are asked at once, are started here and from then on are processes like others.
 */
#ifndef BEAM_SETUP_H
#define BEAM_SETUP_H

#include "base/err.h"
#include "vm/vm.h"

struct setup_options {
	const char *config;   /* a sys.config; NULL none */
	const char *start;    /* applications, by commas; NULL none */
	const char *function; /* MODULE:FUNCTION; NULL none */
	bool system;          /* the system's own processes (boot.h) are there, and explored */
};

/* Whether there is anything to do. */
bool setup_is_asked(const struct setup_options *options);
/* The machine is open. False with err: it failed, and one line says how. */
bool setup_run(const struct setup_options *options, struct err *err);

/* How a run of one of our own modules ended that should have ended with VM_AT_TEST or a value:
 * "WHAT: why" into err. Returns false. */
bool setup_explain(enum vm_end end, const char *what, struct err *err);

#endif
