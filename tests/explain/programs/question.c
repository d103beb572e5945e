/* The device does not know the question, in whatever order. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/ioctl.h>

static int fd;

static void *ask(void *arg)
{
	int left = 0;
	int result = ioctl(fd, FIONREAD, &left);

	assert(result == 0);
	return arg;
}

int main(void)
{
	pthread_t thread;

	fd = open("/dev/zero", O_RDONLY);
	pthread_create(&thread, NULL, ask, NULL);
	pthread_join(thread, NULL);
	return 0;
}
