/* annotate.c: the functions by which a program talks to a race detector.
 *
 * Code that is compiled with -fsanitize=thread finds __SANITIZE_THREAD__ defined and may call the
 * interface of the thread sanitizer (sanitizer/tsan_interface.h) and the older dynamic annotations.
 * They mean the same here:
 *
 *   __tsan_release(p), AnnotateHappensBefore(p)    the thread gives what it knows to p
 *   __tsan_acquire(p), AnnotateHappensAfter(p)     the thread gets what was given to p
 *   __tsan_mutex_*, AnnotateRWLock*                the same for a lock that the program made itself
 *   __tsan_switch_to_fiber(f)                      the same for a stack that changes threads
 *   AnnotateBenignRace(p)                          accesses to p are relaxed atomic steps
 *   AnnotateIgnoreReadsBegin() … End() and kin     accesses in between are not looked at
 *
 * Giving and getting are steps, because their order decides which accesses race. Accesses that are
 * not looked at are not explored either, so the verdict names the assumption (ASSUMED_IGNORED). The
 * others (names of threads, tags, statistics) have no meaning for a run and do nothing.
 */
#include "runtime/annotate.h"

#include "core/object.h"
#include "runtime/calls/effects.h"
#include "runtime/memory.h"
#include "runtime/rt_sys.h"
#include "runtime/seen.h"

/* Weak, because a program may bring its own, which then do nothing. */
#define ANNOTATION(ret, name, params) \
	__attribute__((visibility("default"), weak)) ret name params; \
	ret name params

enum { READ_LOCK = 1 << 3, TRY_LOCK_FAILED = 1 << 5, NO_SYNC = 1 << 0 };

/* ---- giving and getting ---- */

/* The thing may be an atomic variable, and then giving and getting join its releases and acquires:
 *
 *     atomic_store_explicit(&flag, 1, memory_order_release);      one thread
 *     atomic_load_explicit(&flag, memory_order_relaxed);          another
 *     __tsan_acquire(&flag);                                      gets what the store released
 *
 * So the step also touches the memory of the thing. It touches no bytes of it, because a plain
 * access beside an annotation does not race. */
static void touch_variable(struct event *event, const void *thing, bool gives)
{
	uint32_t first = event->access_len;

	if (rt_mem_is_private(thing))
		return;
	rt_mem_access(event, thing, 1, gives ? ACCESS_WRITE : ACCESS_READ);
	for (uint32_t a = first; a < event->access_len; a++)
		access_set_bytes(&event->accesses[a], 0);
}

static void step_on(const void *thing, bool gives, uint64_t site)
{
	struct event event = rt_event(gives ? EVENT_RMW : EVENT_LOAD, site);

	if (!rt_running() || !thing)
		return;
	if (RT->channel->options.memory) {
		rt_note_unknown(gives ? "__tsan_release" : "__tsan_acquire", site);
		return;
	}
	event.memory_order = gives ? MEMORY_ORDER_RELEASE : MEMORY_ORDER_ACQUIRE;
	rt_access_object(&event, OBJECT(OBJECT_FUTEX, rt_name(thing)),
			 gives ? ACCESS_ADD : ACCESS_READ);
	touch_variable(&event, thing, gives);
	rt_step(&event, NULL, NULL)->unchanged = true;
}

ANNOTATION(void, __tsan_acquire, (void *thing))
{
	step_on(thing, false, RT_SITE);
}

ANNOTATION(void, __tsan_release, (void *thing))
{
	step_on(thing, true, RT_SITE);
}

#define ANNOTATE_SYNC(name, gives) \
	ANNOTATION(void, name, (const char *file, int line, const volatile void *thing)) \
	{ \
		step_on((const void *)thing, gives, RT_SITE); \
	}

ANNOTATE_SYNC(AnnotateHappensBefore, true)
ANNOTATE_SYNC(AnnotateHappensAfter, false)
ANNOTATE_SYNC(WTFAnnotateHappensBefore, true)
ANNOTATE_SYNC(WTFAnnotateHappensAfter, false)
ANNOTATE_SYNC(AnnotateCondVarSignal, true)
ANNOTATE_SYNC(AnnotateCondVarSignalAll, true)
ANNOTATE_SYNC(AnnotatePCQPut, true)
ANNOTATE_SYNC(AnnotatePCQGet, false)

ANNOTATION(void, AnnotateCondVarWait,
	   (const char *file, int line, const volatile void *condition,
	    const volatile void *lock))
{
	step_on((const void *)condition, false, RT_SITE);
}

/* ---- accesses that are not looked at ---- */

static void ignore(int reads, int writes)
{
	struct rt_actor *self;

	if (!rt_running())
		return;
	self = rt_self();
	self->ignore_reads += (uint32_t)reads;
	self->ignore_writes += (uint32_t)writes;
	rt_seen_close();
}

bool rt_ignores(const struct rt_actor *self, bool is_write)
{
	if (!(is_write ? self->ignore_writes : self->ignore_reads))
		return false;
	RT->channel->assumed |= ASSUMED_IGNORED;
	return true;
}

ANNOTATION(void, __tsan_ignore_thread_begin, (void))
{
	ignore(1, 1);
}

ANNOTATION(void, __tsan_ignore_thread_end, (void))
{
	ignore(-1, -1);
}

#define ANNOTATE_IGNORE(name, reads, writes) \
	ANNOTATION(void, name, (const char *file, int line)) \
	{ \
		ignore(reads, writes); \
	}

ANNOTATE_IGNORE(AnnotateIgnoreReadsBegin, 1, 0)
ANNOTATE_IGNORE(AnnotateIgnoreReadsEnd, -1, 0)
ANNOTATE_IGNORE(AnnotateIgnoreWritesBegin, 0, 1)
ANNOTATE_IGNORE(AnnotateIgnoreWritesEnd, 0, -1)

/* ---- races that the program knows of ---- */

/* The ranges are the program's facts, declared anew in each run. */
bool rt_is_benign(const void *address)
{
	const struct rt_benign *benign = &RT->benign;

	for (uint32_t i = 0; i < benign->len; i++)
		if ((uint64_t)address - benign->ranges[i].at < benign->ranges[i].size)
			return true;
	return false;
}

static void add_benign(const volatile void *address, size_t size)
{
	struct rt_benign *benign = &RT->benign;

	if (!rt_active() || rt_is_benign((const void *)address))
		return;
	if (benign->len == RT_MAX_BENIGN) {
		rt_warn("more than %d annotated races: the others are reported", RT_MAX_BENIGN);
		return;
	}
	rt_seen_begin(); /* the next access to it counts, also where the same one was made before */
	benign->ranges[benign->len].at = (uint64_t)address;
	benign->ranges[benign->len++].size = size;
}

void rt_benign_step(const void *address, size_t size, bool is_write, uint64_t site)
{
	struct event event = rt_event(is_write ? EVENT_STORE : EVENT_LOAD, site);
	uint64_t value = 0;
	struct event *did;

	event.memory_order = MEMORY_ORDER_RELAXED;
	rt_mem_access(&event, address, size, is_write ? ACCESS_WRITE : ACCESS_READ);
	did = rt_step(&event, NULL, NULL);
	if (!is_write) {
		rt_memcpy(&value, address, size < sizeof(value) ? size : sizeof(value));
		did->value = value;
	}
}

ANNOTATION(void, AnnotateBenignRace,
	   (const char *file, int line, const volatile void *address, const char *reason))
{
	add_benign(address, 1);
}

ANNOTATION(void, AnnotateBenignRaceSized,
	   (const char *file, int line, const volatile void *address, size_t size,
	    const char *reason))
{
	add_benign(address, size);
}

ANNOTATION(void, WTFAnnotateBenignRaceSized,
	   (const char *file, int line, const volatile void *address, size_t size,
	    const char *reason))
{
	add_benign(address, size);
}

/* ---- locks that the program made itself ----
 *
 * Between before and after, the thread is in the lock's own code, whose plain accesses do not
 * count. */

ANNOTATION(void, __tsan_mutex_pre_lock, (void *lock, unsigned flags))
{
	ignore(1, 1);
}

ANNOTATION(void, __tsan_mutex_post_lock, (void *lock, unsigned flags, int recursion))
{
	ignore(-1, -1);
	if (!(flags & TRY_LOCK_FAILED))
		step_on(lock, false, RT_SITE);
}

/* Both a reader and a writer give: a writer gets what readers knew, and that a reader gets it as
 * well orders more than the program promises, in accesses of readers only. */
ANNOTATION(int, __tsan_mutex_pre_unlock, (void *lock, unsigned flags))
{
	step_on(lock, true, RT_SITE);
	ignore(1, 1);
	return 1;
}

ANNOTATION(void, __tsan_mutex_post_unlock, (void *lock, unsigned flags))
{
	ignore(-1, -1);
}

#define ANNOTATE_NOTHING_OF_LOCK(name, ignored) \
	ANNOTATION(void, name, (void *lock, unsigned flags)) \
	{ \
		ignore(ignored, ignored); \
	}

ANNOTATE_NOTHING_OF_LOCK(__tsan_mutex_create, 0)
ANNOTATE_NOTHING_OF_LOCK(__tsan_mutex_destroy, 0)
ANNOTATE_NOTHING_OF_LOCK(__tsan_mutex_pre_signal, 1)
ANNOTATE_NOTHING_OF_LOCK(__tsan_mutex_post_signal, -1)
ANNOTATE_NOTHING_OF_LOCK(__tsan_mutex_pre_divert, -1)
ANNOTATE_NOTHING_OF_LOCK(__tsan_mutex_post_divert, 1)

ANNOTATION(void, AnnotateRWLockAcquired,
	   (const char *file, int line, const volatile void *lock, long is_write))
{
	step_on((const void *)lock, false, RT_SITE);
}

ANNOTATION(void, AnnotateRWLockReleased,
	   (const char *file, int line, const volatile void *lock, long is_write))
{
	step_on((const void *)lock, true, RT_SITE);
}

/* ---- stacks that a thread changes between ----
 *
 * The steps of one thread are in order whatever stack they run on. A stack that goes on in another
 * thread knows what it knew before. */

ANNOTATION(void *, __tsan_get_current_fiber, (void))
{
	struct rt_actor *self;

	if (!rt_active())
		return (void *)1;
	self = rt_self();
	return self->fiber ? self->fiber : (void *)((uint64_t)self->index << 1 | 1);
}

ANNOTATION(void *, __tsan_create_fiber, (unsigned flags))
{
	struct rt_actor *self;

	if (!rt_active())
		return (void *)1;
	self = rt_self();
	self->fibers++;
	return (void *)((uint64_t)(self->index + 1) << 32 | (uint64_t)self->fibers << 1 | 1);
}

ANNOTATION(void, __tsan_destroy_fiber, (void *fiber))
{
}

ANNOTATION(void, __tsan_switch_to_fiber, (void *fiber, unsigned flags))
{
	if (!rt_active())
		return;
	if (!(flags & NO_SYNC))
		step_on(__tsan_get_current_fiber(), true, RT_SITE);
	rt_self()->fiber = fiber;
	if (!(flags & NO_SYNC))
		step_on(fiber, false, RT_SITE);
}

ANNOTATION(void, __tsan_set_fiber_name, (void *fiber, const char *name))
{
}

/* ---- functions that mean nothing to a run ---- */

#define ANNOTATE_NOTHING(name, params) \
	ANNOTATION(void, name, params) \
	{ \
	}

ANNOTATE_NOTHING(__tsan_flush_memory, (void))
ANNOTATE_NOTHING(__tsan_external_register_header, (void *tag, const char *header))
ANNOTATE_NOTHING(__tsan_external_assign_tag, (void *address, void *tag))
ANNOTATE_NOTHING(AnnotateRWLockCreate, (const char *file, int line, const volatile void *lock))
ANNOTATE_NOTHING(AnnotateRWLockCreateStatic, (const char *file, int line,
					      const volatile void *lock))
ANNOTATE_NOTHING(AnnotateRWLockDestroy, (const char *file, int line, const volatile void *lock))
ANNOTATE_NOTHING(AnnotateMutexIsNotPHB, (const char *file, int line, const volatile void *lock))
ANNOTATE_NOTHING(AnnotateMutexIsUsedAsCondVar, (const char *file, int line,
						const volatile void *lock))
ANNOTATE_NOTHING(AnnotatePCQCreate, (const char *file, int line, const volatile void *queue))
ANNOTATE_NOTHING(AnnotatePCQDestroy, (const char *file, int line, const volatile void *queue))
ANNOTATE_NOTHING(AnnotateNewMemory, (const char *file, int line, const volatile void *at,
				     size_t size))
ANNOTATE_NOTHING(AnnotatePublishMemoryRange, (const char *file, int line, const volatile void *at,
					      size_t size))
ANNOTATE_NOTHING(AnnotateUnpublishMemoryRange, (const char *file, int line, const volatile void *at,
						size_t size))
ANNOTATE_NOTHING(AnnotateMemoryIsInitialized, (const char *file, int line, const volatile void *at,
					       size_t size))
ANNOTATE_NOTHING(AnnotateMemoryIsUninitialized, (const char *file, int line,
						 const volatile void *at, size_t size))
ANNOTATE_NOTHING(AnnotateTraceMemory, (const char *file, int line, const volatile void *at))
ANNOTATE_NOTHING(AnnotateExpectRace, (const char *file, int line, const volatile void *at,
				      const char *reason))
ANNOTATE_NOTHING(AnnotateFlushExpectedRaces, (const char *file, int line))
ANNOTATE_NOTHING(AnnotateFlushState, (const char *file, int line))
ANNOTATE_NOTHING(AnnotateEnableRaceDetection, (const char *file, int line, int enable))
ANNOTATE_NOTHING(AnnotateIgnoreSyncBegin, (const char *file, int line))
ANNOTATE_NOTHING(AnnotateIgnoreSyncEnd, (const char *file, int line))
ANNOTATE_NOTHING(AnnotateThreadName, (const char *file, int line, const char *name))
ANNOTATE_NOTHING(AnnotateNoOp, (const char *file, int line, const volatile void *argument))

ANNOTATION(void *, __tsan_external_register_tag, (const char *type))
{
	return (void *)type;
}

ANNOTATION(void, __tsan_external_read, (void *address, void *caller, void *tag))
{
	rt_plain(address, 1, false, RT_SITE);
}

ANNOTATION(void, __tsan_external_write, (void *address, void *caller, void *tag))
{
	rt_plain(address, 1, true, RT_SITE);
}

ANNOTATION(int, RunningOnValgrind, (void))
{
	return 0;
}

ANNOTATION(double, ValgrindSlowdown, (void))
{
	return 10;
}
