/* Two FILEs lead to one file. Who reads may find one line of two. -DSTDOUT: one of them is stdout. -DSTARTED: the reader
 * finds nothing that this run has not written. */
#include "litmus.h"

#include <unistd.h>

static FILE *in, *out;
static atomic_int started;

THREAD(look)
{
	char bytes[8];
	size_t len = fread(bytes, 1, sizeof(bytes), in);

#ifdef STARTED
	assert(len == 0 || atomic_load(&started));
#else
	assert(len != 2);
#endif
	return NULL;
}

THREAD(put)
{
	atomic_store(&started, 1);
	fputs("a\n", out);
	fflush(out);
	fputs("b\n", out);
	fflush(out);
	return NULL;
}

int main(void)
{
	char name[] = "/tmp/litmus-XXXXXX";

	assert(close(mkstemp(name)) == 0);
#ifdef STDOUT
	out = freopen(name, "w", stdout);
#else
	out = fopen(name, "w");
#endif
	in = fopen(name, "r");
	assert(in && out);
	unlink(name);
	RUN(look, put);
	return 0;
}
