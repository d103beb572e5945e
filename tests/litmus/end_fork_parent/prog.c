/* A child that compares getppid() with the number that its parent had before fork(). */
#include "litmus.h"

#include <sys/wait.h>

THREAD(nothing)
{
	return NULL;
}

int main(void)
{
	pid_t parent = getpid(), child = fork();
	int status = -1;

	if (child == 0)
		_exit(getppid() == parent && kill(parent, 0) == 0 && getpid() != parent ? 0 : 1);
	assert(waitpid(child, &status, 0) == child && status == 0);
	RUN(nothing);
	return 0;
}
