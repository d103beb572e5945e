/* A thread is cancelled while it holds a lock, in the call whose number is the argument. All but the
 * last one are cancellation points, also where they have nothing to wait for. */
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "litmus.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int number, null, zero, epoll, tcp, udp;
static FILE *stream;
static sigset_t signals;

static int call_on_descriptor(void)
{
	char byte;
	struct iovec part = {&byte, 1};
	struct sockaddr_in nobody = {.sin_family = AF_INET, .sin_port = 9};

	switch (number) {
	case 0:
		return open("/dev/null", O_RDONLY);
	case 1:
		return openat(AT_FDCWD, "/dev/null", O_RDONLY);
	case 2:
		return close(null);
	case 3:
		return poll(&(struct pollfd){.fd = null, .events = POLLOUT}, 1, 0);
	case 4:
		return select(0, NULL, NULL, NULL, &(struct timeval){0});
	case 5:
		return epoll_wait(epoll, &(struct epoll_event){0}, 1, 0);
	case 6:
		return fcntl(null, F_SETLKW, &(struct flock){.l_type = F_RDLCK});
	case 7:
		return (int)getrandom(&byte, 1, 0);
	case 8:
		return (int)preadv(zero, &part, 1, 0);
	case 9:
		return connect(tcp, (struct sockaddr *)&nobody, sizeof(nobody));
	default:
		return (int)sendto(udp, &byte, 1, 0, (struct sockaddr *)&nobody, sizeof(nobody));
	}
}

static int call(void)
{
	char word[8];

	switch (number) {
	case 20:
		return fopen("/dev/null", "r") != NULL;
	case 21:
		return printf("text\n");
	case 22:
		return fgetc(stream);
	case 23:
		return fflush(stdout);
	case 24:
		return fclose(stream);
	case 25:
		return fscanf(stream, "%7s", word);
	case 26:
		return fseek(stream, 1, SEEK_SET);
	case 27:
		perror("text");
		return 0;
	case 30:
		return sigwait(&signals, &(int){0});
	case 31:
		return sigtimedwait(&signals, NULL, &(struct timespec){0});
	case 32:
		return sigsuspend(&signals);
	case 33:
		return pause();
	case 40:
		return ferror(stream);
	default:
		return call_on_descriptor();
	}
}

THREAD(work)
{
	OK(pthread_mutex_lock(&mutex));
	call();
	OK(pthread_mutex_unlock(&mutex));
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t id;

	number = argc > 1 ? atoi(argv[1]) : 0;
	null = open("/dev/null", O_RDWR);
	zero = open("/dev/zero", O_RDONLY);
	epoll = epoll_create1(0);
	tcp = socket(AF_INET, SOCK_STREAM, 0);
	udp = socket(AF_INET, SOCK_DGRAM, 0);
	stream = fopen("/dev/zero", "r");
	signals = block_signal(SIGUSR1);
	id = start(work);
	OK(pthread_cancel(id));
	join(id);
	return 0;
}
