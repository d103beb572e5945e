/* io_early.c: temporary files that are open when the first thread is made.
 *
 * Runs share a file, so each would find what the run before it wrote. The position is put back by
 * io_begin.c. Of a temporary file the contents are put back too: Check keeps the result of the test
 * in one. Other files are left as they are, because they may belong to somebody else; the verdict
 * then names the assumption (ASSUMED_FILES).
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "runtime/intercept.h"
#include "runtime/rt_sys.h"
#include "runtime/server.h"

enum { BYTES_MAX = 1 << 20, PATH_ROOM = 256 };

/* Has no name any more, or is in /tmp. */
static bool is_temporary(int fd, const struct stat *status)
{
	static const char folder[] = "/tmp/";
	char link[64], path[PATH_ROOM];
	long len;

	if (status->st_nlink == 0)
		return true;
	rt_print(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = rt_syscall6(SYS_readlinkat, AT_FDCWD, (long)link, (long)path, sizeof(path), 0, 0);
	for (size_t i = 0; i < sizeof(folder) - 1; i++)
		if (len <= (long)i || path[i] != folder[i])
			return false;
	return true;
}

static bool is_writable(int fd)
{
	long flags = rt_syscall(SYS_fcntl, fd, F_GETFL, 0);

	return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

static void keep(int fd)
{
	struct rt_early_file *file = &RT->io.early[RT->io.early_len];
	struct stat status;
	long bytes = 0;

	if (RT->io.early_len == RT_MAX_EARLY || !is_writable(fd) ||
	    rt_syscall(SYS_fstat, fd, &status, 0) != 0 || status.st_size > BYTES_MAX ||
	    !is_temporary(fd, &status))
		return;
	if (status.st_size) {
		bytes = rt_syscall6(SYS_mmap, 0, status.st_size, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (bytes < 0 || rt_syscall4(SYS_pread64, fd, bytes, status.st_size, 0) !=
					 status.st_size)
			return;
		rt_syscall(SYS_mprotect, bytes, status.st_size, PROT_READ);
	}
	*file = (struct rt_early_file){fd, status.st_size, (const char *)bytes};
	RT->io.early_len++;
}

void rt_early_files_keep(void)
{
	for (int fd = 0; fd < RT->io.fds_high; fd++)
		if (RT->io.offsets[fd])
			keep(fd);
}

void rt_early_files_begin(void)
{
	for (uint32_t i = 0; i < RT->io.early_len; i++) {
		const struct rt_early_file *file = &RT->io.early[i];

		rt_syscall(SYS_ftruncate, file->fd, file->size, 0);
		if (file->size)
			rt_syscall4(SYS_pwrite64, file->fd, file->bytes, file->size, 0);
	}
}
