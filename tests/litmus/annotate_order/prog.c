/* A flag that orders nothing by itself, and annotations by which the program says that it does:
 * with NONE they are left out, with OLD they are the older ones. With STORED the flag is given by a
 * release and the annotation gets it; with LOADED an annotation gives and an acquire gets. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __tsan_acquire(void *thing);
void __tsan_release(void *thing);
void AnnotateHappensBefore(const char *file, int line, const volatile void *thing);
void AnnotateHappensAfter(const char *file, int line, const volatile void *thing);

#ifdef STORED
#define SET memory_order_release
#else
#define SET memory_order_relaxed
#endif
#ifdef LOADED
#define GET memory_order_acquire
#else
#define GET memory_order_relaxed
#endif

static atomic_int flag;
static int data;

static void give(void)
{
#if defined(OLD)
	AnnotateHappensBefore(__FILE__, __LINE__, &flag);
#elif !defined(NONE) && !defined(STORED)
	__tsan_release(&flag);
#endif
}

static void get(void)
{
#if defined(OLD)
	AnnotateHappensAfter(__FILE__, __LINE__, &flag);
#elif !defined(NONE) && !defined(LOADED)
	__tsan_acquire(&flag);
#endif
}

static void *write_data(void *arg)
{
	data = 42;
	give();
	atomic_fetch_add_explicit(&flag, 1, SET);
	return arg;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, write_data, NULL);
	if (atomic_load_explicit(&flag, GET)) {
		get();
		assert(data == 42);
	}
	pthread_join(thread, NULL);
	return 0;
}
