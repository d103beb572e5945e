/*
 * Programs that do what test tools do not like, chosen by argument: flood standard output,
 * close the standard descriptors, fork, exec, die by a signal, never end, never start a
 * thread, change folder, leave a file open, read standard input.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int x;

static void flood(void)
{
	for (int i = 0; i < 20000; i++)
		puts("a line of output that is repeated very often indeed");
}

static void close_all(void)
{
	for (int fd = 0; fd <= 2; fd++)
		close(fd);
}

static void fork_child(void)
{
	pid_t child = fork();

	if (child == 0)
		_exit(3);
	waitpid(child, NULL, 0);
}

static void exec_true(void)
{
	execl("/bin/true", "true", (char *)NULL);
}

static void kill_self(void)
{
	kill(getpid(), SIGKILL);
}

static void never_end(void)
{
	for (;;)
		x++;
}

static void spin_silently(void)
{
	for (volatile int i = 0;; i++)
		;
}

static void change_folder(void)
{
	if (chdir("/") != 0)
		abort();
}

static void open_file(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[64];

	if (file == NULL || fgets(line, sizeof(line), file) == NULL)
		abort();
}

static void read_input(void)
{
	char line[64] = "";

	if (fgets(line, sizeof(line), stdin) == NULL && !feof(stdin))
		abort();
}

static const struct {
	const char *name;
	void (*run)(void);
} deeds[] = {
	{ "flood", flood },
	{ "close", close_all },
	{ "fork", fork_child },
	{ "exec", exec_true },
	{ "kill", kill_self },
	{ "endless", never_end },
	{ "silent", spin_silently },
	{ "chdir", change_folder },
	{ "open", open_file },
	{ "stdin", read_input },
};

static void *do_deed(void *arg)
{
	for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++)
		if (strcmp(arg, deeds[i].name) == 0)
			deeds[i].run();
	x++;
	return NULL;
}

static void *count(void *arg)
{
	x++;
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t ids[2];

	if (argc < 2 || strcmp(argv[1], "alone") == 0)
		return 0;
	pthread_create(&ids[0], NULL, do_deed, argv[1]);
	pthread_create(&ids[1], NULL, count, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(ids[i], NULL);
	return 0;
}
