/* Threads that do not come back, and threads whose stack is too small. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *deed, *path;
static volatile int sink;

static void loop(void)
{
	for (;;)
		sink = sink * 3 + 1;
}

static void need_a_large_frame(void)
{
	volatile char bytes[64 << 20];

	memset((char *)bytes, 1, sizeof(bytes));
}

static int recurse(int depth)
{
	volatile char bytes[1000];

	bytes[0] = 1;
	return recurse(depth + 1) + bytes[0];
}

static void wait_for_somebody(void)
{
	if (strcmp(deed, "fifo") == 0) {
		mkfifo(path, 0600);
		open(path, O_RDONLY);
	}
	if (strcmp(deed, "system") == 0)
		exit(system("sleep 1000"));
}

static void *work(void *word)
{
	if (strcmp(deed, "loop") == 0)
		loop();
	if (strcmp(deed, "frame") == 0)
		need_a_large_frame();
	if (strcmp(deed, "recursion") == 0)
		recurse(0);
	return word;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	deed = argv[1];
	path = argc > 2 ? argv[2] : "fifo";
	wait_for_somebody();
	if (strcmp(deed, "loop-in-main") == 0)
		loop();
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	return 0;
}
