/* thrown.h: the end of a program that calls abort(): by itself, or because an exception of
 * C++ is not caught. */
#ifndef RUNTIME_CALLS_THROWN_H
#define RUNTIME_CALLS_THROWN_H

#include <stdint.h>

/* abort() was called at `site`. Ends the run with a message that names the exception, if there is
 * one, and with the place in the program that threw it. */
_Noreturn void rt_thrown_end(uint64_t site);

#endif
