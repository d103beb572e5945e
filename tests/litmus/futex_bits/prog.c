/* Futexes with bit sets, and waiters that are moved from one futex to another.
 * SHAPE 0: the bits fit. 1: they do not, the wake-up is lost. 2: a waiter is moved and woken at
 * the other futex. 3: it is moved, and nobody wakes it there. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint door, hall;

static void *wait_there(void *arg)
{
	while (!atomic_load(&door))
		syscall(SYS_futex, &door, FUTEX_WAIT_BITSET, 0, NULL, NULL, SHAPE == 1 ? 4 : 6);
	return arg;
}

static void *open_door(void *arg)
{
	atomic_store(&door, 1);
#if SHAPE < 2
	syscall(SYS_futex, &door, FUTEX_WAKE_BITSET, 1, NULL, NULL, 2);
#else
	syscall(SYS_futex, &door, FUTEX_REQUEUE, 0, 8, &hall, 0);
#if SHAPE == 2
	syscall(SYS_futex, &hall, FUTEX_WAKE, 8, NULL, NULL, 0);
#endif
#endif
	return arg;
}

int main(void)
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, wait_there, NULL);
	pthread_create(&threads[1], NULL, open_door, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
