/* Options of simulated sockets are not kept: a program that reads one back is named. */
#include "litmus.h"

#include <sys/socket.h>

static int tcp;

THREAD(set)
{
	int one = 1;

	OK(setsockopt(tcp, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)));
	return NULL;
}

THREAD(get)
{
	socklen_t len = sizeof(int);
	int value = 0;

	OK(getsockopt(tcp, SOL_SOCKET, SO_REUSEADDR, &value, &len));
	return NULL;
}

int main(void)
{
	tcp = socket(AF_INET, SOCK_STREAM, 0);
	RUN(set, get);
	return 0;
}
