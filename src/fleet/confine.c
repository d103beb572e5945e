#include "fleet/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/parent.h"

static bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return ok;
}

/* In a user namespace in which this user is itself: a program may look. */
static bool leave_as_user(void)
{
	unsigned uid = getuid(), gid = getgid();
	char map[64];

	if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
		return false;
	write_file("/proc/self/setgroups", "deny");
	snprintf(map, sizeof(map), "%u %u 1", gid, gid);
	write_file("/proc/self/gid_map", map);
	snprintf(map, sizeof(map), "%u %u 1", uid, uid);
	return write_file("/proc/self/uid_map", map);
}

static void leave_network(link_say *say)
{
	if (unshare(CLONE_NEWNET) != 0 && !leave_as_user())
		say("the program is not kept from the network: %s", strerror(errno));
}

uint64_t confine_used(pid_t pid)
{
	unsigned long all, resident = 0;
	uint64_t used;
	char path[64];
	FILE *file;
	int child;

	snprintf(path, sizeof(path), "/proc/%d/statm", (int)pid);
	file = fopen(path, "re");
	if (!file || fscanf(file, "%lu %lu", &all, &resident) != 2)
		resident = 0;
	if (file)
		fclose(file);
	used = (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
	file = fopen(path, "re");
	while (file && fscanf(file, "%d", &child) == 1)
		used += confine_used(child);
	if (file)
		fclose(file);
	return used;
}

void confine(pid_t parent, bool has_network, link_say *say)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};

	end_with_parent(parent);
	sigaction(SIGINT, &ignore, NULL); /* the porter hears it, too */
	if (!has_network)
		leave_network(say);
}
