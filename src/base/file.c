#include "base/file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MODE = 0666, READ_MAX = 1 << 30 };

static const char temporary_mark[] = ".fermata-";

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
 * complete, so that a kill before that leaves nothing. The lock shows others that its writer
 * lives; where locks do not exist nobody removes it. */
static bool write_beside(const char *folder, const char *beside, const char *target,
			 bool is_nameless, const char *content, size_t len)
{
	int fd = is_nameless ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, MODE)
			     : open(beside, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, MODE);
	bool ok;
	int error;

	if (fd >= 0)
		flock(fd, LOCK_EX | LOCK_NB);
	ok = fd >= 0 && write_all(fd, content, len) && name_file(fd, beside, target, is_nameless);
	error = errno;
	if (fd >= 0)
		close(fd);
	if (!ok)
		unlink(beside);
	errno = error;
	return ok;
}

/* .NAME.fermata-PID */
static bool is_temporary(const char *name)
{
	const char *mark = name[0] == '.' ? strstr(name + 1, temporary_mark) : NULL;

	if (!mark || !isdigit((unsigned char)mark[strlen(temporary_mark)]))
		return false;
	for (mark += strlen(temporary_mark); isdigit((unsigned char)*mark); mark++)
		;
	return *mark == '\0';
}

/* Removes the temporary file if its writer is gone: then nobody holds the lock. */
static void remove_stale(int folder_fd, const char *name)
{
	int fd = openat(folder_fd, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	struct stat status;

	if (fd < 0)
		return;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	    flock(fd, LOCK_EX | LOCK_NB) == 0)
		unlinkat(folder_fd, name, 0);
	close(fd);
}

static void remove_all_stale(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (is_temporary(entry->d_name))
			remove_stale(dirfd(dir), entry->d_name);
	if (dir)
		closedir(dir);
}

static bool replace(const char *target, const char *folder, const char *content, size_t len)
{
	const char *slash = strrchr(target, '/');
	char beside[PATH_MAX];

	if (snprintf(beside, sizeof(beside), "%s/.%s%s%ld", folder, slash ? slash + 1 : target,
		     temporary_mark, (long)getpid()) >= (int)sizeof(beside)) {
		errno = ENAMETOOLONG;
		return false;
	}
	/* Not every file system has nameless files, and naming one needs /proc. */
	return write_beside(folder, beside, target, true, content, len) ||
	       write_beside(folder, beside, target, false, content, len);
}

static bool has_content(const char *path, const char *content, size_t len)
{
	struct strbuf now = {0};
	struct stat status;
	bool is_same = stat(path, &status) == 0 && (size_t)status.st_size == len &&
		       file_read(path, &now, NULL) && now.len == len &&
		       memcmp(strbuf_text(&now), content, len) == 0;

	strbuf_release(&now);
	return is_same;
}

bool file_write(const char *path, const char *content, size_t len, struct err *err)
{
	char target[PATH_MAX], folder[PATH_MAX];
	struct stat status;
	bool ok;

	resolve(path, target, folder);
	remove_all_stale(folder);
	if (stat(target, &status) == 0 && !S_ISREG(status.st_mode))
		ok = write_in_place(target, content, len);
	else if (has_content(target, content, len))
		ok = true;
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

static bool read_all(int fd, struct strbuf *out)
{
	char block[65536];
	ssize_t n;

	while ((n = read(fd, block, sizeof(block))) > 0 || (n < 0 && errno == EINTR))
		if (n > 0)
			strbuf_add(out, block, (size_t)n);
	return n == 0;
}

bool file_read(const char *path, struct strbuf *out, struct err *err)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat status;
	bool ok = false;

	if (fd < 0 || fstat(fd, &status) != 0)
		err_set_errno(err, "cannot read %s", path);
	else if (!S_ISREG(status.st_mode))
		err_set(err, "cannot read %s: it is not a regular file", path);
	else if (status.st_size > READ_MAX)
		err_set(err, "cannot read %s: it is larger than %d MB", path, READ_MAX >> 20);
	else
		ok = read_all(fd, out) || err_set_errno(err, "cannot read %s", path);
	if (fd >= 0)
		close(fd);
	return ok;
}
