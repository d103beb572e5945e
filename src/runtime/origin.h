/* origin.h: whose code is at a site? The C and C++ libraries are not instrumented: what
 * they do to their own data, under locks and counters of their own, says nothing about
 * the program. */
#ifndef RUNTIME_ORIGIN_H
#define RUNTIME_ORIGIN_H

#include "runtime/rt.h"

enum rt_origin {
	RT_OF_PROGRAM, /* or of a library that is neither of these */
	RT_OF_LIBC,
	RT_OF_LIBSTDCXX, /* or of libgcc */
};

enum rt_origin rt_origin_of(uint64_t site);

/* Does code of the program call from there, and is a run under way? Then its accesses are noted. */
static inline bool rt_is_called_by_program(uint64_t site)
{
	return rt_running() && rt_origin_of(site) == RT_OF_PROGRAM;
}

#endif
