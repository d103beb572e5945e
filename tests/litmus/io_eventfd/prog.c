/* An eventfd adds up; a read takes all there is. */
#include "litmus.h"

#include <sys/eventfd.h>

static int fd;

THREAD(add)
{
	OK(eventfd_write(fd, 1));
	return NULL;
}

int main(void)
{
	pthread_t first, second;
	eventfd_t got, total = 0;
	int reads = 0;

	fd = eventfd(0, 0);
	first = start(add);
	second = start(add);
	while (total < 2) {
		OK(eventfd_read(fd, &got));
		total += got;
		reads++;
	}
	assert(total == 2);
	printf("%d\n", reads);
	join(first);
	join(second);
	close(fd);
	return 0;
}
