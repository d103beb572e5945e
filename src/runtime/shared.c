/* shared.c: memory that the processes of all runs share.
 *
 * A mapping of a file with MAP_SHARED and attached System V shared memory are one memory in every
 * forked run: a run would begin with what the run before left there. The contents at the first
 * thread are kept in a private mapping, and each run begins by writing them back.
 */
#include <sys/mman.h>

#include "runtime/restore.h"
#include "runtime/rt_sys.h"
#include "runtime/server.h"

enum { KEPT_MAX = 64 << 20, LARGE = 8 << 20, PAGE = 4096 }; /* bytes */

static uint64_t size_of(const struct rt_shared_range *range)
{
	return range->high - range->low;
}

static void *map_private(uint64_t size)
{
	long at = rt_syscall6(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return (uint64_t)at > -4096ul ? NULL : (void *)at;
}

/* ---- large mappings ----
 *
 * A large mapping of memory that only looks like a file has few pages that exist; a page that
 * does not exist is full of zeroes. Only the others are kept. A page that a run has made is
 * cleared. A file on a disk is different: a page that is not in memory has its contents there. */

static bool is_file_of_memory(const char *rights)
{
	static const char *const places[] = {"/dev/shm/", "/memfd:", "/SYSV", "/dev/zero"};
	const char *path = rights;

	while (*path && *path != '\n' && *path != '/')
		path++;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (rt_strncmp(path, places[i], rt_strlen(places[i])) == 0)
			return true;
	return false;
}

/* Which pages exist now; the lowest bit of each byte. */
static bool find_pages(const struct rt_shared_range *range, unsigned char *pages)
{
	return rt_syscall(SYS_mincore, range->low, size_of(range), pages) == 0;
}

/* The bytes to keep of a large range; 0: it cannot be kept. */
static uint64_t begin_large(struct rt_shared_range *range)
{
	uint64_t bytes = PAGE; /* never 0 */

	range->pages = map_private(size_of(range) / PAGE);
	if (!range->pages || !find_pages(range, range->pages))
		return 0;
	for (uint64_t i = 0; i < size_of(range) / PAGE; i++)
		bytes += range->pages[i] & 1 ? PAGE : 0;
	return bytes;
}

static char *copy_large(const struct rt_shared_range *range, char *kept, bool back)
{
	unsigned char *now = back ? map_private(size_of(range) / PAGE) : range->pages;

	if (!now || !find_pages(range, now))
		rt_lost("a large shared mapping cannot be put back");
	for (uint64_t i = 0; i < size_of(range) / PAGE; i++) {
		char *page = (char *)range->low + i * PAGE;

		if (range->pages[i] & 1) {
			rt_memcpy(back ? page : kept, back ? kept : page, PAGE);
			kept += PAGE;
		} else if (back && now[i] & 1) {
			rt_memset(page, 0, PAGE);
		}
	}
	if (back)
		rt_syscall(SYS_munmap, now, size_of(range) / PAGE, 0);
	return kept;
}

/* ---- all ---- */

static void note_shared(uint64_t low, uint64_t high, const char *rights, uint64_t argument)
{
	struct rt_shared *shared = &RT->shared;
	struct rt_shared_range range = {.low = low, .high = high};
	uint64_t bytes = high - low;

	if (rt_strncmp(rights, "rw", 2) != 0 || rights[3] != 's' || low == (uint64_t)RT->channel)
		return;
	if (bytes > LARGE && is_file_of_memory(rights))
		bytes = begin_large(&range);
	if (shared->len == RT_MAX_SHARED || !bytes || shared->bytes + bytes > KEPT_MAX) {
		rt_warn_uncontrolled("shared memory of more than 64 MB");
		return;
	}
	shared->ranges[shared->len++] = range;
	shared->bytes += bytes;
}

static void copy_all(bool back)
{
	const struct rt_shared *shared = &RT->shared;
	char *kept = shared->kept;

	for (uint32_t i = 0; i < shared->len; i++) {
		const struct rt_shared_range *range = &shared->ranges[i];

		if (range->pages) {
			kept = copy_large(range, kept, back);
			continue;
		}
		if (back)
			rt_memcpy((void *)range->low, kept, size_of(range));
		else
			rt_memcpy(kept, (void *)range->low, size_of(range));
		kept += size_of(range);
	}
}

void rt_shared_snapshot(void)
{
	struct rt_shared *shared = &RT->shared;

	shared->len = 0;
	shared->bytes = 0;
	if (!rt_restore_each_mapping(note_shared, 0) || !shared->len)
		return;
	shared->kept = map_private(shared->bytes);
	if (!shared->kept) {
		rt_warn_uncontrolled("shared memory that cannot be copied");
		shared->len = 0;
		return;
	}
	copy_all(false);
	rt_need_fork("shared memory");
}

void rt_shared_begin(void)
{
	copy_all(true);
}
