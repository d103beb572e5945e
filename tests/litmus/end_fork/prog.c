/* A child process is outside of control: said, or done right, but never a crash. */
#include "litmus.h"

#include <sys/wait.h>

static atomic_int x;

THREAD(make_child)
{
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	waitpid(child, NULL, 0);
	x++;
	return NULL;
}

THREAD(work)
{
	x++;
	return NULL;
}

int main(void)
{
	RUN(make_child, work);
	return 0;
}
