/* With EFD_SEMAPHORE a read takes one. */
#include "litmus.h"

#include <sys/eventfd.h>

static int fd;
static int inside;

THREAD(use)
{
	eventfd_t one;

	OK(eventfd_read(fd, &one));
	assert(one == 1);
	assert(++inside == 1);
	--inside;
	OK(eventfd_write(fd, 1));
	return NULL;
}

int main(void)
{
	fd = eventfd(1, EFD_SEMAPHORE);
	RUN(use, use);
	return 0;
}
