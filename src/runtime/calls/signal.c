/* signal.c: signals between the threads of the program.
 *
 * Sending is a step. Once a program was seen to send signals (channel: signal_is_event)
 * every thread looks for them with each of its steps: the step is possible also when only
 * a signal is there; then, instead of being taken, it is interrupted, the handler runs on
 * the thread's stack, and the step is announced again. So a handler runs before any step. The
 * kernel may be later than that, which the verdict names (ASSUMED_HANDLERS).
 * Interrupted calls are restarted: EINTR is given only by what waits for signals. A call that
 * would really return EINTR is named as not modelled.
 *
 * A handler may really run between any two instructions. So the memory that handlers touch is
 * marked (channel_mark_racy): every access to it is then a step, before which a handler may run.
 *
 * Masks and pending signals are kept in the threads; the kernel's are not touched. */
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include "runtime/actions.h"
#include "runtime/calls/identity.h"
#include "runtime/calls/sync.h"
#include "runtime/intercept.h"

enum { SIGNALS_MAX = 64, PROCESS = RT_MAX_ACTORS };

static uint64_t bit_of(int number)
{
	return (uint64_t)1 << (number - 1);
}

static bool is_signal(int number)
{
	return number > 0 && number <= SIGNALS_MAX;
}

/* The kernel's part of a sigset_t. */
static uint64_t mask_of(const sigset_t *set)
{
	return *(const uint64_t *)set;
}

static uint64_t pending_for(const struct rt_actor *actor)
{
	return actor->signals | RT->main->process_signals;
}

static uint64_t signals_object(uint32_t whose)
{
	return OBJECT(OBJECT_SIGNALS, whose + 1 + RT_MAX_ACTORS);
}

static bool is_ignored(int number, const struct sigaction *action)
{
	if (action->sa_handler == SIG_IGN)
		return true;
	return action->sa_handler == SIG_DFL && (number == SIGCHLD || number == SIGURG ||
						 number == SIGWINCH || number == SIGCONT);
}

/* ---- taking ---- */

/* Takes the lowest pending signal of a set; 0 if none of them is pending. *whose gets the set that
 * it was taken from: the actor's own, or PROCESS. */
static int take_from(struct rt_actor *self, uint64_t set, uint32_t *whose)
{
	uint64_t found = pending_for(self) & set;
	int number = found ? __builtin_ctzll(found) + 1 : 0;

	if (!number)
		return 0;
	*whose = self->signals & bit_of(number) ? self->index : PROCESS;
	if (*whose == PROCESS)
		RT->main->process_signals &= ~bit_of(number);
	else
		self->signals &= ~bit_of(number);
	return number;
}

/* A program that is stopped waits for SIGCONT from outside, and the tool sends none. */
static void refuse_stop(int number)
{
	if (number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU)
		rt_lost("stopping the program by signal %d is not supported", number);
}

static void die_of(int number, uint64_t site)
{
	char message[64];

	refuse_stop(number);
	rt_print(message, sizeof(message), "signal %d was sent and is not handled", number);
	rt_end_run(number == SIGABRT ? EVENT_ABORT : EVENT_CRASH, number, 0, site, message);
}

static void run_handler(int number, uint64_t site)
{
	struct rt_actor *self = rt_self();
	uint64_t mask = self->signal_mask;
	struct sigaction action = rt_action_of(number);
	siginfo_t info = {.si_signo = number, .si_code = SI_TKILL};
	int error = errno;

	if (is_ignored(number, &action))
		return;
	if (action.sa_handler == SIG_DFL)
		die_of(number, site);
	rt_turn_wrote(); /* the step is announced again afterwards, which is not a loop */
	self->signal_mask |= mask_of(&action.sa_mask);
	if (!(action.sa_flags & SA_NODEFER))
		self->signal_mask |= bit_of(number);
	self->handlers++;
	if (action.sa_flags & SA_SIGINFO)
		action.sa_sigaction(number, &info, NULL);
	else
		action.sa_handler(number);
	self->handlers--;
	self->signal_mask = mask;
	errno = error;
}

struct look {
	rt_can *can;
	void *thing;
	uint64_t set; /* signals that would be taken */
};

static bool can_look(struct rt_actor *actor, void *thing)
{
	const struct look *look = thing;

	return pending_for(actor) & look->set || !look->can || look->can(actor, look->thing);
}

static void add_signals(struct event *event, const struct rt_actor *self)
{
	rt_access_object(event, signals_object(self->index), ACCESS_TAKE);
	rt_access_object(event, signals_object(PROCESS), ACCESS_TAKE);
}

static struct event *step_looking(const struct event *event, struct look *look)
{
	struct rt_actor *self = rt_self();
	struct event *did;

	self->looking = true;
	did = rt_step(event, can_look, look);
	self->looking = false;
	return did;
}

/* The step was chosen: was it a signal that it met? What it did to `from` objects of its
 * own is nothing, if so. Of the sets of signals it takes from one at most, and it needs no event
 * that added to the other one. */
static int take_signal(struct event *did, const struct look *look, uint8_t from)
{
	struct rt_actor *self = rt_self();
	bool waited = look->can && !look->can(self, look->thing);
	uint32_t whose = 0;
	int number = take_from(self, look->set, &whose);

	for (uint8_t a = 0; a < did->access_len; a++)
		if (number && a < from)
			did->accesses[a].mode = ACCESS_READ;
		else if (a >= from && !(number && did->accesses[a].object == signals_object(whose)))
			did->accesses[a].mode = ACCESS_PEEK;
	if (number)
		did->flags |= EVENT_FAILED | (waited ? 0 : EVENT_TRY);
	return number;
}

/* The signal came before a step that may wait: could the call have returned EINTR? */
static void check_interrupted(const struct event *event, int number)
{
	struct sigaction action;
	bool restarts = false;

	switch (event->kind) {
	case EVENT_IO_READ:
	case EVENT_IO_WRITE:
	case EVENT_SEM_WAIT:
	case EVENT_FUTEX_BLOCK:
		restarts = true;
		break;
	case EVENT_IO_POLL:
	case EVENT_SLEEP:
		break;
	default:
		return;
	}
	action = rt_action_of(number);
	if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN ||
	    (restarts && action.sa_flags & SA_RESTART))
		return;
	rt_warn_uncontrolled("a call that a signal interrupts (EINTR)");
}

struct event *rt_signals_step(const struct event *event, rt_can *can, void *thing)
{
	struct rt_actor *self = rt_self();
	struct look look = {can, thing, 0};

	for (;;) {
		struct event with = *event;
		bool ends = with.access_len && with.accesses[0].mode == ACCESS_WORLD;
		struct event *did;
		uint8_t own;
		int number;

		if (with.kind == EVENT_COND_WAKE && !self->waiting_on)
			rt_cond_left(&with);
		own = with.access_len;
		if (!ends && with.access_len + 2u <= event_room(&with)) {
			add_signals(&with, self);
			look.set = ~self->signal_mask;
		}
		did = step_looking(&with, &look);
		/* A timer may have taken accesses of its own away meanwhile, none of signals. */
		number = take_signal(did, &look, (uint8_t)(own - (with.access_len - did->access_len)));
		if (number || self->handlers)
			rt_withdraw_and_stay(self);
		if (!number)
			return did;
		if (can) /* waiting or not: the two are one class */
			check_interrupted(event, number);
		RT->channel->assumed |= ASSUMED_HANDLERS;
		run_handler(number, event->site);
	}
}

/* A step that is nothing but looking: the signal taken, or 0. */
static int look_once(struct look *look, uint64_t site)
{
	struct event event = rt_event(EVENT_SIGNAL_TAKE, site);
	struct event *did;
	int number;

	add_signals(&event, rt_self());
	did = step_looking(&event, look);
	number = take_signal(did, look, 0);
	did->value = (uint64_t)number;
	return number;
}

/* ---- sending ---- */

static void learn_to_look(void)
{
	rt_begin();
	if (RT->channel->signal_is_event)
		return;
	RT->channel->signal_is_event = 1;
	rt_relearn();
}

static bool is_running_thread(const struct rt_actor *actor)
{
	return actor->state != RT_FREE && actor->state != RT_FINISHED && !actor->owner;
}

/* The signals that the next step of a thread would take. */
static uint64_t taken_next(const struct rt_actor *actor)
{
	if (!is_running_thread(actor))
		return 0;
	return actor->state == RT_ANNOUNCED && actor->can == can_look
		       ? ((const struct look *)actor->thing)->set
		       : ~actor->signal_mask;
}

/* Was there a signal already that lets a waiting thread go? One that the thread blocks does not. */
static bool was_open(uint64_t pending, uint32_t whose)
{
	if (whose != PROCESS)
		return pending & taken_next(&RT->actors[whose]);
	for (uint32_t i = 0; i < RT->actors_high; i++)
		if (pending & taken_next(&RT->actors[i]))
			return true;
	return false;
}

static void send_to(uint64_t *pending, uint32_t whose, int number, uint64_t site)
{
	struct event event = rt_event(EVENT_SIGNAL_SEND, site);
	struct event *did;

	refuse_stop(number);
	learn_to_look();
	rt_access_object(&event, signals_object(whose), ACCESS_GIVE);
	did = rt_step(&event, NULL, NULL);
	did->value = (uint64_t)number;
	if (was_open(*pending, whose))
		did->flags |= EVENT_WAS_OPEN;
	*pending |= bit_of(number);
}

/* To oneself it arrives before the call returns, and nobody else can tell. */
static void raise_here(int number, uint64_t site)
{
	struct rt_actor *self = rt_self();

	if (self->signal_mask & bit_of(number))
		self->signals |= bit_of(number);
	else
		run_handler(number, site);
}

/* A signal that ends the program ends it as soon as it is sent, if the caller does not block it: no
 * thread goes on until the signal finds it. */
static void die_if_fatal(int number, uint64_t site)
{
	struct sigaction action = rt_action_of(number);
	bool is_open = !(rt_self()->signal_mask & bit_of(number));

	if (number == SIGKILL || (is_open && action.sa_handler == SIG_DFL &&
				  !is_ignored(number, &action)))
		die_of(number, site);
}

static int send_to_thread(pthread_t thread, int number, uint64_t site)
{
	struct rt_actor *target = rt_thread_of((uint64_t)thread);

	if (!target || target->joined) {
		RT_MISUSE(site, 0, "signalling %s",
			  target ? "a thread that was joined" : "something that is not a thread");
		return ESRCH;
	}
	if (number == 0)
		return 0;
	if (!is_signal(number))
		return EINVAL;
	if (target == rt_self())
		raise_here(number, site);
	else
		send_to(&target->signals, target->index, number, site);
	return 0;
}

/* Here the first thread that takes a step takes it. The kernel may choose another one, and while
 * that one is on its way two signals can become one. */
static void warn_if_others_may_take(int number, uint64_t site)
{
	struct sigaction action = rt_action_of(number);
	uint32_t open = 0;

	for (uint32_t i = 0; i < RT->actors_high; i++)
		open += is_running_thread(&RT->actors[i]) &&
			!(RT->actors[i].signal_mask & bit_of(number));
	if (open > 1 && action.sa_handler != SIG_DFL && !is_ignored(number, &action))
		rt_warn_uncontrolled_at("which thread takes a signal sent to the process", site);
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
	if (!rt_running() || rt_signals_alone()) {
		raise_here(number, site);
		return 0;
	}
	warn_if_others_may_take(number, site);
	send_to(&RT->main->process_signals, PROCESS, number, site);
	return 0;
}

/* ---- waiting ---- */

static bool never(struct rt_actor *actor, void *thing)
{
	return false;
}

static bool has_expired(struct rt_actor *actor, void *thing)
{
	return actor->timed_out;
}

/* sigwait and friends; 0 when the time is up. */
static int wait_for(uint64_t set, const struct timespec *timeout, uint64_t site)
{
	struct look look = {timeout ? has_expired : never, NULL, set};
	int number;

	if (timeout)
		rt_timer_arm(rt_self(),
			     RT->now_ns + (uint64_t)timeout->tv_sec * 1000000000u +
				     (uint64_t)timeout->tv_nsec,
			     0, NULL);
	number = look_once(&look, site);
	if (timeout)
		rt_timer_disarm(rt_self());
	return number;
}

/* Waits until a handler has run. */
static int suspend(uint64_t mask, uint64_t site)
{
	struct rt_actor *self = rt_self();
	uint64_t old = self->signal_mask;
	struct look look = {never, NULL, ~mask};
	struct sigaction action;
	int number;

	do {
		self->signal_mask = mask;
		number = look_once(&look, site);
		action = rt_action_of(number);
	} while (is_ignored(number, &action));
	RT->channel->assumed |= ASSUMED_HANDLERS;
	run_handler(number, site);
	self->signal_mask = old;
	errno = EINTR;
	return -1;
}

/* A signal that another thread sends may come just before the mask changes. */
static void take_before_change(uint64_t site)
{
	struct look look = {.set = ~rt_self()->signal_mask};
	int number;

	if (!rt_running() || !RT->channel->signal_is_event || rt_signals_alone())
		return;
	while ((number = look_once(&look, site)))
		run_handler(number, site);
}

static int change_mask(int how, const sigset_t *set, sigset_t *old, uint64_t site)
{
	struct rt_actor *self = rt_self();
	const uint64_t unblockable = bit_of(SIGKILL) | bit_of(SIGSTOP);

	if (set)
		take_before_change(site);
	if (old) {
		sigemptyset(old);
		*(uint64_t *)old = self->signal_mask;
	}
	if (!set)
		return 0;
	if (how == SIG_BLOCK)
		self->signal_mask |= mask_of(set);
	else if (how == SIG_UNBLOCK)
		self->signal_mask &= ~mask_of(set);
	else if (how == SIG_SETMASK)
		self->signal_mask = mask_of(set);
	else
		return EINVAL;
	self->signal_mask &= ~unblockable;
	return 0;
}

/* ---- the intercepted functions ---- */

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
	if (!target || target->state == RT_FINISHED)
		return rt_fail(ESRCH);
	if (number && !is_signal(number))
		return rt_fail(EINVAL);
	return send_to_thread((pthread_t)target->fs_base, number, RT_SITE);
}

INTERCEPT(int, pthread_sigmask, (int how, const sigset_t *set, sigset_t *old))
{
	if (!rt_active())
		return REAL(pthread_sigmask)(how, set, old);
	return change_mask(how, set, old, RT_SITE);
}

INTERCEPT(int, sigprocmask, (int how, const sigset_t *set, sigset_t *old))
{
	int error;

	if (!rt_active())
		return REAL(sigprocmask)(how, set, old);
	error = change_mask(how, set, old, RT_SITE);
	if (error)
		errno = error;
	return error ? -1 : 0;
}

INTERCEPT(int, sigwait, (const sigset_t *set, int *number))
{
	if (!rt_active())
		return REAL(sigwait)(set, number);
	*number = wait_for(mask_of(set), NULL, RT_SITE);
	return 0;
}

static int give_info(int number, siginfo_t *info)
{
	if (!number) {
		errno = EAGAIN;
		return -1;
	}
	if (info)
		*info = (siginfo_t){.si_signo = number, .si_code = SI_TKILL};
	return number;
}

INTERCEPT(int, sigwaitinfo, (const sigset_t *set, siginfo_t *info))
{
	if (!rt_active())
		return REAL(sigwaitinfo)(set, info);
	return give_info(wait_for(mask_of(set), NULL, RT_SITE), info);
}

INTERCEPT(int, sigtimedwait,
	  (const sigset_t *set, siginfo_t *info, const struct timespec *timeout))
{
	if (!rt_active())
		return REAL(sigtimedwait)(set, info, timeout);
	return give_info(wait_for(mask_of(set), timeout, RT_SITE), info);
}

INTERCEPT(int, sigsuspend, (const sigset_t *mask))
{
	if (!rt_active())
		return REAL(sigsuspend)(mask);
	return suspend(mask_of(mask), RT_SITE);
}

INTERCEPT(int, pause, (void))
{
	if (!rt_active())
		return REAL(pause)();
	return suspend(rt_self()->signal_mask, RT_SITE);
}

INTERCEPT(int, sigpending, (sigset_t *set))
{
	if (!rt_active())
		return REAL(sigpending)(set);
	sigemptyset(set);
	*(uint64_t *)set = pending_for(rt_self()) & rt_self()->signal_mask;
	return 0;
}
