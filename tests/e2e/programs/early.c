/* Does something before its first thread, by its first argument: never comes back, puts another
 * program in its place, stops itself, waits in a function of libc. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define APART __attribute__((noinline)) static

static volatile int go_on;

/* Leaves return addresses behind on the stack, below the frames of its callers. */
APART unsigned litter(unsigned depth)
{
	char text[300];

	snprintf(text, sizeof(text), "%u %s", depth, "deep");
	return (unsigned)strlen(text) + (depth ? litter(depth - 1) : 0);
}

APART void loop(const char *unused)
{
	while (!go_on) /* loop */
		;
}

APART void replace(const char *program)
{
	execl(program, program, "5", (char *)NULL); /* replace */
}

APART void stop(const char *unused)
{
	raise(SIGSTOP); /* stop */
}

APART void wait_in_open(const char *fifo)
{
	mkfifo(fifo, 0600);
	go_on = (int)litter(20);
	go_on = open(fifo, O_RDONLY); /* open */
}

APART void wait_in_fopen(const char *fifo)
{
	mkfifo(fifo, 0600);
	go_on = (int)litter(20);
	go_on = fopen(fifo, "r") != NULL; /* fopen */
}

APART void wait_in_system(const char *unused)
{
	go_on = (int)litter(20);
	go_on = system("exec sleep 100"); /* system */
}

APART void wait_in_read(const char *unused)
{
	int ends[2];
	char byte;

	go_on = pipe(ends) || read(ends[0], &byte, 1) == 1; /* read */
}

static const struct {
	const char *name;
	void (*run)(const char *);
} deeds[] = {
	{"loop", loop},          {"replace", replace},       {"stop", stop},
	{"open", wait_in_open},  {"fopen", wait_in_fopen},   {"system", wait_in_system},
	{"read", wait_in_read},
};

static void *work(void *unused)
{
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	for (size_t i = 0; argc > 1 && i < sizeof(deeds) / sizeof(deeds[0]); i++)
		if (strcmp(argv[1], deeds[i].name) == 0)
			deeds[i].run(argc > 2 ? argv[2] : "");
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	return 0;
}
