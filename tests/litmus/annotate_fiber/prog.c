/* A stack that begins in one thread and goes on in another, handed over by a relaxed flag: the
 * switch orders what the stack did before and after. With NO_SYNC the switch is told to order
 * nothing. */
#include <pthread.h>
#include <stdatomic.h>

void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);

#ifdef NO_SYNC
enum { FLAGS = 1 };
#else
enum { FLAGS = 0 };
#endif

static void *fiber;
static atomic_int is_ready;
static int data;

static void *go_on(void *arg)
{
	void *own = __tsan_get_current_fiber();

	while (!atomic_load_explicit(&is_ready, memory_order_relaxed))
		;
	__tsan_switch_to_fiber(fiber, FLAGS);
	data++;
	__tsan_switch_to_fiber(own, FLAGS);
	return arg;
}

int main(void)
{
	void *own = __tsan_get_current_fiber();
	pthread_t thread;

	fiber = __tsan_create_fiber(0);
	pthread_create(&thread, NULL, go_on, NULL);
	__tsan_switch_to_fiber(fiber, FLAGS);
	data++;
	__tsan_switch_to_fiber(own, FLAGS);
	atomic_store_explicit(&is_ready, 1, memory_order_relaxed);
	pthread_join(thread, NULL);
	__tsan_destroy_fiber(fiber);
	return data != 2;
}
