/* One thread asks about a descriptor that another thread closes: the two calls have an order. Each question is one
 * that the descriptor answers while it is open (a device does not know FIONREAD). */
#include "litmus.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

static int fd;

static int ask(void)
{
	struct sockaddr_in any = {.sin_family = AF_INET};
	struct sockaddr *address = (struct sockaddr *)&any;
	socklen_t len = sizeof(any);

	switch (CALL) {
	case 0: return fcntl(fd, F_GETFD);
	case 1: return ioctl(fd, FIONREAD, &(int){0});
	case 2: return fstat(fd, &(struct stat){0});
	case 3: return getsockname(fd, address, &len);
	default:
		return getsockopt(fd, SOL_SOCKET, SO_TYPE, &(int){0}, &(socklen_t){sizeof(int)});
	}
}

THREAD(asks)
{
	assert(ask() == 0);
	return NULL;
}

THREAD(closes)
{
	close(fd);
	return NULL;
}

int main(void)
{
	fd = CALL < 1 ? open("/dev/zero", O_RDONLY) : socket(AF_INET, SOCK_STREAM, 0);
	RUN(asks, closes);
	return 0;
}
