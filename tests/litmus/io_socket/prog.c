/* Sockets lead out of the program: what comes through them is not controlled. */
#include "litmus.h"
#include <netinet/in.h>
#include <sys/socket.h>

static int listener;

THREAD(serve)
{
	struct sockaddr_in from;
	socklen_t len = sizeof(from);

#ifdef ACCEPT /* who would connect does not get there while this waits in the system */
	accept(listener, (struct sockaddr *)&from, &len);
#else
	getsockname(listener, (struct sockaddr *)&from, &len);
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
