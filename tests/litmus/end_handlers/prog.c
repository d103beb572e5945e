/* Code that runs after main is the program's, too, however it was registered: here it
 * looks whether a thread, for which nobody waited, was there. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int seen;

static void look(void)
{
	assert(seen);
}

#if defined(DESTRUCTOR)
__attribute__((destructor)) static void look_late(void)
{
	look();
}
#elif defined(CONSTRUCTOR)
__attribute__((constructor)) static void ask_early(void)
{
	atexit(look);
}
#elif defined(FIRST)
__attribute__((constructor(101))) static void ask_first(void)
{
	atexit(look);
}
#elif defined(STATUS)
static void look_at(int status, void *arg)
{
	assert(seen == status && arg == &seen);
}
#endif

static void *be_seen(void *arg)
{
	seen = 1;
	return arg;
}

int main(void)
{
	pthread_t thread;

#if defined(HANDLER)
	atexit(look);
#elif defined(STATUS)
	on_exit(look_at, &seen);
#endif
	pthread_create(&thread, NULL, be_seen, NULL);
#ifdef FIXED
	pthread_join(thread, NULL);
#else
	pthread_detach(thread);
#endif
#ifdef STATUS
	exit(1);
#endif
	return 0;
}
