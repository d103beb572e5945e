/* FUTEX_WAKE_PRIVATE does not find a thread in FUTEX_WAIT. -DSAME: both are private. */
#include "litmus.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#ifdef SAME
enum { WAIT = FUTEX_WAIT_PRIVATE };
#else
enum { WAIT = FUTEX_WAIT };
#endif

static _Atomic int word;

THREAD(waiter)
{
	while (!word)
		syscall(SYS_futex, &word, WAIT, 0, NULL, NULL, 0);
	return NULL;
}

THREAD(waker)
{
	word = 1;
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	return NULL;
}

int main(void)
{
	RUN(waiter, waker);
	return 0;
}
