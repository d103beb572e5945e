#include "runtime/undo.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "runtime/rt.h"
#include "runtime/rt_sys.h"

enum {
	NAMES_MAX = 256,
	PATH_ROOM = 1024,
	BYTES_MAX = 8 << 20, /* of all files of a run */
};

/* A name as it was before the run changed it. */
struct name {
	char path[PATH_ROOM];
	uint32_t mode; /* 0: there was nothing */
	uint64_t at, size; /* of the contents of a file in struct rt_undo.bytes */
};

struct rt_undo {
	uint32_t len;
	uint64_t used;
	struct name names[NAMES_MAX];
	char bytes[BYTES_MAX];
};

void rt_undo_start(void)
{
	long at = rt_syscall6(SYS_mmap, 0, sizeof(struct rt_undo), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	RT->undo = (uint64_t)at > -4096ul ? NULL : (struct rt_undo *)at;
}

/* ---- paths ---- */

static long read_link(const char *link, char *path)
{
	return rt_syscall6(SYS_readlinkat, AT_FDCWD, (long)link, (long)path, PATH_ROOM - 1, 0, 0);
}

/* The absolute path of a name in a folder. */
static bool find_path(long folder, const char *name, char *path)
{
	char link[64];
	size_t len = rt_strlen(name);
	long base = 0;

	if (name[0] != '/') {
		if ((int)folder == AT_FDCWD)
			rt_print(link, sizeof(link), "/proc/self/cwd");
		else
			rt_print(link, sizeof(link), "/proc/self/fd/%d", (int)folder);
		base = read_link(link, path);
		if (base <= 0)
			return false;
		path[base++] = '/';
	}
	if ((size_t)base + len + 1 > PATH_ROOM)
		return false;
	rt_memcpy(path + base, name, len + 1);
	return true;
}

static struct name *find_name(const char *path)
{
	struct rt_undo *undo = RT->undo;
	size_t size = rt_strlen(path) + 1;

	for (uint32_t i = 0; i < undo->len; i++)
		if (rt_strncmp(undo->names[i].path, path, size) == 0)
			return &undo->names[i];
	return NULL;
}

/* ---- noting ---- */

static bool keep_contents(struct name *name, const struct stat *status)
{
	struct rt_undo *undo = RT->undo;
	long fd, got;

	if ((uint64_t)status->st_size > BYTES_MAX - undo->used)
		return false;
	fd = rt_syscall4(SYS_openat, AT_FDCWD, name->path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return false;
	got = rt_syscall(SYS_read, fd, undo->bytes + undo->used, status->st_size);
	rt_syscall(SYS_close, fd, 0, 0);
	name->at = undo->used;
	name->size = (uint64_t)status->st_size;
	undo->used += name->size;
	return got == status->st_size;
}

/* False: it cannot be put back. */
static bool note_path(const char *path)
{
	struct rt_undo *undo = RT->undo;
	struct name *name;
	struct stat status;

	if (find_name(path) || rt_strncmp(path, "/proc/", 6) == 0 ||
	    rt_strncmp(path, "/sys/", 5) == 0) /* the kernel's are named when they are opened */
		return true;
	if (undo->len == NAMES_MAX)
		return false;
	name = &undo->names[undo->len];
	*name = (struct name){.mode = 0};
	rt_memcpy(name->path, path, rt_strlen(path) + 1);
	if (rt_syscall4(SYS_newfstatat, AT_FDCWD, path, &status, 0) == 0)
		name->mode = status.st_mode;
	else if (rt_syscall4(SYS_newfstatat, AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) == 0)
		return false;
	if (S_ISCHR(name->mode) || S_ISFIFO(name->mode))
		return true; /* not changed by writing: nothing to put back */
	if (name->mode && !S_ISDIR(name->mode) &&
	    !(S_ISREG(name->mode) && keep_contents(name, &status)))
		return false;
	undo->len++;
	return true;
}

static void note(long folder, const char *name)
{
	char path[PATH_ROOM];

	if (!RT->undo || !find_path(folder, name, path) || !note_path(path))
		rt_warn_uncontrolled("a change of a file that cannot be put back");
}

static bool is_change(long flags)
{
	return (flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC);
}

void rt_undo_note(long number, const long *args)
{
	const char *first = (const char *)args[0], *second = (const char *)args[1];

	switch (number) {
	case SYS_open:
		if (is_change(args[1]))
			note(AT_FDCWD, first);
		break;
	case SYS_openat:
		if (is_change(args[2]) && (args[2] & O_TMPFILE) != O_TMPFILE)
			note(args[0], second);
		break;
	case SYS_creat:
	case SYS_truncate:
	case SYS_unlink:
	case SYS_rmdir:
	case SYS_mkdir:
		note(AT_FDCWD, first);
		break;
	case SYS_unlinkat:
	case SYS_mkdirat:
		note(args[0], second);
		break;
	case SYS_symlink:
	case SYS_link:
		note(AT_FDCWD, second);
		break;
	case SYS_linkat:
		note(args[2], (const char *)args[3]);
		break;
	case SYS_symlinkat:
		note(args[1], (const char *)args[2]);
		break;
	case SYS_rename:
		note(AT_FDCWD, first);
		note(AT_FDCWD, second);
		break;
	case SYS_renameat:
	case SYS_renameat2:
		note(args[0], second);
		note(args[2], (const char *)args[3]);
		break;
	case SYS_openat2:
		rt_warn_uncontrolled("openat2");
		break;
	default:
		break;
	}
}

/* ---- putting back ---- */

static bool is_folder(const char *path)
{
	struct stat status;

	return rt_syscall4(SYS_newfstatat, AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISDIR(status.st_mode);
}

static bool put_back(const struct name *name)
{
	long fd, done;

	if (!name->mode && is_folder(name->path))
		return rt_syscall(SYS_rmdir, name->path, 0, 0) == 0;
	if (!name->mode) {
		rt_syscall(SYS_unlink, name->path, 0, 0);
		return true;
	}
	if (S_ISDIR(name->mode))
		return is_folder(name->path) ||
		       rt_syscall(SYS_mkdir, name->path, name->mode & 07777, 0) == 0;
	fd = rt_syscall4(SYS_openat, AT_FDCWD, name->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
			 name->mode & 07777);
	if (fd < 0)
		return false;
	done = rt_syscall(SYS_write, fd, RT->undo->bytes + name->at, name->size);
	rt_syscall(SYS_close, fd, 0, 0);
	return done == (long)name->size;
}

void rt_undo_run(void)
{
	struct rt_undo *undo = RT->undo;

	for (uint32_t i = undo ? undo->len : 0; i-- > 0;)
		if (!put_back(&undo->names[i]))
			rt_warn_uncontrolled("a change of a file that cannot be put back");
	if (undo) {
		undo->len = 0;
		undo->used = 0;
	}
}
