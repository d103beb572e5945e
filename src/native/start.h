/* start.h: the child process becomes the tested program: environment, arguments, descriptors, limits.
 */
#ifndef NATIVE_START_H
#define NATIVE_START_H

#include "native/program.h"

/* In the child that program_start() forked. If the program cannot be started, the child ends with
 * status 127, and the message in the channel says why, if it is known. */
_Noreturn void start_program(struct program *program, pid_t tool);

#endif
