/* system.c: calls that reach beyond the program's memory. Some cannot be undone by
 * putting memory back, so runs must be forked; some take control away for good. */
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "runtime/calls/arguments.h"
#include "runtime/calls/effects.h"
#include "runtime/calls/io.h"
#include "runtime/calls/sync.h"
#include "runtime/intercept.h"
#include "runtime/kernel.h"
#include "runtime/memory.h"
#include "runtime/origin.h"
#include "runtime/rt_sys.h"

static void refuse(const char *call)
{
	if (rt_running())
		rt_lost("the program called %s while it had threads", call);
}

/* A call made before the first thread is part of the state that runs begin with. */
static void note(const char *call)
{
	if (rt_running())
		rt_need_fork(call);
}

/* ---- other processes ---- */

/* A child made before the first thread goes its own way, uncontrolled. */
static pid_t go_apart(pid_t pid)
{
	if (pid == 0 && rt_active()) {
		RT->phase = RT_PASSIVE;
		RT->apart_from = (int)rt_syscall(SYS_getppid, 0, 0, 0);
	}
	return pid;
}

static void share_again(void);

/* The child runs beside the program: its signals, pipes, files and shared memory are not
 * controlled. */
static void note_child(const char *call)
{
	refuse(call);
	if (!rt_active())
		return;
	rt_assume(ASSUMED_PROGRAMS);
	rt_warn_uncontrolled(call);
	share_again();
}

INTERCEPT(pid_t, fork, (void))
{
	note_child("fork");
	return go_apart(REAL(fork)());
}

/* The child of a real vfork must not return from here. */
INTERCEPT(pid_t, vfork, (void))
{
	note_child("vfork");
	return go_apart(REAL(fork)());
}

/* Another program, of which nothing is controlled: it may change files, and use pipes that it has
 * from ours. Its start is a step on the files. */
static void begin_program(const char *call, uint64_t site)
{
	if (!rt_active())
		return;
	rt_assume(ASSUMED_PROGRAMS);
	if (!rt_running())
		return;
	rt_files_step(true, site);
	rt_need_fork(call);
	rt_warn_uncontrolled_at(call, site);
	rt_kernel_intercept(false); /* else the call for the new process would be refused */
}

static void end_program(void)
{
	if (rt_running())
		rt_kernel_intercept(true);
}

INTERCEPT(int, system, (const char *command))
{
	int status;

	rt_reads_text(command, RT_SITE);
	rt_cancel_point(RT_SITE);
	begin_program("system", RT_SITE);
	status = REAL(system)(command);
	end_program();
	return status;
}

INTERCEPT(FILE *, popen, (const char *command, const char *mode))
{
	FILE *file;

	rt_reads_text(command, RT_SITE);
	rt_reads_text(mode, RT_SITE);
	begin_program("popen", RT_SITE);
	file = REAL(popen)(command, mode);
	end_program();
	return file;
}

#define SPAWN(name) \
	INTERCEPT(int, name, (pid_t *restrict pid, const char *restrict path, \
			      const posix_spawn_file_actions_t *restrict actions, \
			      const posix_spawnattr_t *restrict attr, char *const argv[restrict], \
			      char *const envp[restrict])) \
	{ \
		int error; \
\
		rt_writes(pid, sizeof(*pid), RT_SITE); \
		rt_reads_text(path, RT_SITE); \
		rt_reads(actions, sizeof(*actions), RT_SITE); \
		rt_reads(attr, sizeof(*attr), RT_SITE); \
		rt_reads_texts(argv, RT_SITE); \
		rt_reads_texts(envp, RT_SITE); \
		begin_program(#name, RT_SITE); \
		error = REAL(name)(pid, path, actions, attr, argv, envp); \
		end_program(); \
		return error; \
	}

SPAWN(posix_spawn)
SPAWN(posix_spawnp)

/* ---- files (their names: files.c) ---- */

/* Below /proc/self the path of the folder names the process. */
static void look_at_folder(uint64_t site)
{
	struct statfs about;

	if (rt_active() && rt_syscall(SYS_statfs, ".", &about, 0) == 0 &&
	    about.f_type == PROC_SUPER_MAGIC)
		rt_warn_uncontrolled_at("a file of the kernel (/proc, /sys)", site);
}

INTERCEPT(int, chdir, (const char *path))
{
	int result;

	rt_reads_text(path, RT_SITE);
	rt_files_step(true, RT_SITE);
	note("chdir");
	result = REAL(chdir)(path);
	look_at_folder(RT_SITE);
	return result;
}

INTERCEPT(int, fchdir, (int fd))
{
	int result;

	rt_files_step(true, RT_SITE);
	note("chdir");
	result = REAL(fchdir)(fd);
	look_at_folder(RT_SITE);
	return result;
}

/* ---- mappings ---- */

enum {
	MAPPINGS = 17, /* beside the generators of random.c and the files of files.c */
	LARGE_MAPPING = 1 << 20,
	WRITTEN = 1, /* beside enum plain_end */
};

/* The kernel chooses the addresses of mappings: they depend on who asks first, and an address that
 * one thread gives back may be the next that another gets. */
static void step_on_mappings(uint64_t site)
{
	struct event event = rt_event(EVENT_RMW, site);

	if (!rt_is_called_by_program(rt_site(site)))
		return;
	event.memory_order = MEMORY_ORDER_RELAXED;
	rt_access_object(&event, OBJECT(OBJECT_TERM, MAPPINGS), ACCESS_WRITE);
	rt_step(&event, NULL, NULL);
}

/* Memory that is shared with children only is private until the program forks, and until then
 * put back like any other. */
static int share_with_nobody(int flags)
{
	return (flags & ~MAP_TYPE) | MAP_PRIVATE;
}

static void *map_shared(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	struct rt_shared *shared = &RT->shared;
	bool alone = (flags & MAP_ANONYMOUS) && shared->anonymous_len < RT_MAX_SHARED;
	void *mapping;

	if (!alone) {
		rt_need_fork("a shared mapping");
		if (!(flags & MAP_ANONYMOUS)) /* write() and other mappings change it unseen */
			rt_warn_uncontrolled("a shared mapping of a file");
	}
	mapping = REAL(mmap)(at, size, protection, alone ? share_with_nobody(flags) : flags, fd,
			     offset);
	if (alone && mapping != MAP_FAILED) {
		shared->anonymous[shared->anonymous_len].at = mapping;
		shared->anonymous[shared->anonymous_len].size = size;
		shared->anonymous[shared->anonymous_len++].protection = protection;
	}
	return mapping;
}

/* Before a child is made: the mappings that it shares, with what is in them. */
static void share_again(void)
{
	struct rt_shared *shared = &RT->shared;

	for (uint32_t i = 0; i < shared->anonymous_len; i++) {
		void *old = shared->anonymous[i].at;
		size_t size = shared->anonymous[i].size;
		void *fresh = REAL(mmap)(NULL, size, PROT_READ | PROT_WRITE,
					 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

		if (fresh == MAP_FAILED)
			continue;
		rt_memcpy(fresh, old, size);
		rt_syscall6(SYS_mremap, (long)fresh, (long)size, (long)size,
			    MREMAP_MAYMOVE | MREMAP_FIXED, (long)old, 0);
		rt_syscall(SYS_mprotect, old, size, shared->anonymous[i].protection);
	}
	shared->anonymous_len = 0;
}

static void record(char *at, size_t size, uint32_t act, uint64_t site)
{
	const size_t most = 1u << 30; /* of one record */

	for (size_t done = 0; rt_running() && done < size; done += most)
		rt_mem_record(at + done, size - done < most ? size - done : most, act,
			      rt_site(site));
}

/* Earlier accesses to these addresses were to another mapping, which was given back. */
static void *note_new(void *mapping, size_t size, uint64_t site)
{
	if (mapping != MAP_FAILED)
		record(mapping, size, PLAIN_MAPPED, site);
	return mapping;
}

/* A mapping at a fixed address replaces the memory that was there: a write to all of it. Of a large mapping as below. */
static void note_replaced(char *at, size_t size, uint64_t site)
{
	size_t first = size < LARGE_MAPPING ? size : LARGE_MAPPING;

	if (!rt_is_called_by_program(rt_site(site)))
		return;
	rt_plain(at, first, true, site);
	record(at + first, size - first, WRITTEN, site);
	rt_turn_wrote();
}

/* Flags that are modelled or that no thread of the program can notice. */
static void check_mapping(int flags, uint64_t site)
{
	const int known = MAP_TYPE | MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_ANONYMOUS |
			  MAP_NORESERVE | MAP_POPULATE | MAP_NONBLOCK | MAP_STACK | MAP_32BIT |
			  MAP_DENYWRITE | MAP_EXECUTABLE | MAP_LOCKED;

	if (rt_active() && flags & ~known)
		rt_warn_uncontrolled_at("a flag of mmap that is not modelled", site);
}

/* A thread that uses the mapping at the same time crashes. Of a large mapping only the beginning is
 * looked at byte by byte for accesses that are steps. */
static void note_removed(char *at, size_t size, uint64_t site)
{
	size_t first = size < LARGE_MAPPING ? size : LARGE_MAPPING;

	rt_plain(at, first, true, site);
	record(at + first, size - first, PLAIN_FREED, site);
}

#define MMAP(name)                                                                          \
	void *name(void *at, size_t size, int protection, int flags, int fd, off_t offset); \
	INTERCEPT(void *, name,                                                             \
		  (void *at, size_t size, int protection, int flags, int fd, off_t offset)) \
	{                                                                                   \
		note("mmap");                                                               \
		check_mapping(flags, RT_SITE);                                              \
		step_on_mappings(RT_SITE);                                                  \
		if (rt_running() && flags & MAP_FIXED)                                      \
			note_replaced(at, size, RT_SITE);                                   \
		if (rt_active() && flags & MAP_SHARED)                                      \
			return map_shared(at, size, protection, flags, fd, offset);         \
		if (flags & MAP_FIXED)                                                      \
			return REAL(mmap)(at, size, protection, flags, fd, offset);         \
		return note_new(REAL(mmap)(at, size, protection, flags, fd, offset), size,  \
				RT_SITE);                                                   \
	}

MMAP(mmap)
MMAP(mmap64)

static void forget_shared(const void *at)
{
	struct rt_shared *shared = &RT->shared;

	for (uint32_t i = 0; i < shared->anonymous_len; i++)
		if (shared->anonymous[i].at == at)
			shared->anonymous[i] = shared->anonymous[--shared->anonymous_len];
}

INTERCEPT(int, munmap, (void *at, size_t size))
{
	note("munmap");
	step_on_mappings(RT_SITE);
	if (rt_is_called_by_program(rt_site(RT_SITE)))
		note_removed(at, size, RT_SITE);
	if (rt_active())
		forget_shared(at);
	if (rt_running())
		rt_turn_wrote();
	return REAL(munmap)(at, size);
}

/* A thread that uses the memory at the same time may crash, before or after the change. A thread that
 * only reads does not crash as long as reading is allowed. */
static void note_protection(char *at, size_t size, int protection, uint64_t site)
{
	if (size > LARGE_MAPPING)
		rt_warn_uncontrolled_at("mprotect of a large mapping", site);
	rt_plain(at, size < LARGE_MAPPING ? size : LARGE_MAPPING, !(protection & PROT_READ), site);
}

INTERCEPT(int, mprotect, (void *at, size_t size, int protection))
{
	note("mprotect");
	if (rt_is_called_by_program(rt_site(RT_SITE)))
		note_protection(at, size, protection, RT_SITE);
	if (rt_running())
		rt_turn_wrote();
	return REAL(mprotect)(at, size, protection);
}

/* MADV_DONTNEED and MADV_REMOVE put zeroes where others may read. Most advice is about speed. */
INTERCEPT(int, madvise, (void *at, size_t size, int advice))
{
	bool is_program = rt_is_called_by_program(rt_site(RT_SITE));

	switch (advice) {
	case MADV_NORMAL:
	case MADV_RANDOM:
	case MADV_SEQUENTIAL:
	case MADV_WILLNEED:
	case MADV_HUGEPAGE:
	case MADV_NOHUGEPAGE:
	case MADV_MERGEABLE:
	case MADV_UNMERGEABLE:
	case MADV_DONTDUMP:
	case MADV_DODUMP:
	case MADV_COLD:
	case MADV_PAGEOUT:
		break;
	case MADV_DONTNEED:
		note("madvise");
		if (is_program && rt_running())
			note_replaced(at, size, RT_SITE);
		break;
	default:
		note("madvise");
		if (is_program && rt_active())
			rt_warn_uncontrolled_at("advice of madvise that is not modelled", RT_SITE);
	}
	return REAL(madvise)(at, size, advice);
}

INTERCEPT(void *, shmat, (int id, const void *at, int flags))
{
	if (rt_active()) {
		rt_need_fork("shmat");
		if (RT->shared.attached++)
			rt_warn_uncontrolled("shared memory that is attached twice");
	}
	return REAL(shmat)(id, at, flags);
}

/* ---- libraries ---- */

/* A static program that needs it has none: it would load another libc, beyond control. */
INTERCEPT_OPTIONAL(void *, dlopen, (const char *path, int flags))
{
	void *library;

	rt_reads_text(path, RT_SITE);
	note("dlopen");
	if (!REAL(dlopen)) {
		if (rt_active())
			rt_lost("a static program called dlopen");
		return NULL;
	}
	rt_assume(ASSUMED_FILES_READ);
	library = REAL(dlopen)(path, flags);
	if (rt_active())
		rt_note_modules();
	return library;
}

INTERCEPT_OPTIONAL(int, dlclose, (void *library))
{
	note("dlclose");
	return REAL(dlclose) ? REAL(dlclose)(library) : -1;
}
