/* Four bytes that are sent in one piece over TCP. With --spurious they may arrive in parts: BROKEN takes it
 * for granted that one read gets all of them, RECEIVE asks for all with MSG_WAITALL. NONBLOCKING does not
 * wait: each read may find nothing yet (EAGAIN), and prints what the first three reads found. */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in address;

static void *ask(void *arg)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert(connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
	assert(write(fd, "abcd", 4) == 4);
	close(fd);
	return arg;
}

static void receive(int fd)
{
	char bytes[4];
	ssize_t got = 0;

#ifdef NONBLOCKING
	assert(fcntl(fd, F_SETFL, O_NONBLOCK) == 0);
	for (int i = 0; i < 3; i++) {
		got = read(fd, bytes, sizeof(bytes));
		assert(got >= 0 || errno == EAGAIN);
		printf("%zd ", got);
	}
#elif defined(BROKEN)
	assert(read(fd, bytes, sizeof(bytes)) == 4);
#elif defined(RECEIVE)
	assert(recv(fd, bytes, sizeof(bytes), MSG_WAITALL) == 4);
#else
	while (got < 4) {
		ssize_t more = read(fd, bytes + got, sizeof(bytes) - (size_t)got);

		assert(more > 0);
		got += more;
	}
	assert(memcmp(bytes, "abcd", 4) == 0);
#endif
}

int main(void)
{
	int listener = socket(AF_INET, SOCK_STREAM, 0), fd;
	socklen_t len = sizeof(address);
	pthread_t client;

	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert(bind(listener, (struct sockaddr *)&address, sizeof(address)) == 0);
	assert(listen(listener, 1) == 0);
	assert(getsockname(listener, (struct sockaddr *)&address, &len) == 0);
	pthread_create(&client, NULL, ask, NULL);
	fd = accept(listener, NULL, NULL);
	receive(fd);
	pthread_join(client, NULL);
	return 0;
}
