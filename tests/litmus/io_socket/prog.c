/* A socket that nobody connects to: waiting for a connection is a deadlock. With OTHER the
 * socket is of a kind that is not simulated, which the verdict names. With OUTSIDE a thread
 * sends to another machine. */
#include "litmus.h"
#include <netinet/in.h>
#include <sys/socket.h>

static int listener;

THREAD(serve)
{
	struct sockaddr_in from;
	socklen_t len = sizeof(from);

#if defined(ACCEPT)
	accept(listener, (struct sockaddr *)&from, &len);
#elif defined(OTHER)
	OK(socket(AF_NETLINK, SOCK_RAW, 0) < 0);
#elif defined(OUTSIDE)
	from = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(9),
				    .sin_addr.s_addr = htonl(0xc0000201)}; /* for documentation */
	sendto(socket(AF_INET, SOCK_DGRAM, 0), "x", 1, 0, (struct sockaddr *)&from, sizeof(from));
#else
	getsockname(listener, (struct sockaddr *)&from, &len);
	OK(from.sin_port == 0);
#endif
	return NULL;
}

int main(void)
{
	listener = socket(AF_INET, SOCK_STREAM, 0);
	OK(listen(listener, 1));
	RUN(serve);
	return 0;
}
