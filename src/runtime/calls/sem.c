/* sem.c: semaphores. The value is where glibc has it, in the first word of the sem_t;
 * the last word says that it was destroyed. Named ones live in a table here, not in
 * the system: they begin and end with the run, and no other process takes part. The
 * table is the program's memory and goes back with it. */
#include "runtime/calls/sync.h"

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>

#include "runtime/history.h"
#include "runtime/intercept.h"
#include "runtime/rt_sys.h"

enum { DESTROYED = 0x0dead5e3, NAMED_MAX = 64, NAME_MAX_LEN = 256 };

struct semaphore {
	uint32_t value;
	uint32_t spare[6];
	uint32_t magic;
};

_Static_assert(sizeof(struct semaphore) <= sizeof(sem_t), "fits");

static struct {
	sem_t sem;
	char name[NAME_MAX_LEN];
	bool used, unlinked;
} named[NAMED_MAX] RT_RARELY;

static struct semaphore *model_of(sem_t *sem)
{
	return (struct semaphore *)sem;
}

static uint64_t sem_object(const struct semaphore *sem)
{
	return OBJECT(OBJECT_SEM, rt_name(sem));
}

static bool can_take(struct rt_actor *actor, void *thing)
{
	return ((struct semaphore *)thing)->value > 0 || rt_cancel_due(actor);
}

static bool can_take_or_expired(struct rt_actor *actor, void *thing)
{
	return can_take(actor, thing) || actor->timed_out;
}

static void describe(struct event *event, const struct semaphore *sem, enum access_mode mode)
{
	rt_access(event, OBJECT_SEM, sem, mode);
	rt_history_object(event);
}

static void check_alive(const struct semaphore *sem, uint64_t site)
{
	if (sem->magic == DESTROYED)
		RT_MISUSE(site, sem_object(sem), "using a semaphore that was destroyed");
}

static int finish_take(struct semaphore *sem, struct event *did, int failure, uint64_t site)
{
	check_alive(sem, site);
	rt_history_found(did, sem->value);
	did->value = sem->value;
	if (rt_history_is_old(did) || sem->value == 0) {
		did->accesses[0].mode = ACCESS_PEEK;
		did->flags |= EVENT_FAILED;
		return rt_fail(failure);
	}
	sem->value--;
	return 0;
}

static int take_or_stay(struct semaphore *sem, const struct event *event, uint64_t site)
{
	struct event *did = rt_step(event, NULL, NULL);

	rt_history_found(did, sem->value);
	if (!sem->value)
		rt_history_stay(event, did);
	return finish_take(sem, did, EAGAIN, site);
}

static int take(struct semaphore *sem, const struct rt_limit *limit, uint64_t site)
{
	struct event event = rt_event(EVENT_SEM_WAIT, site);
	struct event *did;

	describe(&event, sem, ACCESS_TAKE);
	if (!rt_limit_arm(limit))
		return rt_fail(EINVAL);
	rt_cancel_access(&event);
	if (!limit && event.access_len == 1 && rt_history_tries(&event))
		return take_or_stay(sem, &event, site);
	did = rt_step(&event, limit ? can_take_or_expired : can_take, sem);
	rt_limit_disarm(limit);
	rt_cancel_ends(did, sem->value, limit && rt_self()->timed_out);
	rt_cancel_act();
	if (limit && rt_self()->timed_out)
		did->flags |= EVENT_TRY;
	return finish_take(sem, did, ETIMEDOUT, site);
}

static int try_take(struct semaphore *sem, uint64_t site)
{
	struct event event = rt_event(EVENT_SEM_TRYWAIT, site);

	describe(&event, sem, ACCESS_TAKE);
	event.flags = EVENT_TRY;
	return finish_take(sem, rt_step(&event, NULL, NULL), EAGAIN, site);
}

static int post(struct semaphore *sem, uint64_t site)
{
	struct event event = rt_event(EVENT_SEM_POST, site);
	struct event *did;

	describe(&event, sem, ACCESS_GIVE);
	did = rt_step(&event, NULL, NULL);
	rt_history_found(did, sem->value);
	if (sem->value)
		did->flags |= EVENT_WAS_OPEN;
	check_alive(sem, site);
	if (sem->value == SEM_VALUE_MAX)
		return rt_fail(EOVERFLOW);
	sem->value++;
	return 0;
}

static int get_value(struct semaphore *sem, int *value, uint64_t site)
{
	struct event event = rt_event(EVENT_SEM_GET, site);
	struct event *did;

	describe(&event, sem, ACCESS_PEEK);
	did = rt_step(&event, NULL, NULL);
	if (sem->value)
		did->flags |= EVENT_WAS_OPEN;
	check_alive(sem, site);
	did->value = sem->value;
	*value = (int)sem->value;
	return 0;
}

static bool has_waiters(uint64_t object)
{
	for (uint32_t i = 0; i < RT->actors_high; i++) {
		const struct rt_actor *actor = &RT->actors[i];

		if (actor->state == RT_ANNOUNCED && actor->announced.kind == EVENT_SEM_WAIT &&
		    actor->announced.accesses[0].object == object)
			return true;
	}
	return false;
}

static int destroy(struct semaphore *sem, uint64_t site)
{
	struct event event = rt_event(EVENT_DESTROY, site);
	struct event *did;

	describe(&event, sem, ACCESS_GIVE);
	did = rt_step(&event, NULL, NULL);
	rt_history_found(did, sem->value);
	if (sem->value)
		did->flags |= EVENT_WAS_OPEN;
	if (sem->magic == DESTROYED)
		RT_MISUSE(site, sem_object(sem), "destroying a semaphore twice");
	else if (sem->value == 0 && has_waiters(sem_object(sem)))
		RT_MISUSE(site, sem_object(sem), "destroying a semaphore on which threads wait");
	sem->magic = DESTROYED;
	return 0;
}

/* ---- named ones ---- */

static bool same_name(const char *a, const char *b)
{
	a += *a == '/';
	b += *b == '/';
	return rt_strncmp(a, b, NAME_MAX_LEN) == 0;
}

static int find_named(const char *name)
{
	for (int i = 0; i < NAMED_MAX; i++)
		if (named[i].used && !named[i].unlinked && same_name(named[i].name, name))
			return i;
	return -1;
}

static sem_t *make_named(const char *name, unsigned value)
{
	size_t len = rt_strlen(name);

	if (len >= NAME_MAX_LEN || value > SEM_VALUE_MAX) {
		errno = len >= NAME_MAX_LEN ? ENAMETOOLONG : EINVAL;
		return SEM_FAILED;
	}
	for (int i = 0; i < NAMED_MAX; i++) {
		if (named[i].used)
			continue;
		rt_memset(&named[i], 0, sizeof(named[i]));
		rt_memcpy(named[i].name, name, len + 1);
		named[i].used = true;
		model_of(&named[i].sem)->value = value;
		return &named[i].sem;
	}
	errno = ENFILE;
	return SEM_FAILED;
}

/* Names are shared by all threads: looking one up, making and unlinking it are steps. */
static struct event *step_on_names(enum event_kind kind, enum access_mode mode, uint64_t site)
{
	struct event event = rt_event(kind, site);

	rt_access(&event, OBJECT_SEM, named, mode);
	return rt_step(&event, NULL, NULL);
}

static sem_t *open_named(const char *name, int flags, unsigned value, uint64_t site)
{
	struct event *did = step_on_names(EVENT_SEM_GET,
					  flags & O_CREAT ? ACCESS_WRITE : ACCESS_READ, site);
	int found = find_named(name);

	if (found >= 0)
		did->accesses[0].mode = ACCESS_READ;
	if (found >= 0 && (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) {
		errno = EEXIST;
		return SEM_FAILED;
	}
	if (found >= 0)
		return &named[found].sem;
	if (flags & O_CREAT)
		return make_named(name, value);
	errno = ENOENT;
	return SEM_FAILED;
}

static int unlink_named(const char *name, uint64_t site)
{
	int found;

	step_on_names(EVENT_DESTROY, ACCESS_WRITE, site);
	found = find_named(name);
	if (found < 0)
		return rt_fail(ENOENT);
	named[found].unlinked = true;
	return 0;
}

/* ---- the intercepted functions ---- */

INTERCEPT(int, sem_init, (sem_t *sem, int shared, unsigned value))
{
	int result;

	rt_init_object(sem, sizeof(*sem), RT_SITE);
	result = REAL(sem_init)(sem, shared, value);
	if (result == 0 && rt_active())
		model_of(sem)->magic = 0;
	return result;
}

INTERCEPT(int, sem_destroy, (sem_t *sem))
{
	if (!rt_active())
		return REAL(sem_destroy)(sem);
	return destroy(model_of(sem), RT_SITE);
}

INTERCEPT(int, sem_wait, (sem_t *sem))
{
	if (!rt_active())
		return REAL(sem_wait)(sem);
	return take(model_of(sem), NULL, RT_SITE);
}

INTERCEPT(int, sem_trywait, (sem_t *sem))
{
	if (!rt_active())
		return REAL(sem_trywait)(sem);
	return try_take(model_of(sem), RT_SITE);
}

INTERCEPT(int, sem_timedwait, (sem_t *sem, const struct timespec *at))
{
	if (!rt_active())
		return REAL(sem_timedwait)(sem, at);
	return take(model_of(sem), RT_LIMIT(CLOCK_REALTIME, at), RT_SITE);
}

INTERCEPT(int, sem_clockwait, (sem_t *sem, clockid_t clock, const struct timespec *at))
{
	if (!rt_active())
		return REAL(sem_clockwait)(sem, clock, at);
	return take(model_of(sem), RT_LIMIT(clock, at), RT_SITE);
}

INTERCEPT(int, sem_post, (sem_t *sem))
{
	if (!rt_active())
		return REAL(sem_post)(sem);
	return post(model_of(sem), RT_SITE);
}

INTERCEPT(int, sem_getvalue, (sem_t *sem, int *value))
{
	if (!rt_active())
		return REAL(sem_getvalue)(sem, value);
	rt_plain(value, sizeof(*value), true, RT_SITE);
	return get_value(model_of(sem), value, RT_SITE);
}

INTERCEPT(sem_t *, sem_open, (const char *name, int flags, ...))
{
	unsigned value = 0;
	int mode = 0;

	if (flags & O_CREAT) {
		va_list args;

		va_start(args, flags);
		mode = va_arg(args, int);
		value = va_arg(args, unsigned);
		va_end(args);
	}
	if (!rt_active())
		return REAL(sem_open)(name, flags, mode, value);
	rt_reads_text(name, RT_SITE);
	return open_named(name, flags, value, RT_SITE);
}

INTERCEPT(int, sem_close, (sem_t *sem))
{
	if (!rt_active())
		return REAL(sem_close)(sem);
	return 0;
}

INTERCEPT(int, sem_unlink, (const char *name))
{
	if (!rt_active())
		return REAL(sem_unlink)(name);
	rt_reads_text(name, RT_SITE);
	return unlink_named(name, RT_SITE);
}
