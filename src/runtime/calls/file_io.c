/* file_io.c: calls on descriptors that lead to files, and to whatever else is not modelled.
 *
 * Threads that read and write the same open file move one position, and what one writes the
 * other reads. So each call is a step: on the open file, whose position it changes or uses, and
 * on the contents of all files, which it reads or writes (two files may be one under two names).
 * Output on descriptors 1 and 2 is an outcome of its own: nobody reads it back.
 *
 * All of them are cancellation points.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "runtime/calls/io.h"
#include "runtime/calls/numbers.h"
#include "runtime/calls/sync.h"
#include "runtime/intercept.h"
#include "runtime/rt_sys.h"

enum { CONTENTS = 16, STANDARD_ERROR = 2 }; /* beside the generators of random.c */

static bool is_output(int fd)
{
	return fd == 1 || fd == STANDARD_ERROR;
}

uint64_t rt_file_position(int fd)
{
	uint64_t opened = fd >= 0 && fd < RT_MAX_FDS ? RT->io.fds[fd].opened : 0;

	for (uint32_t i = 0; fd >= RT_MAX_FDS && i < RT_MAX_USED; i++)
		if (RT->io.held[i].fd == fd)
			return RT->io.held[i].entry.opened;

	return opened ? opened : OBJECT(OBJECT_OUTPUT, fd == STANDARD_ERROR ? 1 : fd);
}

uint64_t rt_file_contents(void)
{
	return OBJECT(OBJECT_TERM, CONTENTS);
}

void rt_file_step(int fd, enum rt_file_use use, uint64_t site)
{
	bool writes = use & RT_FILE_WRITES;
	struct event event = rt_event(writes ? EVENT_IO_WRITE : EVENT_IO_READ, site);

	if (!rt_running())
		return;
	rt_cancel_point(site);
	rt_turn_wrote();
	rt_file_way(fd, rt_file_position(fd), false, writes);
	rt_access_object(&event, rt_file_position(fd),
			 use & RT_FILE_MOVES ? ACCESS_WRITE : ACCESS_READ);
	if (!is_output(fd))
		rt_access_object(&event, rt_file_contents(),
				 writes ? ACCESS_WRITE : ACCESS_READ);
	if (writes && !is_output(fd))
		RT->channel->assumed |= ASSUMED_FILES;
	rt_step(&event, NULL, NULL);
}

/* ---- at a position ---- */

#define PREAD(name) \
	ssize_t name(int fd, void *to, size_t size, off_t at); \
	INTERCEPT(ssize_t, name, (int fd, void *to, size_t size, off_t at)) \
	{ \
		rt_plain(to, size, true, RT_SITE); \
		int used = rt_number_use(fd, RT_SITE); \
\
		rt_file_step(used, RT_FILE_READS, RT_SITE); \
		return rt_number_done(used, fd, REAL(pread)(used, to, size, at)); \
	}

#define PWRITE(name) \
	ssize_t name(int fd, const void *from, size_t size, off_t at); \
	INTERCEPT(ssize_t, name, (int fd, const void *from, size_t size, off_t at)) \
	{ \
		rt_plain(from, size, false, RT_SITE); \
		int used = rt_number_use(fd, RT_SITE); \
\
		rt_file_step(used, RT_FILE_WRITES, RT_SITE); \
		return rt_number_done(used, fd, REAL(pwrite)(used, from, size, at)); \
	}

#define SEEK(name) \
	off_t name(int fd, off_t offset, int whence); \
	INTERCEPT(off_t, name, (int fd, off_t offset, int whence)) \
	{ \
		int used = rt_number_use(fd, RT_SITE); \
\
		rt_file_step(used, RT_FILE_READS | RT_FILE_MOVES, RT_SITE); \
		return rt_number_done(used, fd, REAL(lseek)(used, offset, whence)); \
	}

PREAD(pread)
PREAD(pread64)
PWRITE(pwrite)
PWRITE(pwrite64)
SEEK(lseek)
SEEK(lseek64)

#define TRUNCATE(name) \
	int name(int fd, off_t size); \
	INTERCEPT(int, name, (int fd, off_t size)) \
	{ \
		int used = rt_number_use(fd, RT_SITE); \
\
		rt_file_step(used, RT_FILE_WRITES, RT_SITE); \
		return (int)rt_number_done(used, fd, REAL(ftruncate)(used, size)); \
	}

TRUNCATE(ftruncate)
TRUNCATE(ftruncate64)

/* ---- waiting for a device or a process ---- */

#define WAITS(name, params, args) \
	INTERCEPT(int, name, params) \
	{ \
		if (rt_running()) \
			rt_cancel_point(RT_SITE); \
		return REAL(name) args; \
	}

WAITS(fsync, (int fd), (fd))
WAITS(fdatasync, (int fd), (fd))
WAITS(tcdrain, (int fd), (fd))
WAITS(wait, (int *status), (status))
WAITS(waitpid, (pid_t pid, int *status, int options), (pid, status, options))
