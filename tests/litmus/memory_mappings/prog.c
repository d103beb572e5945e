/* Mappings of two threads: the order of their addresses depends on who asks first; a mapping
 * that is removed while another thread reads it is a race; one that a thread gets at an address which
 * another has given back is new. */
#include "litmus.h"

#include <sys/mman.h>

#ifdef LARGE
static const size_t SIZE = 3ul << 30;
#else
enum { SIZE = 4096 };
#endif
static char *pages[2];

static char *map(void)
{
	char *page = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
			  -1, 0);

	assert(page != MAP_FAILED);
	return page;
}

#if WHICH == 1

THREAD(work)
{
	pages[(intptr_t)arg] = map();
	return NULL;
}

int main(void)
{
	RUN(work, work);
	assert(pages[0] > pages[1]);
	return 0;
}

#elif WHICH == 3

THREAD(work)
{
	char *page = map();

	page[0] = page[SIZE / 2] = 1;
	OK(munmap(page, SIZE));
	return NULL;
}

int main(void)
{
	RUN(work, work);
	return 0;
}

#else

THREAD(use)
{
	return (void *)(intptr_t)pages[0][SIZE / 2];
}

THREAD(remove_it)
{
	OK(munmap(pages[0], SIZE));
	return NULL;
}

int main(void)
{
	pthread_t user;

	pages[0] = map();
	user = start(use);
#ifdef FIXED
	join(user);
	remove_it(NULL);
#else
	remove_it(NULL);
	join(user);
#endif
	return 0;
}

#endif
