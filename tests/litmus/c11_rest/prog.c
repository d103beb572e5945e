/* call_once, tss, recursive and timed mtx, cnd_timedwait, sleep, yield, exit. */
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

static once_flag once = ONCE_FLAG_INIT;
static tss_t slot;
static mtx_t recursive, timed;
static cnd_t never;
static int initialised;
static atomic_int destroyed;

static void initialise(void)
{
	initialised++;
}

static void destroy(void *value)
{
	free(value);
	destroyed++;
}

static struct timespec soon(void)
{
	struct timespec at;

	timespec_get(&at, TIME_UTC);
	at.tv_sec += 2;
	return at;
}

static int work(void *arg)
{
	struct timespec nap = { .tv_nsec = 1000 }, until;

	(void)arg;
	call_once(&once, initialise);
	assert(tss_set(slot, malloc(4)) == thrd_success);
	mtx_lock(&recursive);
	assert(mtx_trylock(&recursive) == thrd_success);
	mtx_unlock(&recursive);
	mtx_unlock(&recursive);
	until = soon();
	assert(mtx_timedlock(&timed, &until) == thrd_success);
	assert(cnd_timedwait(&never, &timed, &until) == thrd_timedout);
	mtx_unlock(&timed);
	thrd_sleep(&nap, NULL);
	thrd_yield();
	thrd_exit(3);
}

int main(void)
{
	thrd_t id;
	int result;

	tss_create(&slot, destroy);
	mtx_init(&recursive, mtx_plain | mtx_recursive);
	mtx_init(&timed, mtx_timed);
	cnd_init(&never);
	for (int i = 0; i < 2; i++) {
		assert(thrd_create(&id, work, NULL) == thrd_success);
		assert(thrd_join(id, &result) == thrd_success && result == 3);
	}
	assert(initialised == 1 && destroyed == 2);
	return 0;
}
