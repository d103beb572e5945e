/* A thread uses a local variable of a function that another thread may have left by then. FIXED: the function
 * waits for that. WHICH 1: a variable; 2: a semaphore; 3: the function goes on with a step of its own before it
 * returns, so the use may come before or behind the return without any other difference. */
#include "litmus.h"

static _Atomic(void *) shared;
static atomic_int other;
static sem_t done;

__attribute__((noinline)) static void lend(void)
{
#if WHICH == 2
	sem_t local;

	OK(sem_init(&local, 0, 0));
#else
	int local = 1;
#endif
	shared = &local;
#if WHICH == 3
	atomic_fetch_add(&other, 1);
#endif
#ifdef FIXED
	OK(sem_wait(&done));
#endif
}

__attribute__((noinline)) static void use_stack(void)
{
	volatile char more[512];

	more[0] = 1;
	atomic_fetch_add(&other, more[0]);
}

THREAD(lender)
{
	lend();
	atomic_fetch_add(&other, 1);
	use_stack();
	return NULL;
}

THREAD(user)
{
	void *at = shared;

	if (at) {
#if WHICH == 2
		OK(sem_post(at));
#else
		*(int *)at = 2;
#endif
	}
	OK(sem_post(&done));
	return NULL;
}

int main(void)
{
	OK(sem_init(&done, 0, 0));
	RUN(lender, user);
	return 0;
}
