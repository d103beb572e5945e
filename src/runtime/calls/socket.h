/* socket.h: sockets between threads of the program itself (socket.c, socket_send.c).
 *
 * TCP and UDP on any address of this machine and local (AF_UNIX) sockets are simulated: nothing
 * leaves the process. The descriptors are real ones of the kernel, because programs poll and copy
 * them:
 *
 *   a connection   a pair of local sockets. connect() makes the pair, keeps one end and sends the
 *                  number of the other end to the listener, from which accept() takes it
 *   a listener     one end of a pair; its other end, the *inlet*, gets those numbers
 *   a datagram     socket is one end of a pair as well; the inlet gets each datagram behind
 *                  a header with the address of its sender
 *
 * So poll(), select() and epoll see connections and datagrams that wait. Inlets and ends that wait
 * to be accepted have descriptor numbers above those of the program (RT_MAX_FDS).
 *
 * Each address has two objects (OBJECT_FD): its name, which bind, listen and close write and
 * connect reads; and its queue, to which connect and send give and from which accept and receive
 * take. An address that the program has not bound leads to the outside: a connection to it is a
 * real one, and the verdict names it.
 */
#ifndef RUNTIME_CALLS_SOCKET_H
#define RUNTIME_CALLS_SOCKET_H

#include <sys/socket.h>

#include "runtime/calls/io.h"

enum { RT_HIDDEN_FDS = 512 }; /* descriptors of ours begin here */

/* In front of each datagram. */
struct rt_sender {
	struct sockaddr_storage address;
	socklen_t len;
};

/* The socket of a descriptor, or NULL. */
struct rt_socket *rt_socket_of(int fd);

/* The bound socket with that address and type, or NULL. */
struct rt_socket *rt_socket_find(const struct sockaddr_storage *address, int type);

/* Gives the socket an address of its own if it has none. */
void rt_socket_autobind(struct rt_socket *socket, int fd);

/* The objects of an address. */
uint64_t rt_socket_queue(const struct sockaddr_storage *address, int type);

/* An address of this machine that is not bound may still be bound by the program. */
bool rt_socket_is_local(const struct sockaddr_storage *address);

/* Copies an address as the kernel does: cut to the room there is, the full length reported. */
void rt_socket_tell(const struct sockaddr_storage *address, socklen_t len, struct sockaddr *to,
		    socklen_t *to_len);

/* A program's address as we keep it. False: its length cannot be. */
bool rt_socket_read_address(const struct sockaddr *from, socklen_t len,
			    struct sockaddr_storage *to);

/* Datagrams (socket_send.c). */
ssize_t rt_datagram_send(struct rt_socket *socket, int fd, const struct msghdr *message, int flags,
			 uint64_t site);
ssize_t rt_datagram_receive(struct rt_socket *socket, int fd, struct msghdr *message, int flags,
			    uint64_t site);
bool rt_is_datagram(int fd);
void rt_datagrams_copy(int from, int inlet, int to); /* for a run; to the inlet of a fresh pair */

/* Sends on a connection, after its step. Ends the run if no thread receives any more and the
 * signal would end the program. */
ssize_t rt_stream_send(int fd, const struct msghdr *message, int flags, uint64_t site);

/* The program shuts the socket down. */
void rt_socket_shut(int fd, int how, uint64_t site);

/* The object of the name to which the descriptor's socket is bound; 0: it is not. */
uint64_t rt_socket_name(int fd);

/* A close of a descriptor: the last one of its socket ends the socket. Called before the close. */
void rt_socket_closed(int fd, uint64_t site);

/* Fresh pairs for the sockets that were made before the first thread (io_begin.c). */
void rt_socket_begin(void);

#endif
