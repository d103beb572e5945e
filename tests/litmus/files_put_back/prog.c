/* Files that a run makes or changes are as before in the next run. Two threads make a file if it is
 * missing, and both find it missing. -DLOG: each appends a line under a lock. -DFOLDER: each makes a
 * file in a temporary folder. -DCHANGE: a file from before the threads gets longer. */
#include "litmus.h"

#include <fcntl.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char folder[] = "/tmp/fermata-litmus-XXXXXX";
static char path[64];

static void append_line(void)
{
	FILE *file;

	pthread_mutex_lock(&mutex);
	file = fopen(path, "a");
	fputs("line\n", file);
	fclose(file);
	pthread_mutex_unlock(&mutex);
}

static void make(const char *name)
{
	int fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);

	assert(fd >= 0);
	close(fd);
}

static void act(const char *own)
{
#if defined(LOG) || defined(CHANGE)
	append_line();
#elif defined(FOLDER)
	make(own);
#else
	if (access(path, F_OK) != 0)
		make(path);
#endif
	(void)own;
}

static char names[2][64];

THREAD(first)
{
	act(names[0]);
	return NULL;
}

THREAD(second)
{
	act(names[1]);
	return NULL;
}

int main(void)
{
	if (!mkdtemp(folder))
		return 2;
	snprintf(path, sizeof(path), "%s/file", folder);
	snprintf(names[0], sizeof(names[0]), "%s/0", folder);
	snprintf(names[1], sizeof(names[1]), "%s/1", folder);
#ifdef CHANGE
	append_line();
#endif
	RUN(first, second);
#if defined(LOG) || defined(CHANGE)
	char line[16];
	int count = 0;
	FILE *file = fopen(path, "r");

	while (fgets(line, sizeof(line), file))
		count++;
	fclose(file);
#ifdef CHANGE
	count--;
#endif
	assert(count == 2);
#endif
	(void)make;
	(void)append_line;
	remove(path);
	remove(names[0]);
	remove(names[1]);
	remove(folder);
	return 0;
}
