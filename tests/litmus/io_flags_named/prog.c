/* Flags and requests that are not modelled are named, and those that nobody can notice are not. */
#include "litmus.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>

static int ends[2];

THREAD(writer)
{
	assert(send(ends[1], "x", 1, 0) == 1);
	return NULL;
}

int main(void)
{
	char byte;

	OK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
#ifdef PACKETS
	OK(pipe2((int[2]){0}, O_DIRECT));
#elif defined(ASYNC)
	OK(fcntl(ends[0], F_SETFL, O_ASYNC));
#elif defined(REQUEST)
	OK(fcntl(ends[0], F_SETSIG, SIGUSR1));
#elif defined(OPEN)
	OK(close(open("/dev/null", O_WRONLY | O_PATH)));
#elif defined(NAMED_PIPE)
	char folder[] = "/tmp/fermata-litmus-XXXXXX", path[64];

	assert(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/pipe", folder);
	OK(mkfifo(path, 0600));
	OK(close(open(path, O_RDONLY | O_NONBLOCK)));
	OK(unlink(path));
	OK(rmdir(folder));
#elif defined(URGENT)
	recv(ends[0], &byte, 1, MSG_OOB | MSG_DONTWAIT);
#else
	OK(close(open("/dev/null", O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK)));
	OK(pipe2((int[2]){0}, O_CLOEXEC));
	OK(fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL)));
	OK(fcntl(ends[0], F_SETFD, FD_CLOEXEC));
#endif
	RUN(writer);
	assert(recv(ends[0], &byte, 1, MSG_WAITALL) == 1);
	return 0;
}
