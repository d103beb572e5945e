/* prim_file: the functions that change files. They are refused unless --allow-io was given, because
 * a restore does not undo them. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

#include "vm/bifs/bif.h"
#include "vm/bifs/open_file.h"
#include "vm/bifs/posix_error.h"
#include "vm/machine.h"

static struct file_writing *const writing = &machine.files;

void open_file_allow_writing(bool allowed)
{
	writing->is_allowed = allowed;
}

bool open_file_may_write(void)
{
	return writing->is_allowed;
}

void open_file_note_write(void)
{
	writing->has_happened = true;
}

bool open_file_has_written(void)
{
	return writing->has_happened;
}

bool open_file_has_moving(void)
{
	return writing->has_moving;
}

static term result_of(struct process *p, int status)
{
	open_file_note_write();
	return status == 0 ? (term)A_ok : posix_error(p, errno);
}

/* ---- open files ---- */

static term write_all(struct process *p, int fd, const struct view *bytes, bool at, off_t offset)
{
	size_t done = 0;

	open_file_note_write();
	while (done < bytes->len) {
		ssize_t n = at ? pwrite(fd, bytes->bytes + done, bytes->len - done,
					offset + (off_t)done)
			       : write(fd, bytes->bytes + done, bytes->len - done);

		if (n < 0)
			return posix_error(p, errno);
		done += (size_t)n;
	}
	return A_ok;
}

static term write_file(struct process *p, struct open_file *file, term data, uint64_t offset)
{
	struct view bytes;
	term result;
	int fd;

	if (!file || !file->can_write)
		return posix_error(p, file ? EBADF : EINVAL);
	if (!view_open_iolist(&bytes, data))
		return bif_badarg(p);
	fd = open(file->path, O_WRONLY | O_CLOEXEC | (file->appends ? O_APPEND : 0));
	if (fd < 0) {
		result = posix_error(p, errno);
	} else {
		result = write_all(p, fd, &bytes, !file->appends, (off_t)offset);
		close(fd);
	}
	if (result == A_ok)
		file->position = offset + bytes.len;
	view_close(&bytes);
	return result;
}

term bif_prim_file_write_nif_2(struct process *p, const term *args)
{
	struct open_file *file = open_file_find(p, args[0]);

	if (!term_is_ref(args[0]))
		return bif_badarg(p);
	return write_file(p, file, args[1], file ? file->position : 0);
}

term bif_prim_file_pwrite_nif_3(struct process *p, const term *args)
{
	struct open_file *file = open_file_find(p, args[0]);
	uint64_t position = file ? file->position : 0;
	term result;

	if (!term_is_ref(args[0]) || !term_is_small(args[1]) || small_value(args[1]) < 0)
		return bif_badarg(p);
	result = write_file(p, file, args[2], (uint64_t)small_value(args[1]));
	if (file)
		file->position = position;
	return result;
}

term bif_prim_file_truncate_nif_1(struct process *p, const term *args)
{
	struct open_file *file = open_file_find(p, args[0]);

	if (!term_is_ref(args[0]))
		return bif_badarg(p);
	if (!file || !file->can_write)
		return posix_error(p, EINVAL);
	return result_of(p, truncate(file->path, (off_t)file->position));
}

term bif_prim_file_allocate_nif_3(struct process *p, const term *args)
{
	struct open_file *file = open_file_find(p, args[0]);
	int fd, status;

	if (!term_is_ref(args[0]) || !term_is_small(args[1]) || !term_is_small(args[2]))
		return bif_badarg(p);
	if (!file || !file->can_write)
		return posix_error(p, file ? EBADF : EINVAL);
	fd = open(file->path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return posix_error(p, errno);
	status = posix_fallocate(fd, small_value(args[1]), small_value(args[2]));
	close(fd);
	return status ? posix_error(p, status) : (term)A_ok;
}

/* ---- by name ---- */

/* Calls the system with one path, or refuses. */
static term change(struct process *p, term name, int (*call)(const char *path))
{
	struct view path;
	term result;

	if (!open_file_path(&path, name))
		return bif_badarg(p);
	result = writing->is_allowed ? result_of(p, call((const char *)path.bytes))
				     : posix_error(p, EROFS);
	view_close(&path);
	return result;
}

static term change_two(struct process *p, const term *names,
		       int (*call)(const char *from, const char *to))
{
	struct view from, to;
	term result;

	if (!open_file_path(&from, names[0]))
		return bif_badarg(p);
	if (!open_file_path(&to, names[1])) {
		view_close(&from);
		return bif_badarg(p);
	}
	result = writing->is_allowed
			 ? result_of(p, call((const char *)from.bytes, (const char *)to.bytes))
			 : posix_error(p, EROFS);
	view_close(&from);
	view_close(&to);
	return result;
}

static int make_dir(const char *path)
{
	return mkdir(path, 0777);
}

static bool is_current_dir(const char *path)
{
	struct stat info, current;

	return stat(path, &info) == 0 && stat(".", &current) == 0 &&
	       info.st_dev == current.st_dev && info.st_ino == current.st_ino;
}

/* The real VM reports a folder that is not empty as eexist, and if it is the current one as
 * einval. */
static int remove_dir(const char *path)
{
	int status = rmdir(path);

	if (status < 0 && errno == ENOTEMPTY)
		errno = is_current_dir(path) ? EINVAL : EEXIST;
	return status;
}

term bif_prim_file_set_cwd_nif_1(struct process *p, const term *args)
{
	return change(p, args[0], chdir);
}

term bif_prim_file_make_dir_nif_1(struct process *p, const term *args)
{
	return change(p, args[0], make_dir);
}

term bif_prim_file_del_dir_nif_1(struct process *p, const term *args)
{
	return change(p, args[0], remove_dir);
}

/* Of a folder the real VM says eperm. */
static int remove_file(const char *path)
{
	int failed = unlink(path);

	if (failed && errno == EISDIR)
		errno = EPERM;
	return failed;
}

term bif_prim_file_del_file_nif_1(struct process *p, const term *args)
{
	return change(p, args[0], remove_file);
}

/* The real VM has other words for a folder that is not empty, and for the root. */
static int rename_file(const char *from, const char *to)
{
	int failed = rename(from, to);

	if (failed && errno == ENOTEMPTY)
		errno = EEXIST;
	else if (failed && strcmp(from, "/") == 0)
		errno = EINVAL;
	return failed;
}

term bif_prim_file_rename_nif_2(struct process *p, const term *args)
{
	return change_two(p, args, rename_file);
}

term bif_prim_file_make_hard_link_nif_2(struct process *p, const term *args)
{
	return change_two(p, args, link);
}

term bif_prim_file_make_soft_link_nif_2(struct process *p, const term *args)
{
	return change_two(p, args, symlink);
}

/* Puts the arguments besides the path where the function that change() calls finds them. */
static bool take_numbers(const term *args, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!term_is_small(args[i]))
			return false;
		writing->numbers[i] = small_value(args[i]);
	}
	return true;
}

static int set_mode(const char *path)
{
	return chmod(path, (mode_t)writing->numbers[0] & 07777);
}

static int set_owner(const char *path)
{
	return chown(path, (uid_t)writing->numbers[0], (gid_t)writing->numbers[1]);
}

static int set_time(const char *path)
{
	struct utimbuf times = {.actime = writing->numbers[0], .modtime = writing->numbers[1]};

	return utime(path, &times);
}

term bif_prim_file_set_permissions_nif_2(struct process *p, const term *args)
{
	return take_numbers(args + 1, 1) ? change(p, args[0], set_mode) : bif_badarg(p);
}

term bif_prim_file_set_owner_nif_3(struct process *p, const term *args)
{
	return take_numbers(args + 1, 2) ? change(p, args[0], set_owner) : bif_badarg(p);
}

term bif_prim_file_set_time_nif_4(struct process *p, const term *args)
{
	return take_numbers(args + 1, 3) ? change(p, args[0], set_time) : bif_badarg(p);
}
