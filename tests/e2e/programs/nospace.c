/* A disk that becomes full at the FULL_AT-th operation that needs space in the folder FULL_DIR, for
 * that one operation or, with FULL_STAYS, from then on. Preloaded into the tool. Every operation
 * appends a byte to the file FULL_COUNT, so that a test knows when it has tried them all. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_inside(const char *path)
{
	const char *dir = getenv("FULL_DIR");

	return dir && path && strncmp(path, dir, strlen(dir)) == 0;
}

/* Counts an operation; true if it is to fail. */
static int fails(const char *path)
{
	const char *count = getenv("FULL_COUNT"), *at = getenv("FULL_AT");
	struct stat status;
	int fd;

	if (!is_inside(path) || !count || !at)
		return 0;
	fd = (int)syscall(SYS_openat, AT_FDCWD, count, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	syscall(SYS_write, fd, "x", 1);
	fstat(fd, &status);
	close(fd);
	if (getenv("FULL_STAYS") ? status.st_size < atol(at) : status.st_size != atol(at))
		return 0;
	errno = ENOSPC;
	return 1;
}

static const char *path_of(int fd, char path[PATH_MAX])
{
	char link[64];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, PATH_MAX - 1);
	path[len < 0 ? 0 : len] = '\0';
	return path;
}

ssize_t write(int fd, const void *data, size_t len)
{
	char path[PATH_MAX];

	if (fails(path_of(fd, path)))
		return -1;
	return syscall(SYS_write, fd, data, len);
}

static int open_any(const char *path, int flags, int mode)
{
	if ((flags & (O_CREAT | O_TMPFILE)) && fails(path))
		return -1;
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = va_arg(args, int);
	va_end(args);
	return open_any(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = va_arg(args, int);
	va_end(args);
	return open_any(path, flags, mode);
}

int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
	return fails(to) ? -1 : (int)syscall(SYS_linkat, from_dir, from, to_dir, to, flags);
}

int rename(const char *from, const char *to)
{
	return fails(to) ? -1 : (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

int mkdir(const char *path, mode_t mode)
{
	return fails(path) ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}
