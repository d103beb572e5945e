/* A mapping at a fixed address replaces what another thread reads. -DADVICE: so does MADV_DONTNEED.
 * -DJOINED: the reader comes later. -DGROWS: a flag that is not modelled is named. */
#include "litmus.h"

#include <sys/mman.h>

enum { SIZE = 4096, BOTH = PROT_READ | PROT_WRITE };

static volatile int *place;

THREAD(replace)
{
#ifdef ADVICE
	OK(madvise((void *)place, SIZE, MADV_DONTNEED));
#elif defined(GROWS)
	mmap(NULL, SIZE, BOTH, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0);
#else
	mmap((void *)place, SIZE, BOTH, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
#endif
	return NULL;
}

int main(void)
{
	pthread_t id;
	int seen;

	place = mmap(NULL, SIZE, BOTH, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	OK(madvise((void *)place, SIZE, MADV_WILLNEED));
	*place = 1;
	id = start(replace);
#ifdef JOINED
	join(id);
	seen = *place;
	assert(seen == 0);
#else
	seen = *place;
	join(id);
	assert(seen == 1);
#endif
	return 0;
}
