/* A handler for SIGSEGV. One that mends the cause, or jumps out, makes a program that goes on: that is
 * not modelled, and it is not a crash. One that ends the program or returns in vain is a crash. */
#include "litmus.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

static sigjmp_buf place;
static volatile char *page;
static atomic_int steps;

static void handle(int number, siginfo_t *info, void *context)
{
#if WAY == 0
	OK(mprotect((void *)page, 4096, PROT_READ | PROT_WRITE));
#elif WAY == 1
	siglongjmp(place, 1);
#elif WAY == 2
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 3;
#elif WAY == 3
	fprintf(stderr, "signal %d\n", number);
	_exit(3);
#elif WAY == 4
	abort();
#endif
	(void)number, (void)info, (void)context, (void)place;
}

THREAD(touch)
{
	atomic_fetch_add(&steps, 1);
#if WAY == 1
	if (sigsetjmp(place, 1) == 0)
		*page = 1;
#elif WAY == 2
	__asm__ volatile("movb $1, (%0)" : : "r"(page) : "memory"); /* three bytes */
#else
	*page = 1;
#endif
	return NULL;
}

THREAD(count)
{
	atomic_fetch_add(&steps, 1);
	return NULL;
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};

	page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(page != MAP_FAILED);
	OK(sigaction(SIGSEGV, &action, NULL));
	RUN(touch, count);
	return 0;
}
