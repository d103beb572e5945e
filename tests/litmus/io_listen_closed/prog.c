/* A close of a listening socket does not wake a thread that waits in accept; if the close comes
 * first, accept fails. -DSHUTDOWN: shutdown wakes it. */
#include "litmus.h"

#include <netinet/in.h>
#include <sys/socket.h>

static int listener;

THREAD(server)
{
	while (accept(listener, NULL, NULL) >= 0)
		;
	return NULL;
}

THREAD(stopper)
{
#ifdef SHUTDOWN
	shutdown(listener, SHUT_RDWR);
#else
	close(listener);
#endif
	return NULL;
}

int main(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET};

	listener = socket(AF_INET, SOCK_STREAM, 0);
	OK(bind(listener, (struct sockaddr *)&address, sizeof(address)));
	OK(listen(listener, 1));
	RUN(server, stopper);
	return 0;
}
