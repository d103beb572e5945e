#include "vm/bifs/child_state.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static bool is_of_group(const char *name, pid_t group)
{
	char path[300], text[600];
	FILE *file;
	size_t len;
	int found = 0;

	snprintf(path, sizeof(path), "/proc/%s/stat", name);
	file = fopen(path, "re");
	if (!file)
		return false;
	len = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[len] = '\0';
	/* "1234 (name) S parent group": the name may contain anything but the last bracket. */
	while (len && text[len] != ')')
		len--;
	return sscanf(text + len, ") %*c %*d %d", &found) == 1 && found == group;
}

/* Whether the descriptor fd of that process is this pipe. */
static bool is_pipe(const char *name, unsigned long fd, const struct stat *pipe)
{
	char path[300];
	struct stat info;

	snprintf(path, sizeof(path), "/proc/%s/fd/%lu", name, fd);
	return stat(path, &info) == 0 && info.st_ino == pipe->st_ino &&
	       info.st_dev == pipe->st_dev;
}

static bool is_poll(long number)
{
	static const long polls[] = {
#ifdef SYS_poll
		SYS_poll, SYS_select, SYS_epoll_wait,
#endif
		SYS_ppoll, SYS_pselect6, SYS_epoll_pwait,
	};

	for (size_t i = 0; i < sizeof(polls) / sizeof(*polls); i++)
		if (polls[i] == number)
			return true;
	return false;
}

static bool does_wait(const char *name, const struct stat *pipe)
{
	char path[300];
	unsigned long fd = 0;
	long number = -1;
	FILE *file;
	int fields;

	snprintf(path, sizeof(path), "/proc/%s/syscall", name);
	file = fopen(path, "re");
	if (!file)
		return false;
	fields = fscanf(file, "%ld %lx", &number, &fd);
	fclose(file);
	if (fields != 2)
		return false;
	if (number == SYS_read || number == SYS_readv)
		return is_pipe(name, fd, pipe);
	return is_poll(number) && is_pipe(name, 0, pipe);
}

bool child_state_waits(pid_t group, int to)
{
	struct stat pipe;
	struct dirent *entry;
	bool waits = false;
	int unread = 1;
	DIR *proc;

	if (fstat(to, &pipe) || ioctl(to, FIONREAD, &unread) || unread)
		return false;
	proc = opendir("/proc");
	while (proc && !waits && (entry = readdir(proc)))
		waits = isdigit((unsigned char)entry->d_name[0]) &&
			is_of_group(entry->d_name, group) && does_wait(entry->d_name, &pipe);
	if (proc)
		closedir(proc);
	return waits;
}
