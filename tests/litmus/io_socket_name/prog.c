/* A thread asks for the name (-DOPTION: for an option) of a socket made by socketpair(), another one looks at the
 * length that comes with it. */
#include "litmus.h"

#include <sys/socket.h>
#include <sys/un.h>

static int ends[2];
static socklen_t len = sizeof(struct sockaddr_un);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

THREAD(ask)
{
	union {
		struct sockaddr_un name;
		int option;
	} answer;

#ifdef FIXED
	OK(pthread_mutex_lock(&lock));
#endif
#ifdef OPTION
	OK(getsockopt(ends[0], SOL_SOCKET, SO_TYPE, &answer.option, &len));
#else
	OK(getsockname(ends[0], (struct sockaddr *)&answer.name, &len));
#endif
#ifdef FIXED
	OK(pthread_mutex_unlock(&lock));
#endif
	return NULL;
}

THREAD(look)
{
	static socklen_t seen;

#ifdef FIXED
	OK(pthread_mutex_lock(&lock));
#endif
	seen = len;
#ifdef FIXED
	OK(pthread_mutex_unlock(&lock));
#endif
	return &seen;
}

int main(void)
{
	OK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	RUN(ask, look);
	return 0;
}
