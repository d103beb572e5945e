/* io_begin.c: puts back, for each run, the state that the kernel keeps for the program.
 *
 * Runs are forked from one process, so they share the pipes (and what is in them) and
 * the positions in files that existed before the first thread. Each run gets new pipes
 * under the old numbers, filled as the old ones were, and sets the positions back.
 */
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/calls/io.h"
#include "runtime/calls/numbers.h"
#include "runtime/calls/socket.h"
#include "runtime/intercept.h"
#include "runtime/rt_sys.h"
#include "runtime/server.h"

enum { SEEK_HERE = 1, SEEK_START = 0, PIECE = 4096 };

bool rt_io_is_capture(const struct stat *file)
{
	struct stat status;

	return RT->capture_fd >= 0 && rt_syscall(SYS_fstat, RT->capture_fd, &status, 0) == 0 &&
	       status.st_ino == file->st_ino && status.st_dev == file->st_dev;
}

/* A file whose position a run can move; pipes, terminals and our own are not. */
static bool has_position(int fd)
{
	struct stat status;

	return !RT->io.fds[fd].kind && rt_syscall(SYS_fstat, fd, &status, 0) == 0 &&
	       S_ISREG(status.st_mode) && !rt_io_is_capture(&status);
}

/* By one call: few of the numbers are those of a descriptor. */
static void find_open(struct pollfd *polled)
{
	for (int fd = 0; fd < RT_MAX_FDS; fd++)
		polled[fd] = (struct pollfd){.fd = fd};
	rt_syscall(SYS_poll, polled, RT_MAX_FDS, 0);
}

void rt_io_snapshot(void)
{
	struct pollfd polled[RT_MAX_FDS];

	find_open(polled);
	RT->io.fds_high = 0;
	for (int fd = 0; fd < RT_MAX_FDS; fd++) {
		bool is_open = !(polled[fd].revents & POLLNVAL);
		long at = is_open && has_position(fd) ? rt_syscall(SYS_lseek, fd, 0, SEEK_HERE) : -1;

		RT->io.offsets[fd] = at >= 0 ? at + 1 : 0;
		if (RT->io.offsets[fd] || RT->io.fds[fd].kind)
			RT->io.fds_high = fd + 1;
	}
}

/* The descriptor that gives to (or takes from) the object, or -1. */
static int find_end(uint64_t object, bool gives, int not_fd)
{
	for (int fd = 0; fd < RT_MAX_FDS; fd++) {
		const struct rt_fd *entry = &RT->io.fds[fd];

		if (entry->kind && fd != not_fd && (gives ? entry->writes : entry->reads) == object)
			return fd;
	}
	return -1;
}

/* Puts `fresh` in the place of every descriptor like `old`. */
static void replace_all(const struct rt_fd *old, int fresh)
{
	for (int fd = 0; fd < RT_MAX_FDS; fd++) {
		const struct rt_fd *entry = &RT->io.fds[fd];

		if (entry->kind == old->kind && entry->reads == old->reads &&
		    entry->writes == old->writes) {
			long cloexec = rt_syscall(SYS_fcntl, fd, F_GETFD, 0);

			rt_syscall(SYS_dup3, fresh, fd, cloexec & FD_CLOEXEC ? O_CLOEXEC : 0);
		}
	}
	rt_syscall(SYS_close, fresh, 0, 0);
}

/* Moves what is in the old one to the new one and, because the next run needs it too,
 * back into the old one. */
static void copy_content(int old_out, int old_in, int fresh_in)
{
	char piece[PIECE];
	int left = 0;

	rt_syscall(SYS_ioctl, old_out, FIONREAD, &left);
	while (left > 0) {
		long len = rt_syscall(SYS_read, old_out, piece, left < PIECE ? left : PIECE);

		if (len <= 0)
			return;
		rt_syscall(SYS_write, fresh_in, piece, len);
		rt_syscall(SYS_write, old_in, piece, len);
		left -= (int)len;
	}
}

static void renew_pipe(int out)
{
	struct rt_fd old_out = RT->io.fds[out];
	int in = find_end(old_out.reads, true, out);
	int fds[2];

	if (rt_syscall(SYS_pipe2, fds, O_NONBLOCK, 0) < 0)
		rt_lost("no more descriptors");
	rt_syscall(SYS_fcntl, fds[1], F_SETPIPE_SZ, rt_syscall(SYS_fcntl, out, F_GETPIPE_SZ, 0));
	if (in >= 0) {
		struct rt_fd old_in = RT->io.fds[in];

		copy_content(out, in, fds[1]);
		replace_all(&old_in, fds[1]);
	} else {
		rt_syscall(SYS_close, fds[1], 0, 0);
	}
	replace_all(&old_out, fds[0]);
}

static void renew_socket(int first)
{
	struct rt_fd old_first = RT->io.fds[first];
	int second = find_end(old_first.writes, false, first);
	int type = SOCK_STREAM, fds[2];
	unsigned size = sizeof(type);

	if (!old_first.writes || second < 0 || second < first)
		return; /* done from the other end */
	rt_syscall6(SYS_getsockopt, first, SOL_SOCKET, SO_TYPE, (long)&type, (long)&size, 0);
	if (rt_syscall4(SYS_socketpair, AF_UNIX, type | SOCK_NONBLOCK, 0, fds) < 0)
		rt_lost("no more descriptors");
	struct rt_fd old_second = RT->io.fds[second];

	copy_content(first, second, fds[1]);
	copy_content(second, first, fds[0]);
	replace_all(&old_first, fds[0]);
	replace_all(&old_second, fds[1]);
}

static void renew_eventfd(int fd, bool is_semaphore)
{
	struct rt_fd old = RT->io.fds[fd];
	uint64_t count = 0, total = 0;
	long fresh;

	while (rt_syscall(SYS_read, fd, &count, sizeof(count)) == sizeof(count))
		total += count;
	if (total)
		rt_syscall(SYS_write, fd, &total, sizeof(total));
	fresh = rt_syscall(SYS_eventfd2, 0, EFD_NONBLOCK | (is_semaphore ? EFD_SEMAPHORE : 0), 0);
	if (fresh < 0)
		rt_lost("no more descriptors");
	if (total)
		rt_syscall(SYS_write, fresh, &total, sizeof(total));
	replace_all(&old, (int)fresh);
}

static void renew_epoll(int epoll)
{
	struct rt_fd old = RT->io.fds[epoll];
	long fresh = rt_syscall(SYS_epoll_create1, 0, 0, 0);

	for (uint32_t i = 0; i < RT->io.poll_set_len; i++) {
		const struct rt_poll_entry *entry = &RT->io.poll_set[i];
		struct epoll_event event = {.events = entry->events, .data.u64 = entry->data};

		if (entry->epoll == epoll)
			rt_syscall4(SYS_epoll_ctl, fresh, EPOLL_CTL_ADD, entry->fd, &event);
	}
	/* Epoll sets have no objects to tell them apart: exactly this number. */
	rt_syscall(SYS_dup3, fresh, epoll, 0);
	rt_syscall(SYS_close, fresh, 0, 0);
	RT->io.fds[epoll] = old;
}

void rt_io_begin(void)
{
	rt_numbers_begin();
	for (uint32_t i = 0; i < RT_MAX_NAMES; i++)
		RT->io.removed[i] = RT->io.made[i] = 0;
	for (int fd = 0; fd < RT->io.fds_high; fd++) {
		struct rt_fd *entry = &RT->io.fds[fd];

		if (RT->io.offsets[fd])
			rt_syscall(SYS_lseek, fd, RT->io.offsets[fd] - 1, SEEK_START);
		if (entry->kind == RT_FD_PIPE && entry->reads &&
		    find_end(entry->reads, false, -1) == fd)
			renew_pipe(fd);
		else if (entry->kind == RT_FD_SOCKET)
			renew_socket(fd);
		else if (entry->kind == RT_FD_EVENT && find_end(entry->reads, false, -1) == fd)
			renew_eventfd(fd, entry->semaphore);
	}
	rt_socket_begin();
	for (int fd = 0; fd < RT->io.fds_high; fd++)
		if (RT->io.fds[fd].kind == RT_FD_EPOLL)
			renew_epoll(fd);
}
