/* lock.c: critical sections, atomic sections and the locks of omp.h. All are spin locks of the
 * pthread library, because those need no more room than the compiler or omp.h has: a pointer
 * that begins as NULL, an int. The calls are the last thing that a function does, so that
 * reports name the place in the program. */
#include <pthread.h>
#include <stdint.h>

#include "runtime/openmp/openmp.h"

#define ENTRY __attribute__((visibility("default"), weak))

/* Of critical sections without a name, and of atomic sections. */
/* Reports show these names. */
static pthread_spinlock_t omp_critical, omp_atomic;

/* A spin lock that is free is 1 in glibc, and 0 here if nobody has used it yet. */
static pthread_spinlock_t *made(void *lock)
{
	int expected = 0;

	__atomic_compare_exchange_n((int *)lock, &expected, 1, false, __ATOMIC_SEQ_CST,
				    __ATOMIC_SEQ_CST);
	return lock;
}

ENTRY void GOMP_critical_start(void);
void GOMP_critical_start(void)
{
	pthread_spin_lock(made((void *)&omp_critical));
}

ENTRY void GOMP_critical_end(void);
void GOMP_critical_end(void)
{
	pthread_spin_unlock(&omp_critical);
}

ENTRY void GOMP_critical_name_start(void **name);
void GOMP_critical_name_start(void **name)
{
	pthread_spin_lock(made(name));
}

ENTRY void GOMP_critical_name_end(void **name);
void GOMP_critical_name_end(void **name)
{
	pthread_spin_unlock((pthread_spinlock_t *)name);
}

ENTRY void GOMP_atomic_start(void);
void GOMP_atomic_start(void)
{
	pthread_spin_lock(made((void *)&omp_atomic));
}

ENTRY void GOMP_atomic_end(void);
void GOMP_atomic_end(void)
{
	pthread_spin_unlock(&omp_atomic);
}

ENTRY void omp_init_lock(pthread_spinlock_t *lock);
void omp_init_lock(pthread_spinlock_t *lock)
{
	pthread_spin_init(lock, PTHREAD_PROCESS_PRIVATE);
}

ENTRY void omp_init_lock_with_hint(pthread_spinlock_t *lock, int hint);
void omp_init_lock_with_hint(pthread_spinlock_t *lock, int hint)
{
	pthread_spin_init(lock, PTHREAD_PROCESS_PRIVATE);
}

ENTRY void omp_destroy_lock(pthread_spinlock_t *lock);
void omp_destroy_lock(pthread_spinlock_t *lock)
{
	pthread_spin_destroy(lock);
}

ENTRY void omp_set_lock(pthread_spinlock_t *lock);
void omp_set_lock(pthread_spinlock_t *lock)
{
	pthread_spin_lock(lock);
}

ENTRY void omp_unset_lock(pthread_spinlock_t *lock);
void omp_unset_lock(pthread_spinlock_t *lock)
{
	pthread_spin_unlock(lock);
}

ENTRY int omp_test_lock(pthread_spinlock_t *lock);
int omp_test_lock(pthread_spinlock_t *lock)
{
	return pthread_spin_trylock(lock) == 0;
}

/* ---- locks that their owner may take again ---- */

struct nest_lock {
	pthread_spinlock_t lock;
	int count;
	uint64_t owner;
};

static bool is_own(const struct nest_lock *lock)
{
	return lock->count && lock->owner == (uint64_t)pthread_self();
}

static int take_again(struct nest_lock *lock)
{
	lock->owner = (uint64_t)pthread_self();
	return ++lock->count;
}

ENTRY void omp_init_nest_lock(struct nest_lock *lock);
void omp_init_nest_lock(struct nest_lock *lock)
{
	*lock = (struct nest_lock){.count = 0};
	pthread_spin_init(&lock->lock, PTHREAD_PROCESS_PRIVATE);
}

ENTRY void omp_init_nest_lock_with_hint(struct nest_lock *lock, int hint);
void omp_init_nest_lock_with_hint(struct nest_lock *lock, int hint)
{
	omp_init_nest_lock(lock);
}

ENTRY void omp_destroy_nest_lock(struct nest_lock *lock);
void omp_destroy_nest_lock(struct nest_lock *lock)
{
	pthread_spin_destroy(&lock->lock);
}

ENTRY void omp_set_nest_lock(struct nest_lock *lock);
void omp_set_nest_lock(struct nest_lock *lock)
{
	if (!is_own(lock))
		pthread_spin_lock(&lock->lock);
	take_again(lock);
}

ENTRY void omp_unset_nest_lock(struct nest_lock *lock);
void omp_unset_nest_lock(struct nest_lock *lock)
{
	if (--lock->count == 0)
		pthread_spin_unlock(&lock->lock);
}

ENTRY int omp_test_nest_lock(struct nest_lock *lock);
int omp_test_nest_lock(struct nest_lock *lock)
{
	if (!is_own(lock) && pthread_spin_trylock(&lock->lock) != 0)
		return 0;
	return take_again(lock);
}
