/* A connection made by system calls by number is the same as one made by the library's functions. */
#include "litmus.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>

static struct sockaddr_in address = {.sin_family = AF_INET};

#ifdef BY_NUMBER
#define CALL(name, ...) syscall(SYS_##name, __VA_ARGS__)
#else
#define CALL(name, ...) name(__VA_ARGS__)
#endif

THREAD(ask)
{
	int fd = (int)CALL(socket, AF_INET, SOCK_STREAM, 0);

	OK(CALL(connect, fd, (struct sockaddr *)&address, sizeof(address)));
	assert(CALL(write, fd, "x", 1) == 1);
	OK(CALL(close, fd));
	return NULL;
}

int main(void)
{
	socklen_t len = sizeof(address);
	int listener = (int)CALL(socket, AF_INET, SOCK_STREAM, 0), fd;
	pthread_t asker;
	char got;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	OK(CALL(bind, listener, (struct sockaddr *)&address, sizeof(address)));
	OK(CALL(listen, listener, 1));
	OK(CALL(getsockname, listener, (struct sockaddr *)&address, &len));
	asker = start(ask);
	fd = (int)CALL(accept, listener, NULL, NULL);
	assert(fd >= 0 && CALL(read, fd, &got, 1) == 1 && got == 'x');
	join(asker);
	return 0;
}
