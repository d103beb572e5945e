/* A thread writes to a page while another one takes the right to write away: it may crash.
 * -DNONE: the right to read. -DORDERED: the writer is done by then. -DREADER: reading stays allowed. */
#include <sys/mman.h>

#include "litmus.h"

static char *page;
static atomic_int is_protected;

THREAD(use)
{
	if (atomic_load(&is_protected) == 0)
#if defined(NONE) || defined(READER)
		assert(page[1] == 0);
#else
		page[1] = 1;
#endif
	return NULL;
}

THREAD(protect)
{
	atomic_store(&is_protected, 1);
#ifdef NONE
	OK(mprotect(page, 4096, PROT_NONE));
#else
	OK(mprotect(page, 4096, PROT_READ));
#endif
	return NULL;
}

int main(void)
{
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(page != MAP_FAILED);
#ifdef ORDERED
	join(start(use));
	join(start(protect));
#else
	RUN(use, protect);
#endif
	return 0;
}
