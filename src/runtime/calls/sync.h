/* sync.h: functions that the models of locks, conditions and threads share.
 *
 * Each family has its file, with the intercepted functions at its end: they ask for
 * the phase, take the caller's address as the site, and call the model. Models are
 * called across families too (C11 mutexes are mutexes, a condition releases one).
 *
 * A change that other threads can notice is a step. Locking a recursive mutex again, or an
 * error that depends on the caller alone, is not a step.
 *
 * Blocking calls with a time limit take a struct rt_limit; NULL waits for ever. The
 * expiry is a step of the thread's timer actor; it opens the door of the thread's
 * own step, which then sees for itself whether it can still succeed.
 */
#ifndef RUNTIME_CALLS_SYNC_H
#define RUNTIME_CALLS_SYNC_H

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "core/finding.h"
#include "runtime/calls/arguments.h"
#include "runtime/rt.h"

static inline uint64_t rt_lock_object(const void *thing)
{
	return OBJECT(OBJECT_LOCK, rt_name(thing));
}

/* Adds the access to a lock, with its size: plain writes to any of its bytes race with it. */
#define rt_access_lock(event, lock, mode)                                                          \
	(rt_access(event, OBJECT_LOCK, lock, mode),                                                \
	 access_set_bytes(&(event)->accesses[(event)->access_len - 1], sizeof(*(lock))))

#define RT_MISUSE(site, object, ...) rt_notice(FINDING_MISUSE, site, object, 0, __VA_ARGS__)

/* A lock, a condition, … is initialised: a plain write over all of it, so initialising one that
 * another thread uses is a finding, and one that no other thread knows yet costs no step. */
static inline void rt_init_object(const void *thing, size_t size, uint64_t site)
{
	rt_plain(thing, size, true, site);
}

/* ---- time limits ---- */

struct rt_limit {
	int clock;
	const struct timespec *at;
};

/* The limit that an intercepted function was given, which it reads. */
#define RT_LIMIT(clock, at) \
	(rt_reads(at, sizeof(struct timespec), RT_SITE), &(struct rt_limit){clock, at})

/* Before the step: arms the timer of the current thread. False: the limit is invalid,
 * nothing was armed. With no limit does nothing. */
bool rt_limit_arm(const struct rt_limit *limit);
/* After the step. */
void rt_limit_disarm(const struct rt_limit *limit);

/* ---- locks held (held.c), waiting sets (wait.c), beyond what rt.h has ---- */

bool rt_held_surely_not(struct rt_actor *actor, const void *thing);
/* At the end of a thread: reports the locks that it still holds, and gives robust ones
 * up. */
void rt_held_at_exit(struct rt_actor *actor, uint64_t site);

/* The number of threads that wait there, without those for which there is a token. */
uint32_t rt_wait_unsignalled(uint64_t object);
void rt_wait_abandon(struct rt_actor *actor);

/* A spurious wake-up may take the current thread out of its waiting set, if the user
 * allowed such wake-ups: `expire` is then called. Stop ends the offer. */
void rt_spurious_offer(uint64_t object, void (*expire)(struct rt_actor *owner));
void rt_spurious_stop(void);

/* ---- mutexes (mutex.c) ---- */

int rt_mutex_lock(pthread_mutex_t *mutex, const struct rt_limit *limit, uint64_t site);
int rt_mutex_trylock(pthread_mutex_t *mutex, uint64_t site);
int rt_mutex_unlock(pthread_mutex_t *mutex, uint64_t site);
int rt_mutex_destroy(pthread_mutex_t *mutex, uint64_t site);

/* For conditions: the parts of steps. `take` returns what pthread_mutex_lock would. */
bool rt_mutex_is_free(const pthread_mutex_t *mutex);
bool rt_mutex_is_held_by(const pthread_mutex_t *mutex, const struct rt_actor *actor);
bool rt_mutex_checks_owner(const pthread_mutex_t *mutex);
int rt_mutex_take(pthread_mutex_t *mutex, uint64_t site);
void rt_mutex_give(pthread_mutex_t *mutex);
/* A recursive one locked more than once is not freed by an unlock, nor by waiting. */
bool rt_mutex_is_nested(const pthread_mutex_t *mutex);
void rt_mutex_nest(pthread_mutex_t *mutex, int by);

/* ---- futexes (futex.c) ---- */

/* Waits while the word has the expected value; false after the deadline (NULL: none). As with
 * the kernel's, a wake-up does not mean that the word has changed. */
bool rt_futex_wait(const uint32_t *word, uint32_t expected, const uint64_t *deadline_ns,
		   uint64_t site);
void rt_futex_wake(const uint32_t *word, uint32_t n, uint64_t site);
/* An atomic load of the word, with an order as in atomic.h. */
uint32_t rt_futex_load(const uint32_t *word, int order, uint64_t site);

/* The system call, with its arguments: word, operation, value, timeout or second value, second
 * word, third value. Returns as syscall() does. */
long rt_futex(const long *args, uint64_t site);

/* ---- conditions (cond.c) ---- */

int rt_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct rt_limit *limit,
		 uint64_t site);
int rt_cond_signal(pthread_cond_t *cond, bool all, uint64_t site);
int rt_cond_destroy(pthread_cond_t *cond, uint64_t site);
/* The thread is out of the waiting set without a token. Its wake-up has yet to lock the
 * mutex and to look for signals. */
void rt_cond_left(struct event *wake);

/* ---- once (once.c), keys (keys.c) ---- */

int rt_once(int *control, void (*routine)(void), uint64_t site);
int rt_key_create(pthread_key_t *key, void (*destructor)(void *), uint64_t site);
int rt_key_delete(pthread_key_t key, uint64_t site);
void rt_key_use(pthread_key_t key, uint64_t site); /* before its value is read */
void rt_key_set(pthread_key_t key, uint64_t site); /* before its value is written */
/* Runs the destructors of thread-local variables and keys of the current thread. */
void rt_keys_destroy(void);

/* ---- threads (thread.c), their early end (unwind.c, cancel.c) ---- */

int rt_thread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
		     int (*start_c11)(void *), void *arg, uint64_t site);
int rt_thread_join(pthread_t thread, void **result, const struct rt_limit *limit, uint64_t site);
int rt_thread_detach(pthread_t thread, uint64_t site);

/* The way every thread ends: destructors, locks, FINISH. */
_Noreturn void rt_thread_exit(void *result);
/* Before a call that is given the identity of the thread: false, and a finding, if it was joined by then. */
bool rt_thread_is_known(struct rt_actor *target, enum event_kind kind, const char *verb, uint64_t site);
/* A detached thread may have ended when it is cancelled (EVENT_TO_CANCEL) or signalled (EVENT_TO_SIGNAL). */
bool rt_thread_is_gone(struct rt_actor *target, enum event_kind kind, uint64_t site);
bool rt_thread_has_ended(const struct rt_actor *actor);
/* The step of a call that fails if the thread has ended. */
bool rt_thread_asks_end(struct rt_actor *target, uint64_t site);
/* A thread asks whether another one has ended: that end must be a step. */
void rt_thread_observe_end(void);

/* Unwinds the stack of the current thread (cleanup handlers, C++ destructors), then ends it. */
_Noreturn void rt_unwind(void *result);

/* A cancellation point is a step that would be taken anyway: before it add the access,
 * let its `can` allow rt_cancel_due(), and after it act. */
void rt_cancel_access(struct event *event);
bool rt_cancel_due(const struct rt_actor *actor);
/* The same, and is the step that the actor has announced a cancellation point? A wait for a futex is not. */
bool rt_cancel_ends_step(const struct rt_actor *actor);
/* Before rt_cancel_act: if a cancellation ends the step, notes in the trace that the step has
 * taken nothing. `is_open`: the object would have let it go on; `is_over`: its time was up. It could have
 * come before the step that made it possible all the same:
 *     A: sem-wait, cancelled     B: sem-post     C: cancel A
 * After B's post and C's cancel, in either order, A's wait can come before the post.
 * Another waiter can take what the step found and left.
 * Test: tests/property/found/cancelled_wait_before_taker.program. */
void rt_cancel_ends(struct event *did, bool is_open, bool is_over);
void rt_cancel_act(void);
/* A cancellation point that is not a step otherwise, or whose step never waits: a step of its own
 * before it. */
void rt_cancel_point(uint64_t site);

#endif
