/* Locks of open files hold between threads that have opened the file twice. They are not modelled, so
 * they are named. -DWAIT: two threads take two of them in different orders, which is a deadlock. */
#include "litmus.h"

#include <fcntl.h>

static char path[] = "/tmp/fermata-litmus-XXXXXX";

#ifdef WAIT
/* One byte of the file each. */
THREAD(lock)
{
	struct flock byte = {.l_type = F_WRLCK, .l_len = 1, .l_start = arg != NULL};
	int file = open(path, O_RDWR);
	int again = open(path, O_RDWR);

	OK(fcntl(file, F_OFD_SETLKW, &byte));
	byte.l_start = !byte.l_start;
	OK(fcntl(again, F_OFD_SETLKW, &byte));
	close(again);
	close(file);
	return NULL;
}
#else
THREAD(lock)
{
	struct flock whole = {.l_type = F_RDLCK};
	int file = open(path, O_RDONLY);

	fcntl(file, F_OFD_SETLK, &whole);
	close(file);
	return NULL;
}
#endif

int main(void)
{
	close(mkstemp(path));
	RUN(lock, lock);
	unlink(path);
	return 0;
}
