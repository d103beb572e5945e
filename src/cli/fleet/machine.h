/* machine.h: is a worker's machine like that of the coordinator?
 *
 * A part of a search means the same on another machine only if the program runs there as it does
 * here. jobs_state.h checks that by runs. The facts here are checked before, because they give a
 * reason that a person can act upon: "OTP 25.2.3 is installed, the coordinator has 26.0".
 *
 *   tool        the executable, and the library that is loaded into programs
 *   processor   the features by which the C library chooses its functions
 *   libraries   each shared library that the loader would load, by content
 *   otp         its version, and the modules of kernel and stdlib, by content
 */
#ifndef CLI_FLEET_MACHINE_H
#define CLI_FLEET_MACHINE_H

#include <jansson.h>

#include "base/err.h"

/* The facts of this machine that do not depend on the program (a new object). */
json_t *machine_facts(void);

/* The shared libraries of a program: {"/lib/…/libc.so.6": "a hash", …}. NULL with err. */
json_t *machine_libraries(const char *program, struct err *err);

/* Of the OTP that the machine of this process has loaded. */
json_t *machine_otp(void);

/* Is everything here as it was there? False with err, which names the first difference. */
bool machine_compare_facts(const json_t *here, const json_t *there, struct err *err);
bool machine_compare_libraries(const json_t *here, const json_t *there, struct err *err);
bool machine_compare_otp(const json_t *here, const json_t *there, struct err *err);

#endif
