/* files.c: files by name. Changes that a run makes on the disk would be there in the next run.
 *
 * The common case is a program that makes files before its threads and removes them at
 * its end: a file that is older than the run is only taken for removed until the run is
 * over. It is really removed when the last run is over (the names wait in the channel). Files
 * that a run makes itself are made and removed as it says.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "base/rng.h"
#include "runtime/calls/effects.h"
#include "runtime/calls/io.h"
#include "runtime/calls/numbers.h"
#include "runtime/calls/sync.h"
#include "runtime/intercept.h"
#include "runtime/origin.h"
#include "runtime/rt_sys.h"
#include "runtime/server.h"

/* ---- names ---- */

static uint64_t hash_of(const char *path)
{
	uint64_t hash = 0;

	for (; *path; path++)
		hash = rng_mix(hash ^ (unsigned char)*path) + 1;
	return hash | 1;
}

/* One of the two sets: names removed, or made, in this run. */
static uint64_t *find_name(uint64_t *names, uint64_t hash)
{
	for (uint32_t i = 0; i < RT_MAX_NAMES; i++)
		if (names[i] == hash)
			return &names[i];
	return NULL;
}

static void add_name(uint64_t *names, const char *path)
{
	uint64_t *slot = find_name(names, hash_of(path));

	if (!slot)
		slot = find_name(names, 0);
	if (slot)
		*slot = hash_of(path);
	else
		rt_warn_uncontrolled("many files made or removed");
}

static bool is_removed(const char *path)
{
	return rt_running() && find_name(RT->io.removed, hash_of(path));
}

static bool exists(const char *path)
{
	return rt_syscall(SYS_access, path, F_OK, 0) == 0;
}

enum { FILES = 16 }; /* beside the generators of random.c */

static void add_files(struct event *event, bool is_change)
{
	rt_access_object(event, OBJECT(OBJECT_TERM, FILES), is_change ? ACCESS_WRITE : ACCESS_READ);
}

void rt_files_step(bool is_change, uint64_t site)
{
	struct event event = rt_event(is_change ? EVENT_RMW : EVENT_LOAD, site);

	if (rt_origin_of(site) != RT_OF_PROGRAM)
		return;
	rt_assume(ASSUMED_FILES_READ);
	if (!rt_running())
		return;
	event.memory_order = MEMORY_ORDER_RELAXED;
	add_files(&event, is_change);
	rt_step(&event, NULL, NULL);
}

/* The step of a call that opens a file, which takes a number, too (numbers.h). */
static void opening_step(bool is_change, bool is_device, uint64_t site)
{
	struct event event = rt_event(EVENT_IO_WRITE, site);

	if (!rt_running())
		return;
	rt_access_object(&event, rt_numbers(), ACCESS_WRITE);
	if (!is_device && rt_origin_of(site) == RT_OF_PROGRAM)
		add_files(&event, is_change);
	rt_step(&event, NULL, NULL);
}

/* ---- removing ---- */

/* Keeps the name for the end of all runs. */
static void keep_for_later(const char *path)
{
	char *names = RT->channel->removed;
	size_t used = rt_strlen(names), len = rt_strlen(path);

	for (const char *line = names; *line;) {
		if (rt_strncmp(line, path, len) == 0 && line[len] == '\n')
			return;
		while (*line++ != '\n')
			;
	}
	if (path[0] != '/' || used + len + 2 > sizeof(RT->channel->removed))
		return;
	rt_memcpy(names + used, path, len);
	rt_memcpy(names + used + len, "\n", 2);
}

/* True if the call was dealt with, and *result is its result. */
static bool remove_later(const char *path, int *result)
{
	uint64_t *made;

	if (!rt_running())
		return false;
	rt_need_fork("unlink");
	rt_turn_wrote();
	made = find_name(RT->io.made, hash_of(path));
	if (made) {
		*made = 0;
		return false;
	}
	if (is_removed(path) || !exists(path)) {
		*result = rt_fail(ENOENT);
		return true;
	}
	add_name(RT->io.removed, path);
	keep_for_later(path);
	*result = 0;
	return true;
}

void rt_io_remove_files(void)
{
	char *name = RT->channel->removed;

	while (*name) {
		char *end = name;

		while (*end != '\n')
			end++;
		*end = '\0';
		if (rt_syscall(SYS_unlink, name, 0, 0) == -EISDIR)
			rt_syscall(SYS_rmdir, name, 0, 0);
		name = end + 1;
	}
}

#define REMOVE(name)                                                            \
	INTERCEPT(int, name, (const char *path))                                \
	{                                                                       \
		int result;                                                     \
                                                                                \
		rt_reads_text(path, RT_SITE);                                   \
		rt_files_step(true, RT_SITE);                                   \
		return remove_later(path, &result) ? result : REAL(name)(path); \
	}

REMOVE(unlink)
REMOVE(remove)
REMOVE(rmdir)

INTERCEPT(int, access, (const char *path, int mode))
{
	rt_reads_text(path, RT_SITE);
	rt_files_step(false, RT_SITE);
	return is_removed(path) ? rt_fail(ENOENT) : REAL(access)(path, mode);
}

INTERCEPT(int, stat, (const char *restrict path, struct stat *restrict out))
{
	rt_assume(ASSUMED_MOVING);
	rt_reads_text(path, RT_SITE);
	rt_plain(out, sizeof(*out), true, RT_SITE);
	rt_files_step(false, RT_SITE);
	return is_removed(path) ? rt_fail(ENOENT) : REAL(stat)(path, out);
}

INTERCEPT(int, rename, (const char *from, const char *to))
{
	rt_reads_text(from, RT_SITE);
	rt_reads_text(to, RT_SITE);
	rt_files_step(true, RT_SITE);
	if (rt_running()) {
		rt_need_fork("rename");
		rt_warn_uncontrolled("rename");
	}
	return REAL(rename)(from, to);
}

/* ---- opening ---- */

static bool is_random_device(const char *path)
{
	return rt_strncmp(path, "/dev/urandom", 13) == 0 ||
	       rt_strncmp(path, "/dev/random", 12) == 0;
}

/* Before the file is opened: does the run make it? One that it had removed is there
 * still; it is made empty again, which the next run would see. */
static void note_made(const char *path)
{
	uint64_t *removed;

	if (!rt_running())
		return;
	removed = find_name(RT->io.removed, hash_of(path));
	if (removed) {
		*removed = 0;
		rt_warn_uncontrolled("a file removed and made again");
	} else if (!exists(path)) {
		add_name(RT->io.made, path);
	}
}

/* The kernel makes the contents up when they are read: the numbers of real processes, how busy the
 * machine is. The file itself is asked, because its path may be relative or a symbolic link. */
static void look_at_kind(int fd, uint64_t site)
{
	struct statfs about;
	struct stat file;

	if (rt_syscall(SYS_fstat, fd, &file, 0) == 0 && S_ISFIFO(file.st_mode))
		rt_warn_uncontrolled_at("a named pipe", site);
	if (rt_syscall(SYS_fstatfs, fd, &about, 0) == 0 &&
	    (about.f_type == PROC_SUPER_MAGIC || about.f_type == SYSFS_MAGIC))
		rt_warn_uncontrolled_at("a file of the kernel (/proc, /sys)", site);
}

/* The program has seen that a file is missing, and may do something else because of it. */
static void note_refused(void)
{
	if (rt_active())
		rt_assume(ASSUMED_FILES_READ);
}

static int note_open(int fd, const char *path, uint64_t site)
{
	if (fd < 0)
		note_refused();
	if (!rt_active() || fd < 0)
		return rt_number_refused(fd);
	look_at_kind(fd, site);
	rt_need_fork("open");
	rt_turn_wrote(); /* the number of the descriptor */
	if (fd < RT_MAX_FDS)
		RT->io.fds[fd] = (struct rt_fd){
			.kind = is_random_device(path) ? RT_FD_RANDOM : RT_FD_NONE};
	rt_io_opened(fd);
	return rt_number_taken(fd);
}

/* Other flags change what reading and writing does, or what is opened (O_DIRECT, O_PATH, O_TMPFILE). */
static void check_flags(int flags, uint64_t site)
{
	if (flags & ~(O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOCTTY |
		      O_NOFOLLOW | O_DIRECTORY | O_NOATIME | O_SYNC | O_NONBLOCK | O_LARGEFILE |
		      RT_KERNEL_LARGEFILE))
		rt_warn_uncontrolled_at("a flag of open that is not modelled (O_DIRECT …)", site);
}

/* False: the file does not exist any more. Opening changes something if it makes or empties the
 * file; a device has nothing to change. */
static bool may_open(const char *path, int flags, uint64_t site)
{
	rt_reads_text(path, site);
	rt_cancel_point(site);
	if (rt_active() && rt_origin_of(site) == RT_OF_PROGRAM)
		check_flags(flags, site);
	opening_step((flags & (O_CREAT | O_TRUNC)) != 0, rt_strncmp(path, "/dev/", 5) == 0, site);
	if (flags & O_CREAT)
		note_made(path);
	return !is_removed(path);
}

#define OPEN(name) \
	int name(const char *path, int flags, ...); \
	INTERCEPT(int, name, (const char *path, int flags, ...)) \
	{ \
		va_list args; \
		mode_t mode; \
\
		va_start(args, flags); \
		mode = va_arg(args, mode_t); \
		va_end(args); \
		if (!may_open(path, flags, RT_SITE)) \
			return rt_fail(ENOENT); \
		return note_open(REAL(name)(path, flags, mode), path, RT_SITE); \
	}

OPEN(open)
OPEN(open64)

INTERCEPT(int, openat, (int folder, const char *path, int flags, ...))
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = va_arg(args, mode_t);
	va_end(args);
	if (!may_open(path, flags, RT_SITE))
		return rt_fail(ENOENT);
	return note_open(REAL(openat)(folder, path, flags, mode), path, RT_SITE);
}

static ssize_t read_random(void *cookie, char *to, size_t size)
{
	(void)cookie;
	rt_random_fill(to, size);
	return (ssize_t)size;
}

/* libc reads the file of a stream without us, so the stream of a random device gets a function to
 * read from. The streams of libstdc++ take only the descriptor of the file and call read(). */
static FILE *open_random(FILE *file, const char *mode, uint64_t site)
{
	static const cookie_io_functions_t from_seed = {.read = read_random};
	int fd = fileno(file);

	if (rt_origin_of(site) != RT_OF_PROGRAM) {
		if (fd >= 0 && fd < RT_MAX_FDS)
			RT->io.fds[fd] = (struct rt_fd){.kind = RT_FD_RANDOM};
		return file;
	}
	fclose(file);
	return fopencookie(NULL, mode, from_seed);
}

static FILE *open_stream(const char *path, const char *mode, uint64_t site)
{
	FILE *file;

	rt_reads_text(mode, site);
	if (!may_open(path, mode[0] == 'r' ? 0 : O_CREAT, site)) {
		errno = ENOENT;
		return NULL;
	}
	file = REAL(fopen)(path, mode);
	if (!file) {
		note_refused();
		rt_number_refused(-1);
	}
	if (!file || !rt_active())
		return file;
	look_at_kind(fileno(file), site);
	rt_need_fork("fopen");
	rt_number_taken(fileno(file));
	rt_turn_wrote();
	if (is_random_device(path) && mode[0] == 'r' && mode[1] != '+')
		return open_random(file, mode, site);
	return file;
}

INTERCEPT(FILE *, fopen, (const char *restrict path, const char *restrict mode))
{
	return open_stream(path, mode, RT_SITE);
}

FILE *fopen64(const char *restrict path, const char *restrict mode);
INTERCEPT(FILE *, fopen64, (const char *restrict path, const char *restrict mode))
{
	return open_stream(path, mode, RT_SITE);
}
