/* users.h: a set of threads in one word, such as the threads that have used a descriptor. Threads behind the
 * first 63 share a bit. A caller that compares two threads must take that bit for several. */
#ifndef RUNTIME_CALLS_USERS_H
#define RUNTIME_CALLS_USERS_H

#include <stdint.h>

enum { RT_USERS_BITS = 64 };

static inline uint64_t rt_users_bit(uint32_t actor)
{
	return 1ull << (actor < RT_USERS_BITS - 1 ? actor : RT_USERS_BITS - 1);
}

#endif
