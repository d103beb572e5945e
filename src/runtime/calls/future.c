/* future.c: promises of libstdc++ that are kept at the end of a thread.
 *
 * set_value_at_thread_exit and its kin (the templates are in the headers) leave a record with the library, which
 * at the end of the thread makes the shared state ready, in code without hooks. Here the weak
 * pointer to the state is taken out of the record, so that only the record itself is left to the
 * library. The rest is done by atomic steps, as the templates of std::weak_ptr and std::future do
 * it. */
#include "runtime/calls/sync.h"

#include <linux/futex.h>

#include "runtime/intercept.h"

/* std::_Sp_counted_base<_S_atomic> */
struct counted {
	void (**methods)(struct counted *); /* two destructors, _M_dispose, _M_destroy */
	uint32_t uses, weak_uses;
};

enum { DISPOSE = 2, DESTROY = 3 };

/* std::__future_base::_State_baseV2 */
struct future_state {
	void *methods, *result;
	uint32_t status;
};

enum { READY = 1, HAS_WAITERS = (int)0x80000000 };

/* std::__future_base::_State_baseV2::_Make_ready, which is a std::__at_thread_exit_elt */
struct make_ready {
	struct make_ready *next;
	void (*run)(void *);
	struct future_state *state;
	struct counted *counted;
};

#define SET _ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv

void SET(struct make_ready *record);

/* These expand the short name above before INTERCEPT_OPTIONAL and REAL make others of it. */
#define INTERCEPT_BY(ret, name, params) INTERCEPT_OPTIONAL(ret, name, params)
#define REAL_BY(name) REAL(name)

/* calls/atomic_hooks.c */
uint32_t __tsan_atomic32_load(const volatile uint32_t *address, int order);
uint32_t __tsan_atomic32_exchange(volatile uint32_t *address, uint32_t value, int order);
uint32_t __tsan_atomic32_fetch_sub(volatile uint32_t *address, uint32_t value, int order);
int __tsan_atomic32_compare_exchange_strong(volatile uint32_t *address, uint32_t *seen,
					    uint32_t value, int order, int failed_order);

static bool lock(struct counted *counted)
{
	uint32_t uses = __tsan_atomic32_load(&counted->uses, __ATOMIC_RELAXED);

	while (uses)
		if (__tsan_atomic32_compare_exchange_strong(&counted->uses, &uses, uses + 1,
							    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			return true;
	return false;
}

static void give_back_weak(struct counted *counted)
{
	if (__tsan_atomic32_fetch_sub(&counted->weak_uses, 1, __ATOMIC_ACQ_REL) == 1)
		counted->methods[DESTROY](counted);
}

static void give_back(struct counted *counted)
{
	if (__tsan_atomic32_fetch_sub(&counted->uses, 1, __ATOMIC_ACQ_REL) != 1)
		return;
	counted->methods[DISPOSE](counted);
	give_back_weak(counted);
}

/* As the library waits: the futex is not private. */
static void wake_all(uint32_t *status, uint64_t site)
{
	rt_futex((const long[]){(long)status, FUTEX_WAKE, INT32_MAX, 0, 0, 0}, site);
}

static void (*run_of_library)(void *);

static void make_ready(void *thing)
{
	struct make_ready *record = thing;
	struct counted *counted = record->counted;
	uint32_t *status = &record->state->status;

	record->state = NULL;
	record->counted = NULL;
	run_of_library(record); /* frees it */
	if (lock(counted)) {
		if (__tsan_atomic32_exchange(status, READY, __ATOMIC_RELEASE) & (uint32_t)HAS_WAITERS)
			wake_all(status, RT_SITE);
		give_back(counted);
	}
	give_back_weak(counted);
}

INTERCEPT_BY(void, SET, (struct make_ready *record))
{
	REAL_BY(SET)(record);
	if (!rt_active())
		return;
	run_of_library = record->run;
	record->run = make_ready;
}
