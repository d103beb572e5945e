/* nodes.h: for the functions of the C++ library that link the nodes of containers (lists.c, trees.c).
 *
 * They are done here only for the tested program: a library without hooks that calls them uses its own
 * containers, whose nodes are not looked at anywhere else.
 */
#ifndef FERMATA_RUNTIME_CALLS_NODES_H
#define FERMATA_RUNTIME_CALLS_NODES_H

#include "runtime/intercept.h"
#include "runtime/origin.h"
#include "runtime/rt.h"

/* The names of these functions are long, so they have short ones, which are macros: these expand them
 * before INTERCEPT_OPTIONAL and REAL make others of them. */
#define INTERCEPT_BY(ret, name, params) INTERCEPT_OPTIONAL(ret, name, params)
#define REAL_BY(name) REAL(name)

static inline bool nodes_are_ours(uint64_t site)
{
	return rt_running() && rt_origin_of(site) == RT_OF_PROGRAM;
}

#endif
