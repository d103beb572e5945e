/* Datagrams that were sent before the first thread wait in the socket, in every run. */
#include "litmus.h"

#include <netinet/in.h>
#include <sys/socket.h>

static int end;

THREAD(receiver)
{
	char byte;

	assert(recv(end, &byte, 1, 0) == 1);
	assert(byte == 'x' || byte == 'y');
	return NULL;
}

int main(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	socklen_t len = sizeof(address);

	end = socket(AF_INET, SOCK_DGRAM, 0);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	OK(bind(end, (struct sockaddr *)&address, len));
	OK(getsockname(end, (struct sockaddr *)&address, &len));
	assert(sendto(end, "x", 1, 0, (struct sockaddr *)&address, len) == 1);
	assert(sendto(end, "y", 1, 0, (struct sockaddr *)&address, len) == 1);
	RUN(receiver, receiver);
	return 0;
}
