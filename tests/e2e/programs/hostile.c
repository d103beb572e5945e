/* A program that the tool must outlive, by its first argument: overwrites the memory that it shares
 * with the tool, leaves a child behind in a session of its own (which may kill it), loops before main. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static volatile int go_on;

static size_t kept; /* bytes at the beginning of the shared memory, where its lengths are */

/* All bytes of every mapping of shared memory, but those that are kept, become another value. */
static void *overwrite(void *value)
{
	struct {
		uintptr_t start, end;
	} parts[16];
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	size_t len = 0;

	while (maps && fgets(line, sizeof(line), maps) && len < 16)
		if (strstr(line, "memfd:fermata") && strstr(line, " rw") &&
		    sscanf(line, "%lx-%lx", &parts[len].start, &parts[len].end) == 2)
			len++;
	for (size_t i = 0; i < len; i++)
		for (uintptr_t at = parts[i].start + kept; at < parts[i].end; at++)
			*(volatile char *)at = (char)(intptr_t)value;
	return NULL;
}

static void leave_child(const char *file, int does_kill)
{
	pid_t program = getpid();
	struct stat status = {.st_size = 0};
	FILE *out;

	if (fork() != 0) {
		while (does_kill || stat(file, &status) != 0 || status.st_size == 0)
			;
		return;
	}
	setsid();
	if (fork() != 0)
		_exit(0);
	setsid();
	out = fopen(file, "w");
	if (out) {
		fprintf(out, "%d\n", getpid());
		fclose(out);
	}
	if (does_kill)
		kill(program, SIGKILL);
	sleep(1000);
	_exit(0);
}

static void *work(void *unused)
{
	return unused;
}

__attribute__((constructor)) static void begin(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "constructor") == 0)
		while (!go_on)
			;
}

int main(int argc, char **argv)
{
	const char *deed = argc > 1 ? argv[1] : "", *what = argc > 2 ? argv[2] : "";
	pthread_t one, two;

	kept = argc > 3 ? strtoul(argv[3], NULL, 0) : 0;
	if (strncmp(deed, "child", 5) == 0)
		leave_child(what, strcmp(deed, "child-kills") == 0);
	if (strcmp(deed, "overwrite") == 0)
		pthread_create(&one, NULL, overwrite, (void *)strtol(what, NULL, 0));
	else
		pthread_create(&one, NULL, work, NULL);
	pthread_create(&two, NULL, work, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
