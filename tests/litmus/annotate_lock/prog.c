/* A lock that the program made of relaxed atomics and of plain memory, and told the race detector
 * about. With NONE it did not. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __tsan_mutex_create(void *lock, unsigned flags);
void __tsan_mutex_pre_lock(void *lock, unsigned flags);
void __tsan_mutex_post_lock(void *lock, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock(void *lock, unsigned flags);
void __tsan_mutex_post_unlock(void *lock, unsigned flags);
void __tsan_mutex_destroy(void *lock, unsigned flags);

static struct {
	atomic_int taken;
} lock;
static int count;

static void acquire(void)
{
#ifndef NONE
	__tsan_mutex_pre_lock(&lock, 0);
#endif
	while (atomic_exchange_explicit(&lock.taken, 1, memory_order_relaxed))
		;
#ifndef NONE
	__tsan_mutex_post_lock(&lock, 0, 0);
#endif
}

static void release(void)
{
#ifndef NONE
	__tsan_mutex_pre_unlock(&lock, 0);
#endif
	atomic_store_explicit(&lock.taken, 0, memory_order_relaxed);
#ifndef NONE
	__tsan_mutex_post_unlock(&lock, 0);
#endif
}

static void *add(void *arg)
{
	acquire();
	count++;
	release();
	return arg;
}

int main(void)
{
	pthread_t threads[2];

	__tsan_mutex_create(&lock, 0);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(count == 2);
	__tsan_mutex_destroy(&lock, 0);
	return 0;
}
