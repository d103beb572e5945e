/* Two senders and a receiver over UDP on loopback. The datagrams come in either order, whole,
 * with the address of their sender, to which the receiver answers. BROKEN takes one order for
 * granted. */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SENDERS = 2 };

static struct sockaddr_in address;

static void *ask(void *arg)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	char text[4] = {(char)('1' + (long)arg), 'x', 'y'}, answer = 0;

	assert(sendto(fd, text, 3, 0, (struct sockaddr *)&address, sizeof(address)) == 3);
	assert(recv(fd, &answer, 1, 0) == 1);
	assert(answer == text[0]);
	close(fd);
	return arg;
}

int main(void)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	socklen_t len = sizeof(address);
	pthread_t threads[SENDERS];

	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert(bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
	assert(getsockname(fd, (struct sockaddr *)&address, &len) == 0);
	for (long i = 0; i < SENDERS; i++)
		pthread_create(&threads[i], NULL, ask, (void *)i);
	for (int i = 0; i < SENDERS; i++) {
		struct sockaddr_in from;
		char text[8];

		len = sizeof(from);
		assert(recvfrom(fd, text, sizeof(text), 0, (struct sockaddr *)&from, &len) == 3);
		assert(len == sizeof(from) && text[2] == 'y');
#ifdef BROKEN
		assert(text[0] == '1' + i);
#endif
		assert(sendto(fd, text, 1, 0, (struct sockaddr *)&from, len) == 1);
	}
	for (int i = 0; i < SENDERS; i++)
		pthread_join(threads[i], NULL);
	close(fd);
	return 0;
}
