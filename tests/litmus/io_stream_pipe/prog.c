/* A thread writes to a pipe through a FILE while another one looks at the pipe, which may find one line of two. -DSTDOUT:
 * the FILE is stdout. -DREAD: the reader has a FILE, too, and waits for what is not written yet. */
#include "litmus.h"

#include <sys/ioctl.h>
#include <unistd.h>

static int ends[2];
static FILE *in, *out;

THREAD(look)
{
#ifdef READ
	char line[8];

	assert(fgets(line, sizeof(line), in));
	assert(fgetc(in) != 'b' || feof(in));
#else
	int count = 0;

	OK(ioctl(ends[0], FIONREAD, &count));
	assert(count != 2);
#endif
	return NULL;
}

THREAD(send)
{
	fputs("a\n", out);
	fputs("b\n", out);
#ifdef READ
	fclose(out);
#endif
	return NULL;
}

int main(void)
{
	OK(pipe(ends));
#ifdef STDOUT
	assert(dup2(ends[1], 1) == 1);
	out = stdout;
#else
	out = fdopen(ends[1], "w");
#endif
	in = fdopen(ends[0], "r");
	assert(in && out);
	setvbuf(out, NULL, _IONBF, 0);
	RUN(look, send);
	return 0;
}
