/* Mappings, handlers and the working directory that were there before the first thread are
 * part of what each run begins with; nothing of it needs a fork. */
#include <signal.h>
#include <sys/mman.h>

#include "litmus.h"

static atomic_int *count;

static void ignore(int number)
{
	(void)number;
}

THREAD(run)
{
#ifdef LATER
	assert(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
#endif
	atomic_fetch_add(count, 1);
	return NULL;
}

int main(void)
{
	struct sigaction action = {.sa_handler = ignore};

	count = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(count != MAP_FAILED);
	OK(sigaction(SIGUSR1, &action, NULL));
	OK(chdir("/"));
	RUN(run, run);
	assert(*count == 2);
	return 0;
}
