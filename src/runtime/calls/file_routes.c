/* file_routes.c: FILEs that lead to a pipe, or to a file which threads use in another way as well.
 *
 * Data that are written to a FILE stay in its buffer for a while, and data that are read come from
 * that buffer. So the steps on a FILE depend on each other only, by its lock:
 *
 *     A: fputs("x", f);               B: fread(…, g);      f and g are the same file: not seen
 *
 * The first run in which two threads use one file in two ways, at least one of them a FILE, and one of them
 * writes, makes the search begin anew (END_RELEARN). From then on each use of a FILE writes the contents of files, which
 * calls on descriptors read or write too (file_io.c). That a buffer may keep what is written only makes more
 * steps conflict than need to.
 *
 * The verdict names a FILE over a pipe or a socket, because it is not modelled how much of the
 * buffer goes through the pipe at once. A thread that reads from one with an empty buffer waits
 * like a thread that reads from the pipe.
 */
#include <errno.h>
#include <stdio_ext.h>
#include <sys/stat.h>

#include "runtime/calls/effects.h"
#include "runtime/calls/io.h"
#include "runtime/calls/users.h"
#include "runtime/intercept.h"
#include "runtime/rt_sys.h"

static void learn_of_ways(void)
{
	RT->channel->files_are_event = 1;
	rt_relearn();
}

/* The file of a descriptor as a number; 0: it is not a file. */
static uint64_t file_of(int fd)
{
	struct stat about;

	if (rt_syscall(SYS_fstat, fd, &about, 0) || !S_ISREG(about.st_mode) ||
	    rt_io_is_capture(&about))
		return 0;
	return (about.st_ino << 16 ^ about.st_dev) | 1;
}

void rt_file_way(int fd, uint64_t way, bool is_stream, bool writes)
{
	uint64_t self = rt_users_bit(rt_self()->index), file;
	struct rt_file_way *mine = NULL;

	if (RT->channel->files_are_event || !rt_running())
		return;
	file = file_of(fd);
	for (uint32_t i = 0; file && i < RT->io.ways_len; i++) {
		struct rt_file_way *other = &RT->io.ways[i];

		if (other->file != file)
			continue;
		if (other->way == way)
			mine = other;
		else if (other->users & ~self && (other->is_stream || is_stream) &&
			 (other->writes || writes))
			learn_of_ways();
	}
	if (!file)
		return;
	if (!mine && RT->io.ways_len == RT_MAX_WAYS)
		learn_of_ways();
	if (!mine) {
		mine = &RT->io.ways[RT->io.ways_len++];
		*mine = (struct rt_file_way){.file = file, .way = way, .is_stream = is_stream};
	}
	mine->users |= self;
	mine->writes |= writes;
}

/* ---- over a pipe ---- */

static struct rt_fd *pipe_of(FILE *file)
{
	struct rt_fd *entry = rt_io_find(fileno_unlocked(file));

	return entry && (entry->reads || entry->writes) ? entry : NULL;
}

static bool has_something_to_read(const FILE *file)
{
	return file->_IO_read_ptr < file->_IO_read_end;
}

bool rt_file_is_apart(FILE *file)
{
	return !RT->channel->files_are_event && !pipe_of(file);
}

void rt_file_wait(FILE *file, bool is_read, uint64_t site)
{
	const struct rt_fd *entry = rt_running() ? pipe_of(file) : NULL;

	if (!entry)
		return;
	rt_warn_uncontrolled_at("a FILE over a pipe or a socket", site);
	if (is_read && entry->reads && !has_something_to_read(file))
		rt_io_step(entry, fileno_unlocked(file), false, rt_io_waits(entry, site), site);
	if (!is_read && entry->writes && __fbufsize(file) <= 1)
		rt_io_step(entry, fileno_unlocked(file), true, rt_io_waits(entry, site), site);
}

void rt_file_was_read(FILE *file, uint64_t site)
{
	const struct rt_fd *entry;

	if (!rt_running() || errno != EAGAIN || !ferror_unlocked(file))
		return;
	entry = pipe_of(file);
	if (entry && rt_io_waits(entry, site))
		rt_lost("reading a FILE over a pipe or a socket needs more than was written by then, which is not supported");
}
