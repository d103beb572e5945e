/* Values that differ from process to process and cannot be fixed: the verdict names them. */
#include "litmus.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>

THREAD(nothing)
{
	return NULL;
}

static unsigned long look(void)
{
#if WHICH == 1
	char name[] = "/tmp/fermata-litmus-XXXXXX";
	int fd = mkstemp(name);

	unlink(name);
	close(fd);
	return (unsigned char)name[20];
#elif WHICH == 2
	struct stat status;

	OK(stat("/", &status));
	return status.st_ino;
#elif WHICH == 3
	struct stat status;

	OK(lstat("/", &status));
	return (unsigned long)status.st_mtime;
#elif WHICH == 4
	char text[64] = "";
	int fd = open("/proc/self/stat", O_RDONLY);

	assert(read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	return (unsigned char)text[0];
#elif WHICH == 5
	struct sysinfo info;

	OK(sysinfo(&info));
	return info.freeram;
#elif WHICH == 6
	unsigned cpu = 0;

	OK(syscall(SYS_getcpu, &cpu, NULL, NULL));
	return cpu;
#elif WHICH == 7
	return __builtin_ia32_rdtsc();
#elif WHICH == 8
	DIR *folder = opendir("/");
	unsigned long inode = readdir(folder)->d_ino;

	closedir(folder);
	return inode;
#elif WHICH == 9
	return (unsigned long)sysconf(_SC_AVPHYS_PAGES);
#elif WHICH == 10
	char text[64] = "";

	assert(readlink("/proc/self", text, sizeof(text) - 1) > 0);
	return (unsigned char)text[0];
#elif WHICH == 11
	char text[64] = "";
	int fd;

	OK(chdir("/proc/self")); /* the path does not show what the file is */
	fd = open("stat", O_RDONLY);
	assert(read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	return (unsigned char)text[0];
#endif
}

int main(void)
{
	assert(look() != 47114711);
	RUN(nothing, nothing);
	return 0;
}
