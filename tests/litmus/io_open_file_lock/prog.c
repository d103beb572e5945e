/* Locks of open files hold between threads that have opened the file twice. They are not modelled, so
 * they are named. */
#include "litmus.h"

#include <fcntl.h>

THREAD(lock)
{
	struct flock whole = {.l_type = F_RDLCK};
	int file = open("/dev/null", O_RDONLY);

	fcntl(file, F_OFD_SETLK, &whole);
	close(file);
	return NULL;
}

int main(void)
{
	RUN(lock, lock);
	return 0;
}
