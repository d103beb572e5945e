/* parent.h: a child process that does not outlive its parent. */
#ifndef BASE_PARENT_H
#define BASE_PARENT_H

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

/* For the child, after fork(); `parent` is the number that getpid() gave before it. The parent may
 * have ended before this call, and then no signal comes. */
static inline void end_with_parent(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
}

#endif
