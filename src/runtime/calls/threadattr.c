/* threadattr.c: names, scheduling parameters and other properties of threads. Where
 * and with what priority a thread runs is ours to decide: requests are accepted and
 * have no effect. A program that also reads such a property would get a value that the request has
 * not changed: the verdict names that. */
#include "runtime/calls/sync.h"

#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "runtime/intercept.h"
#include "runtime/rt_sys.h"

static int set_name(struct rt_actor *actor, const char *name)
{
	size_t len = rt_strlen(name);

	if (len >= sizeof(actor->name))
		return ERANGE;
	rt_memcpy(actor->name, name, len + 1);
	return 0;
}

static int get_name(const struct rt_actor *actor, char *name, size_t room)
{
	char inherited[16] = "";
	const char *from = actor->name;

	if (!from[0]) {
		rt_syscall(SYS_prctl, PR_GET_NAME, inherited, 0);
		from = inherited;
	}
	if (room <= rt_strlen(from))
		return ERANGE;
	rt_memcpy(name, from, rt_strlen(from) + 1);
	return 0;
}

static int get_attr(const struct rt_actor *actor, pthread_attr_t *attr)
{
	int error = pthread_attr_init(attr);

	if (error)
		return error;
	pthread_attr_setstack(attr, actor->stack_low,
			      (size_t)(actor->stack_high - actor->stack_low));
	return pthread_attr_setdetachstate(attr, actor->detached ? PTHREAD_CREATE_DETACHED
								 : PTHREAD_CREATE_JOINABLE);
}

enum { NAMES = 32 }; /* beside the generators of random.c, the files and the mappings */

/* Any thread may give another one a name, or ask for it. */
static void step_on_name(const struct rt_actor *target, bool is_change, uint64_t site)
{
	struct event event = rt_event(is_change ? EVENT_RMW : EVENT_LOAD, site);

	if (!rt_running())
		return;
	event.memory_order = MEMORY_ORDER_RELAXED;
	rt_access_object(&event, OBJECT(OBJECT_TERM, NAMES + target->index),
			 is_change ? ACCESS_WRITE : ACCESS_READ);
	rt_step(&event, NULL, NULL);
}

enum property { PROPERTY_AFFINITY = 1, PROPERTY_CONCURRENCY = 2 };

static void warn_of_both(enum property property, uint64_t site)
{
	if (RT->properties_requested & RT->properties_asked & property)
		rt_warn_uncontrolled_at(property == PROPERTY_AFFINITY
						? "a change of an affinity that is asked for"
						: "a change of the concurrency level that is asked for",
					site);
}

static void note_request(enum property property, uint64_t site)
{
	RT->properties_requested |= property;
	warn_of_both(property, site);
}

static void note_question(enum property property, uint64_t site)
{
	RT->properties_asked |= property;
	warn_of_both(property, site);
}

#define KNOWN_THREAD(thread) \
	struct rt_actor *target = rt_thread_of((uint64_t)(thread)); \
	if (!target || !rt_thread_is_known(target, EVENT_JOIN, "asking for", RT_SITE)) \
		return ESRCH

/* A thread that has ended and was not joined is known to the C library, but not to the kernel. */
#define LIVING_THREAD(thread, error)              \
	KNOWN_THREAD(thread);                     \
	if (rt_thread_asks_end(target, RT_SITE)) \
	return error

INTERCEPT(int, pthread_setname_np, (pthread_t thread, const char *name))
{
	if (!rt_active())
		return REAL(pthread_setname_np)(thread, name);
	LIVING_THREAD(thread, ENOENT);
	rt_reads_text(name, RT_SITE);
	step_on_name(target, true, RT_SITE);
	return set_name(target, name);
}

INTERCEPT(int, pthread_getname_np, (pthread_t thread, char *name, size_t room))
{
	if (!rt_active())
		return REAL(pthread_getname_np)(thread, name, room);
	LIVING_THREAD(thread, ENOENT);
	step_on_name(target, false, RT_SITE);
	rt_plain(name, room < 16 ? room : 16, true, RT_SITE);
	return get_name(target, name, room);
}

INTERCEPT(int, pthread_getattr_np, (pthread_t thread, pthread_attr_t *attr))
{
	if (!rt_active())
		return REAL(pthread_getattr_np)(thread, attr);
	KNOWN_THREAD(thread);
	rt_writes(attr, sizeof(*attr), RT_SITE);
	return get_attr(target, attr);
}

INTERCEPT(int, pthread_setaffinity_np, (pthread_t thread, size_t size, const cpu_set_t *set))
{
	if (!rt_active())
		return REAL(pthread_setaffinity_np)(thread, size, set);
	KNOWN_THREAD(thread);
	rt_reads(set, size, RT_SITE);
	note_request(PROPERTY_AFFINITY, RT_SITE);
	return 0;
}

INTERCEPT(int, pthread_getaffinity_np, (pthread_t thread, size_t size, cpu_set_t *set))
{
	if (!rt_active())
		return REAL(pthread_getaffinity_np)(thread, size, set);
	KNOWN_THREAD(thread);
	rt_writes(set, size, RT_SITE);
	note_question(PROPERTY_AFFINITY, RT_SITE);
	rt_memset(set, 0, size);
	rt_memset(set, 3, 1); /* the same everywhere: two processors */
	return 0;
}

INTERCEPT(int, pthread_setschedparam,
	  (pthread_t thread, int policy, const struct sched_param *param))
{
	if (!rt_active())
		return REAL(pthread_setschedparam)(thread, policy, param);
	LIVING_THREAD(thread, ESRCH);
	rt_reads(param, sizeof(*param), RT_SITE);
	if (policy != SCHED_OTHER)
		rt_warn_uncontrolled_at("a policy that is not SCHED_OTHER", RT_SITE);
	return 0;
}

INTERCEPT(int, pthread_getschedparam, (pthread_t thread, int *policy, struct sched_param *param))
{
	if (!rt_active())
		return REAL(pthread_getschedparam)(thread, policy, param);
	LIVING_THREAD(thread, ESRCH);
	rt_writes(policy, sizeof(*policy), RT_SITE);
	rt_writes(param, sizeof(*param), RT_SITE);
	*policy = SCHED_OTHER;
	param->sched_priority = 0;
	return 0;
}

INTERCEPT(int, pthread_setschedprio, (pthread_t thread, int priority))
{
	if (!rt_active())
		return REAL(pthread_setschedprio)(thread, priority);
	LIVING_THREAD(thread, ESRCH);
	return 0;
}

INTERCEPT(int, pthread_setconcurrency, (int level))
{
	if (!rt_active())
		return REAL(pthread_setconcurrency)(level);
	note_request(PROPERTY_CONCURRENCY, RT_SITE);
	return level < 0 ? EINVAL : 0;
}

INTERCEPT(int, pthread_getconcurrency, (void))
{
	if (rt_active())
		note_question(PROPERTY_CONCURRENCY, RT_SITE);
	return REAL(pthread_getconcurrency)();
}

INTERCEPT(int, pthread_getcpuclockid, (pthread_t thread, clockid_t *clock))
{
	if (!rt_active())
		return REAL(pthread_getcpuclockid)(thread, clock);
	LIVING_THREAD(thread, ESRCH);
	rt_writes(clock, sizeof(*clock), RT_SITE);
	*clock = CLOCK_PROCESS_CPUTIME_ID;
	return 0;
}
