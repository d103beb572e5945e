/* socket_send.c: sending, receiving and options of simulated sockets (socket.h). */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "runtime/calls/effects.h"
#include "runtime/calls/numbers.h"
#include "runtime/calls/sync.h"
#include "runtime/calls/socket.h"
#include "runtime/intercept.h"
#include "runtime/rt_sys.h"

enum { PARTS_MAX = 16, DATAGRAM_MAX = 65536 };

static size_t bytes_of(const struct msghdr *message)
{
	size_t bytes = 0;

	for (size_t i = 0; i < message->msg_iovlen; i++)
		bytes += message->msg_iov[i].iov_len;
	return bytes;
}

/* ---- addresses ---- */

bool rt_socket_read_address(const struct sockaddr *from, socklen_t len, struct sockaddr_storage *to)
{
	rt_memset(to, 0, sizeof(*to));
	if (!from || len < sizeof(sa_family_t) || len > sizeof(*to))
		return false;
	rt_memcpy(to, from, len);
	return true;
}

void rt_socket_tell(const struct sockaddr_storage *address, socklen_t len, struct sockaddr *to,
		    socklen_t *to_len)
{
	if (!to || !to_len)
		return;
	rt_memcpy(to, address, len < *to_len ? len : *to_len);
	*to_len = len;
}

/* ---- datagrams ---- */

bool rt_is_datagram(int fd)
{
	const struct rt_socket *socket = rt_socket_of(fd);

	return socket && socket->type == SOCK_DGRAM;
}

/* The message with the header as its first part. */
static void add_header(const struct msghdr *message, struct iovec parts[PARTS_MAX + 1],
		       struct rt_sender *header, struct msghdr *whole)
{
	parts[0] = (struct iovec){.iov_base = header, .iov_len = sizeof(*header)};
	for (size_t i = 0; i < message->msg_iovlen; i++)
		parts[i + 1] = message->msg_iov[i];
	*whole = (struct msghdr){.msg_iov = parts, .msg_iovlen = message->msg_iovlen + 1};
}

/* A datagram that finds no room is lost. Without a receiver it is lost, too, or is an error for a
 * local socket. */
static ssize_t deliver(const struct rt_socket *socket, const struct sockaddr_storage *to,
		       socklen_t to_len, const struct msghdr *message, struct event *did)
{
	const struct rt_socket *target = rt_socket_find(to, SOCK_DGRAM);
	struct rt_sender header = {.address = socket->address, .len = socket->address_len};
	struct iovec parts[PARTS_MAX + 1];
	struct msghdr whole;

	if (!target) {
		did->accesses[0].mode = ACCESS_PEEK;
		if (to->ss_family == AF_UNIX)
			return rt_fail(ECONNREFUSED);
		if (!rt_socket_is_local(to))
			rt_warn_uncontrolled("a datagram to the outside");
		if (socket->peer_len) /* the answer is an error of the next call */
			rt_warn_uncontrolled_at("a datagram of a connected socket to nobody",
						did->site);
		return (ssize_t)bytes_of(message);
	}
	if (rt_io_queued(target->inlet))
		did->flags |= EVENT_WAS_OPEN;
	if (!socket->is_bound)
		header.len = 0;
	add_header(message, parts, &header, &whole);
	if (rt_syscall(SYS_sendmsg, target->inlet, &whole, MSG_NOSIGNAL) < 0)
		rt_warn_uncontrolled("a datagram that finds no room");
	return (ssize_t)bytes_of(message);
}

ssize_t rt_datagram_send(struct rt_socket *socket, int fd, const struct msghdr *message, int flags,
			 uint64_t site)
{
	struct event event = rt_event(EVENT_IO_WRITE, site);
	struct sockaddr_storage to = socket->peer;
	socklen_t len = socket->peer_len;
	struct event *did;
	ssize_t result;

	if (message->msg_name) {
		len = message->msg_namelen;
		if (!rt_socket_read_address(message->msg_name, len, &to))
			return rt_fail(EINVAL);
	}
	if (!len)
		return rt_fail(EDESTADDRREQ);
	if (message->msg_iovlen > PARTS_MAX)
		return rt_fail(EMSGSIZE);
	rt_cancel_point(site);
	rt_socket_autobind(socket, fd);
	rt_access_object(&event, rt_socket_queue(&to, SOCK_DGRAM), ACCESS_GIVE);
	did = rt_step(&event, NULL, NULL);
	result = deliver(socket, &to, len, message, did);
	did->value = (uint64_t)result;
	if (result < 0)
		did->flags |= EVENT_FAILED;
	return result;
}

static ssize_t take_datagram(int fd, struct msghdr *message, int flags)
{
	struct iovec parts[PARTS_MAX + 1];
	struct rt_sender header = {.len = 0};
	struct msghdr whole;
	long got;

	add_header(message, parts, &header, &whole);
	got = rt_syscall(SYS_recvmsg, fd, &whole, flags);
	if (got < 0)
		return rt_fail((int)-got);
	if ((size_t)got < sizeof(header))
		return rt_fail(EIO);
	message->msg_flags = whole.msg_flags & ~MSG_EOR;
	message->msg_controllen = 0;
	if (message->msg_name)
		rt_socket_tell(&header.address, header.len, message->msg_name,
			       &message->msg_namelen);
	return got - (ssize_t)sizeof(header);
}

ssize_t rt_datagram_receive(struct rt_socket *socket, int fd, struct msghdr *message, int flags,
			    uint64_t site)
{
	const struct rt_fd *entry = rt_io_find(fd);
	bool waits = !(flags & MSG_DONTWAIT) && rt_io_waits(entry, site);
	struct event *did;

	if (message->msg_iovlen > PARTS_MAX)
		return rt_fail(EMSGSIZE);
	rt_socket_autobind(socket, fd);
	if (!entry->reads)
		entry = NULL;
	if (!entry) {
		rt_warn_uncontrolled("a receive from a socket without an address");
		return rt_fail(EAGAIN);
	}
	did = rt_io_step(entry, fd, false, waits, site);
	return rt_io_note(did, take_datagram(fd, message, flags));
}

/* The datagrams that were sent before the first thread are in the queue of every run. The mark, which is
 * shorter than any of them, comes back when all were read and put back. */
void rt_datagrams_copy(int from, int inlet, int to)
{
	char datagram[sizeof(struct rt_sender) + DATAGRAM_MAX];
	long len;

	if (!rt_io_queued(inlet) || rt_syscall(SYS_write, inlet, "", 1) != 1)
		return;
	while ((len = rt_syscall(SYS_read, from, datagram, sizeof(datagram))) > 1) {
		rt_syscall(SYS_write, to, datagram, len);
		rt_syscall(SYS_write, inlet, datagram, len);
	}
}

/* ---- connections ---- */

/* The kernel would end the process; it is the step of the program that does. */
static ssize_t broken(ssize_t result, int flags, uint64_t site)
{
	struct sigaction action;

	if (result >= 0 || errno != EPIPE || flags & MSG_NOSIGNAL)
		return result;
	if (REAL(sigaction)(SIGPIPE, NULL, &action) == 0 && action.sa_handler == SIG_DFL)
		rt_end_run(EVENT_CRASH, SIGPIPE, 0, site,
			   "signal 13, nobody reads from the connection");
	errno = EPIPE;
	return result;
}

/* A connection of TCP whose other end is closed. That end answers the first data with a reset, so
 * the first send succeeds and the second one fails. If the other end had not read everything, it
 * sent the reset when it was closed: the first send fails with ECONNRESET, without a signal.
 *
 *     server: close(c)       client: write(s, …) == 1; write(s, …) == -1, EPIPE and SIGPIPE
 */
static ssize_t send_reset(struct rt_socket *socket, int fd, const struct msghdr *message)
{
	socklen_t len = sizeof(int);
	int error = 0;

	if (socket->is_reset)
		return rt_fail(EPIPE);
	socket->is_reset = true;
	rt_syscall6(SYS_getsockopt, fd, SOL_SOCKET, SO_ERROR, (long)&error, (long)&len, 0);
	return error ? rt_fail(error) : (ssize_t)bytes_of(message);
}

ssize_t rt_stream_send(int fd, const struct msghdr *message, int flags, uint64_t site)
{
	struct rt_socket *socket = rt_socket_of(fd);
	ssize_t result = REAL(sendmsg)(fd, message, flags | MSG_NOSIGNAL);

	if (result < 0 && errno == EPIPE && socket && socket->domain != AF_UNIX && !socket->no_more)
		result = send_reset(socket, fd, message);
	return broken(result, flags, site);
}

void rt_socket_shut(int fd, int how, uint64_t site)
{
	struct rt_socket *socket = rt_socket_of(fd);

	if (!socket)
		return;
	socket->no_more |= how != SHUT_RD;
	if (how == SHUT_RD && socket->domain != AF_UNIX && socket->state == RT_SOCKET_CONNECTED)
		rt_warn_uncontrolled_at("shutdown (SHUT_RD)", site);
}

/* The message of a call that has buffers and addresses of its own is on the stack. */
static void touch_message(const struct msghdr *message, bool is_write, uint64_t site)
{
	rt_reads(message, sizeof(*message), site);
	if (message->msg_namelen)
		(is_write ? rt_writes : rt_reads)(message->msg_name, message->msg_namelen, site);
	rt_touches_parts(message->msg_iov, message->msg_iovlen, is_write, site);
}

/* MSG_OOB and the like are not modelled. */
static void check_flags(int flags, uint64_t site)
{
	if (flags & ~(MSG_DONTWAIT | MSG_NOSIGNAL | MSG_WAITALL | MSG_PEEK | MSG_MORE | MSG_EOR |
		      MSG_CMSG_CLOEXEC | MSG_TRUNC | MSG_CONFIRM | MSG_DONTROUTE))
		rt_warn_uncontrolled_at("a flag of send or recv that is not modelled", site);
}

static ssize_t send_message(int fd, const struct msghdr *message, int flags, uint64_t site)
{
	const struct rt_fd *entry = rt_io_find(fd);
	bool waits = !(flags & MSG_DONTWAIT) && rt_io_waits(entry, site);
	struct event *did;

	check_flags(flags, site);
	touch_message(message, false, site);
	if (rt_is_datagram(fd))
		return rt_datagram_send(rt_socket_of(fd), fd, message, flags, site);
	if (!entry->writes)
		return REAL(sendmsg)(fd, message, flags | MSG_NOSIGNAL);
	if (message->msg_controllen && message->msg_control)
		rt_warn_uncontrolled("sendmsg with control data");
	did = rt_io_step(entry, fd, true, waits, site);
	return rt_io_note(did, rt_stream_send(fd, message, flags, site));
}

static ssize_t receive_message(int fd, struct msghdr *message, int flags, uint64_t site)
{
	const struct rt_fd *entry = rt_io_find(fd);
	bool waits = !(flags & MSG_DONTWAIT) && rt_io_waits(entry, site);
	struct iovec *parts = message->msg_iov, part;
	struct event *did;
	ssize_t result;

	check_flags(flags, site);
	touch_message(message, true, site);
	if (rt_is_datagram(fd))
		return rt_datagram_receive(rt_socket_of(fd), fd, message, flags, site);
	if (!entry->reads)
		return REAL(recvmsg)(fd, message, flags);
	if (flags & (MSG_WAITALL | MSG_PEEK) || message->msg_iovlen != 1) {
		did = rt_io_step(entry, fd, false, waits, site);
		return rt_io_note(did, REAL(recvmsg)(fd, message, flags));
	}
	part = message->msg_iov[0];
	did = rt_io_read_step(entry, fd, waits, &part.iov_len, site);
	message->msg_iov = &part;
	result = REAL(recvmsg)(fd, message, flags);
	message->msg_iov = parts;
	return rt_io_note(did, result);
}

INTERCEPT(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags))
{
	int used = rt_number_use(fd, RT_SITE);

	return rt_number_done(used, fd, rt_io_find(used) ? send_message(used, message, flags, RT_SITE)
							 : REAL(sendmsg)(used, message, flags));
}

INTERCEPT(ssize_t, recvmsg, (int fd, struct msghdr *message, int flags))
{
	int used = rt_number_use(fd, RT_SITE);

	return rt_number_done(used, fd,
			      rt_io_find(used) ? receive_message(used, message, flags, RT_SITE)
					       : REAL(recvmsg)(used, message, flags));
}

/* A large send is taken up piece by piece, as room is made. */
static ssize_t send_all(int fd, const void *from, size_t size, int flags, uint64_t site)
{
	const struct rt_fd *entry = rt_io_find(fd);
	bool waits = !(flags & MSG_DONTWAIT) && rt_io_waits(entry, site);
	size_t done = 0;
	ssize_t part;

	do {
		struct iovec rest = {.iov_base = (char *)from + done, .iov_len = size - done};
		struct msghdr message = {.msg_iov = &rest, .msg_iovlen = 1};

		part = send_message(fd, &message, flags, site);
		done += part > 0 ? (size_t)part : 0;
	} while (done < size && waits && (part > 0 || errno == EAGAIN));
	return done || !size ? (ssize_t)done : part;
}

static ssize_t send_one(int fd, const void *from, size_t size, int flags,
			const struct sockaddr *to, socklen_t len, uint64_t site)
{
	struct iovec part = {.iov_base = (void *)from, .iov_len = size};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_name = (void *)to,
				 .msg_namelen = len};

	if (rt_is_datagram(fd))
		return send_message(fd, &message, flags, site);
	return send_all(fd, from, size, flags, site);
}

/* With MSG_WAITALL until all is there, or the end. */
static ssize_t receive_one(int fd, void *to, size_t size, int flags, struct sockaddr *from,
			   socklen_t *len, uint64_t site)
{
	bool is_datagram = rt_is_datagram(fd);
	size_t done = 0;
	ssize_t part;

	do {
		struct iovec room = {.iov_base = (char *)to + done, .iov_len = size - done};
		struct msghdr message = {.msg_iov = &room, .msg_iovlen = 1,
					 .msg_name = is_datagram ? from : NULL,
					 .msg_namelen = is_datagram && len ? *len : 0};

		rt_writes(len, sizeof(*len), site);
		part = receive_message(fd, &message, flags & ~MSG_WAITALL, site);
		done += part > 0 ? (size_t)part : 0;
		if (len)
			*len = message.msg_namelen;
	} while (flags & MSG_WAITALL && !is_datagram && part > 0 && done < size);
	return done ? (ssize_t)done : part;
}

INTERCEPT(ssize_t, send, (int fd, const void *from, size_t size, int flags))
{
	int used = rt_number_use(fd, RT_SITE);

	return rt_number_done(used, fd,
			      rt_io_find(used)
				      ? send_one(used, from, size, flags, NULL, 0, RT_SITE)
				      : REAL(send)(used, from, size, flags));
}

INTERCEPT(ssize_t, sendto, (int fd, const void *from, size_t size, int flags,
			    const struct sockaddr *to, socklen_t len))
{
	int used = rt_number_use(fd, RT_SITE);

	return rt_number_done(used, fd,
			      rt_io_find(used)
				      ? send_one(used, from, size, flags, to, len, RT_SITE)
				      : REAL(sendto)(used, from, size, flags, to, len));
}

INTERCEPT(ssize_t, recv, (int fd, void *to, size_t size, int flags))
{
	int used = rt_number_use(fd, RT_SITE);

	return rt_number_done(used, fd,
			      rt_io_find(used)
				      ? receive_one(used, to, size, flags, NULL, NULL, RT_SITE)
				      : REAL(recv)(used, to, size, flags));
}

INTERCEPT(ssize_t, recvfrom, (int fd, void *restrict to, size_t size, int flags,
			      struct sockaddr *restrict from, socklen_t *restrict len))
{
	int used = rt_number_use(fd, RT_SITE);

	return rt_number_done(used, fd,
			      rt_io_find(used)
				      ? receive_one(used, to, size, flags, from, len, RT_SITE)
				      : REAL(recvfrom)(used, to, size, flags, from, len));
}

/* ---- options ----
 *
 * Known are options that change nothing that a thread of the same program could see, unless it asks for
 * them, which is named. Every other option is named. */

static bool is_known_option(int level, int name, const void *value, socklen_t len)
{
	const struct linger *linger = value;

	switch (level) {
	case SOL_SOCKET:
		if (name == SO_LINGER)
			return len >= sizeof(*linger) && !linger->l_onoff;
		return name == SO_REUSEADDR || name == SO_REUSEPORT || name == SO_KEEPALIVE ||
		       name == SO_BROADCAST || name == SO_DONTROUTE || name == SO_PRIORITY;
	case IPPROTO_TCP:
		return name == TCP_NODELAY || name == TCP_KEEPIDLE || name == TCP_KEEPINTVL ||
		       name == TCP_KEEPCNT || name == TCP_QUICKACK;
	case IPPROTO_IP:
		return name == IP_TOS || name == IP_TTL;
	default:
		return false;
	}
}

static void check_option(int level, int name, const void *value, socklen_t len, uint64_t site)
{
	if (is_known_option(level, name, value, len))
		return;
	if (level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO))
		rt_warn_uncontrolled_at("a timeout of a socket (SO_RCVTIMEO, SO_SNDTIMEO)", site);
	else if (level == SOL_SOCKET && (name == SO_SNDBUF || name == SO_RCVBUF))
		rt_warn_uncontrolled_at("the size of a buffer of a socket (SO_SNDBUF, SO_RCVBUF)",
					site);
	else
		rt_warn_uncontrolled_at("an option of a socket that is not modelled", site);
}

INTERCEPT(int, setsockopt, (int fd, int level, int name, const void *value, socklen_t len))
{
	const struct rt_fd *entry;

	rt_number_look(fd, RT_SITE);
	entry = rt_io_find(fd);
	if (entry && entry->kind == RT_FD_SOCKET) {
		rt_plain(value, len, false, RT_SITE);
		check_option(level, name, value, len, RT_SITE);
	}
	if (!rt_socket_of(fd) || (level == SOL_SOCKET && (name == SO_SNDBUF || name == SO_RCVBUF)))
		return REAL(setsockopt)(fd, level, name, value, len);
	return 0;
}

static int own_option(const struct rt_socket *socket, int level, int name, uint64_t site)
{
	switch (level == SOL_SOCKET ? name : 0) {
	case SO_TYPE:
		return socket->type;
	case SO_DOMAIN:
		return socket->domain;
	case SO_PROTOCOL:
		return socket->protocol;
	case SO_ACCEPTCONN:
		return socket->state == RT_SOCKET_LISTENS;
	case SO_ERROR:
		return 0; /* errors are those of the call */
	default:
		rt_warn_uncontrolled_at("an option of a socket that is read back", site);
		return 0;
	}
}

/* The kernel answers for a socket that is not ours, as one of socketpair(): notes the bytes that it will write. */
static void note_answer(const void *answer, const socklen_t *len, uint64_t site)
{
	rt_writes(len, sizeof(*len), site);
	rt_writes(answer, len ? *len : 0, site);
}

INTERCEPT(int, getsockopt,
	  (int fd, int level, int name, void *restrict value, socklen_t *restrict len))
{
	const struct rt_socket *socket;
	int number;

	rt_number_look(fd, RT_SITE);
	socket = rt_socket_of(fd);
	if (!socket || (level == SOL_SOCKET && (name == SO_SNDBUF || name == SO_RCVBUF))) {
		note_answer(value, len, RT_SITE);
		return REAL(getsockopt)(fd, level, name, value, len);
	}
	number = own_option(socket, level, name, RT_SITE);
	rt_reads(len, sizeof(*len), RT_SITE);
	rt_plain(value, *len < sizeof(number) ? *len : sizeof(number), true, RT_SITE);
	rt_memset(value, 0, *len);
	rt_memcpy(value, &number, *len < sizeof(number) ? *len : sizeof(number));
	return 0;
}

INTERCEPT(int, getsockname, (int fd, struct sockaddr *restrict address, socklen_t *restrict len))
{
	const struct rt_socket *socket;

	rt_number_look(fd, RT_SITE);
	socket = rt_socket_of(fd);
	if (!socket) {
		note_answer(address, len, RT_SITE);
		return REAL(getsockname)(fd, address, len);
	}
	rt_plain(len, sizeof(*len), true, RT_SITE);
	rt_plain(address, *len < socket->address_len ? *len : socket->address_len, true, RT_SITE);
	rt_socket_tell(&socket->address, socket->address_len, address, len);
	return 0;
}

INTERCEPT(int, getpeername, (int fd, struct sockaddr *restrict address, socklen_t *restrict len))
{
	const struct rt_socket *socket;

	rt_number_look(fd, RT_SITE);
	socket = rt_socket_of(fd);
	if (!socket) {
		note_answer(address, len, RT_SITE);
		return REAL(getpeername)(fd, address, len);
	}
	if (!socket->peer_len)
		return rt_fail(ENOTCONN);
	rt_plain(len, sizeof(*len), true, RT_SITE);
	rt_plain(address, *len < socket->peer_len ? *len : socket->peer_len, true, RT_SITE);
	rt_socket_tell(&socket->peer, socket->peer_len, address, len);
	return 0;
}
