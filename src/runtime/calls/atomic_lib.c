/* atomic_lib.c: the functions of libatomic, for programs that call them themselves
 * (16-byte atomics, structs that are atomic). libatomic guards them by locks of its own,
 * which would be invisible. The names are builtins of the compiler, hence the labels. */
#include "runtime/atomic.h"
#include "runtime/rt_sys.h"

#define EXPORTED_AS(name) __asm__(name) __attribute__((visibility("default")))

/* These functions have no history (history.h). */
static void refuse_weak(const struct rt_atomic *op)
{
	if (op->seen)
		rt_lost("a function of libatomic ran; it is not modelled under --memory tso or rc11");
}

/* ---- 16 bytes ---- */

rt_u128 rt_lib_load_16(const volatile rt_u128 *, int) EXPORTED_AS("__atomic_load_16");
void rt_lib_store_16(volatile rt_u128 *, rt_u128, int) EXPORTED_AS("__atomic_store_16");
rt_u128 rt_lib_exchange_16(volatile rt_u128 *, rt_u128, int) EXPORTED_AS("__atomic_exchange_16");
bool rt_lib_cas_16(volatile rt_u128 *, rt_u128 *, rt_u128, int, int)
	EXPORTED_AS("__atomic_compare_exchange_16");

static rt_u128 swap(volatile rt_u128 *address, rt_u128 value)
{
	rt_u128 was = rt_cas_16(address, 0, 0), seen;

	while ((seen = rt_cas_16(address, was, value)) != was)
		was = seen;
	return was;
}

rt_u128 rt_lib_load_16(const volatile rt_u128 *address, int order)
{
	struct rt_atomic op;
	rt_u128 value;

	rt_atomic_begin(&op, EVENT_LOAD, address, sizeof(value), order, RT_SITE);
	refuse_weak(&op);
	value = rt_cas_16((volatile rt_u128 *)address, 0, 0);
	rt_atomic_end(&op, (uint64_t)value, true);
	return value;
}

void rt_lib_store_16(volatile rt_u128 *address, rt_u128 value, int order)
{
	struct rt_atomic op;

	rt_atomic_begin(&op, EVENT_STORE, address, sizeof(value), order, RT_SITE);
	refuse_weak(&op);
	rt_atomic_end(&op, 0, swap(address, value) != value);
}

rt_u128 rt_lib_exchange_16(volatile rt_u128 *address, rt_u128 value, int order)
{
	struct rt_atomic op;
	rt_u128 was;

	rt_atomic_begin(&op, EVENT_RMW, address, sizeof(value), order, RT_SITE);
	refuse_weak(&op);
	was = swap(address, value);
	rt_atomic_end(&op, (uint64_t)was, was != value);
	return was;
}

bool rt_lib_cas_16(volatile rt_u128 *address, rt_u128 *seen, rt_u128 value, int order,
		   int failed_order)
{
	struct rt_atomic op;
	rt_u128 was;

	rt_atomic_begin(&op, EVENT_CAS, address, sizeof(value), order, RT_SITE);
	refuse_weak(&op);
	was = rt_cas_16(address, *seen, value);
	if (was == *seen) {
		rt_atomic_end(&op, (uint64_t)was, was != value);
		return true;
	}
	*seen = was;
	rt_atomic_end_failed(&op, (uint64_t)was, failed_order);
	return false;
}

/* ---- any size ---- */

void rt_lib_load(size_t, const volatile void *, void *, int) EXPORTED_AS("__atomic_load");
void rt_lib_store(size_t, volatile void *, const void *, int) EXPORTED_AS("__atomic_store");
void rt_lib_exchange(size_t, volatile void *, const void *, void *, int)
	EXPORTED_AS("__atomic_exchange");
bool rt_lib_cas(size_t, volatile void *, void *, const void *, int, int)
	EXPORTED_AS("__atomic_compare_exchange");

/* Outside fermata there are real threads. Under it no thread ever finds this taken. */
static bool busy;

static void enter(void)
{
	while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE))
		rt_syscall(SYS_sched_yield, 0, 0, 0);
}

static void leave(void)
{
	__atomic_clear(&busy, __ATOMIC_RELEASE);
}

static bool is_equal(const volatile void *a, const void *b, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (((const volatile char *)a)[i] != ((const char *)b)[i])
			return false;
	return true;
}

void rt_lib_load(size_t size, const volatile void *address, void *out, int order)
{
	struct rt_atomic op;

	rt_atomic_begin(&op, EVENT_LOAD, address, size, order, RT_SITE);
	refuse_weak(&op);
	enter();
	rt_memcpy(out, (const void *)address, size);
	leave();
	rt_atomic_end(&op, 0, true);
}

void rt_lib_store(size_t size, volatile void *address, const void *value, int order)
{
	struct rt_atomic op;

	rt_atomic_begin(&op, EVENT_STORE, address, size, order, RT_SITE);
	refuse_weak(&op);
	enter();
	rt_memcpy((void *)address, value, size);
	leave();
	rt_atomic_end(&op, 0, true);
}

void rt_lib_exchange(size_t size, volatile void *address, const void *value, void *out, int order)
{
	struct rt_atomic op;

	rt_atomic_begin(&op, EVENT_RMW, address, size, order, RT_SITE);
	refuse_weak(&op);
	enter();
	for (size_t i = 0; i < size; i++) {
		char was = ((volatile char *)address)[i];

		((volatile char *)address)[i] = ((const char *)value)[i];
		((char *)out)[i] = was;
	}
	leave();
	rt_atomic_end(&op, 0, true);
}

bool rt_lib_cas(size_t size, volatile void *address, void *seen, const void *value, int order,
		int failed_order)
{
	struct rt_atomic op;
	bool done;

	rt_atomic_begin(&op, EVENT_CAS, address, size, order, RT_SITE);
	refuse_weak(&op);
	enter();
	done = is_equal(address, seen, size);
	if (done)
		rt_memcpy((void *)address, value, size);
	else
		rt_memcpy(seen, (const void *)address, size);
	leave();
	if (done)
		rt_atomic_end(&op, 0, true);
	else
		rt_atomic_end_failed(&op, 0, failed_order);
	return done;
}
