/* signal_wait.c: waiting for signals, and asking which of them are pending.
 *
 * A wait is a step that takes a signal of a set; it is possible once one is there, and also if the
 * thread is cancelled or the time is over. Signals that the thread does not block end it, too: their
 * handler runs. sigwait then waits again, and the others return EINTR. */
#include "runtime/actions.h"
#include "runtime/calls/signal.h"
#include "runtime/calls/sync.h"
#include "runtime/intercept.h"

static bool is_cancelled(struct rt_actor *actor, void *thing)
{
	return rt_cancel_due(actor);
}

static bool has_expired(struct rt_actor *actor, void *thing)
{
	return actor->timed_out || rt_cancel_due(actor);
}

/* The step of a wait; 0 when the time is up. Of the signals of look->set those in `first` are
 * taken before any other. */
static int wait_once(struct rt_look *look, uint64_t first, bool is_timed, uint64_t site)
{
	struct rt_actor *self = rt_self();
	struct event event = rt_event(EVENT_SIGNAL_TAKE, site);
	struct event *did;
	int number;

	rt_signals_add(&event, look->set, ACCESS_TAKE);
	rt_cancel_access(&event);
	did = rt_signals_look(&event, look);
	if (is_timed)
		rt_timer_disarm(self);
	rt_cancel_ends(did, rt_signals_pending(self) & look->set, is_timed && self->timed_out);
	rt_cancel_act();
	if (rt_signals_pending(self) & first)
		look->set = first;
	number = rt_signals_take(did, look, 0);
	did->value = (uint64_t)number;
	return number;
}

/* A signal that the thread does not block does not wait for it to ask: had it come a moment before, its
 * action would have been taken, which ends most programs. POSIX leaves such a wait undefined. */
static void check_blocked(int number, uint64_t site)
{
	if (!(rt_self()->signal_mask & rt_signal_bit(number)))
		rt_notice(FINDING_MISUSE, site, rt_signals_object(rt_self()->index, number), 0,
			  "wait for signal %d, which the thread does not block: it may also come before the wait",
			  number);
}

/* sigwait and friends: a signal of the set, 0 when the time is up, or one that the thread does not
 * block, whose handler has run. */
static int wait_for(uint64_t set, const struct timespec *timeout, uint64_t site)
{
	struct rt_look look = {timeout ? has_expired : is_cancelled, NULL,
			       set | ~rt_self()->signal_mask};
	int number;

	if (RT->alarm_ns && set & rt_signal_bit(SIGALRM))
		rt_warn_ringer("alarm", "a wait for the signal of alarm");
	if (timeout)
		rt_timer_arm(rt_self(),
			     RT->now_ns + (uint64_t)timeout->tv_sec * 1000000000u +
				     (uint64_t)timeout->tv_nsec,
			     0, NULL);
	number = wait_once(&look, set, timeout, site);
	if (number && set & rt_signal_bit(number)) {
		check_blocked(number, site);
	} else if (number) {
		RT->channel->assumed |= ASSUMED_HANDLERS;
		rt_signal_handle(number, site);
	}
	return number;
}

/* Waits until a handler has run. */
static int suspend(uint64_t mask, uint64_t site)
{
	struct rt_actor *self = rt_self();
	uint64_t old = self->signal_mask;
	struct rt_look look = {is_cancelled, NULL, ~mask};
	struct sigaction action;
	int number;

	do {
		self->signal_mask = mask;
		number = wait_once(&look, 0, false, site);
		action = rt_action_of(number);
	} while (rt_signal_is_ignored(number, &action));
	RT->channel->assumed |= ASSUMED_HANDLERS;
	rt_signal_handle(number, site);
	self->signal_mask = old;
	errno = EINTR;
	return -1;
}

/* A look at both sets, which takes nothing. */
static uint64_t look_at_pending(uint64_t site)
{
	struct rt_actor *self = rt_self();
	struct event event = rt_event(EVENT_SIGNAL_TAKE, site);
	struct event *did;

	if (!rt_running() || !rt_signals_count(self->signal_mask))
		return rt_signals_pending(self) & self->signal_mask;
	rt_signals_add(&event, self->signal_mask, ACCESS_PEEK);
	did = rt_step(&event, NULL, NULL);
	if (RT->main->process_signals & self->signal_mask)
		did->flags |= EVENT_WAS_OPEN;
	did->value = rt_signals_pending(self) & self->signal_mask;
	return did->value;
}

/* ---- the intercepted functions ---- */

INTERCEPT(int, sigwait, (const sigset_t *set, int *number))
{
	int got;

	if (!rt_active())
		return REAL(sigwait)(set, number);
	rt_plain(set, sizeof(uint64_t), false, RT_SITE);
	do
		got = wait_for(rt_signals_of(set), NULL, RT_SITE);
	while (!(rt_signals_of(set) & rt_signal_bit(got)));
	rt_plain(number, sizeof(*number), true, RT_SITE);
	*number = got;
	return 0;
}

static int wait_for_info(const sigset_t *set, siginfo_t *info, const struct timespec *timeout,
			 uint64_t site)
{
	int number;

	rt_plain(set, sizeof(uint64_t), false, site);
	rt_reads(timeout, sizeof(*timeout), site);
	number = wait_for(rt_signals_of(set), timeout, site);
	if (!number)
		return rt_fail(EAGAIN);
	if (!(rt_signals_of(set) & rt_signal_bit(number)))
		return rt_fail(EINTR);
	if (info) {
		rt_plain(info, sizeof(*info), true, site);
		*info = (siginfo_t){.si_signo = number, .si_code = SI_TKILL};
	}
	return number;
}

INTERCEPT(int, sigwaitinfo, (const sigset_t *set, siginfo_t *info))
{
	if (!rt_active())
		return REAL(sigwaitinfo)(set, info);
	return wait_for_info(set, info, NULL, RT_SITE);
}

INTERCEPT(int, sigtimedwait, (const sigset_t *set, siginfo_t *info, const struct timespec *timeout))
{
	if (!rt_active())
		return REAL(sigtimedwait)(set, info, timeout);
	return wait_for_info(set, info, timeout, RT_SITE);
}

INTERCEPT(int, sigsuspend, (const sigset_t *mask))
{
	if (!rt_active())
		return REAL(sigsuspend)(mask);
	rt_reads(mask, sizeof(uint64_t), RT_SITE);
	return suspend(rt_signals_of(mask), RT_SITE);
}

INTERCEPT(int, pause, (void))
{
	if (!rt_active())
		return REAL(pause)();
	return suspend(rt_self()->signal_mask, RT_SITE);
}

INTERCEPT(int, sigpending, (sigset_t * set))
{
	if (!rt_active())
		return REAL(sigpending)(set);
	rt_plain(set, sizeof(uint64_t), true, RT_SITE);
	sigemptyset(set);
	*(uint64_t *)set = look_at_pending(RT_SITE);
	return 0;
}
