#include "runtime/waiter_pool.h"

/* std::__detail::__waiter_pool_base::_S_for(void const*)::__w: of each pool the count, and in the
 * next cache line the number that stands for objects that are not of four bytes. */
#define POOLS _ZZNSt8__detail18__waiter_pool_base6_S_forEPKvE3__w

enum { POOLS_LEN = 16, LINE = 64 };

struct pool {
	uint32_t count __attribute__((aligned(LINE)));
	uint32_t version __attribute__((aligned(LINE)));
};

extern struct pool POOLS[POOLS_LEN] __attribute__((weak, visibility("default")));

bool rt_is_waiter_count(const volatile void *address)
{
	uintptr_t offset = (uintptr_t)address - (uintptr_t)POOLS;

	return POOLS && offset < sizeof(POOLS) && offset % sizeof(POOLS[0]) == 0;
}
