/* malloc.c: the allocation calls of libc on top of heap.c. C++ new and delete come
 * through them. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "core/finding.h"
#include "runtime/calls/arguments.h"
#include "runtime/heap.h"
#include "runtime/intercept.h"
#include "runtime/rt_sys.h"

/* libc's own, under the names that need no lookup: the lookup may allocate. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t align, size_t size);
extern void __libc_free(void *block);

enum { PAGE = 4096 };

static void *check_memory(void *block)
{
	if (!block)
		errno = ENOMEM;
	return block;
}

static bool is_power_of_two(size_t n)
{
	return n && !(n & (n - 1));
}

/* Can a pointer that is not from our heap come from libc's? Not if it points into a
 * stack or a module. */
static bool may_be_libc_block(const void *address)
{
	const struct channel *channel = RT->channel;
	uint64_t at = (uint64_t)address;

	for (uint32_t i = 0; i < RT->actors_high; i++)
		if ((char *)address >= RT->actors[i].stack_low &&
		    (char *)address < RT->actors[i].stack_high)
			return false;
	for (uint32_t m = 0; m < channel->modules_len; m++)
		if (at >= channel->modules[m].start && at < channel->modules[m].end)
			return false;
	return true;
}

static void give_back(void *block, uint64_t site)
{
	if (!rt_active()) {
		if (!rt_heap_has(block))
			__libc_free(block);
	} else if (rt_heap_has(block)) {
		rt_heap_free(block, site);
	} else if (may_be_libc_block(block)) {
		__libc_free(block);
	} else {
		rt_notice(FINDING_MEMORY, site, OBJECT(OBJECT_MEMORY, rt_name(block)), 0,
			  "free of an address that no allocation returned");
	}
}

static size_t usable_size(void *block)
{
	if (rt_present && rt_heap_has(block))
		return rt_heap_size(block);
	return REAL(malloc_usable_size)(block);
}

INTERCEPT(void *, malloc, (size_t size))
{
	if (!rt_active())
		return __libc_malloc(size);
	return check_memory(rt_heap_alloc(size, 0, RT_SITE));
}

INTERCEPT(void, free, (void *block))
{
	int saved = errno;

	if (!block)
		return;
	give_back(block, RT_SITE);
	errno = saved;
}

#if __GLIBC_PREREQ(2, 43)
/* C23: the caller repeats the size, which the allocator may trust and need not. */
INTERCEPT(void, free_sized, (void *block, size_t size))
{
	int saved = errno;

	if (!block)
		return;
	give_back(block, RT_SITE);
	errno = saved;
}

INTERCEPT(void, free_aligned_sized, (void *block, size_t alignment, size_t size))
{
	int saved = errno;

	if (!block)
		return;
	give_back(block, RT_SITE);
	errno = saved;
}
#endif

static void *allocate_zeroed(size_t count, size_t size, uint64_t site)
{
	size_t bytes;
	void *block;

	if (__builtin_mul_overflow(count, size, &bytes))
		return check_memory(NULL);
	block = rt_heap_alloc(bytes, 0, site);
	/* Fresh memory is zero, also after going back (heap.h). */
	if (block && (RT->phase == RT_ALONE || RT->heap.reuse))
		rt_memset(block, 0, bytes);
	return check_memory(block);
}

INTERCEPT(void *, calloc, (size_t count, size_t size))
{
	if (!rt_active())
		return __libc_calloc(count, size);
	return allocate_zeroed(count, size, RT_SITE);
}

/* Always to a new place, so that a stale pointer is seen as one. */
static void *reallocate(void *block, size_t size, uint64_t site)
{
	size_t had;
	void *to;

	if (!block)
		return check_memory(rt_heap_alloc(size, 0, site));
	if (!size) {
		give_back(block, site);
		return NULL;
	}
	had = usable_size(block);
	to = rt_heap_alloc(size, 0, site);
	if (!to)
		return check_memory(NULL);
	if (had > size)
		had = size;
	rt_plain(block, had, false, site);
	rt_memcpy(to, block, had);
	give_back(block, site);
	return to;
}

static void *reallocate_passive(void *block, size_t size)
{
	void *to;
	size_t had;

	if (!rt_present || !rt_heap_has(block))
		return __libc_realloc(block, size);
	had = rt_heap_size(block);
	to = __libc_malloc(size);
	if (to)
		rt_memcpy(to, block, had < size ? had : size);
	return to;
}

INTERCEPT(void *, realloc, (void *block, size_t size))
{
	if (!rt_active())
		return reallocate_passive(block, size);
	return reallocate(block, size, RT_SITE);
}

INTERCEPT(void *, reallocarray, (void *block, size_t count, size_t size))
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		return check_memory(NULL);
	if (!rt_active())
		return reallocate_passive(block, bytes);
	return reallocate(block, bytes, RT_SITE);
}

static void *allocate_aligned(size_t align, size_t size, uint64_t site)
{
	if (!rt_active())
		return __libc_memalign(align, size);
	return check_memory(rt_heap_alloc(size, align, site));
}

INTERCEPT(void *, memalign, (size_t align, size_t size))
{
	size_t up = 16;

	while (up < align && up)
		up *= 2;
	return allocate_aligned(up, size, RT_SITE);
}

INTERCEPT(void *, aligned_alloc, (size_t align, size_t size))
{
	if (!is_power_of_two(align)) {
		errno = EINVAL;
		return NULL;
	}
	return allocate_aligned(align, size, RT_SITE);
}

INTERCEPT(int, posix_memalign, (void **out, size_t align, size_t size))
{
	int saved = errno;
	void *block;

	if (!is_power_of_two(align) || align % sizeof(void *))
		return EINVAL;
	block = allocate_aligned(align, size, RT_SITE);
	errno = saved;
	if (!block)
		return ENOMEM;
	rt_writes(out, sizeof(*out), RT_SITE);
	*out = block;
	return 0;
}

INTERCEPT(void *, valloc, (size_t size))
{
	return allocate_aligned(PAGE, size, RT_SITE);
}

INTERCEPT(void *, pvalloc, (size_t size))
{
	return allocate_aligned(PAGE, (size + PAGE - 1) & ~(size_t)(PAGE - 1), RT_SITE);
}

INTERCEPT(size_t, malloc_usable_size, (void *block))
{
	return block ? usable_size(block) : 0;
}
