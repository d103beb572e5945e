/* barrier.c: barriers. Arriving releases, leaving shares: arrivals are ordered among
 * themselves (the last one is told so), departures are not. Rounds alternate between
 * two objects, so that a thread arriving for the next round does not depend on one
 * still leaving this one. Who may leave is noted in the threads: when the last has
 * arrived the barrier may be destroyed and its memory be gone. */
#include "runtime/sync.h"

#include "runtime/intercept.h"
#include "runtime/rt_sys.h"

enum { BARRIER_LIVE = 0x0ba44ec0 };

struct barrier {
	uint32_t threads; /* that make a round */
	uint32_t arrived; /* in this round */
	uint32_t round;
	uint32_t magic;
};

_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), "fits");

static uint64_t round_object(const struct barrier *barrier)
{
	return OBJECT(OBJECT_BARRIER, rt_name(barrier) + (barrier->round & 1));
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

static bool can_leave(struct rt_actor *actor, void *thing)
{
	return actor->woken;
}

static void leave(uint64_t object, uint64_t site)
{
	struct event event = rt_event(EVENT_BARRIER_LEAVE, site);

	rt_access_object(&event, object, ACCESS_SHARE);
	rt_step(&event, can_leave, NULL);
}

/* More threads than a round needs may come: then the round announced can be over when
 * the step is taken, and the access is to the next one too. */
static uint64_t step_in_round(const struct barrier *barrier, enum event_kind kind,
			      enum access_mode mode, uint64_t site)
{
	struct event event = rt_event(kind, site);
	uint64_t announced = round_object(barrier);
	struct event *did;

	rt_access_object(&event, announced, mode);
	did = rt_step(&event, NULL, NULL);
	if (round_object(barrier) != announced)
		rt_access_object(did, round_object(barrier), mode);
	return round_object(barrier);
}

static int arrive(struct barrier *barrier, uint64_t site)
{
	uint64_t object;
	bool is_last;

	object = step_in_round(barrier, EVENT_BARRIER_ARRIVE, ACCESS_RELEASE, site);
	if (barrier->magic != BARRIER_LIVE) {
		RT_MISUSE(site, object, "waiting at a barrier that is not initialised");
		return EINVAL;
	}
	rt_wait_enter(rt_self(), object);
	is_last = ++barrier->arrived == barrier->threads;
	if (is_last) {
		barrier->arrived = 0;
		barrier->round++;
		open_round(object);
	}
	leave(object, site);
	return is_last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

static int destroy(struct barrier *barrier, uint64_t site)
{
	/* Conflicts with arriving, not with leaving. */
	uint64_t object = step_in_round(barrier, EVENT_DESTROY, ACCESS_UNSHARE, site);

	if (barrier->magic != BARRIER_LIVE) {
		RT_MISUSE(site, object, "destroying a barrier that is not initialised");
		return EINVAL;
	}
	if (barrier->arrived) {
		RT_MISUSE(site, object, "destroying a barrier at which threads wait");
		return EBUSY;
	}
	barrier->magic = 0;
	return 0;
}

INTERCEPT(int, pthread_barrier_init,
	  (pthread_barrier_t *barrier, const pthread_barrierattr_t *attr, unsigned threads))
{
	if (!rt_active())
		return REAL(pthread_barrier_init)(barrier, attr, threads);
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
