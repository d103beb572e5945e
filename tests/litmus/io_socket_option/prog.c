/* Options of simulated sockets are not kept: a program that reads one back is named. So are options of
 * connected pairs that change when a call returns. */
#include "litmus.h"

#include <sys/socket.h>
#include <sys/time.h>

static int sockets[2];

#ifdef PAIR
static void set(int name, const void *value, socklen_t len)
{
	OK(setsockopt(sockets[0], SOL_SOCKET, name, value, len));
}

THREAD(give)
{
	assert(send(sockets[1], "x", 1, 0) == 1);
	return NULL;
}

THREAD(take)
{
	char byte;

	assert(recv(sockets[0], &byte, 1, 0) == 1);
	return NULL;
}

int main(void)
{
	OK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
#ifdef TIMEOUT
	set(SO_RCVTIMEO, &(struct timeval){.tv_usec = 50000}, sizeof(struct timeval));
#elif defined(BUFFER)
	set(SO_SNDBUF, &(int){4096}, sizeof(int));
#elif defined(LINGER)
	set(SO_LINGER, &(struct linger){.l_onoff = 1}, sizeof(struct linger));
#else
	set(SO_KEEPALIVE, &(int){1}, sizeof(int));
	set(SO_LINGER, &(struct linger){0}, sizeof(struct linger));
#endif
	RUN(give, take);
	return 0;
}
#else
THREAD(set)
{
	int one = 1;

	OK(setsockopt(sockets[0], SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)));
	return NULL;
}

THREAD(get)
{
	socklen_t len = sizeof(int);
	int value = 0;

	OK(getsockopt(sockets[0], SOL_SOCKET, SO_REUSEADDR, &value, &len));
	return NULL;
}

int main(void)
{
	sockets[0] = socket(AF_INET, SOCK_STREAM, 0);
	RUN(set, get);
	return 0;
}
#endif
