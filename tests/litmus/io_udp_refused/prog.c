/* Nobody receives what a connected socket of UDP sends: the next call on the socket fails, which is not
 * modelled and named. */
#include "litmus.h"

#include <netinet/in.h>
#include <sys/socket.h>

static struct sockaddr_in address = {.sin_family = AF_INET};
static socklen_t len = sizeof(address);

THREAD(sender)
{
	int end = socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP);

	OK(connect(end, (struct sockaddr *)&address, len));
	assert(send(end, "x", 1, 0) == 1);
	assert(send(end, "y", 1, 0) == 1);
	return NULL;
}

int main(void)
{
	int end = socket(AF_INET, SOCK_DGRAM, 0);
	pthread_t id;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	OK(bind(end, (struct sockaddr *)&address, len));
	OK(getsockname(end, (struct sockaddr *)&address, &len));
	id = start(sender);
	close(end);
	join(id);
	return 0;
}
