/* prim_file: opening and reading files. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/vec.h"
#include "vm/bifs/bif.h"
#include "vm/bifs/open_file.h"
#include "vm/bifs/posix_error.h"
#include "vm/bifs/random_bytes.h"
#include "vm/machine.h"
#include "vm/terms/binary.h"

/* The path may be relative or a symbolic link, so the file itself is asked. */
static void look_at_kind(const char *path)
{
	struct statfs about;

	if (statfs(path, &about) == 0 &&
	    (about.f_type == PROC_SUPER_MAGIC || about.f_type == SYSFS_MAGIC))
		machine.files.has_moving = true;
}

bool open_file_path(struct view *view, term t)
{
	vm_get()->relied_on |= RELIED_ON_FILES;
	if (!view_open(view, t))
		return false;
	if (view->len && view->bytes[view->len - 1] == 0 &&
	    strlen((const char *)view->bytes) == view->len - 1) {
		look_at_kind((const char *)view->bytes);
		return true;
	}
	view_close(view);
	return false;
}

/* ---- reading bytes ---- */

/* /dev/random and /dev/urandom, whatever they are called. */
static bool is_random_device(int fd)
{
	struct stat info;

	return fstat(fd, &info) == 0 && S_ISCHR(info.st_mode) &&
	       (info.st_rdev == makedev(1, 8) || info.st_rdev == makedev(1, 9));
}

static ssize_t read_random(struct process *p, uint8_t *bytes, size_t len)
{
	random_bytes_draw(p, bytes, len);
	return (ssize_t)len;
}

/* Up to len bytes at offset; {ok, Binary}, eof or {error, Reason}. */
static term read_part(struct process *p, const char *path, uint64_t offset, size_t len,
		      size_t *got)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat info;
	uint8_t *bytes;
	ssize_t n;
	term result;

	*got = 0;
	if (fd < 0)
		return posix_error(p, errno);
	if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
		uint64_t size = (uint64_t)info.st_size;
		uint64_t left = offset < size ? size - offset : 0;

		len = len < left ? len : (size_t)left + (len > left && !left);
	}
	bytes = mem_alloc(len + 1);
	n = is_random_device(fd) ? read_random(p, bytes, len) : pread(fd, bytes, len, (off_t)offset);
	if (n < 0)
		result = posix_error(p, errno);
	else if (n == 0 && len)
		result = A_eof;
	else
		result = heap_tuple2(p, A_ok, binary_from(p, bytes, *got = (size_t)n));
	mem_free(bytes);
	close(fd);
	return result;
}

/* Reads to the end of the file, because the size of files in /proc is not known beforehand. The
 * bytes are in the region: a run that is left at the limit of memory leaves nothing behind. The
 * kernel cannot write there, because pages of a checkpoint are protected. */
static term read_all(struct process *p, int fd)
{
	uint8_t block[65536];
	size_t len = 0, room = 2 * sizeof(block);
	uint8_t *bytes = region_alloc(room);
	term result;
	ssize_t n;

	do {
		if (len + sizeof(block) > room) {
			bytes = region_grow(bytes, room, 2 * room);
			room *= 2;
		}
		n = read(fd, block, sizeof(block));
		if (n > 0)
			memcpy(bytes + len, block, (size_t)n);
		len += n > 0 ? (size_t)n : 0;
	} while (n > 0);
	result = n < 0 ? posix_error(p, errno) : heap_tuple2(p, A_ok, binary_from(p, bytes, len));
	region_free(bytes, room);
	return result;
}

term bif_prim_file_read_file_nif_1(struct process *p, const term *args)
{
	struct view path;
	term result;
	int fd;

	if (!open_file_path(&path, args[0]))
		return bif_badarg(p);
	fd = open((const char *)path.bytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	view_close(&path);
	if (fd < 0)
		return posix_error(p, errno);
	result = read_all(p, fd);
	close(fd);
	return result;
}

/* ---- open files ---- */

int open_file_flags(term modes)
{
	bool reads = false, writes = false, appends = false, directory = false;
	int flags = O_CLOEXEC;

	for (; term_is_cons(modes); modes = cons_tail(modes)) {
		term mode = cons_head(modes);

		reads |= mode == A_read;
		writes |= mode == A_write || mode == A_exclusive;
		appends |= mode == A_append;
		directory |= mode == A_directory;
		flags |= mode == A_exclusive ? O_EXCL : 0;
	}
	if (modes != NIL)
		return -1;
	if (writes || appends)
		flags |= O_CREAT | (reads ? O_RDWR : O_WRONLY) | (reads || appends ? 0 : O_TRUNC) |
			 (appends ? O_APPEND : 0);
	return flags | (directory ? O_DIRECTORY : 0);
}

/* Opens and closes the file, which creates or truncates it if the flags say so. Returns 0 or an
 * errno value. */
static int try_open(const char *path, int flags)
{
	bool writes = (flags & O_ACCMODE) != O_RDONLY;
	struct stat info;
	int fd;

	if (writes && !open_file_may_write())
		return EROFS;
	if (writes)
		open_file_note_write();
	fd = open(path, flags, 0666);
	if (fd < 0)
		return errno;
	if (fstat(fd, &info) < 0 || (S_ISDIR(info.st_mode) && !(flags & O_DIRECTORY))) {
		close(fd);
		return EISDIR;
	}
	close(fd);
	return 0;
}

term bif_prim_file_open_nif_2(struct process *p, const term *args)
{
	int flags = open_file_flags(args[1]), error;
	struct open_file *file;
	struct view path;
	term result;

	if (flags < 0 || !open_file_path(&path, args[0]))
		return bif_badarg(p);
	error = try_open((const char *)path.bytes, flags);
	if (error) {
		result = posix_error(p, error);
	} else {
		term ref = resource_new(p, RESOURCE_FILE, sizeof(*file) + path.len, (void **)&file);

		memcpy(file->path, path.bytes, path.len);
		file->can_write = (flags & O_ACCMODE) != O_RDONLY;
		file->appends = (flags & O_APPEND) != 0;
		result = heap_tuple2(p, A_ok, ref);
	}
	view_close(&path);
	return result;
}

struct open_file *open_file_find(struct process *p, term t)
{
	return resource_find(p, t, RESOURCE_FILE);
}

term bif_prim_file_close_nif_1(struct process *p, const term *args)
{
	if (!term_is_ref(args[0]))
		return bif_badarg(p);
	if (!open_file_find(p, args[0]))
		return posix_error(p, EINVAL);
	resource_free(p, args[0]);
	return A_ok;
}

term bif_prim_file_delayed_close_nif_1(struct process *p, const term *args)
{
	return bif_prim_file_close_nif_1(p, args);
}

term bif_prim_file_read_nif_2(struct process *p, const term *args)
{
	struct open_file *file = open_file_find(p, args[0]);
	size_t got;
	term result;

	if (!term_is_ref(args[0]) || !term_is_small(args[1]) || small_value(args[1]) < 0)
		return bif_badarg(p);
	if (!file)
		return posix_error(p, EINVAL);
	result = read_part(p, file->path, file->position, (size_t)small_value(args[1]), &got);
	file->position += got;
	return result;
}

term bif_prim_file_pread_nif_3(struct process *p, const term *args)
{
	struct open_file *file = open_file_find(p, args[0]);
	size_t got;

	if (!term_is_ref(args[0]) || !term_is_small(args[1]) || !term_is_small(args[2]) ||
	    small_value(args[1]) < 0 || small_value(args[2]) < 0)
		return bif_badarg(p);
	if (!file)
		return posix_error(p, EINVAL);
	return read_part(p, file->path, (uint64_t)small_value(args[1]),
			 (size_t)small_value(args[2]), &got);
}

/* At the offset are two numbers of four bytes: a length and where so many bytes are. They are read
 * and returned with both: {ok, {Length, Place, Bytes}}. */
term bif_prim_file_ipread_s32bu_p32bu_nif_3(struct process *p, const term *args)
{
	struct open_file *file = open_file_find(p, args[0]);
	term head[3] = {args[0], args[1], small_make(8)}, result;
	struct bits numbers;
	uint64_t length, place;
	size_t got;

	result = bif_prim_file_pread_nif_3(p, head);
	if (!file || !term_is_tuple_of(result, 2) || tuple_element(result, 0) != A_ok)
		return result;
	numbers = bits_of(tuple_element(result, 1));
	if (!term_is_small(args[2]) || numbers.size < 64)
		return A_eof;
	length = bits_get(numbers.bytes, numbers.offset, 32);
	place = bits_get(numbers.bytes, numbers.offset + 32, 32);
	if (length > (uint64_t)small_value(args[2]))
		return A_eof;
	result = length ? read_part(p, file->path, place, length, &got) : A_eof;
	if (result != A_eof) {
		if (!term_is_tuple_of(result, 2) || tuple_element(result, 0) != A_ok)
			return result;
		result = tuple_element(result, 1);
	}
	return heap_tuple2(p, A_ok, heap_tuple3(p, small_make((int64_t)length),
						small_make((int64_t)place), result));
}

term bif_prim_file_seek_nif_3(struct process *p, const term *args)
{
	struct open_file *file = open_file_find(p, args[0]);
	struct stat info = {0};
	int64_t position;

	if (!term_is_ref(args[0]) || !term_is_small(args[2]) ||
	    (args[1] != A_bof && args[1] != A_cur && args[1] != A_eof))
		return bif_badarg(p);
	if (!file)
		return posix_error(p, EINVAL);
	if (args[1] == A_eof && stat(file->path, &info) < 0)
		return posix_error(p, errno);
	position = args[1] == A_bof ? 0
		   : args[1] == A_cur ? (int64_t)file->position : (int64_t)info.st_size;
	position += small_value(args[2]);
	if (position < 0)
		return posix_error(p, EINVAL);
	file->position = (uint64_t)position;
	return heap_tuple2(p, A_ok, heap_integer(p, position));
}

static term check_open(struct process *p, term ref)
{
	if (!term_is_ref(ref))
		return bif_badarg(p);
	return open_file_find(p, ref) ? (term)A_ok : posix_error(p, EINVAL);
}

term bif_prim_file_sync_nif_2(struct process *p, const term *args)
{
	return check_open(p, args[0]);
}

term bif_prim_file_advise_nif_4(struct process *p, const term *args)
{
	static const char *const known[] = {"normal", "random", "sequential", "will_need",
					    "dont_need", "no_reuse"};
	const char *text = term_is_atom(args[3]) ? atom_text(args[3]) : "";

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(text, known[i]) == 0)
			return check_open(p, args[0]);
	return posix_error(p, EINVAL);
}

/* A folder of its own for each drive is something that only Windows has. */
term bif_prim_file_get_device_cwd_nif_1(struct process *p, const term *args)
{
	return heap_tuple2(p, A_error, atom_from_string("enotsup"));
}

/* Files are not open outside of a call, so a socket cannot send one by itself: file:sendfile reads
 * the file and sends the bytes. */
term bif_prim_file_sendfile_8(struct process *p, const term *args)
{
	return heap_tuple2(p, A_error, atom_from_string("enotsup"));
}

/* ---- information about files ---- */

static term file_type(mode_t mode)
{
	return S_ISREG(mode) ? A_regular : S_ISDIR(mode) ? A_directory : S_ISLNK(mode) ? A_symlink
	       : S_ISCHR(mode) || S_ISBLK(mode) ? A_device : A_other;
}

static term file_access(const char *path)
{
	bool can_read = access(path, R_OK) == 0, can_write = access(path, W_OK) == 0;

	return can_read && can_write ? A_read_write : can_read ? A_read
	       : can_write ? A_write : A_none;
}

/* #file_info{} with times in seconds. */
static term describe_path(struct process *p, const char *path, bool follow)
{
	struct stat s;
	term elements[14];

	if ((follow ? stat(path, &s) : lstat(path, &s)) < 0)
		return posix_error(p, errno);
	elements[0] = A_file_info;
	elements[1] = heap_integer(p, s.st_size);
	elements[2] = file_type(s.st_mode);
	elements[3] = file_access(path);
	elements[4] = heap_integer(p, s.st_atime);
	elements[5] = heap_integer(p, s.st_mtime);
	elements[6] = heap_integer(p, s.st_ctime);
	elements[7] = heap_unsigned(p, s.st_mode);
	elements[8] = heap_unsigned(p, s.st_nlink);
	elements[9] = heap_unsigned(p, s.st_dev);
	elements[10] = heap_unsigned(p, s.st_rdev);
	elements[11] = heap_unsigned(p, s.st_ino);
	elements[12] = heap_unsigned(p, s.st_uid);
	elements[13] = heap_unsigned(p, s.st_gid);
	return heap_tuple(p, 14, elements);
}

term bif_prim_file_read_info_nif_2(struct process *p, const term *args)
{
	struct view path;
	term result;

	if (!term_is_small(args[1]) || !open_file_path(&path, args[0]))
		return bif_badarg(p);
	result = describe_path(p, (const char *)path.bytes, small_value(args[1]) != 0);
	view_close(&path);
	return result;
}

term bif_prim_file_read_handle_info_nif_1(struct process *p, const term *args)
{
	struct open_file *file = open_file_find(p, args[0]);

	if (!term_is_ref(args[0]))
		return bif_badarg(p);
	return file ? describe_path(p, file->path, true) : posix_error(p, EINVAL);
}

term bif_prim_file_read_link_nif_1(struct process *p, const term *args)
{
	char target[4096];
	struct view path;
	ssize_t len;

	if (!open_file_path(&path, args[0]))
		return bif_badarg(p);
	len = readlink((const char *)path.bytes, target, sizeof(target));
	view_close(&path);
	if (len < 0)
		return posix_error(p, errno);
	return heap_tuple2(p, A_ok, binary_from(p, target, (size_t)len));
}

/* In alphabetical order, so that it is the same on every machine. */
term bif_prim_file_list_dir_nif_1(struct process *p, const term *args)
{
	struct dirent **entries;
	struct view path;
	term names = NIL;
	int n;

	if (!open_file_path(&path, args[0]))
		return bif_badarg(p);
	n = scandir((const char *)path.bytes, &entries, NULL, alphasort);
	view_close(&path);
	if (n < 0)
		return posix_error(p, errno);
	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name;

		if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
			names = heap_cons(p, binary_from(p, name, strlen(name)), names);
		free(entries[i]); /* scandir uses malloc */
	}
	free(entries);
	return heap_tuple2(p, A_ok, names);
}

/* Files have a second name on Windows only. */
term bif_prim_file_altname_nif_1(struct process *p, const term *args)
{
	return heap_tuple2(p, A_error, A_enotsup);
}

term bif_prim_file_get_cwd_nif_0(struct process *p, const term *args)
{
	char path[4096];

	if (!getcwd(path, sizeof(path)))
		return posix_error(p, errno);
	return heap_tuple2(p, A_ok, binary_from(p, path, strlen(path)));
}
