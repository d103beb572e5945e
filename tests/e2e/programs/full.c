/* A disk that is full: preloaded into the tool, every write into the folder FULL_DIR fails, after
 * the first FULL_AFTER bytes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long left = -1;

ssize_t write(int fd, const void *data, size_t len)
{
	static ssize_t (*real)(int, const void *, size_t);
	const char *dir = getenv("FULL_DIR"), *after = getenv("FULL_AFTER");
	char link[64], path[4096];
	ssize_t path_len;

	if (!real)
		real = dlsym(RTLD_NEXT, "write");
	if (!dir)
		return real(fd, data, len);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	path_len = readlink(link, path, sizeof(path) - 1);
	path[path_len < 0 ? 0 : path_len] = '\0';
	if (strncmp(path, dir, strlen(dir)) != 0)
		return real(fd, data, len);
	if (left < 0)
		left = after ? atol(after) : 0;
	if (!left) {
		errno = ENOSPC;
		return -1;
	}
	if ((long)len > left)
		len = (size_t)left;
	left -= (long)len;
	return real(fd, data, len);
}
