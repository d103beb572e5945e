/* c11.c: threads.h, in terms of the models of its POSIX counterparts. glibc's types
 * are the same underneath. */
#include <threads.h>

#include "runtime/calls/sync.h"
#include "runtime/intercept.h"

static int result_of(int error)
{
	switch (error) {
	case 0:
		return thrd_success;
	case ENOMEM:
		return thrd_nomem;
	case ETIMEDOUT:
		return thrd_timedout;
	case EBUSY:
		return thrd_busy;
	default:
		return thrd_error;
	}
}

static pthread_mutex_t *mutex_of(mtx_t *mutex)
{
	return (pthread_mutex_t *)mutex;
}

static pthread_cond_t *cond_of(cnd_t *cond)
{
	return (pthread_cond_t *)cond;
}

INTERCEPT(int, thrd_create, (thrd_t *thread, thrd_start_t start, void *arg))
{
	if (!rt_active())
		return REAL(thrd_create)(thread, start, arg);
	rt_writes(thread, sizeof(*thread), RT_SITE);
	return result_of(rt_thread_create(thread, NULL, NULL, start, arg, RT_SITE));
}

INTERCEPT(int, thrd_join, (thrd_t thread, int *result))
{
	void *value = NULL;
	int error;

	if (!rt_active())
		return REAL(thrd_join)(thread, result);
	error = rt_thread_join(thread, &value, NULL, RT_SITE);
	if (!error && result) {
		rt_writes(result, sizeof(*result), RT_SITE);
		*result = (int)(intptr_t)value;
	}
	return result_of(error);
}

INTERCEPT(int, thrd_detach, (thrd_t thread))
{
	if (!rt_active())
		return REAL(thrd_detach)(thread);
	return result_of(rt_thread_detach(thread, RT_SITE));
}

INTERCEPT(_Noreturn void, thrd_exit, (int result))
{
	if (!rt_active())
		REAL(thrd_exit)(result);
	rt_begin();
	rt_unwind((void *)(intptr_t)result);
}

INTERCEPT(int, mtx_init, (mtx_t *mutex, int type))
{
	rt_init_object(mutex, sizeof(*mutex), RT_SITE);
	return REAL(mtx_init)(mutex, type);
}

INTERCEPT(int, mtx_lock, (mtx_t *mutex))
{
	if (!rt_active())
		return REAL(mtx_lock)(mutex);
	return result_of(rt_mutex_lock(mutex_of(mutex), NULL, RT_SITE));
}

INTERCEPT(int, mtx_trylock, (mtx_t *mutex))
{
	if (!rt_active())
		return REAL(mtx_trylock)(mutex);
	return result_of(rt_mutex_trylock(mutex_of(mutex), RT_SITE));
}

INTERCEPT(int, mtx_timedlock, (mtx_t *restrict mutex, const struct timespec *restrict at))
{
	if (!rt_active())
		return REAL(mtx_timedlock)(mutex, at);
	return result_of(rt_mutex_lock(mutex_of(mutex), RT_LIMIT(CLOCK_REALTIME, at), RT_SITE));
}

INTERCEPT(int, mtx_unlock, (mtx_t *mutex))
{
	if (!rt_active())
		return REAL(mtx_unlock)(mutex);
	return result_of(rt_mutex_unlock(mutex_of(mutex), RT_SITE));
}

INTERCEPT(void, mtx_destroy, (mtx_t *mutex))
{
	if (!rt_active())
		REAL(mtx_destroy)(mutex);
	else
		rt_mutex_destroy(mutex_of(mutex), RT_SITE);
}

INTERCEPT(int, cnd_init, (cnd_t *cond))
{
	rt_init_object(cond, sizeof(*cond), RT_SITE);
	return REAL(cnd_init)(cond);
}

INTERCEPT(int, cnd_wait, (cnd_t *cond, mtx_t *mutex))
{
	if (!rt_active())
		return REAL(cnd_wait)(cond, mutex);
	return result_of(rt_cond_wait(cond_of(cond), mutex_of(mutex), NULL, RT_SITE));
}

INTERCEPT(int, cnd_timedwait,
	  (cnd_t *restrict cond, mtx_t *restrict mutex, const struct timespec *restrict at))
{
	if (!rt_active())
		return REAL(cnd_timedwait)(cond, mutex, at);
	return result_of(rt_cond_wait(cond_of(cond), mutex_of(mutex), RT_LIMIT(CLOCK_REALTIME, at),
				      RT_SITE));
}

INTERCEPT(int, cnd_signal, (cnd_t *cond))
{
	if (!rt_active())
		return REAL(cnd_signal)(cond);
	return result_of(rt_cond_signal(cond_of(cond), false, RT_SITE));
}

INTERCEPT(int, cnd_broadcast, (cnd_t *cond))
{
	if (!rt_active())
		return REAL(cnd_broadcast)(cond);
	return result_of(rt_cond_signal(cond_of(cond), true, RT_SITE));
}

INTERCEPT(void, cnd_destroy, (cnd_t *cond))
{
	if (!rt_active())
		REAL(cnd_destroy)(cond);
	else
		rt_cond_destroy(cond_of(cond), RT_SITE);
}

INTERCEPT(void, call_once, (once_flag *flag, void (*routine)(void)))
{
	if (!rt_active())
		REAL(call_once)(flag, routine);
	else
		rt_once((int *)flag, routine, RT_SITE);
}

INTERCEPT(int, tss_create, (tss_t *key, tss_dtor_t destructor))
{
	if (!rt_active())
		return REAL(tss_create)(key, destructor);
	rt_writes(key, sizeof(*key), RT_SITE);
	return result_of(rt_key_create(key, destructor, RT_SITE));
}

INTERCEPT(void, tss_delete, (tss_t key))
{
	if (!rt_active())
		REAL(tss_delete)(key);
	else
		rt_key_delete(key, RT_SITE);
}

INTERCEPT(void *, tss_get, (tss_t key))
{
	rt_key_use(key, RT_SITE);
	return REAL(tss_get)(key);
}

INTERCEPT(int, tss_set, (tss_t key, void *value))
{
	rt_key_set(key, RT_SITE);
	return REAL(tss_set)(key, value);
}
