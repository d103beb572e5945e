#include "runtime/seen.h"

#include <sys/mman.h>

#include "runtime/rt_sys.h"

enum {
	FORGOTTEN_MAX = 4096, /* bytes of a block that are forgotten one by one */
	NOTED_MAX = 1 << 20,  /* longer ranges are looked at each time */
};

_Static_assert(sizeof(((struct rt *)0)->seen) % 4096 == 0, "whole pages are given back");

void rt_seen_clear(void)
{
	rt_syscall(SYS_madvise, RT->seen, sizeof(RT->seen), MADV_DONTNEED);
}

void rt_seen_begin_again(void)
{
	struct rt_memory *memory = &RT->memory;

	rt_seen_clear();
	memory->stretch = (uint64_t)1 << RT_SEEN_SHIFT;
	for (uint32_t i = 0; i < RT_LAST_PLAINS; i++)
		memory->last[i].stretch = 0;
}

void rt_seen_forget(const void *address, size_t size)
{
	uint64_t unit = (uint64_t)address / RT_SEEN_UNIT;
	uint64_t end = ((uint64_t)address + size + RT_SEEN_UNIT - 1) / RT_SEEN_UNIT;

	if (size > FORGOTTEN_MAX) {
		rt_seen_renew();
		return;
	}
	for (; unit < end; unit++) {
		struct rt_seen *seen = rt_seen_of(unit);

		if (seen->what == (RT->memory.stretch | unit))
			seen->read = seen->written = 0;
	}
}

bool rt_seen_note_all(const void *address, size_t size, bool is_write)
{
	uint64_t at = (uint64_t)address, end = at + size;
	bool is_seen = true;

	if (size > NOTED_MAX)
		return false;
	while (at < end) {
		uint64_t unit = at / RT_SEEN_UNIT, stop = (unit + 1) * RT_SEEN_UNIT;
		uint32_t low = at % RT_SEEN_UNIT, high = stop < end ? RT_SEEN_UNIT : end - unit * RT_SEEN_UNIT;

		is_seen &= rt_seen_note_part(unit, ((1u << high) - 1) & ~((1u << low) - 1), is_write);
		at = stop;
	}
	return is_seen;
}
