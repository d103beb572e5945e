/* A server and two clients in one program, over TCP on loopback. The clients may be accepted in
 * either order; BROKEN takes it for granted that the first is client 1. With EARLY the server
 * begins to listen when the clients exist already, so a connection may be refused, and then ends
 * without an answer. With EPOLL the server asks epoll first, and its sockets do not block. */
#define _GNU_SOURCE /* accept4 */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS = 2 };

static struct sockaddr_in address;
static int refused[CLIENTS];

static void *ask(void *arg)
{
	long self = (long)arg;
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in peer;
	socklen_t len = sizeof(peer);
	char byte = (char)('1' + self);

	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
		assert(errno == ECONNREFUSED);
		refused[self] = 1;
		close(fd);
		return arg;
	}
	assert(getpeername(fd, (struct sockaddr *)&peer, &len) == 0);
	assert(peer.sin_port == address.sin_port);
#ifndef EARLY
	assert(write(fd, &byte, 1) == 1);
	assert(read(fd, &byte, 1) == 1);
	assert(byte == 'a' + self);
#endif
	assert(read(fd, &byte, 1) == 0);
	close(fd);
	return arg;
}

static int accept_one(int listener, int epoll)
{
	struct epoll_event event = {.events = EPOLLIN};
	int fd;

	if (epoll < 0)
		return accept(listener, NULL, NULL);
	assert(epoll_wait(epoll, &event, 1, -1) == 1);
	fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	assert(fd >= 0);
	return fd;
}

static void serve(int listener, int epoll, int expected)
{
	int fd = accept_one(listener, epoll);
	char byte;

	assert(recv(fd, &byte, 1, 0) == 1);
#ifdef BROKEN
	assert(byte == expected);
#else
	(void)expected;
#endif
	byte += 'a' - '1';
	assert(send(fd, &byte, 1, MSG_NOSIGNAL) == 1);
	shutdown(fd, SHUT_WR);
	close(fd);
}

static int open_listener(int reuse)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof(reuse)) == 0);
	assert(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &reuse, sizeof(reuse)) == 0);
	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
#ifdef EARLY
	address.sin_port = htons(47011);
#endif
	assert(bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
	return fd;
}

int main(void)
{
	int listener = open_listener(1), epoll = -1;
	struct epoll_event event = {.events = EPOLLIN};
	socklen_t len = sizeof(address);
	pthread_t threads[CLIENTS];

	assert(getsockname(listener, (struct sockaddr *)&address, &len) == 0);
	assert(address.sin_port != 0 && len == sizeof(address));
#ifndef EARLY
	assert(listen(listener, CLIENTS) == 0);
#endif
#ifdef EPOLL
	epoll = epoll_create1(EPOLL_CLOEXEC);
	assert(fcntl(listener, F_SETFL, O_NONBLOCK) == 0);
	assert(epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event) == 0);
	assert(accept(listener, NULL, NULL) == -1 && errno == EAGAIN);
#else
	(void)event;
#endif
	for (long i = 0; i < CLIENTS; i++)
		pthread_create(&threads[i], NULL, ask, (void *)i);
#ifdef EARLY
	assert(listen(listener, CLIENTS) == 0);
	close(listener);
#else
	for (int i = 0; i < CLIENTS; i++)
		serve(listener, epoll, '1' + i);
#endif
	for (int i = 0; i < CLIENTS; i++)
		pthread_join(threads[i], NULL);
	printf("%d\n", refused[0] + refused[1]);
	return 0;
}
