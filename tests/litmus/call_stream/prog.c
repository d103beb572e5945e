/* A FILE that two threads share: every call is a step, so that all orders are seen; a FILE that
 * was closed is freed memory. */
#include "litmus.h"

static FILE *file;
static int first_read, second_read;

static FILE *make_file(void)
{
	FILE *made = fopen("/etc/os-release", "r");

	assert(made);
	return made;
}

THREAD(first)
{
#if WHICH == 1
	ungetc('!', file);
#elif WHICH == 2
	rewind(file);
#elif WHICH == 3
	fseek(file, 1, SEEK_SET);
#elif WHICH == 4
	fclose(file);
#elif WHICH == 5
	first_read = fscanf(file, "%*c");
#else
	flockfile(file);
	ungetc('!', file);
	first_read = getc(file);
	funlockfile(file);
#endif
	return NULL;
}

THREAD(second)
{
#if WHICH == 4
	putc('x', file);
#elif WHICH <= 5
	second_read = getc(file);
	second_read = getc(file);
#else
	flockfile(file);
	second_read = getc(file);
	funlockfile(file);
#endif
	return NULL;
}

int main(void)
{
	int begin;

	file = make_file();
	begin = getc(file);
	RUN(first, second);
#if WHICH == 1
	assert(second_read == '!' || second_read != begin);
	assert(getc(file) != '!');
#elif WHICH == 2 || WHICH == 3 || WHICH == 5
	printf("%d\n", second_read);
#elif WHICH != 4
	assert(first_read == '!' && second_read != '!');
#endif
	return 0;
}
