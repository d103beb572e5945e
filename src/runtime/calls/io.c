#include "runtime/calls/io.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/calls/numbers.h"
#include "runtime/calls/socket.h"
#include "runtime/calls/sync.h"
#include "runtime/failure.h"
#include "runtime/intercept.h"
#include "runtime/rt_sys.h"

/* ---- the table ---- */

struct rt_fd *rt_io_find(int fd)
{
	if (!rt_active() || fd < 0)
		return NULL;
	if (fd < RT_MAX_FDS)
		return RT->io.fds[fd].kind ? &RT->io.fds[fd] : NULL;
	for (uint32_t i = 0; i < RT_MAX_USED; i++)
		if (RT->io.held[i].fd == fd)
			return RT->io.held[i].entry.kind ? &RT->io.held[i].entry : NULL;
	return NULL;
}

short rt_io_state(int fd, short events)
{
	struct pollfd poll = {.fd = fd, .events = events};
	long result = rt_syscall(SYS_poll, &poll, 1, 0);

	return result > 0 ? poll.revents : 0;
}

/* Objects are named by who made them, not by the number of the descriptor. */
uint64_t rt_io_new_object(enum channel_io kind)
{
	struct rt_actor *self = rt_self();

	if (self->channels + 1 == 1 << CHANNEL_IO_SHIFT)
		rt_lost("a thread makes more than %d pipes, files and sockets", (1 << CHANNEL_IO_SHIFT) - 1);
	return OBJECT(OBJECT_FD, (uint64_t)(self->index + 1) << 24 | (uint64_t)kind << CHANNEL_IO_SHIFT |
					 ++self->channels);
}

void rt_io_add(int fd, enum rt_fd_kind kind, bool nonblock, uint64_t reads, uint64_t writes)
{
	long flags = rt_syscall(SYS_fcntl, fd, F_GETFL, 0);

	if (fd >= RT_MAX_FDS)
		rt_lost("more than %d descriptors", RT_MAX_FDS);
	rt_syscall(SYS_fcntl, fd, F_SETFL, flags | O_NONBLOCK);
	RT->io.fds[fd] = (struct rt_fd){
		.kind = kind, .nonblock = nonblock, .reads = reads, .writes = writes};
	rt_number_taken(fd);
}

void rt_io_opened(int fd)
{
	if (rt_active() && fd >= 0 && fd < RT_MAX_FDS)
		RT->io.fds[fd].opened = rt_io_new_object(CHANNEL_IO_FILE);
}

/* ---- making them ---- */

static int make_pipe(int fds[2], int flags, uint64_t site)
{
	uint64_t object;
	int result;

	rt_numbers_step(site);
	if (flags & ~(O_NONBLOCK | O_CLOEXEC))
		rt_warn_uncontrolled_at("a flag of pipe2 that is not modelled (O_DIRECT)", site);
	result = REAL(pipe2)(fds, flags);
	if (result)
		return rt_number_refused(result);
	rt_need_fork("pipe");
	object = rt_io_new_object(CHANNEL_IO_PIPE);
	rt_io_add(fds[0], RT_FD_PIPE, flags & O_NONBLOCK, object, 0);
	rt_io_add(fds[1], RT_FD_PIPE, flags & O_NONBLOCK, 0, object);
	return 0;
}

INTERCEPT(int, pipe, (int fds[2]))
{
	rt_plain(fds, 2 * sizeof(*fds), true, RT_SITE);
	return rt_active() ? make_pipe(fds, 0, RT_SITE) : REAL(pipe)(fds);
}

INTERCEPT(int, pipe2, (int fds[2], int flags))
{
	rt_plain(fds, 2 * sizeof(*fds), true, RT_SITE);
	return rt_active() ? make_pipe(fds, flags, RT_SITE) : REAL(pipe2)(fds, flags);
}

INTERCEPT(int, socketpair, (int domain, int type, int protocol, int fds[2]))
{
	uint64_t there, back;
	int result;

	if (!rt_active())
		return REAL(socketpair)(domain, type, protocol, fds);
	rt_plain(fds, 2 * sizeof(*fds), true, RT_SITE);
	rt_numbers_step(RT_SITE);
	result = REAL(socketpair)(domain, type, protocol, fds);
	if (result)
		return result;
	rt_need_fork("socketpair");
	there = rt_io_new_object(CHANNEL_IO_SOCKET);
	back = rt_io_new_object(CHANNEL_IO_SOCKET);
	rt_io_add(fds[0], RT_FD_SOCKET, type & SOCK_NONBLOCK, back, there);
	rt_io_add(fds[1], RT_FD_SOCKET, type & SOCK_NONBLOCK, there, back);
	return 0;
}

INTERCEPT(int, eventfd, (unsigned count, int flags))
{
	uint64_t object;
	int fd;

	if (!rt_active())
		return REAL(eventfd)(count, flags);
	rt_numbers_step(RT_SITE);
	fd = REAL(eventfd)(count, flags);
	if (fd < 0)
		return fd;
	rt_need_fork("eventfd");
	object = rt_io_new_object(CHANNEL_IO_EVENTFD);
	rt_io_add(fd, RT_FD_EVENT, flags & EFD_NONBLOCK, object, object);
	RT->io.fds[fd].semaphore = flags & EFD_SEMAPHORE;
	return fd;
}

/* ---- steps on them ---- */

struct transfer {
	int fd;
	short events; /* POLLIN or POLLOUT */
};

static bool can_transfer(struct rt_actor *actor, void *thing)
{
	const struct transfer *transfer = thing;

	return rt_io_state(transfer->fd, transfer->events) || rt_cancel_due(actor);
}

bool rt_io_queued(int fd)
{
	int left = 0;

	rt_syscall(SYS_ioctl, fd, SIOCOUTQ, &left);
	return left > 0;
}

/* Is there something to read at the other end of what fd writes to? Then one more
 * write opens no door. */
static bool is_filled(const struct rt_fd *entry, int fd)
{
	int left = 0;

	if (entry->kind == RT_FD_EVENT)
		return rt_io_state(fd, POLLIN);
	if (entry->kind == RT_FD_SOCKET)
		return rt_io_queued(fd);
	rt_syscall(SYS_ioctl, fd, FIONREAD, &left);
	return left > 0;
}

/* Is there room for who writes what is read from here? Then reading opens no door. */
static bool has_room(const struct rt_fd *entry)
{
	for (int fd = 0; fd < RT_MAX_FDS; fd++)
		if (RT->io.fds[fd].kind && RT->io.fds[fd].writes == entry->reads)
			return rt_io_state(fd, POLLOUT);
	return true;
}

/* A writer takes from the room that is left, a reader gives to it. An eventfd has always some. */
static void add_room_access(struct event *event, const struct rt_fd *entry, bool is_write)
{
	if (entry->kind == RT_FD_EVENT)
		return;
	if (is_write)
		rt_access_object(event, entry->writes ^ CHANNEL_IO_ROOM, ACCESS_TAKE);
	else
		rt_access_object(event, entry->reads ^ CHANNEL_IO_ROOM, ACCESS_GIVE);
}

/* Signals are looked for all the same. */
static bool is_left_alone(const struct access *access, bool with_room)
{
	return OBJECT_CLASS(access->object) != OBJECT_SIGNALS &&
	       (access->mode == ACCESS_GIVE || (with_room && access->mode == ACCESS_PEEK));
}

/* A read or write that is cancelled puts nothing into the pipe and makes no room in it. A mode of
 * another family stands for an object that was left alone. Whether others could have gone before it
 * depends on the pipe as the step found it. */
static void end_cancelled(struct event *did, bool is_write, bool is_possible)
{
	if (!rt_cancel_due(rt_self()))
		return;
	rt_cancel_ends(did, is_possible, false);
	did->flags &= (uint8_t)~EVENT_WAS_OPEN;
	if (is_possible)
		did->flags |= EVENT_WAS_OPEN;
	for (uint32_t a = 0; a < did->access_len; a++)
		if (is_left_alone(&did->accesses[a], is_write && is_possible))
			did->accesses[a].mode = ACCESS_READ;
}

/* A step that may get only a part of the bytes says so in `is_part`, unless that is NULL. */
static struct event *take_step(const struct rt_fd *entry, int fd, bool is_write, bool waits,
			       bool *is_part, uint64_t site)
{
	struct event event = rt_event(is_write ? EVENT_IO_WRITE : EVENT_IO_READ, site);
	struct transfer transfer = {fd, is_write ? POLLOUT : POLLIN};
	struct rt_actor *failure = NULL;
	struct event *did;

	if (is_write)
		rt_access_object(&event, entry->writes, ACCESS_GIVE);
	else
		rt_access_object(&event, entry->reads, ACCESS_TAKE);
	add_room_access(&event, entry, is_write);
	if (!waits)
		event.flags = EVENT_TRY;
	rt_cancel_access(&event);
	if (is_part)
		failure = rt_failure_offer(&event);
	did = rt_step(&event, waits ? can_transfer : NULL, waits ? &transfer : NULL);
	if (is_part)
		*is_part = rt_failure_came(failure);
	if (is_write ? is_filled(entry, fd) : has_room(entry))
		did->flags |= EVENT_WAS_OPEN;
	end_cancelled(did, is_write, !waits || rt_io_state(fd, transfer.events));
	rt_cancel_act();
	return did;
}

struct event *rt_io_step(const struct rt_fd *entry, int fd, bool is_write, bool waits,
			 uint64_t site)
{
	return take_step(entry, fd, is_write, waits, NULL, site);
}

/* Bytes that were sent by TCP in one piece may arrive in several. */
static bool may_come_in_parts(const struct rt_fd *entry, int fd)
{
	const struct rt_socket *socket = rt_socket_of(fd);

	return entry->kind == RT_FD_SOCKET && socket && socket->domain != AF_UNIX;
}

struct event *rt_io_read_step(const struct rt_fd *entry, int fd, bool waits, size_t *size,
			      uint64_t site)
{
	bool may_be_part = *size > 1 && may_come_in_parts(entry, fd), is_part = false;
	struct event *did;

	if (may_be_part && !RT->channel->options.spurious)
		RT->channel->assumed |= ASSUMED_WHOLE_READS;
	did = take_step(entry, fd, false, waits, may_be_part ? &is_part : NULL, site);
	if (is_part)
		*size = 1;
	return did;
}

ssize_t rt_io_note(struct event *did, ssize_t result)
{
	did->value = (uint64_t)result;
	if (result < 0)
		did->flags |= EVENT_FAILED;
	return result;
}

/* Writing into a pipe without a reader ends a program with the default action of SIGPIPE. */
static void check_broken_pipe(int fd, uint64_t site)
{
	struct sigaction action;

	if (!(rt_io_state(fd, POLLOUT) & POLLERR))
		return;
	if (REAL(sigaction)(SIGPIPE, NULL, &action) == 0 && action.sa_handler == SIG_DFL)
		rt_end_run(EVENT_CRASH, SIGPIPE, 0, site, "signal 13, nobody reads from the pipe");
}

static ssize_t put(const struct rt_fd *entry, int fd, const void *from, size_t size, uint64_t site)
{
	if (entry->kind == RT_FD_SOCKET) {
		struct iovec part = {.iov_base = (void *)from, .iov_len = size};
		struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

		return rt_stream_send(fd, &message, 0, site);
	}
	check_broken_pipe(fd, site);
	return REAL(write)(fd, from, size);
}

static ssize_t transfer_datagram(int fd, void *bytes, size_t size, bool is_write, uint64_t site)
{
	struct iovec part = {.iov_base = bytes, .iov_len = size};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

	return is_write ? rt_datagram_send(rt_socket_of(fd), fd, &message, 0, site)
			: rt_datagram_receive(rt_socket_of(fd), fd, &message, 0, site);
}

static ssize_t read_fd(struct rt_fd *entry, int fd, void *to, size_t size, uint64_t site)
{
	struct event *did;

	if (entry->kind == RT_FD_RANDOM) {
		rt_random_fill(to, size);
		return (ssize_t)size;
	}
	if (rt_is_datagram(fd))
		return transfer_datagram(fd, to, size, false, site);
	if (!entry->reads)
		return REAL(read)(fd, to, size);
	did = rt_io_read_step(entry, fd, rt_io_waits(entry, site), &size, site);
	return rt_io_note(did, REAL(read)(fd, to, size));
}

struct addition {
	int fd;
	uint64_t value;
};

/* Is there room in the counter? It is read and put back, which no thread can notice. */
static bool can_add(struct rt_actor *actor, void *thing)
{
	const struct addition *addition = thing;
	uint64_t count = 0;

	if (rt_syscall(SYS_read, addition->fd, &count, sizeof(count)) == sizeof(count))
		rt_syscall(SYS_write, addition->fd, &count, sizeof(count));
	return addition->value <= UINT64_MAX - 1 - count;
}

/* A write to an eventfd whose counter would pass its limit waits for a reader. It is named, because
 * room in a counter is not an object that steps depend on. */
static void wait_for_count(const struct rt_fd *entry, int fd, const void *from, uint64_t site)
{
	struct addition addition = {.fd = fd};
	struct event event = rt_event(EVENT_IO_WRITE, site);

	if (entry->kind != RT_FD_EVENT)
		return;
	if (entry->semaphore)
		rt_lost("a write to an eventfd that is full is not supported (EFD_SEMAPHORE)");
	rt_warn_uncontrolled_at("a write to an eventfd that is full", site);
	rt_memcpy(&addition.value, from, sizeof(addition.value));
	rt_access_object(&event, 0, ACCESS_WORLD);
	rt_step(&event, can_add, &addition);
}

/* A large write is taken up piece by piece, as room is made. */
static ssize_t write_fd(struct rt_fd *entry, int fd, const void *from, size_t size, uint64_t site)
{
	size_t done = 0;
	ssize_t part;
	bool waits;

	if (rt_is_datagram(fd))
		return transfer_datagram(fd, (void *)from, size, true, site);
	if (!entry->writes)
		return REAL(write)(fd, from, size);
	waits = rt_io_waits(entry, site);
	do {
		struct event *did = rt_io_step(entry, fd, true, waits, site);

		part = put(entry, fd, (const char *)from + done, size - done, site);
		rt_io_note(did, part);
		if (part > 0)
			done += (size_t)part;
		else if (waits && part < 0 && errno == EAGAIN)
			wait_for_count(entry, fd, from, site);
	} while (done < size && waits && (part > 0 || errno == EAGAIN));
	return done || !size ? (ssize_t)done : part;
}

static ssize_t read_any(int fd, void *to, size_t size, uint64_t site)
{
	struct rt_fd *entry = rt_io_find(fd);

	if (entry)
		return read_fd(entry, fd, to, size, site);
	rt_file_step(fd, RT_FILE_READS | RT_FILE_MOVES, site);
	return REAL(read)(fd, to, size);
}

static ssize_t write_any(int fd, const void *from, size_t size, uint64_t site)
{
	struct rt_fd *entry = rt_io_find(fd);

	if (entry)
		return write_fd(entry, fd, from, size, site);
	rt_file_step(fd, RT_FILE_WRITES | RT_FILE_MOVES, site);
	return REAL(write)(fd, from, size);
}

INTERCEPT(ssize_t, read, (int fd, void *to, size_t size))
{
	int used;

	rt_plain(to, size, true, RT_SITE);
	used = rt_number_use(fd, RT_SITE);
	return rt_number_done(used, fd, read_any(used, to, size, RT_SITE));
}

INTERCEPT(ssize_t, write, (int fd, const void *from, size_t size))
{
	int used;

	rt_plain(from, size, false, RT_SITE);
	used = rt_number_use(fd, RT_SITE);
	return rt_number_done(used, fd, write_any(used, from, size, RT_SITE));
}

INTERCEPT(int, eventfd_read, (int fd, eventfd_t *value))
{
	int used;
	ssize_t got;

	if (!rt_active())
		return REAL(eventfd_read)(fd, value);
	rt_plain(value, sizeof(*value), true, RT_SITE);
	used = rt_number_use(fd, RT_SITE);
	got = rt_number_done(used, fd, read_any(used, value, sizeof(*value), RT_SITE));
	return got == sizeof(*value) ? 0 : -1;
}

INTERCEPT(int, eventfd_write, (int fd, eventfd_t value))
{
	int used;
	ssize_t put;

	if (!rt_active())
		return REAL(eventfd_write)(fd, value);
	used = rt_number_use(fd, RT_SITE);
	put = rt_number_done(used, fd, write_any(used, &value, sizeof(value), RT_SITE));
	return put == sizeof(value) ? 0 : -1;
}

static ssize_t read_parts(int fd, const struct iovec *parts, int count, uint64_t site)
{
	struct rt_fd *entry = rt_io_find(fd);
	struct event *did;

	if (!entry || !entry->reads) {
		rt_file_step(fd, RT_FILE_READS | RT_FILE_MOVES, site);
		return REAL(readv)(fd, parts, count);
	}
	did = rt_io_step(entry, fd, false, rt_io_waits(entry, site), site);
	return rt_io_note(did, REAL(readv)(fd, parts, count));
}

INTERCEPT(ssize_t, readv, (int fd, const struct iovec *parts, int count))
{
	int used;

	rt_touches_parts(parts, count > 0 ? (size_t)count : 0, true, RT_SITE);
	used = rt_number_use(fd, RT_SITE);
	return rt_number_done(used, fd, read_parts(used, parts, count, RT_SITE));
}

static ssize_t write_parts(int fd, const struct iovec *parts, int count, uint64_t site)
{
	struct rt_fd *entry = rt_io_find(fd);
	struct event *did;

	if (!entry || !entry->writes) {
		rt_file_step(fd, RT_FILE_WRITES | RT_FILE_MOVES, site);
		return REAL(writev)(fd, parts, count);
	}
	did = rt_io_step(entry, fd, true, rt_io_waits(entry, site), site);
	if (entry->kind == RT_FD_SOCKET) {
		struct msghdr message = {.msg_iov = (struct iovec *)parts,
					 .msg_iovlen = (size_t)count};

		return rt_io_note(did, rt_stream_send(fd, &message, 0, site));
	}
	check_broken_pipe(fd, site);
	return rt_io_note(did, REAL(writev)(fd, parts, count));
}

INTERCEPT(ssize_t, writev, (int fd, const struct iovec *parts, int count))
{
	int used;

	rt_touches_parts(parts, count > 0 ? (size_t)count : 0, false, RT_SITE);
	used = rt_number_use(fd, RT_SITE);
	return rt_number_done(used, fd, write_parts(used, parts, count, RT_SITE));
}

/* The other end will see that this one is gone; `frees`: the number is free from now on. */
static void step_on_end(const struct rt_fd *entry, int fd, bool frees, uint64_t site)
{
	struct event event = rt_event(EVENT_IO_CLOSE, site);
	struct event *did;

	if (frees)
		rt_access_object(&event, rt_numbers(), ACCESS_WRITE);
	if (entry->reads)
		rt_access_object(&event, entry->reads, ACCESS_GIVE);
	if (entry->writes && entry->writes != entry->reads)
		rt_access_object(&event, entry->writes, ACCESS_GIVE);
	if (rt_socket_name(fd))
		rt_access_object(&event, rt_socket_name(fd), ACCESS_WRITE);
	did = rt_step(&event, NULL, NULL);
	if (entry->writes && is_filled(entry, fd))
		did->flags |= EVENT_WAS_OPEN;
}

static int shut_down(int fd, int how, uint64_t site)
{
	struct rt_fd *entry = rt_io_find(fd);

	if (entry) {
		step_on_end(entry, fd, false, site);
		rt_socket_shut(fd, how, site);
	}
	return REAL(shutdown)(fd, how);
}

INTERCEPT(int, shutdown, (int fd, int how))
{
	int used = rt_number_use(fd, RT_SITE);

	return (int)rt_number_done(used, fd, shut_down(used, how, RT_SITE));
}

void rt_io_forget(int fd, uint64_t site)
{
	struct rt_fd *entry = rt_io_find(fd);

	if (entry) {
		for (uint32_t i = 0; i < RT->io.poll_set_len; i++)
			if (RT->io.poll_set[i].fd == fd || RT->io.poll_set[i].epoll == fd)
				RT->io.poll_set[i].epoll = -1;
		rt_socket_closed(fd, site);
	}
	if (rt_active() && fd >= 0 && fd < RT_MAX_FDS)
		RT->io.fds[fd] = (struct rt_fd){0};
}

/* As the kernel does it: the number is free first, then the open file loses a user. */
static int close_in_two(int fd, uint64_t site)
{
	const struct rt_fd *entry;
	int used;

	rt_numbers_step(site);
	used = rt_number_hold(fd);
	if (used < 0)
		return rt_fail(EBADF);
	rt_io_forget(fd, site);
	REAL(close)(fd);
	entry = rt_io_find(used);
	if (entry)
		step_on_end(entry, used, false, site);
	return (int)rt_number_done(used, fd, 0);
}

void rt_io_step_on_number(int fd, uint64_t site)
{
	const struct rt_fd *entry = rt_io_find(fd);

	if (entry)
		step_on_end(entry, fd, true, site);
	else
		rt_numbers_step(site);
	rt_number_closes(fd);
}

INTERCEPT(int, close, (int fd))
{
	rt_cancel_point(RT_SITE);
	if (rt_running() && RT->channel->number_is_event && fd >= 0 && fd < RT_MAX_FDS)
		return close_in_two(fd, RT_SITE);
	rt_io_step_on_number(fd, RT_SITE);
	rt_io_forget(fd, RT_SITE);
	return REAL(close)(fd);
}
