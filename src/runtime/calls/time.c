/* time.c: the calls that sleep or tell the time. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "runtime/calls/signal.h"
#include "runtime/calls/sync.h"
#include "runtime/intercept.h"
#include "runtime/timer.h"

enum {
	NS_PER_S = 1000000000,
	NS_PER_TICK = 10000000,  /* of times() */
	MONOTONIC_S = 1000,      /* since the machine started, at the start of a run */
	REALTIME_S = 1767225600, /* 2026-01-01 00:00:00 UTC */
};

/* The time that a clock shows at RT->now_ns == 0; false for an unknown clock. */
static bool clock_offset_ns(int clock, uint64_t *offset_ns)
{
	switch (clock) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_TAI:
		*offset_ns = (uint64_t)REALTIME_S * NS_PER_S;
		return true;
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_MONOTONIC_COARSE:
	case CLOCK_BOOTTIME:
		*offset_ns = (uint64_t)MONOTONIC_S * NS_PER_S;
		return true;
	default: /* processor time of a thread or process: as if it always ran */
		*offset_ns = 0;
		return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID ||
		       clock < 0;
	}
}

static struct timespec time_of(uint64_t ns)
{
	return (struct timespec){.tv_sec = (time_t)(ns / NS_PER_S),
				 .tv_nsec = (long)(ns % NS_PER_S)};
}

static bool is_valid(const struct timespec *time)
{
	return time->tv_nsec >= 0 && time->tv_nsec < NS_PER_S;
}

static uint64_t ns_of(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * NS_PER_S + (uint64_t)time->tv_nsec;
}

bool rt_deadline(int clock, const struct timespec *at, uint64_t *deadline_ns)
{
	uint64_t offset_ns;

	if (!clock_offset_ns(clock, &offset_ns) || !is_valid(at))
		return false;
	*deadline_ns = 1;
	if (at->tv_sec >= 0 && (uint64_t)at->tv_sec > UINT64_MAX / NS_PER_S - 1)
		*deadline_ns = UINT64_MAX / 2;
	else if (at->tv_sec >= 0 && ns_of(at) > offset_ns)
		*deadline_ns = ns_of(at) - offset_ns;
	return true;
}

/* ---- sleeping ---- */

static int sleep_for(const struct timespec *duration, struct timespec *left, uint64_t site)
{
	rt_plain(duration, sizeof(*duration), false, site);
	if (left)
		rt_plain(left, sizeof(*left), true, site);
	if (!is_valid(duration) || duration->tv_sec < 0)
		return EINVAL;
	rt_timer_sleep(ns_of(duration), site);
	if (left)
		*left = (struct timespec){0};
	return 0;
}

INTERCEPT(int, nanosleep, (const struct timespec *duration, struct timespec *left))
{
	int result;

	if (!rt_active())
		return REAL(nanosleep)(duration, left);
	result = sleep_for(duration, left, RT_SITE);
	if (!result)
		return 0;
	errno = result;
	return -1;
}

INTERCEPT(int, clock_nanosleep,
	  (clockid_t clock, int flags, const struct timespec *time, struct timespec *left))
{
	uint64_t deadline_ns;

	if (!rt_active())
		return REAL(clock_nanosleep)(clock, flags, time, left);
	if (!(flags & TIMER_ABSTIME))
		return sleep_for(time, left, RT_SITE);
	rt_reads(time, sizeof(*time), RT_SITE);
	if (!rt_deadline(clock, time, &deadline_ns))
		return EINVAL;
	rt_timer_sleep_until(deadline_ns, RT_SITE);
	return 0;
}

INTERCEPT(int, usleep, (useconds_t us))
{
	if (!rt_active())
		return REAL(usleep)(us);
	rt_timer_sleep((uint64_t)us * 1000, RT_SITE);
	return 0;
}

INTERCEPT(unsigned, sleep, (unsigned seconds))
{
	if (!rt_active())
		return REAL(sleep)(seconds);
	rt_timer_sleep((uint64_t)seconds * NS_PER_S, RT_SITE);
	return 0;
}

INTERCEPT(int, thrd_sleep, (const struct timespec *duration, struct timespec *left))
{
	if (!rt_active())
		return REAL(thrd_sleep)(duration, left);
	return sleep_for(duration, left, RT_SITE) ? -2 : 0;
}

/* Yielding says nothing about who goes next: others may go at every step anyway. */
INTERCEPT(int, sched_yield, (void))
{
	return rt_active() ? 0 : REAL(sched_yield)();
}

INTERCEPT(void, thrd_yield, (void))
{
	if (!rt_active())
		REAL(thrd_yield)();
}

/* ---- telling the time ---- */

INTERCEPT(int, clock_gettime, (clockid_t clock, struct timespec *out))
{
	uint64_t offset_ns;

	if (!rt_active())
		return REAL(clock_gettime)(clock, out);
	if (!clock_offset_ns(clock, &offset_ns)) {
		errno = EINVAL;
		return -1;
	}
	rt_plain(out, sizeof(*out), true, RT_SITE);
	*out = time_of(rt_timer_now(RT_SITE) + offset_ns);
	return 0;
}

INTERCEPT(int, timespec_get, (struct timespec *out, int base))
{
	if (!rt_active() || base != TIME_UTC)
		return REAL(timespec_get)(out, base);
	rt_plain(out, sizeof(*out), true, RT_SITE);
	*out = time_of(rt_timer_now(RT_SITE) + (uint64_t)REALTIME_S * NS_PER_S);
	return base;
}

INTERCEPT(int, gettimeofday, (struct timeval *restrict out, void *restrict zone))
{
	struct timespec now;

	if (!rt_active())
		return REAL(gettimeofday)(out, zone);
	rt_plain(out, sizeof(*out), true, RT_SITE);
	now = time_of(rt_timer_now(RT_SITE) + (uint64_t)REALTIME_S * NS_PER_S);
	*out = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
	return 0;
}

INTERCEPT(time_t, time, (time_t *out))
{
	time_t now;

	if (!rt_active())
		return REAL(time)(out);
	if (out)
		rt_plain(out, sizeof(*out), true, RT_SITE);
	now = (time_t)(rt_timer_now(RT_SITE) / NS_PER_S + REALTIME_S);
	if (out)
		*out = now;
	return now;
}

INTERCEPT(clock_t, clock, (void))
{
	if (!rt_active())
		return REAL(clock)();
	return (clock_t)(rt_timer_now(RT_SITE) / 1000);
}

INTERCEPT(clock_t, times, (struct tms *out))
{
	clock_t ticks;

	if (!rt_active())
		return REAL(times)(out);
	if (out)
		rt_plain(out, sizeof(*out), true, RT_SITE);
	ticks = (clock_t)(rt_timer_now(RT_SITE) / NS_PER_TICK);
	if (out)
		*out = (struct tms){.tms_utime = ticks};
	return ticks;
}

/* Processor time is the virtual time, as if the program always ran; nothing else is counted. */
INTERCEPT(int, getrusage, (__rusage_who_t who, struct rusage *out))
{
	uint64_t ns;

	if (!rt_active())
		return REAL(getrusage)(who, out);
	if (who != RUSAGE_SELF && who != RUSAGE_THREAD && who != RUSAGE_CHILDREN) {
		errno = EINVAL;
		return -1;
	}
	rt_plain(out, sizeof(*out), true, RT_SITE);
	*out = (struct rusage){0};
	ns = rt_timer_now(RT_SITE);
	if (who != RUSAGE_CHILDREN)
		out->ru_utime = (struct timeval){.tv_sec = (time_t)(ns / NS_PER_S),
						 .tv_usec = (suseconds_t)(ns % NS_PER_S / 1000)};
	return 0;
}

/* ---- timers that send signals ---- */

void rt_warn_ringer(const char *call, const char *what)
{
	rt_warn_uncontrolled(what);
	RT->ringer = call;
}

/* A thread that blocks SIGALRM may be about to wait for it. */
static bool is_alarm_blocked(void)
{
	for (uint32_t i = 0; i < RT->actors_high; i++)
		if (rt_signals_can_meet(&RT->actors[i]) &&
		    RT->actors[i].signal_mask & rt_signal_bit(SIGALRM))
			return true;
	return false;
}

/* Time is virtual and the alarm never rings. Where SIGALRM has no handler it is a guard against
 * hanging, which the tool has itself: a warning is enough, unless the program sleeps for longer
 * (timer.c). */
INTERCEPT(unsigned, alarm, (unsigned seconds))
{
	struct sigaction action;

	if (!rt_active())
		return REAL(alarm)(seconds);
	RT->ringer = NULL;
	RT->alarm_ns = seconds ? RT->now_ns + (uint64_t)seconds * NS_PER_S : 0;
	if (!seconds)
		return 0;
	if (REAL(sigaction)(SIGALRM, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
		rt_warn_ringer("alarm", "alarm with a handler for SIGALRM");
	else if (is_alarm_blocked())
		rt_warn_ringer("alarm", "alarm while SIGALRM is blocked");
	else
		rt_warn("time is virtual: the signal that alarm asked for never comes");
	return 0;
}

INTERCEPT(int, setitimer,
	  (__itimer_which_t which, const struct itimerval *restrict value,
	   struct itimerval *restrict old))
{
	if (!rt_active())
		return REAL(setitimer)(which, value, old);
	rt_reads(value, sizeof(*value), RT_SITE);
	rt_writes(old, sizeof(*old), RT_SITE);
	RT->ringer = NULL;
	if (value->it_value.tv_sec || value->it_value.tv_usec)
		rt_warn_ringer("setitimer", "setitimer");
	if (old)
		*old = (struct itimerval){0};
	return 0;
}

/* Some programs make a timer only to find out whether the system has the clock. A timer that is set
 * is not supported. */
INTERCEPT(int, timer_create,
	  (clockid_t clock, struct sigevent *restrict event, timer_t *restrict id))
{
	if (!rt_active())
		return REAL(timer_create)(clock, event, id);
	rt_reads(event, sizeof(*event), RT_SITE);
	rt_writes(id, sizeof(*id), RT_SITE);
	*id = (timer_t)1;
	return 0;
}

INTERCEPT(int, timer_delete, (timer_t id))
{
	return rt_active() ? 0 : REAL(timer_delete)(id);
}

INTERCEPT(int, timer_settime,
	  (timer_t id, int flags, const struct itimerspec *restrict value,
	   struct itimerspec *restrict old))
{
	if (rt_active())
		rt_lost("timer_settime is not supported");
	return REAL(timer_settime)(id, flags, value, old);
}

INTERCEPT(int, timerfd_create, (int clock, int flags))
{
	if (rt_active())
		rt_lost("timerfd_create is not supported");
	return REAL(timerfd_create)(clock, flags);
}
