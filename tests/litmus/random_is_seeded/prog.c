/* Chance is the same in every run: one outcome, whatever the schedule. */
#include "litmus.h"

#include <fcntl.h>
#include <sys/random.h>

static atomic_int x;
static int numbers[4];

THREAD(draw)
{
	unsigned int seed = 3;
	int fd = open("/dev/urandom", O_RDONLY);

	numbers[0] = rand();
	assert(getrandom(&numbers[1], sizeof(int), 0) == sizeof(int));
	assert(read(fd, &numbers[2], sizeof(int)) == sizeof(int));
	numbers[3] = rand_r(&seed);
	close(fd);
	x = 1;
	return NULL;
}

THREAD(look)
{
	return (void *)(intptr_t)x;
}

int main(void)
{
	RUN(draw, look);
	printf("%d %d %d %d\n", numbers[0], numbers[1], numbers[2], numbers[3]);
	return 0;
}
