#include "runtime/restore.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "runtime/heap.h"
#include "runtime/kernel.h"
#include "runtime/rt.h"
#include "runtime/rt_sys.h"

enum {
	PAGE = RT_PAGE,
	RANGES_MAX = 1 << 15,
	STICKY_MAX = 4096,      /* 16 MB per run are put back; beyond that fork is cheaper */
	STACK_KEPT = 1 << 20,   /* below the first thread's stack pointer */
	MAPS_TEXT = 1 << 22,
};

struct range {
	uint64_t low, high;
	int code; /* PROT_EXEC where the program may run what it writes, else 0 */
};

/* In a mapping of its own, like struct rt. */
struct restore {
	bool taken;
	uint32_t ranges_len;
	uint32_t sticky_len;
	uint64_t stack_low; /* what is below it on the first thread's stack is left alone */
	struct range ranges[RANGES_MAX];
	uint64_t sticky[STICKY_MAX];        /* addresses of pages */
	char maps[MAPS_TEXT];
	_Alignas(PAGE) char copies[STICKY_MAX][PAGE];
};

#define RESTORE ((struct restore *)0x5f4000000000)

static bool map_store(void)
{
	long at;

	if (RT->restore_mapped)
		return true;
	at = rt_syscall6(SYS_mmap, (long)RESTORE, sizeof(struct restore), PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	RT->restore_mapped = at == (long)RESTORE;
	return RT->restore_mapped;
}

static void add_range(uint64_t low, uint64_t high, int code)
{
	low &= ~(uint64_t)(PAGE - 1);
	high = (high + PAGE - 1) & ~(uint64_t)(PAGE - 1);
	if (low < high && RESTORE->ranges_len < RANGES_MAX)
		RESTORE->ranges[RESTORE->ranges_len++] = (struct range){low, high, code};
}

static void add_heap_range(void *low, void *high)
{
	add_range((uint64_t)low, (uint64_t)high, 0);
}

/* ---- which memory is the program's ---- */

static uint64_t parse_hex(const char **text)
{
	uint64_t value = 0;

	for (;; ++*text) {
		char c = **text;

		if (c >= '0' && c <= '9')
			value = value * 16 + (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			value = value * 16 + (uint64_t)(c - 'a' + 10);
		else
			return value;
	}
}

static bool read_maps(void)
{
	long fd = rt_syscall(SYS_open, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
	long used = 0, got;

	if (fd < 0)
		return false;
	while (used < MAPS_TEXT - 1 &&
	       (got = rt_syscall(SYS_read, fd, RESTORE->maps + used, MAPS_TEXT - 1 - used)) > 0)
		used += got;
	rt_syscall(SYS_close, fd, 0, 0);
	RESTORE->maps[used] = '\0';
	return used > 0 && used < MAPS_TEXT - 1;
}

/* Ours, or put back in another way: struct rt, this store, the heap and its shadow. */
static bool is_ours(uint64_t low)
{
	return low - RT_HEAP_BASE < RT_HEAP_SIZE ||
	       (low >= RT_HEAP_SHADOW && low < 0x600000000000ul);
}

/* The first thread's stack: what lies far below its stack pointer is left alone, and so
 * is the lowest page, because the mapping grows from there. */
static void add_main_stack(uint64_t low, uint64_t high, int code, uint64_t stack_pointer)
{
	uint64_t kept = stack_pointer > STACK_KEPT ? stack_pointer - STACK_KEPT : low;

	RESTORE->stack_low = kept > low + PAGE ? kept : low + PAGE;
	add_range(RESTORE->stack_low, high, code);
}

static void add_mapping(uint64_t low, uint64_t high, const char *rights, uint64_t stack_pointer)
{
	int code = rights[2] == 'x' ? PROT_EXEC : 0;

	if (rt_strncmp(rights, "rw", 2) != 0 || rights[3] != 'p' || is_ours(low))
		return;
	if (stack_pointer >= low && stack_pointer < high)
		add_main_stack(low, high, code, stack_pointer);
	else
		add_range(low, high, code);
}

bool rt_restore_each_mapping(void (*each)(uint64_t low, uint64_t high, const char *rights,
					  uint64_t argument),
			     uint64_t argument)
{
	if (!map_store() || !read_maps())
		return false;
	for (const char *line = RESTORE->maps; *line;) {
		uint64_t low = parse_hex(&line), high = 0;

		if (*line == '-') {
			line++;
			high = parse_hex(&line);
		}
		if (high && *line == ' ')
			each(low, high, line + 1, argument);
		while (*line && *line != '\n')
			line++;
		line += *line == '\n';
	}
	return true;
}

static bool find_ranges(uint64_t stack_pointer)
{
	RESTORE->ranges_len = 0;
	if (!rt_restore_each_mapping(add_mapping, stack_pointer))
		return false;
	rt_heap_ranges(add_heap_range);
	return RESTORE->ranges_len < RANGES_MAX;
}

/* ---- protection ---- */

static bool protect(const struct range *range, int protection)
{
	return rt_syscall(SYS_mprotect, range->low, range->high - range->low, protection | range->code) == 0;
}

static const struct range *range_of(uint64_t page)
{
	for (uint32_t i = 0; i < RESTORE->ranges_len; i++)
		if (page >= RESTORE->ranges[i].low && page < RESTORE->ranges[i].high)
			return &RESTORE->ranges[i];
	return NULL;
}

static bool is_tracked(uint64_t page)
{
	return range_of(page) != NULL;
}

static bool is_sticky(uint64_t page)
{
	for (uint32_t i = 0; i < RESTORE->sticky_len; i++)
		if (RESTORE->sticky[i] == page)
			return true;
	return false;
}

/* The guard page of a stack is not a mapping of its own where libc makes it by madvise (since
 * glibc 2.42, MADV_GUARD_INSTALL). The kernel reads the signal set before it refuses the rest. */
static bool is_readable(uint64_t page)
{
	enum { NO_SUCH_CHANGE = -1, SET_SIZE = 8 };

	return rt_syscall6(SYS_rt_sigprocmask, NO_SUCH_CHANGE, (long)page, 0, SET_SIZE, 0, 0) !=
	       -EFAULT;
}

static bool make_sticky(uint64_t page)
{
	uint32_t i = RESTORE->sticky_len;

	if (i == STICKY_MAX)
		return false;
	rt_memcpy(RESTORE->copies[i], (const void *)page, PAGE);
	if (rt_syscall(SYS_mprotect, page, PAGE, PROT_READ | PROT_WRITE | range_of(page)->code) != 0)
		return false;
	RESTORE->sticky[i] = page;
	RESTORE->sticky_len++;
	return true;
}

bool rt_restore_take(const void *stack_pointer)
{
	if (!map_store() || !find_ranges((uint64_t)stack_pointer))
		return false;
	RESTORE->sticky_len = 0;
	RESTORE->taken = true;
	for (uint32_t i = 0; i < RESTORE->ranges_len; i++)
		if (!protect(&RESTORE->ranges[i], PROT_READ)) {
			rt_restore_drop();
			return false;
		}
	if (rt_kernel_start())
		return true;
	rt_restore_drop();
	return false;
}

void rt_restore_back(void)
{
	if (!RT->restore_mapped)
		return; /* nothing was taken yet */
	for (uint32_t i = 0; i < RESTORE->sticky_len; i++)
		rt_memcpy((void *)RESTORE->sticky[i], RESTORE->copies[i], PAGE);
}

uint32_t rt_restore_keep(char (*pages)[RT_PAGE])
{
	for (uint32_t i = 0; i < RESTORE->sticky_len; i++)
		rt_memcpy(pages[i], (const void *)RESTORE->sticky[i], PAGE);
	return RESTORE->sticky_len;
}

void rt_restore_back_to(char (*pages)[RT_PAGE], uint32_t len)
{
	for (uint32_t i = 0; i < RESTORE->sticky_len; i++)
		rt_memcpy((void *)RESTORE->sticky[i], i < len ? pages[i] : RESTORE->copies[i], PAGE);
}

bool rt_restore_has_stack(const void *stack_pointer)
{
	return RT->restore_mapped && RESTORE->taken && (uint64_t)stack_pointer >= RESTORE->stack_low;
}

void rt_restore_drop(void)
{
	if (!RT->restore_mapped)
		return;
	rt_kernel_end();
	for (uint32_t i = 0; i < RESTORE->ranges_len; i++)
		protect(&RESTORE->ranges[i], PROT_READ | PROT_WRITE);
	RESTORE->taken = false;
	RESTORE->sticky_len = RESTORE->ranges_len = 0;
}

bool rt_restore_fault(const void *address)
{
	uint64_t page = (uint64_t)address & ~(uint64_t)(PAGE - 1);

	if (!RT->restore_mapped || !RESTORE->taken || !is_tracked(page) || is_sticky(page) ||
	    !is_readable(page))
		return false;
	if (make_sticky(page))
		return true;
	rt_need_fork("a run writes more than 16 MB");
	return false;
}

void rt_restore_touch(void *address, size_t size)
{
	uint64_t end = (uint64_t)address + size;

	if (!RT->restore_mapped || !RESTORE->taken || !size)
		return;
	for (uint64_t page = (uint64_t)address & ~(uint64_t)(PAGE - 1); page < end; page += PAGE)
		if (is_tracked(page) && !is_sticky(page) && is_readable(page) && !make_sticky(page))
			rt_need_fork("a run writes more than 16 MB");
}

uint32_t rt_restore_sticky(void)
{
	return RT->restore_mapped ? RESTORE->sticky_len : 0;
}
