#include "native/orphans.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DEPTH_MAX = 64 }; /* of the tree of processes */

/* Calls `each` for the children of a process. */
static void each_child(pid_t pid, int depth, void (*each)(pid_t child, pid_t group, int depth),
		       pid_t group)
{
	char path[64], line[4096], *at = line, *end;
	FILE *file;
	long child;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
	file = depth < DEPTH_MAX ? fopen(path, "r") : NULL;
	if (!file)
		return;
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	for (; (child = strtol(at, &end, 10)) > 0 && end != at; at = end)
		each((pid_t)child, group, depth);
}

static void kill_tree(pid_t pid, pid_t group, int depth)
{
	kill(pid, SIGSTOP); /* before it starts another */
	each_child(pid, depth + 1, kill_tree, group);
	kill(pid, SIGKILL);
}

/* A child that this process did not start itself is an orphan of the program's. */
static void kill_orphan(pid_t pid, pid_t group, int depth)
{
	if (getpgid(pid) != group && getsid(pid) == getsid(0))
		return;
	kill_tree(pid, group, depth);
	waitpid(pid, NULL, 0);
}

void orphans_kill(pid_t program, bool is_dead)
{
	if (!is_dead)
		each_child(program, 0, kill_tree, program);
	else
		each_child(getpid(), 0, kill_orphan, program);
}
