/* Other programs, started beside threads: they are not controlled and are named. The text of the command is
 * read by the call, so a thread that changes or frees it is found. */
#include "litmus.h"

#include <spawn.h>
#include <sys/wait.h>

extern char **environ;
static char *command;

THREAD(call)
{
#if WAY == 0
	int status = system(command);

	(void)status;
#elif WAY == 1
	FILE *file = popen(command, "r");

	pclose(file);
#elif WAY == 2
	char *argv[] = {"sh", "-c", command, NULL};
	pid_t pid;

	if (posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ) == 0)
		waitpid(pid, NULL, 0);
#elif WAY == 3
	execlp("sh", "sh", "-c", command, NULL);
#endif
	return NULL;
}

THREAD(other)
{
#ifdef CHANGE
	command[0] = 't';
#endif
#ifdef FREE
	free(command);
#endif
	return NULL;
}

int main(void)
{
	command = strdup("true");
	RUN(call, other);
	return 0;
}
