/* A lost update, in a program that looks at values which the kernel makes different in every process
 * (by its first argument). With -DDEPENDS the number of its steps depends on the value; with
 * -DLENIENT the update may be lost. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int x;

static unsigned long read_stream(const char *path)
{
	FILE *file = fopen(path, "r");
	unsigned long value = 0;

	if (!file || fread(&value, sizeof(value), 1, file) != 1)
		abort();
	fclose(file);
	return value;
}

static unsigned long read_number(const char *path)
{
	FILE *file = fopen(path, "r");
	unsigned long value = 0;

	if (!file || fscanf(file, "%lu", &value) != 1)
		abort();
	fclose(file);
	return value;
}

static unsigned long draw(const char *from)
{
	char text[4096] = "";
	struct stat status;

	if (strcmp(from, "urandom") == 0)
		return read_stream("/dev/urandom");
	if (strcmp(from, "proc") == 0)
		return read_number("/proc/self/stat");
	if (strcmp(from, "link") == 0)
		return syscall(SYS_readlink, "/proc/self", text, sizeof(text) - 1) > 0
			       ? strtoul(text, NULL, 10) : 0;
	if (strcmp(from, "inode") == 0)
		return stat("/proc/self/status", &status) == 0 ? (unsigned long)status.st_ino : 0;
	if (strcmp(from, "folder") == 0)
		return chdir("/proc/self") == 0 && getcwd(text, sizeof(text))
			       ? strtoul(text + strlen("/proc/"), NULL, 10) : 0;
	return 0;
}

static void *work(void *unused)
{
	int seen = atomic_load(&x);

	atomic_store(&x, seen + 1);
	return unused;
}

int main(int argc, char **argv)
{
	unsigned long value = draw(argc > 1 ? argv[1] : "");
	pthread_t one, two;

	printf("drawn %lu\n", value);
	pthread_create(&one, NULL, work, NULL);
	pthread_create(&two, NULL, work, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
#ifdef DEPENDS
	for (unsigned long i = 0; i < value * 7 % 101; i++)
		atomic_fetch_add(&x, 0);
#endif
#ifdef LENIENT
	return atomic_load(&x) > 2;
#else
	assert(atomic_load(&x) == 2);
#endif
	return 0;
}
