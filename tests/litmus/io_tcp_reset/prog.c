/* The other end of a TCP connection is closed: the first write succeeds. -DTWICE: the second one
 * ends the program. */
#include "litmus.h"

#include <netinet/in.h>
#include <sys/socket.h>

static int listener;
static struct sockaddr_in address = {.sin_family = AF_INET};

THREAD(server)
{
	int fd = accept(listener, NULL, NULL);

	assert(fd >= 0);
	OK(close(fd));
	return NULL;
}

static int fd;

THREAD(client)
{
	fd = socket(AF_INET, SOCK_STREAM, 0);
	OK(connect(fd, (struct sockaddr *)&address, sizeof(address)));
	return NULL;
}

int main(void)
{
	socklen_t len = sizeof(address);

	listener = socket(AF_INET, SOCK_STREAM, 0);
	OK(bind(listener, (struct sockaddr *)&address, sizeof(address)));
	OK(getsockname(listener, (struct sockaddr *)&address, &len));
	OK(listen(listener, 1));
	RUN(server, client);
	assert(write(fd, "x", 1) == 1);
#ifdef TWICE
	write(fd, "x", 1);
#endif
	return 0;
}
