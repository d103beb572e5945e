/* keys.c: thread-specific data. Values are glibc's business: every fiber has a thread
 * control block of its own. Only the destructors are kept here, because a fiber's
 * end is not the end of a thread of glibc's. The table is the program's memory: it
 * goes back with it.
 *
 * Creating and deleting a key are steps. A deleted key has no values, and no destructor runs for
 * it. So after a thread was seen to delete a key (channel: key_is_event), the uses of keys are
 * steps as well: uses of the values, and of the destructors at the end of a thread. */
#include "runtime/calls/sync.h"

#include <dlfcn.h>
#include <limits.h>

#include "runtime/intercept.h"
#include "runtime/turn.h"

/* Reports show the calls, because the names say that these are the library's (describe_data in native/). */
static struct {
	bool used;
	void (*destructor)(void *);
} static_data_of_keys[PTHREAD_KEYS_MAX] RT_RARELY;
static pthread_key_t static_data_of_keys_high; /* one more than the highest ever used */

static bool is_ours(pthread_key_t key)
{
	return key < PTHREAD_KEYS_MAX;
}

static void remember(pthread_key_t key, void (*destructor)(void *))
{
	if (is_ours(key)) {
		static_data_of_keys[key].used = true;
		static_data_of_keys[key].destructor = destructor;
		if (key >= static_data_of_keys_high)
			static_data_of_keys_high = key + 1;
	}
}

/* ---- steps ---- */

static struct event describe(enum event_kind kind, uint64_t site)
{
	struct event event = rt_event(kind, site);

	event.memory_order = MEMORY_ORDER_SEQ_CST;
	return event;
}

/* Both take or free a number. */
static void step_change(const void *key, uint64_t site)
{
	struct event event = describe(EVENT_STORE, site);

	if (!rt_running())
		return;
	rt_mem_access(&event, &static_data_of_keys_high, sizeof(static_data_of_keys_high), ACCESS_WRITE);
	if (key)
		rt_mem_access(&event, key, 1, ACCESS_WRITE);
	rt_step(&event, NULL, NULL);
}

void rt_key_use(pthread_key_t key, uint64_t site)
{
	struct event event = describe(EVENT_LOAD, site);

	if (!rt_running() || !RT->channel->key_is_event || !is_ours(key))
		return;
	rt_mem_access(&event, &static_data_of_keys[key].used, sizeof(static_data_of_keys[key].used), ACCESS_READ);
	rt_step(&event, NULL, NULL);
}

void rt_key_set(pthread_key_t key, uint64_t site)
{
	if (rt_running())
		rt_turn_wrote(); /* a loop that does this is not one that only waits */
	rt_key_use(key, site);
}

static void learn(void)
{
	if (!rt_running() || RT->channel->key_is_event)
		return;
	RT->channel->key_is_event = 1;
	rt_relearn();
}

/* ---- keys ---- */

int rt_key_create(pthread_key_t *key, void (*destructor)(void *), uint64_t site)
{
	int result;

	step_change(NULL, site);
	result = REAL(pthread_key_create)(key, NULL);
	if (result == 0)
		remember(*key, destructor);
	return result;
}

int rt_key_delete(pthread_key_t key, uint64_t site)
{
	if (is_ours(key)) {
		learn();
		step_change(&static_data_of_keys[key].used, site);
		static_data_of_keys[key].used = false;
	}
	return REAL(pthread_key_delete)(key);
}

static bool destroy_value(pthread_key_t key)
{
	void *value = REAL(pthread_getspecific)(key);

	if (!value)
		return false;
	rt_key_use(key, RT_SITE);
	if (!static_data_of_keys[key].used)
		return false; /* deleted before the step */
	REAL(pthread_setspecific)(key, NULL);
	static_data_of_keys[key].destructor(value);
	return true;
}

static bool destroy_values(void)
{
	bool any = false;

	for (pthread_key_t key = 0; key < static_data_of_keys_high; key++)
		if (static_data_of_keys[key].used && static_data_of_keys[key].destructor && destroy_value(key))
			any = true;
	return any;
}

#if RT_STATIC
void __call_tls_dtors(void) __attribute__((weak));

static void destroy_thread_locals(void)
{
	if (__call_tls_dtors)
		__call_tls_dtors();
}
#else
static void destroy_thread_locals(void)
{
	void (*call)(void) = (void (*)(void))rt_real.call_tls_dtors;

	if (call)
		call();
}
#endif

void rt_keys_destroy(void)
{
	destroy_thread_locals();
	for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS && destroy_values(); round++)
		;
}

INTERCEPT(int, pthread_key_create, (pthread_key_t *key, void (*destructor)(void *)))
{
	int result;

	rt_plain(key, sizeof(*key), true, RT_SITE);
	if (rt_active())
		return rt_key_create(key, destructor, RT_SITE);
	/* Perhaps only not yet active: a constructor of a library. */
	result = REAL(pthread_key_create)(key, destructor);
	if (result == 0)
		remember(*key, destructor);
	return result;
}

INTERCEPT(int, pthread_key_delete, (pthread_key_t key))
{
	if (!rt_active())
		return REAL(pthread_key_delete)(key);
	return rt_key_delete(key, RT_SITE);
}

INTERCEPT(void *, pthread_getspecific, (pthread_key_t key))
{
	rt_key_use(key, RT_SITE);
	return REAL(pthread_getspecific)(key);
}

INTERCEPT(int, pthread_setspecific, (pthread_key_t key, const void *value))
{
	rt_key_set(key, RT_SITE);
	return REAL(pthread_setspecific)(key, value);
}
