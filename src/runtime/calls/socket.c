#include "runtime/calls/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/un.h>

#include "base/rng.h"
#include "core/object.h"
#include "runtime/calls/effects.h"
#include "runtime/calls/numbers.h"
#include "runtime/calls/sync.h"
#include "runtime/intercept.h"
#include "runtime/rt_sys.h"

enum { TYPE_MASK = 0xf, NAMES = 1 << 22, FIRST_PORT = 33000, PORTS_PER_ACTOR = 32 };

/* ---- addresses ---- */

static bool is_inet(const struct sockaddr_storage *address)
{
	return address->ss_family == AF_INET || address->ss_family == AF_INET6;
}

static uint16_t *port_of(struct sockaddr_storage *address)
{
	return address->ss_family == AF_INET6 ? &((struct sockaddr_in6 *)address)->sin6_port
					      : &((struct sockaddr_in *)address)->sin_port;
}

static uint16_t port_in(const struct sockaddr_storage *address)
{
	return *port_of((struct sockaddr_storage *)address);
}

/* Every address of the machine is one: a port, or the name of a local socket. */
static uint64_t key_of(const struct sockaddr_storage *address, int type)
{
	uint64_t hash = (uint64_t)type + 1;

	if (is_inet(address))
		return rng_mix(hash ^ (uint64_t)port_in(address) << 8);
	for (size_t i = 0; i < sizeof(((struct sockaddr_un *)address)->sun_path); i++)
		hash = rng_mix(hash ^ (unsigned char)((const struct sockaddr_un *)address)
					      ->sun_path[i]) + 1;
	return hash;
}

/* Numbers beside those of pipes, which are smaller than 2^35. */
static uint64_t object_of(const struct sockaddr_storage *address, int type, bool is_queue)
{
	uint64_t key = key_of(address, type) & 0xfffffffff0ull;

	return OBJECT(OBJECT_FD, 1ull << 44 | key << 1 | is_queue);
}

uint64_t rt_socket_queue(const struct sockaddr_storage *address, int type)
{
	return object_of(address, type, true);
}

bool rt_socket_is_local(const struct sockaddr_storage *address)
{
	const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
	uint32_t four;

	if (address->ss_family == AF_UNIX)
		return true;
	if (address->ss_family == AF_INET) {
		four = ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr);
		return !four || four >> 24 == 127;
	}
	return address->ss_family == AF_INET6 && (IN6_IS_ADDR_LOOPBACK(&six->sin6_addr) ||
						  IN6_IS_ADDR_UNSPECIFIED(&six->sin6_addr));
}

/* ---- the table ---- */

struct rt_socket *rt_socket_of(int fd)
{
	const struct rt_fd *entry = rt_io_find(fd);

	return entry && entry->socket ? &RT->io.sockets[entry->socket - 1] : NULL;
}

static uint32_t number_of(const struct rt_socket *socket)
{
	return (uint32_t)(socket - RT->io.sockets) + 1;
}

static struct rt_socket *new_socket(int domain, int type)
{
	for (uint32_t i = 0; i < RT_MAX_SOCKETS; i++) {
		struct rt_socket *socket = &RT->io.sockets[i];

		if (socket->state)
			continue;
		*socket = (struct rt_socket){.state = RT_SOCKET_NEW, .domain = domain,
					     .type = type & TYPE_MASK, .inlet = -1};
		if (i >= RT->io.sockets_high)
			RT->io.sockets_high = i + 1;
		socket->address.ss_family = (sa_family_t)domain;
		socket->address_len = domain == AF_INET    ? sizeof(struct sockaddr_in)
				      : domain == AF_INET6 ? sizeof(struct sockaddr_in6)
							   : sizeof(sa_family_t);
		return socket;
	}
	rt_lost("more than %d sockets", RT_MAX_SOCKETS);
}

struct rt_socket *rt_socket_find(const struct sockaddr_storage *address, int type)
{
	uint64_t key = key_of(address, type);

	for (uint32_t i = 0; i < RT->io.sockets_high; i++) {
		struct rt_socket *socket = &RT->io.sockets[i];

		if (socket->state && socket->is_bound && socket->type == type &&
		    is_inet(address) == is_inet(&socket->address) &&
		    key_of(&socket->address, type) == key)
			return socket;
	}
	return NULL;
}

/* The first port that a thread gets depends on the thread alone. */
static uint16_t free_port(struct rt_socket *socket)
{
	struct rt_actor *self = rt_self();
	struct sockaddr_storage wanted = socket->address;

	for (;;) {
		uint32_t nth = self->ports++;

		*port_of(&wanted) = htons((uint16_t)(FIRST_PORT + self->index * PORTS_PER_ACTOR +
						     nth % PORTS_PER_ACTOR));
		if (!rt_socket_find(&wanted, socket->type))
			return *port_of(&wanted);
		if (nth > 2 * PORTS_PER_ACTOR)
			rt_lost("a thread uses more than %d ports", PORTS_PER_ACTOR);
	}
}

/* The queue from which the socket reads, through whichever descriptor. */
static void set_queue(const struct rt_socket *socket)
{
	for (int fd = 0; fd < RT_MAX_FDS; fd++)
		if (RT->io.fds[fd].socket == number_of(socket))
			RT->io.fds[fd].reads = rt_socket_queue(&socket->address, socket->type);
}

void rt_socket_autobind(struct rt_socket *socket, int fd)
{
	struct rt_fd *entry = rt_io_find(fd);

	if (socket->is_bound || !is_inet(&socket->address))
		return;
	*port_of(&socket->address) = free_port(socket);
	socket->is_bound = true;
	if (socket->type != SOCK_DGRAM)
		return;
	set_queue(socket);
	if (entry) /* a call holds it, whose number may be closed */
		entry->reads = rt_socket_queue(&socket->address, socket->type);
}

/* ---- descriptors ---- */

static int hide(int fd)
{
	int hidden = (int)rt_syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, RT_HIDDEN_FDS);

	if (hidden < 0)
		rt_lost("no more descriptors");
	rt_syscall(SYS_close, fd, 0, 0);
	return hidden;
}

static void make_pair(int type, int fds[2])
{
	if (rt_syscall4(SYS_socketpair, AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) < 0)
		rt_lost("no more descriptors");
}

/* Puts the descriptor in the place of all those of the socket. */
static void replace(const struct rt_socket *socket, int fresh)
{
	for (int fd = 0; fd < RT_MAX_FDS; fd++)
		if (RT->io.fds[fd].socket == number_of(socket)) {
			long flags = rt_syscall(SYS_fcntl, fd, F_GETFD, 0);

			rt_syscall(SYS_dup3, fresh, fd, flags & FD_CLOEXEC ? O_CLOEXEC : 0);
		}
	rt_syscall(SYS_close, fresh, 0, 0);
}

static void step_on_names(struct event *event)
{
	if (rt_running())
		rt_step(event, NULL, NULL);
}

static bool is_simulated(int domain, int type, int protocol)
{
	int base = type & TYPE_MASK, usual = base == SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP;

	return !(type & ~(TYPE_MASK | SOCK_NONBLOCK | SOCK_CLOEXEC)) &&
	       (!protocol || protocol == usual) &&
	       (domain == AF_INET || domain == AF_INET6 || domain == AF_UNIX) &&
	       (base == SOCK_STREAM || base == SOCK_DGRAM);
}

/* A datagram socket is one end of a pair that keeps the borders between messages. */
static int open_fd(struct rt_socket *made, int type)
{
	int flags = type & SOCK_CLOEXEC, fds[2], fd;

	if (made->type == SOCK_STREAM)
		return REAL(socket)(AF_UNIX, SOCK_STREAM | flags, 0);
	make_pair(SOCK_SEQPACKET, fds);
	made->inlet = hide(fds[1]);
	fd = (int)rt_syscall(SYS_fcntl, fds[0], flags ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
	rt_syscall(SYS_close, fds[0], 0, 0);
	return fd;
}

INTERCEPT(int, socket, (int domain, int type, int protocol))
{
	struct rt_socket *made;
	int fd;

	if (!rt_active())
		return REAL(socket)(domain, type, protocol);
	rt_need_fork("socket");
	if (!is_simulated(domain, type, protocol)) {
		rt_warn_uncontrolled("socket");
		return REAL(socket)(domain, type, protocol);
	}
	rt_numbers_step(RT_SITE);
	made = new_socket(domain, type);
	made->protocol = protocol;
	fd = open_fd(made, type);
	if (fd < 0) {
		made->state = RT_SOCKET_FREE;
		return fd;
	}
	rt_io_add(fd, RT_FD_SOCKET, type & SOCK_NONBLOCK, 0, 0);
	RT->io.fds[fd].socket = number_of(made);
	return fd;
}

/* ---- names ---- */

static int bind_to(int fd, const struct sockaddr *address, socklen_t len, uint64_t site)
{
	struct rt_socket *socket = rt_socket_of(fd);
	struct event event = rt_event(EVENT_IO_WRITE, site);
	struct sockaddr_storage wanted;

	if (!socket)
		return REAL(bind)(fd, address, len);
	rt_plain(address, len, false, site);
	if (!rt_socket_read_address(address, len, &wanted) || socket->is_bound ||
	    wanted.ss_family != socket->domain)
		return rt_fail(EINVAL);
	if (is_inet(&wanted) && !port_in(&wanted)) {
		struct rt_socket with_address = *socket;

		with_address.address = wanted;
		*port_of(&wanted) = free_port(&with_address);
	}
	rt_access_object(&event, object_of(&wanted, socket->type, false), ACCESS_WRITE);
	step_on_names(&event);
	if (rt_socket_find(&wanted, socket->type))
		return rt_fail(EADDRINUSE);
	socket->address = wanted;
	socket->address_len = len;
	socket->is_bound = true;
	if (socket->type == SOCK_DGRAM)
		set_queue(socket);
	return 0;
}

INTERCEPT(int, bind, (int fd, const struct sockaddr *address, socklen_t len))
{
	int used = rt_number_use(fd, RT_SITE);

	return (int)rt_number_done(used, fd, bind_to(used, address, len, RT_SITE));
}

static int listen_on(int fd, int backlog, uint64_t site)
{
	struct rt_socket *socket = rt_socket_of(fd);
	struct event event = rt_event(EVENT_IO_WRITE, site);
	int fds[2];

	if (!socket)
		return REAL(listen)(fd, backlog);
	rt_socket_autobind(socket, fd);
	if (socket->type != SOCK_STREAM || !socket->is_bound ||
	    socket->state == RT_SOCKET_CONNECTED)
		return rt_fail(EINVAL);
	rt_access_object(&event, object_of(&socket->address, socket->type, false), ACCESS_WRITE);
	step_on_names(&event);
	if (socket->state == RT_SOCKET_LISTENS)
		return 0;
	make_pair(SOCK_STREAM, fds);
	socket->inlet = hide(fds[1]);
	socket->state = RT_SOCKET_LISTENS;
	replace(socket, fds[0]);
	set_queue(socket);
	return 0;
}

INTERCEPT(int, listen, (int fd, int backlog))
{
	int used = rt_number_use(fd, RT_SITE);

	return (int)rt_number_done(used, fd, listen_on(used, backlog, RT_SITE));
}

/* ---- connections ---- */

/* A connection that arrives at the inlet of a listener. */
struct arrival {
	int fd;          /* the listener's end, hidden */
	uint32_t socket; /* its number */
	uint64_t reads, writes;
};

static void set_objects(const struct rt_socket *socket, uint64_t reads, uint64_t writes)
{
	for (int fd = 0; fd < RT_MAX_FDS; fd++)
		if (RT->io.fds[fd].socket == number_of(socket)) {
			RT->io.fds[fd].reads = reads;
			RT->io.fds[fd].writes = writes;
		}
}

static void join_to(struct rt_socket *socket, int fd, const struct rt_socket *listener)
{
	struct rt_socket *other = new_socket(socket->domain, socket->type);
	uint64_t there = rt_io_new_object(CHANNEL_IO_SOCKET), back = rt_io_new_object(CHANNEL_IO_SOCKET);
	struct arrival arrival = {.socket = number_of(other), .reads = there, .writes = back};
	int fds[2];

	rt_socket_autobind(socket, fd);
	make_pair(SOCK_STREAM, fds);
	other->state = socket->state = RT_SOCKET_CONNECTED;
	other->address = socket->peer = listener->address;
	other->address_len = socket->peer_len = listener->address_len;
	other->peer = socket->address;
	other->peer_len = socket->address_len;
	replace(socket, fds[0]);
	set_objects(socket, back, there);
	arrival.fd = hide(fds[1]);
	if (rt_syscall(SYS_write, listener->inlet, &arrival, sizeof(arrival)) != sizeof(arrival))
		rt_lost("too many connections wait to be accepted");
}

/* The address is not one of the program's: a real connection, unless no program listens there. */
static int connect_outside(struct rt_socket *made, int fd, const struct sockaddr *address,
			   socklen_t len)
{
	int real = (int)rt_syscall(SYS_socket, made->domain, made->type | SOCK_CLOEXEC,
				   made->protocol);
	long result = real < 0 ? real : rt_syscall(SYS_connect, real, address, len);
	int error = (int)-result;

	if (result && (error == ECONNREFUSED || error == ENOENT)) {
		rt_syscall(SYS_close, real, 0, 0);
		return rt_fail(error);
	}
	rt_warn_uncontrolled("a connection to the outside");
	if (result) {
		rt_syscall(SYS_close, real, 0, 0);
		return rt_fail(error);
	}
	replace(made, real);
	for (int copy = 0; copy < RT_MAX_FDS; copy++)
		if (RT->io.fds[copy].socket == number_of(made))
			RT->io.fds[copy] = (struct rt_fd){0};
	made->state = RT_SOCKET_FREE;
	return 0;
}

static int connect_stream(struct rt_socket *socket, int fd, const struct sockaddr_storage *to,
			  socklen_t len, uint64_t site)
{
	struct event event = rt_event(EVENT_IO_WRITE, site);
	const struct rt_socket *listener;
	struct event *did = NULL;

	if (socket->state != RT_SOCKET_NEW)
		return rt_fail(socket->state == RT_SOCKET_CONNECTED ? EISCONN : EINVAL);
	rt_access_object(&event, object_of(to, socket->type, false), ACCESS_READ);
	rt_access_object(&event, rt_socket_queue(to, socket->type), ACCESS_GIVE);
	if (rt_running())
		did = rt_step(&event, NULL, NULL);
	listener = rt_socket_find(to, socket->type);
	if (listener && listener->state != RT_SOCKET_LISTENS)
		listener = NULL;
	if (did && listener && rt_io_queued(listener->inlet))
		did->flags |= EVENT_WAS_OPEN;
	if (listener) {
		join_to(socket, fd, listener);
		if (rt_io_find(fd)->nonblock && is_inet(to))
			return rt_fail(EINPROGRESS);
		return 0;
	}
	if (did) {
		did->accesses[1].mode = ACCESS_PEEK;
		did->flags |= EVENT_FAILED;
	}
	return connect_outside(socket, fd, (const struct sockaddr *)to, len);
}

static int connect_to(int fd, const struct sockaddr *address, socklen_t len, uint64_t site)
{
	struct rt_socket *socket = rt_socket_of(fd);
	struct sockaddr_storage to;

	if (!socket)
		return REAL(connect)(fd, address, len);
	rt_plain(address, len, false, site);
	if (!rt_socket_read_address(address, len, &to))
		return rt_fail(EINVAL);
	if (socket->type == SOCK_STREAM)
		return connect_stream(socket, fd, &to, len, site);
	rt_socket_autobind(socket, fd);
	socket->peer = to;
	socket->peer_len = to.ss_family == AF_UNSPEC ? 0 : len;
	return 0;
}

INTERCEPT(int, connect, (int fd, const struct sockaddr *address, socklen_t len))
{
	rt_cancel_point(RT_SITE);
	int used = rt_number_use(fd, RT_SITE);

	return (int)rt_number_done(used, fd, connect_to(used, address, len, RT_SITE));
}

static int take_arrival(int listener, int flags, struct sockaddr *address, socklen_t *len)
{
	struct rt_socket *socket;
	struct arrival arrival;
	long got = rt_syscall(SYS_read, listener, &arrival, sizeof(arrival));
	int fd;

	if (got != sizeof(arrival))
		return rt_fail(got ? EAGAIN : EINVAL); /* EINVAL: it was shut down */
	fd = (int)rt_syscall(SYS_fcntl, arrival.fd,
			     flags & SOCK_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
	rt_syscall(SYS_close, arrival.fd, 0, 0);
	if (fd < 0)
		return rt_fail(-fd);
	rt_io_add(fd, RT_FD_SOCKET, flags & SOCK_NONBLOCK, arrival.reads, arrival.writes);
	RT->io.fds[fd].socket = arrival.socket;
	socket = &RT->io.sockets[arrival.socket - 1];
	rt_socket_tell(&socket->peer, socket->peer_len, address, len);
	return fd;
}

static bool has_arrival(struct rt_actor *actor, void *thing)
{
	return rt_io_state(*(int *)thing, POLLIN) || rt_cancel_due(actor);
}

static int accept_on(int fd, struct sockaddr *address, socklen_t *len, int flags, uint64_t site)
{
	const struct rt_fd *entry = rt_io_find(fd);
	struct event event = rt_event(EVENT_IO_READ, site);
	struct event *did;
	bool waits;
	int result;

	if (!rt_socket_of(fd) || rt_socket_of(fd)->state != RT_SOCKET_LISTENS)
		return rt_fail(EINVAL);
	rt_writes(len, sizeof(*len), site);
	rt_writes(address, address && len ? *len : 0, site);
	rt_access_object(&event, entry->reads, ACCESS_TAKE);
	rt_access_object(&event, OBJECT(OBJECT_FD, 0), ACCESS_WRITE);
	waits = rt_io_waits(entry, site);
	event.flags = waits ? 0 : EVENT_TRY;
	rt_cancel_access(&event);
	did = rt_step(&event, waits ? has_arrival : NULL, waits ? &fd : NULL);
	rt_cancel_ends(did, rt_io_state(fd, POLLIN), !waits);
	rt_cancel_act();
	result = take_arrival(fd, flags, address, len);
	did->value = (uint64_t)(result >= 0);
	if (result < 0) {
		did->flags |= EVENT_FAILED;
		if (!waits) /* one that waited was let go by a shutdown */
			did->accesses[0].mode = ACCESS_PEEK;
		did->accesses[1].mode = ACCESS_READ;
	}
	return result;
}

INTERCEPT(int, accept, (int fd, struct sockaddr *restrict address, socklen_t *restrict len))
{
	int used = rt_number_use(fd, RT_SITE);

	return (int)rt_number_done(used, fd,
				   rt_socket_of(used) ? accept_on(used, address, len, 0, RT_SITE)
						      : REAL(accept)(used, address, len));
}

INTERCEPT(int, accept4,
	  (int fd, struct sockaddr *restrict address, socklen_t *restrict len, int flags))
{
	int used = rt_number_use(fd, RT_SITE);

	return (int)rt_number_done(used, fd,
				   rt_socket_of(used)
					   ? accept_on(used, address, len, flags, RT_SITE)
					   : REAL(accept4)(used, address, len, flags));
}

/* ---- the end, and the beginning of a run ---- */

/* Connections that were not accepted end with their listener, each by a step that its client
 * sees. */
static void drop_arrivals(int listener, uint64_t site)
{
	struct arrival arrival;

	while (rt_syscall(SYS_read, listener, &arrival, sizeof(arrival)) == sizeof(arrival)) {
		struct event event = rt_event(EVENT_IO_CLOSE, site);

		rt_access_object(&event, arrival.reads, ACCESS_GIVE);
		rt_access_object(&event, arrival.writes, ACCESS_GIVE);
		rt_step(&event, NULL, NULL);
		rt_syscall(SYS_close, arrival.fd, 0, 0);
		RT->io.sockets[arrival.socket - 1].state = RT_SOCKET_FREE;
	}
}

void rt_socket_closed(int fd, uint64_t site)
{
	struct rt_socket *socket = rt_socket_of(fd);

	if (!socket)
		return;
	for (int copy = 0; copy < RT_MAX_FDS; copy++)
		if (copy != fd && RT->io.fds[copy].socket == number_of(socket))
			return;
	for (uint32_t i = 0; i < RT_MAX_USED; i++) /* a call is using it */
		if (RT->io.held[i].fd && RT->io.held[i].fd != fd &&
		    RT->io.held[i].entry.socket == number_of(socket))
			return;
	socket->is_bound = false; /* no thread finds it any more */
	if (socket->state == RT_SOCKET_LISTENS)
		drop_arrivals(fd, site);
	if (socket->inlet >= 0)
		rt_syscall(SYS_close, socket->inlet, 0, 0);
	socket->state = RT_SOCKET_FREE;
}

uint64_t rt_socket_name(int fd)
{
	const struct rt_socket *socket = rt_socket_of(fd);

	return socket && socket->is_bound ? object_of(&socket->address, socket->type, false) : 0;
}

static int descriptor_of(const struct rt_socket *socket)
{
	for (int fd = 0; fd < RT_MAX_FDS; fd++)
		if (RT->io.fds[fd].socket == number_of(socket))
			return fd;
	return -1;
}

void rt_socket_begin(void)
{
	for (uint32_t i = 0; i < RT->io.sockets_high; i++) {
		struct rt_socket *socket = &RT->io.sockets[i];
		int fds[2];

		if (!socket->state || socket->inlet < 0)
			continue;
		make_pair(socket->type == SOCK_STREAM ? SOCK_STREAM : SOCK_SEQPACKET, fds);
		if (socket->type == SOCK_DGRAM)
			rt_datagrams_copy(descriptor_of(socket), socket->inlet, fds[1]);
		else if (rt_io_queued(socket->inlet))
			rt_warn_uncontrolled("a connection made before the first thread");
		rt_syscall(SYS_dup3, fds[1], socket->inlet, O_CLOEXEC);
		rt_syscall(SYS_close, fds[1], 0, 0);
		replace(socket, fds[0]);
	}
}
