/* A thread does not come back from a step, by the first argument: it computes, or opens a pipe that
 * nobody writes to (the second argument). The first thread could go on meanwhile. */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>

static atomic_int steps;
static volatile unsigned sum;

static void compute(void)
{
	for (;;)
		sum = sum * 3 + 1; /* compute */
}

static void wait_in_open(const char *pipe)
{
	mkfifo(pipe, 0600);
	open(pipe, O_RDONLY); /* open */
}

static char **words;

static void *work(void *unused)
{
	if (strcmp(words[1], "compute") == 0)
		compute();
	wait_in_open(words[2]);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	words = argv;
	pthread_create(&thread, NULL, work, NULL);
	for (int i = 0; i < 4; i++)
		atomic_fetch_add(&steps, 1);
	pthread_join(thread, NULL);
	return argc < 2;
}
