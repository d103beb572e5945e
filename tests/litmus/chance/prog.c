/* Numbers that are different every time: the verdict says where they came from. */
#include <fcntl.h>
#include <sys/random.h>

#include "litmus.h"

THREAD(nothing)
{
	return NULL;
}

static unsigned draw(void)
{
	unsigned value = 0;
#if WHICH == 1
	assert(getrandom(&value, sizeof(value), 0) == sizeof(value));
#elif WHICH == 2
	int fd = open("/dev/urandom", O_RDONLY);

	assert(read(fd, &value, sizeof(value)) == sizeof(value));
	close(fd);
#elif WHICH == 3
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	value = (unsigned)now.tv_nsec;
#elif WHICH == 4
	srand((unsigned)time(NULL));
	value = (unsigned)rand();
#endif
	return value;
}

int main(void)
{
	assert(draw() != 4711);
	RUN(nothing, nothing);
	return 0;
}
