/* signal_send.c: sending signals, to a thread or to the process.
 *
 * A signal to another thread is a step that gives to a set of pending signals; one to the thread
 * itself arrives before the call returns. */
#include <sys/types.h>
#include <unistd.h>

#include "runtime/actions.h"
#include "runtime/calls/identity.h"
#include "runtime/calls/signal.h"
#include "runtime/calls/sync.h"
#include "runtime/intercept.h"

static bool is_signal(int number)
{
	return number > 0 && number <= RT_SIGNALS_MAX;
}

/* From now on a thread that would take the signal must look for it. */
static void learn_to_look(uint64_t *sent, int number)
{
	rt_begin();
	if (*sent & rt_signal_bit(number))
		return;
	*sent |= rt_signal_bit(number);
	RT->channel->signal_is_event = 1;
	rt_relearn();
}

/* Real-time signals of one number wait in a queue; here they are one. */
static void note_queue(uint64_t pending, int number)
{
	enum { REAL_TIME = 32 };

	if (number >= REAL_TIME && pending & rt_signal_bit(number))
		rt_warn_ringer("pthread_kill", "a queue of real-time signals");
}

static void send_to(uint64_t *pending, uint32_t whose, int number, uint64_t site)
{
	struct event event = rt_event(EVENT_SIGNAL_SEND, site);
	struct event *did;

	rt_signal_refuse_stop(number);
	learn_to_look(whose == RT_SIGNALS_PROCESS ? &RT->channel->signals_to_all
						  : &RT->channel->signals_sent,
		      number);
	if (!rt_signals_are_apart())
		rt_warn_uncontrolled_at("more than two signals between threads", site);
	rt_access_object(&event, rt_signals_object(whose, number), ACCESS_GIVE);
	did = rt_step(&event, NULL, NULL);
	did->value = (uint64_t)number;
	if (rt_signals_were_open(*pending, whose, number))
		did->flags |= EVENT_WAS_OPEN;
	note_queue(*pending, number);
	*pending |= rt_signal_bit(number);
}

/* A signal of a thread to itself arrives before the call returns, and no other thread
 * can notice. */
static void raise_here(int number, uint64_t site)
{
	struct rt_actor *self = rt_self();

	if (self->signal_mask & rt_signal_bit(number)) {
		note_queue(self->signals, number);
		self->signals |= rt_signal_bit(number);
	} else {
		rt_signal_handle(number, site);
	}
}

/* A signal that ends the program ends it as soon as it is sent, if the caller does not block it: no
 * thread goes on until the signal finds it. */
static void die_if_fatal(int number, uint64_t site)
{
	struct sigaction action = rt_action_of(number);
	bool is_open = !(rt_self()->signal_mask & rt_signal_bit(number));

	if (number == SIGKILL ||
	    (is_open && action.sa_handler == SIG_DFL && !rt_signal_is_ignored(number, &action)))
		rt_signal_die(number, site);
}

/* The signal may come between the last step of the thread and its end. */
static void observe_end_of(const struct rt_actor *target, int number)
{
	if (rt_thread_has_ended(target) && !(target->signal_mask & rt_signal_bit(number)))
		rt_thread_observe_end();
}

static int send_to_actor(struct rt_actor *target, int number, uint64_t site)
{
	if (number == 0)
		return 0;
	if (!is_signal(number))
		return EINVAL;
	if (target == rt_self())
		raise_here(number, site);
	else
		send_to(&target->signals, target->index, number, site);
	observe_end_of(target, number);
	return 0;
}

static int send_to_thread(pthread_t thread, int number, uint64_t site)
{
	struct rt_actor *target = rt_thread_of((uint64_t)thread);

	if (!target) {
		RT_MISUSE(site, 0, "signalling something that is not a thread");
		return ESRCH;
	}
	if (!rt_thread_is_known(target, EVENT_TO_SIGNAL, "signalling", site) ||
	    rt_thread_is_gone(target, EVENT_TO_SIGNAL, site))
		return ESRCH;
	return send_to_actor(target, number, site);
}

/* Here the first thread that takes a step takes it. The kernel may choose another one, and while
 * that one is on its way two signals can become one. */
static void warn_if_others_may_take(int number, uint64_t site)
{
	struct sigaction action = rt_action_of(number);
	uint32_t open = 0;

	for (uint32_t i = 0; i < RT->actors_high; i++)
		open += rt_signals_can_meet(&RT->actors[i]) &&
			!(RT->actors[i].signal_mask & rt_signal_bit(number));
	if (open > 1 && action.sa_handler != SIG_DFL && !rt_signal_is_ignored(number, &action))
		rt_warn_uncontrolled_at("which thread takes a signal sent to the process", site);
}

/* Before the first thread: any thread may take the signal later, so all look for it from the
 * beginning. */
static void leave_pending(int number)
{
	note_queue(RT->main->process_signals, number);
	RT->main->process_signals |= rt_signal_bit(number);
	RT->channel->signals_to_all |= rt_signal_bit(number);
	RT->channel->signal_is_event = 1;
}

/* The program is the only process of its group. Its parent is the tool, which must not be hit;
 * neither must all processes of the user. */
static int send_to_process(pid_t pid, int number, uint64_t site)
{
	bool is_own = pid == RT_PID || pid == -RT_PID || pid == 0;

	if (number && !is_signal(number))
		return rt_fail(EINVAL);
	if (pid == -1)
		rt_lost("a signal to all processes is not sent");
	if (!is_own)
		rt_warn_uncontrolled_at("a signal to another process", site);
	if (!is_own && pid != RT_PARENT_PID)
		return REAL(kill)(pid, number);
	if (!is_own || !number)
		return 0;
	die_if_fatal(number, site);
	if (!rt_running() && rt_self()->signal_mask & rt_signal_bit(number)) {
		leave_pending(number);
		return 0;
	}
	if (!rt_running() || rt_signals_alone()) {
		raise_here(number, site);
		return 0;
	}
	warn_if_others_may_take(number, site);
	send_to(&RT->main->process_signals, RT_SIGNALS_PROCESS, number, site);
	for (uint32_t i = 0; i < RT->actors_high; i++)
		if (RT->actors[i].state != RT_FREE && !RT->actors[i].owner && !RT->actors[i].joined)
			observe_end_of(&RT->actors[i], number);
	return 0;
}

INTERCEPT(int, pthread_kill, (pthread_t thread, int number))
{
	if (!rt_active())
		return REAL(pthread_kill)(thread, number);
	return send_to_thread(thread, number, RT_SITE);
}

INTERCEPT(int, pthread_sigqueue, (pthread_t thread, int number, const union sigval value))
{
	if (!rt_active())
		return REAL(pthread_sigqueue)(thread, number, value);
	rt_warn_uncontrolled("the value given to pthread_sigqueue");
	return send_to_thread(thread, number, RT_SITE);
}

INTERCEPT(int, raise, (int number))
{
	if (!rt_active())
		return REAL(raise)(number);
	if (is_signal(number)) {
		raise_here(number, RT_SITE);
		return 0;
	}
	errno = EINVAL;
	return -1;
}

INTERCEPT(int, kill, (pid_t pid, int number))
{
	if (rt_active())
		return send_to_process(pid, number, RT_SITE);
	return REAL(kill)(pid == RT_PID && rt_parent_apart() ? rt_parent_apart() : pid, number);
}

INTERCEPT(int, killpg, (pid_t group, int number))
{
	return rt_active() ? send_to_process(-group, number, RT_SITE) : REAL(killpg)(group, number);
}

INTERCEPT(int, sigqueue, (pid_t pid, int number, const union sigval value))
{
	if (!rt_active())
		return REAL(sigqueue)(pid, number, value);
	rt_warn_uncontrolled_at("the value given to sigqueue", RT_SITE);
	return send_to_process(pid, number, RT_SITE);
}

INTERCEPT(int, tgkill, (pid_t pid, pid_t thread, int number))
{
	struct rt_actor *target;

	if (!rt_active())
		return REAL(tgkill)(pid, thread, number);
	target = pid == RT_PID ? rt_thread_numbered(thread) : NULL;
	if (!target || rt_thread_asks_end(target, RT_SITE))
		return rt_fail(ESRCH);
	if (number && !is_signal(number))
		return rt_fail(EINVAL);
	return send_to_actor(target, number, RT_SITE);
}
