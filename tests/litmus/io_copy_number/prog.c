/* One of two copies of a descriptor gets the lowest number that is asked for, in every run. */
#include "litmus.h"

#include <fcntl.h>

static int first;

THREAD(copier)
{
	first = fcntl(0, F_DUPFD, 50);
	return NULL;
}

int main(void)
{
	pthread_t id = start(copier);
	int second = fcntl(0, F_DUPFD, 50);

	join(id);
	assert(first == 50 || second == 50);
	return 0;
}
