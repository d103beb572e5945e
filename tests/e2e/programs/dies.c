/* A library to preload: the process is killed when it is about to rename a file. */
#include <signal.h>
#include <unistd.h>

int rename(const char *from, const char *to)
{
	(void)from;
	(void)to;
	return kill(getpid(), SIGKILL);
}
