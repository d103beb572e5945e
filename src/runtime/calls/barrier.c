/* barrier.c: barriers. Arriving releases, leaving shares: arrivals are ordered among
 * themselves (the last one gets PTHREAD_BARRIER_SERIAL_THREAD), departures are not. Arrivals are
 * accesses to the barrier, arrivals and departures to their round, and each round is an object: a
 * thread arriving for a later round does not depend on one still leaving this round. There are
 * seven objects in turn, because a thread may be overtaken: of three threads at a barrier for two,
 * one may still be leaving the first round when the other two leave the third.
 * More threads than a round needs may come, so which round it is is known only when the step is
 * taken. That a thread may leave is noted in the thread: when the last has arrived the barrier
 * may be destroyed and its memory be gone. */
#include "runtime/calls/sync.h"

#include "runtime/history.h"
#include "runtime/intercept.h"
#include "runtime/rt_sys.h"

enum { BARRIER_LIVE = 0x0ba44ec0, BARRIER_DEAD = 0x0ba44dea, ROUNDS = 7 };

struct barrier {
	uint32_t threads; /* that make a round */
	uint32_t arrived; /* in this round */
	uint32_t round;
	uint32_t magic;
};

_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), "fits");

static uint64_t barrier_object(const struct barrier *barrier)
{
	return OBJECT(OBJECT_BARRIER, rt_name(barrier));
}

/* Reports leave out the last bits of the name. */
static uint64_t round_object(const struct barrier *barrier)
{
	return OBJECT(OBJECT_BARRIER, rt_name(barrier) + 1 + barrier->round % ROUNDS);
}

static int init(pthread_barrier_t *thing, unsigned threads)
{
	struct barrier *barrier = (struct barrier *)thing;

	if (threads == 0 || threads > INT32_MAX)
		return EINVAL;
	rt_memset(thing, 0, sizeof(*thing));
	barrier->threads = threads;
	barrier->magic = BARRIER_LIVE;
	return 0;
}

static void open_round(uint64_t object)
{
	for (uint32_t i = 0; i < RT->actors_high; i++)
		if (RT->actors[i].waiting_on == object && RT->actors[i].state != RT_FREE) {
			RT->actors[i].waiting_on = 0;
			RT->actors[i].woken = true;
		}
}

/* An overtaken thread that is still to leave an earlier round with the same object. */
static bool is_round_in_use(uint64_t object)
{
	for (uint32_t i = 0; i < RT->actors_high; i++) {
		const struct rt_actor *actor = &RT->actors[i];

		if (actor->state == RT_ANNOUNCED && actor->woken &&
		    actor->announced.kind == EVENT_BARRIER_LEAVE &&
		    actor->announced.accesses[0].object == object)
			return true;
	}
	return false;
}

static bool can_leave(struct rt_actor *actor, void *thing)
{
	return actor->woken;
}

static void leave(uint64_t object, uint32_t threads, uint64_t site)
{
	struct event event = rt_event(EVENT_BARRIER_LEAVE, site);

	event.value = threads; /* for reports */
	rt_access_object(&event, object, ACCESS_SHARE);
	rt_step(&event, can_leave, NULL);
}

static int arrive(struct barrier *barrier, uint64_t site)
{
	struct event event = rt_event(EVENT_BARRIER_ARRIVE, site);
	struct event *did;
	uint64_t object;
	bool is_last;

	rt_access(&event, OBJECT_BARRIER, barrier, ACCESS_RELEASE);
	if (!RT->channel->signal_is_event) /* else there would be no room for the round */
		rt_history_object(&event);
	did = rt_step(&event, NULL, NULL);
	if (barrier->magic != BARRIER_LIVE) {
		RT_MISUSE(site, barrier_object(barrier), "waiting at a barrier that %s",
			  barrier->magic == BARRIER_DEAD ? "was destroyed" : "is not initialised");
		return EINVAL;
	}
	object = round_object(barrier);
	if (is_round_in_use(object))
		rt_lost("a thread at a barrier was overtaken by %u rounds", ROUNDS);
	rt_access_object(did, object, ACCESS_RELEASE);
	rt_wait_enter(rt_self(), object);
	is_last = ++barrier->arrived == barrier->threads;
	if (is_last) {
		barrier->arrived = 0;
		barrier->round++;
		open_round(object);
	}
	leave(object, barrier->threads, site);
	return is_last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

static int destroy(struct barrier *barrier, uint64_t site)
{
	struct event event = rt_event(EVENT_DESTROY, site);
	uint64_t object = barrier_object(barrier);

	rt_access_object(&event, object, ACCESS_UNSHARE); /* conflicts with arriving only */
	rt_history_object(&event);
	rt_step(&event, NULL, NULL);
	if (barrier->magic != BARRIER_LIVE) {
		RT_MISUSE(site, object, "destroying a barrier %s",
			  barrier->magic == BARRIER_DEAD ? "twice" : "that is not initialised");
		return EINVAL;
	}
	if (barrier->arrived) {
		RT_MISUSE(site, object, "destroying a barrier at which threads wait");
		return EBUSY;
	}
	barrier->magic = BARRIER_DEAD;
	return 0;
}

INTERCEPT(int, pthread_barrier_init,
	  (pthread_barrier_t *barrier, const pthread_barrierattr_t *attr, unsigned threads))
{
	if (!rt_active())
		return REAL(pthread_barrier_init)(barrier, attr, threads);
	rt_init_object(barrier, sizeof(*barrier), RT_SITE);
	rt_reads(attr, sizeof(*attr), RT_SITE);
	return init(barrier, threads);
}

INTERCEPT(int, pthread_barrier_destroy, (pthread_barrier_t *barrier))
{
	if (!rt_active())
		return REAL(pthread_barrier_destroy)(barrier);
	return destroy((struct barrier *)barrier, RT_SITE);
}

INTERCEPT(int, pthread_barrier_wait, (pthread_barrier_t *barrier))
{
	if (!rt_active())
		return REAL(pthread_barrier_wait)(barrier);
	return arrive((struct barrier *)barrier, RT_SITE);
}
