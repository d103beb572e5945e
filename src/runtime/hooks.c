/* hooks.c: the calls that -fsanitize=thread puts before plain memory accesses.
 * gcc and clang use different subsets; see facts in docs/architecture.md. */
#include "runtime/rt.h"
#include "runtime/rt_sys.h"
#include "runtime/seen.h"

#define HOOK(name, params) \
	__attribute__((visibility("default"))) void name params; \
	void name params

/* Nearly every call ends after a few instructions, for which no frame is made: the rest is a function of its own, to
 * which the hook jumps. So its caller is that of the hook. */
#define LONG_WAY(name, size, is_write) \
	static __attribute__((noinline)) void name(void *address) \
	{ \
		rt_plain_noted(address, size, is_write, RT_SITE); \
		rt_leave_no_trace(); \
	}

#define ACCESS_HOOK(name, size, is_write, passes) \
	HOOK(name, (void *address)) \
	{ \
		if (rt_present && !passes(address, size, is_write)) \
			long_way_##is_write##_##size(address); \
		else \
			rt_leave_no_trace(); \
	}

#define ACCESS_HOOKS_WITH(prefix, size, passes) \
	ACCESS_HOOK(__tsan_##prefix##read##size, size, false, passes) \
	ACCESS_HOOK(__tsan_##prefix##write##size, size, true, passes) \
	/* One hook before a read and a write: the write is what others can notice. */ \
	ACCESS_HOOK(__tsan_##prefix##read_write##size, size, true, passes)

#define ACCESS_HOOKS(prefix, size) ACCESS_HOOKS_WITH(prefix, size, rt_seen_passes)
#define UNALIGNED_HOOKS(prefix, size) ACCESS_HOOKS_WITH(prefix, size, rt_seen_passes_unaligned)

#define LONG_WAYS(size) LONG_WAY(long_way_false_##size, size, false) LONG_WAY(long_way_true_##size, size, true)

LONG_WAYS(1)
LONG_WAYS(2)
LONG_WAYS(4)
LONG_WAYS(8)
LONG_WAYS(16)

ACCESS_HOOKS(, 1)
ACCESS_HOOKS(, 2)
ACCESS_HOOKS(, 4)
ACCESS_HOOKS(, 8)
ACCESS_HOOKS(, 16)
UNALIGNED_HOOKS(unaligned_, 2)
UNALIGNED_HOOKS(unaligned_, 4)
UNALIGNED_HOOKS(unaligned_, 8)
UNALIGNED_HOOKS(unaligned_, 16)
ACCESS_HOOKS(volatile_, 1)
ACCESS_HOOKS(volatile_, 2)
ACCESS_HOOKS(volatile_, 4)
ACCESS_HOOKS(volatile_, 8)
ACCESS_HOOKS(volatile_, 16)
UNALIGNED_HOOKS(unaligned_volatile_, 2)
UNALIGNED_HOOKS(unaligned_volatile_, 4)
UNALIGNED_HOOKS(unaligned_volatile_, 8)
UNALIGNED_HOOKS(unaligned_volatile_, 16)

HOOK(__tsan_read_range, (void *address, unsigned long size))
{
	rt_plain(address, size, false, RT_SITE);
}

HOOK(__tsan_write_range, (void *address, unsigned long size))
{
	rt_plain(address, size, true, RT_SITE);
}

HOOK(__tsan_vptr_read, (void **address))
{
	rt_plain(address, sizeof(*address), false, RT_SITE);
}

/* A destructor writes the table pointer that is there already: no change, no race. */
HOOK(__tsan_vptr_update, (void **address, void *value))
{
	if (*address != value)
		rt_plain(address, sizeof(*address), true, RT_SITE);
}

HOOK(__tsan_init, (void))
{
	rt_hook_exit();
}

HOOK(__tsan_func_entry, (void *caller))
{
}

HOOK(__tsan_func_exit, (void))
{
}

#define EXPORTED __attribute__((visibility("default")))

EXPORTED void *__tsan_memcpy(void *to, const void *from, size_t size);
EXPORTED void *__tsan_memmove(void *to, const void *from, size_t size);
EXPORTED void *__tsan_memset(void *to, int byte, size_t size);

void *__tsan_memcpy(void *to, const void *from, size_t size)
{
	rt_plain(from, size, false, RT_SITE);
	rt_plain(to, size, true, RT_SITE);
	rt_memcpy(to, from, size);
	return to;
}

void *__tsan_memmove(void *to, const void *from, size_t size)
{
	rt_plain(from, size, false, RT_SITE);
	rt_plain(to, size, true, RT_SITE);
	rt_memmove(to, from, size);
	return to;
}

void *__tsan_memset(void *to, int byte, size_t size)
{
	rt_plain(to, size, true, RT_SITE);
	rt_memset(to, byte, size);
	return to;
}
