#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MODE = 0666 };

/* The path after following links, because a rename would replace a link by a file; and its folder.
 * A path that does not exist is its own target. */
static void resolve(const char *path, char target[PATH_MAX], char folder[PATH_MAX])
{
	char *slash;

	if (!realpath(path, target))
		snprintf(target, PATH_MAX, "%s", path);
	snprintf(folder, PATH_MAX, "%s", target);
	slash = strrchr(folder, '/');
	if (!slash)
		snprintf(folder, PATH_MAX, ".");
	else
		slash[slash == folder] = '\0';
}

static bool write_all(int fd, const char *content, size_t len)
{
	while (len) {
		ssize_t n = write(fd, content, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		content += n;
		len -= (size_t)n;
	}
	return true;
}

static bool write_in_place(const char *path, const char *content, size_t len)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	bool ok = fd >= 0 && write_all(fd, content, len);

	return fd >= 0 && close(fd) == 0 && ok;
}

/* Gives the nameless file this name. */
static bool link_nameless(int fd, const char *name)
{
	char self[64];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

/* Gives the complete file its name. A new file gets it at once; an old one must be replaced, for
 * which the new one needs a name of its own first. */
static bool name_file(int fd, const char *beside, const char *target, bool is_nameless)
{
	if (is_nameless && link_nameless(fd, target))
		return true;
	return (!is_nameless || link_nameless(fd, beside)) && rename(beside, target) == 0;
}

/* Writes a file beside the target and renames it. `is_nameless`: it gets its name only when it is
 * complete, so that a kill before that leaves nothing. */
static bool write_beside(const char *folder, const char *beside, const char *target,
			 bool is_nameless, const char *content, size_t len)
{
	int fd = is_nameless ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, MODE)
			     : open(beside, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, MODE);
	bool ok = fd >= 0 && write_all(fd, content, len) &&
		  name_file(fd, beside, target, is_nameless);
	int error = errno;

	if (fd >= 0)
		close(fd);
	if (!ok)
		unlink(beside);
	errno = error;
	return ok;
}

static bool replace(const char *target, const char *folder, const char *content, size_t len)
{
	const char *slash = strrchr(target, '/');
	char beside[PATH_MAX];

	if (snprintf(beside, sizeof(beside), "%s/.%s.%ld.tmp", folder, slash ? slash + 1 : target,
		     (long)getpid()) >= (int)sizeof(beside)) {
		errno = ENAMETOOLONG;
		return false;
	}
	unlink(beside); /* of an earlier process with the same number */
	/* Not every file system has nameless files, and naming one needs /proc. */
	return write_beside(folder, beside, target, true, content, len) ||
	       write_beside(folder, beside, target, false, content, len);
}

bool file_write(const char *path, const char *content, size_t len, struct err *err)
{
	char target[PATH_MAX], folder[PATH_MAX];
	struct stat status;
	bool ok;

	resolve(path, target, folder);
	if (stat(target, &status) == 0 && !S_ISREG(status.st_mode))
		ok = write_in_place(target, content, len);
	else
		ok = replace(target, folder, content, len);
	return ok || err_set_errno(err, "cannot write %s", path);
}

bool file_check_writable(const char *path, struct err *err)
{
	char target[PATH_MAX], folder[PATH_MAX];
	struct stat status;

	resolve(path, target, folder);
	if (stat(target, &status) == 0) {
		if (S_ISDIR(status.st_mode))
			return err_set(err, "cannot write %s: it is a folder", path);
		if (access(target, W_OK) != 0)
			return err_set_errno(err, "cannot write %s", path);
		if (!S_ISREG(status.st_mode))
			return true;
	}
	return access(folder, W_OK | X_OK) == 0 || err_set_errno(err, "cannot write %s", path);
}
