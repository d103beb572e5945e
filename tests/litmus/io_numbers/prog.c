/* The kernel gives the lowest free number, so a close of a number that is closed already may close
 * the file of another thread. -DBOTH: two threads close one connection. -DCOPY: dup2 onto a number
 * that another thread may have got. -DSTREAM: fclose, then close. -DLIMIT: there is one number.
 * -DFIXED: each thread closes its own number once. */
#include "litmus.h"

#include <fcntl.h>
#include <sys/resource.h>

static int early;

THREAD(careless)
{
#if defined(BOTH)
	close(early);
#elif defined(COPY)
	int fd = open("/dev/null", O_RDONLY);

	close(fd);
	dup2(early, fd);
#elif defined(STREAM)
	FILE *file = fopen("/dev/null", "r");
	int fd = fileno(file);

	fclose(file);
	close(fd);
#else
	int fd = open("/dev/null", O_RDONLY);

#ifdef LIMIT
	assert(fd >= 0);
#endif
	close(fd);
#if !defined(FIXED) && !defined(LIMIT)
	close(fd);
#endif
#endif
	return NULL;
}

THREAD(reader)
{
	char byte;
	int fd = open("/dev/zero", O_RDONLY);

#ifdef BOTH
	close(early);
#endif
	assert(read(fd, &byte, 1) == 1);
	close(fd);
	return NULL;
}

int main(void)
{
	early = open("/dev/null", O_RDONLY);
#ifdef LIMIT
	struct rlimit limit = {(rlim_t)early + 2, (rlim_t)early + 2};

	OK(setrlimit(RLIMIT_NOFILE, &limit));
#endif
	RUN(careless, reader);
	return 0;
}
