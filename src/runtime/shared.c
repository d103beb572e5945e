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

enum { KEPT_MAX = 64 << 20 }; /* bytes */

static void note_shared(uint64_t low, uint64_t high, const char *rights, uint64_t argument)
{
	struct rt_shared *shared = &RT->shared;

	if (rt_strncmp(rights, "rw-s", 4) != 0 || low == (uint64_t)RT->channel)
		return;
	if (shared->len == RT_MAX_SHARED || shared->bytes + (high - low) > KEPT_MAX) {
		rt_warn_uncontrolled("shared memory of more than 64 MB");
		return;
	}
	shared->ranges[shared->len].low = low;
	shared->ranges[shared->len++].high = high;
	shared->bytes += high - low;
}

static void copy_all(bool back)
{
	const struct rt_shared *shared = &RT->shared;
	char *kept = shared->kept;

	for (uint32_t i = 0; i < shared->len; i++) {
		uint64_t size = shared->ranges[i].high - shared->ranges[i].low;

		if (back)
			rt_memcpy((void *)shared->ranges[i].low, kept, size);
		else
			rt_memcpy(kept, (void *)shared->ranges[i].low, size);
		kept += size;
	}
}

void rt_shared_snapshot(void)
{
	struct rt_shared *shared = &RT->shared;
	long kept;

	shared->len = 0;
	shared->bytes = 0;
	if (!rt_restore_each_mapping(note_shared, 0) || !shared->len)
		return;
	kept = rt_syscall6(SYS_mmap, 0, (long)shared->bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if ((uint64_t)kept > -4096ul) {
		rt_warn_uncontrolled("shared memory that cannot be copied");
		shared->len = 0;
		return;
	}
	shared->kept = (char *)kept;
	copy_all(false);
	rt_need_fork("shared memory");
}

void rt_shared_begin(void)
{
	copy_all(true);
}
