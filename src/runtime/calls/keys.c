/* keys.c: thread-specific data. Values are glibc's business: every fiber has a thread
 * control block of its own. Only the destructors are kept here, because a fiber's
 * end is not the end of a thread of glibc's. The table is the program's memory: it
 * goes back with it. */
#include "runtime/calls/sync.h"

#include <dlfcn.h>
#include <limits.h>

#include "runtime/intercept.h"

static struct {
	bool used;
	void (*destructor)(void *);
} keys[PTHREAD_KEYS_MAX];
static pthread_key_t keys_high; /* one more than the highest ever used */

static bool is_ours(pthread_key_t key)
{
	return key < PTHREAD_KEYS_MAX;
}

static void remember(pthread_key_t key, void (*destructor)(void *))
{
	if (is_ours(key)) {
		keys[key].used = true;
		keys[key].destructor = destructor;
		if (key >= keys_high)
			keys_high = key + 1;
	}
}

int rt_key_create(pthread_key_t *key, void (*destructor)(void *))
{
	int result = REAL(pthread_key_create)(key, NULL);

	if (result == 0)
		remember(*key, destructor);
	return result;
}

int rt_key_delete(pthread_key_t key)
{
	if (is_ours(key))
		keys[key].used = false;
	return REAL(pthread_key_delete)(key);
}

static bool destroy_values(void)
{
	bool any = false;

	for (pthread_key_t key = 0; key < keys_high; key++) {
		void *value;

		if (!keys[key].used || !keys[key].destructor)
			continue;
		value = pthread_getspecific(key);
		if (!value)
			continue;
		pthread_setspecific(key, NULL);
		keys[key].destructor(value);
		any = true;
	}
	return any;
}

#ifdef RT_STATIC
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
		return rt_key_create(key, destructor);
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
	return rt_key_delete(key);
}
