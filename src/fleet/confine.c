#include "fleet/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
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

void confine(pid_t parent, uint64_t memory, bool has_network, link_say *say)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct rlimit limit = {memory, memory};

	end_with_parent(parent);
	sigaction(SIGINT, &ignore, NULL); /* the porter hears it, too */
	if (memory)
		setrlimit(RLIMIT_DATA, &limit);
	if (!has_network)
		leave_network(say);
}
