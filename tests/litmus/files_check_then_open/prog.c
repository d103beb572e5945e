/* A file that main has made is there when a thread asks, and gone when it opens the file. The finding
 * must show again in a fresh process, also while others are under control. */
#include <fcntl.h>

#include "litmus.h"

static char path[64];

THREAD(check_then_open)
{
	FILE *file;

	if (access(path, F_OK))
		return NULL;
	file = fopen(path, "r");
	assert(file);
	fclose(file);
	return NULL;
}

THREAD(take_away)
{
	OK(unlink(path));
	return NULL;
}

int main(void)
{
	snprintf(path, sizeof(path), "/tmp/fermata-litmus-check-then-open");
	close(open(path, O_WRONLY | O_CREAT, 0600));
	RUN(check_then_open, take_away);
	return 0;
}
