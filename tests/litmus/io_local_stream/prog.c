/* A local socket with a name, and poll: the client writes twice. A read may see the first part
 * alone or both parts; BROKEN takes it for granted that it sees both. With GONE the server
 * closes before the client writes, which ends a program that does not ignore SIGPIPE. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const struct sockaddr_un address = {AF_UNIX, "\0fermata-litmus"};

static void *ask(void *arg)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	assert(connect(fd, (const struct sockaddr *)&address, sizeof(address)) == 0);
	assert(write(fd, "ab", 2) == 2);
	assert(write(fd, "cd", 2) == 2);
	close(fd);
	return arg;
}

static ssize_t read_once(int fd)
{
	char text[8];

	return read(fd, text, sizeof(text));
}

int main(void)
{
	int listener = socket(AF_UNIX, SOCK_STREAM, 0), fd;
	struct pollfd wanted = {.fd = listener, .events = POLLIN};
	pthread_t thread;
	ssize_t first;

	assert(bind(listener, (const struct sockaddr *)&address, sizeof(address)) == 0);
	assert(listen(listener, 1) == 0);
	pthread_create(&thread, NULL, ask, NULL);
	assert(poll(&wanted, 1, -1) == 1 && wanted.revents == POLLIN);
	fd = accept(listener, NULL, NULL);
#ifndef GONE
	first = read_once(fd);
#ifdef BROKEN
	assert(first == 4);
#endif
	if (first == 2)
		assert(read_once(fd) == 2);
	assert(read_once(fd) == 0);
	printf("%zd\n", first);
#else
	(void)first;
#endif
	close(fd);
	pthread_join(thread, NULL);
	close(listener);
	return 0;
}
