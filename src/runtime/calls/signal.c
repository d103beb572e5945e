/* signal.c: signals that meet the threads of the program, and the masks that block them.
 *
 * Sending is a step (signal_send.c). Once a program was seen to send signals (channel:
 * signal_is_event) each step of a thread also looks for the signals that the thread does not
 * block. The step is then possible also when only a signal is there. In that case it is not taken:
 * the handler runs on the thread's stack, and the step is announced again. So a handler runs
 * before any step. The kernel may be later than that, which the verdict names (ASSUMED_HANDLERS).
 * Interrupted calls are restarted: only calls that wait for signals return EINTR. A call that
 * would really return EINTR is named as not modelled.
 *
 * A handler may really run between any two instructions. So the memory that handlers touch is
 * marked (channel_mark_racy): every access to it is then a step, before which a handler may run.
 * That holds of the thread's own memory, too: of its thread-local variables, errno among them, and
 * of local variables of the functions that were interrupted.
 *
 * Masks and pending signals are kept in the threads; the kernel's are not touched. */
#include "runtime/calls/signal.h"

#include "runtime/actions.h"
#include "runtime/calls/sync.h"
#include "runtime/intercept.h"
#include "runtime/seen.h"

bool rt_signal_is_ignored(int number, const struct sigaction *action)
{
	if (action->sa_handler == SIG_IGN)
		return true;
	return action->sa_handler == SIG_DFL && (number == SIGCHLD || number == SIGURG ||
						 number == SIGWINCH || number == SIGCONT);
}

/* ---- taking ---- */

/* Takes the lowest pending signal of a set; 0 if none of them is pending. *whose gets the set that
 * it was taken from: the actor's own, or RT_SIGNALS_PROCESS. */
static int take_from(struct rt_actor *self, uint64_t set, uint32_t *whose)
{
	uint64_t found = rt_signals_pending(self) & set;
	int number = found ? __builtin_ctzll(found) + 1 : 0;

	if (!number)
		return 0;
	*whose = self->signals & rt_signal_bit(number) ? self->index : RT_SIGNALS_PROCESS;
	if (*whose == RT_SIGNALS_PROCESS)
		RT->main->process_signals &= ~rt_signal_bit(number);
	else
		self->signals &= ~rt_signal_bit(number);
	return number;
}

/* A program that is stopped waits for SIGCONT from outside, and the tool sends none. */
void rt_signal_refuse_stop(int number)
{
	if (number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU)
		rt_lost("stopping the program by signal %d is not supported", number);
}

void rt_signal_die(int number, uint64_t site)
{
	bool was_once = rt_action_of(number).sa_flags & SA_RESETHAND;
	char message[128];

	rt_signal_refuse_stop(number);
	rt_print(message, sizeof(message), "signal %d was sent and is not handled%s", number,
		 was_once ? ": by SA_RESETHAND its handler runs only once" : "");
	rt_end_run(number == SIGABRT ? EVENT_ABORT : EVENT_CRASH, number, 0, site, message);
}

/* Runs the handler. The C library's writes to errno have no hook: a change is a write at the end.
 */
static void call_handler(struct rt_actor *self, int number, const struct sigaction *action,
			 uint64_t site)
{
	const char *base = self->handler_base;
	siginfo_t info = {.si_signo = number, .si_code = SI_TKILL};
	int before = errno, after;

	self->handlers++;
	self->handler_base = __builtin_frame_address(0);
	rt_seen_begin();
	if (action->sa_flags & SA_SIGINFO)
		action->sa_sigaction(number, &info, NULL);
	else
		action->sa_handler(number);
	after = errno;
	if (after != before)
		rt_writes(&errno, sizeof(errno), site);
	errno = after;
	rt_seen_begin();
	self->handler_base = base;
	self->handlers--;
}

void rt_signal_handle(int number, uint64_t site)
{
	struct rt_actor *self = rt_self();
	uint64_t mask = self->signal_mask;
	struct sigaction action = rt_action_of(number);
	int error = errno;

	if (rt_signal_is_ignored(number, &action))
		return;
	if (action.sa_handler == SIG_DFL)
		rt_signal_die(number, site);
	rt_turn_wrote(); /* the step is announced again afterwards, which is not a loop */
	if (action.sa_flags & SA_RESETHAND && number != SIGILL && number != SIGTRAP)
		rt_action_reset(number, site);
	if (!self->handlers)
		self->mask_outside = mask;
	self->signal_mask |= rt_signals_of(&action.sa_mask);
	if (!(action.sa_flags & SA_NODEFER))
		self->signal_mask |= rt_signal_bit(number);
	errno = error;
	call_handler(self, number, &action, site);
	self->signal_mask = mask;
}

void rt_signal_jump(uint64_t site)
{
	struct rt_actor *self = rt_self();

	if (!self->handlers)
		return;
	rt_warn_uncontrolled_at("a jump out of a signal handler", site);
	self->handlers = 0;
	self->signal_mask = self->mask_outside;
}

static bool can_look(struct rt_actor *actor, void *thing)
{
	const struct rt_look *look = thing;

	return rt_signals_pending(actor) & look->set || !look->can || look->can(actor, look->thing);
}

uint32_t rt_signals_count(uint64_t set)
{
	if (!rt_signals_are_apart())
		return set ? 2 : 0;
	return (uint32_t)(__builtin_popcountll(set & RT->channel->signals_sent) +
			  __builtin_popcountll(set & RT->channel->signals_to_all));
}

static void add_each(struct event *event, uint64_t set, uint32_t whose, enum access_mode mode)
{
	for (; set; set &= set - 1)
		rt_access_object(event, rt_signals_object(whose, __builtin_ctzll(set) + 1), mode);
}

void rt_signals_add(struct event *event, uint64_t set, enum access_mode mode)
{
	uint32_t self = rt_self()->index;

	if (rt_signals_are_apart()) {
		add_each(event, set & RT->channel->signals_sent, self, mode);
		add_each(event, set & RT->channel->signals_to_all, RT_SIGNALS_PROCESS, mode);
	} else if (set) {
		rt_access_object(event, rt_signals_object(self, 0), mode);
		rt_access_object(event, rt_signals_object(RT_SIGNALS_PROCESS, 0), mode);
	}
}

static bool is_of_set(uint64_t object)
{
	uint64_t whose = OBJECT_NAME_OF(object) % (8 * RT_MAX_ACTORS);

	return OBJECT_CLASS(object) == OBJECT_SIGNALS && whose > RT_MAX_ACTORS &&
	       whose <= 2 * RT_MAX_ACTORS + 1;
}

struct event *rt_signals_look(const struct event *event, struct rt_look *look)
{
	struct rt_actor *self = rt_self();
	struct event *did;

	self->looking = true;
	did = rt_step(event, look->can ? can_look : NULL, look);
	self->looking = false;
	return did;
}

/* Of the sets of signals it takes from one at most, and it needs no event that added to the other
 * one. */
int rt_signals_take(struct event *did, const struct rt_look *look, uint8_t from)
{
	struct rt_actor *self = rt_self();
	bool waited = look->can && !look->can(self, look->thing);
	uint32_t whose = 0;
	int number = take_from(self, look->set, &whose);

	for (uint8_t a = 0; a < did->access_len; a++)
		if (number && a < from)
			did->accesses[a].mode = ACCESS_READ;
		else if (a >= from && is_of_set(did->accesses[a].object) &&
			 !(number && did->accesses[a].object == rt_signals_object(whose, number)))
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

/* A join that met a signal does not need the end of the other thread, but that end may come before
 * the signal: then the join may, too. */
static void interrupt_join(struct event *did)
{
	event_clear_peer(did);
	rt_thread_observe_end();
}

struct event *rt_signals_step(const struct event *event, rt_can *can, void *thing)
{
	struct rt_actor *self = rt_self();
	struct rt_look look = {can, thing, 0};

	for (;;) {
		struct event with = *event;
		bool ends = with.access_len && with.accesses[0].mode == ACCESS_WORLD;
		struct event *did;
		uint8_t own;
		int number;

		if (with.kind == EVENT_COND_WAKE && !self->waiting_on)
			rt_cond_left(&with);
		own = with.access_len;
		look.set = ~self->signal_mask;
		if (with.access_len + rt_signals_count(look.set) > event_room(&with)) {
			rt_warn_uncontrolled_at("a signal before a step on several objects",
						with.site);
			look.set = 0;
		}
		if (ends)
			look.set = 0;
		rt_signals_add(&with, look.set, ACCESS_TAKE);
		did = rt_signals_look(&with, &look);
		/* A timer may have taken accesses of its own away meanwhile, none of signals. */
		number = rt_signals_take(did, &look,
					 (uint8_t)(own - (with.access_len - did->access_len)));
		if (number || self->handlers)
			rt_withdraw_and_stay(self);
		if (!number)
			return did;
		if (can) /* waiting or not: the two are one class */
			check_interrupted(event, number);
		if (event->kind == EVENT_JOIN)
			interrupt_join(did);
		RT->channel->assumed |= ASSUMED_HANDLERS;
		rt_signal_handle(number, event->site);
	}
}

/* ---- masks ---- */

/* A step that is nothing but looking: the signal taken, or 0. */
static int look_once(struct rt_look *look, uint64_t site)
{
	struct event event = rt_event(EVENT_SIGNAL_TAKE, site);
	struct event *did;
	int number;

	rt_signals_add(&event, look->set, ACCESS_TAKE);
	did = rt_signals_look(&event, look);
	number = rt_signals_take(did, look, 0);
	did->value = (uint64_t)number;
	return number;
}

/* Can another thread send a signal meanwhile? */
static bool is_beside_senders(void)
{
	return rt_running() && RT->channel->signal_is_event && !rt_signals_alone();
}

/* A signal that another thread sends may come just before the mask changes. */
static void take_before_change(uint64_t site)
{
	struct rt_look look = {.set = ~rt_self()->signal_mask};
	int number;

	while (is_beside_senders() && (number = look_once(&look, site)))
		rt_signal_handle(number, site);
}

/* A signal that the thread sent to itself while it was blocked. One that others have sent comes
 * before the next step. */
static void take_unblocked(uint64_t site)
{
	uint32_t whose;
	int number;

	while (!is_beside_senders() &&
	       (number = take_from(rt_self(), ~rt_self()->signal_mask, &whose)))
		rt_signal_handle(number, site);
}

static int change_mask(int how, const sigset_t *set, sigset_t *old, uint64_t site)
{
	struct rt_actor *self = rt_self();
	const uint64_t unblockable = rt_signal_bit(SIGKILL) | rt_signal_bit(SIGSTOP);

	rt_reads(set, sizeof(uint64_t), site);
	if (set)
		take_before_change(site);
	if (old) {
		rt_writes(old, sizeof(uint64_t), site);
		sigemptyset(old);
		*(uint64_t *)old = self->signal_mask;
	}
	if (!set)
		return 0;
	if (how == SIG_BLOCK)
		self->signal_mask |= rt_signals_of(set);
	else if (how == SIG_UNBLOCK)
		self->signal_mask &= ~rt_signals_of(set);
	else if (how == SIG_SETMASK)
		self->signal_mask = rt_signals_of(set);
	else
		return EINVAL;
	self->signal_mask &= ~unblockable;
	take_unblocked(site);
	return 0;
}

/* ---- who would take a signal ---- */

/* The signals that the next step of a thread would take. */
static uint64_t taken_next(const struct rt_actor *actor)
{
	if (!rt_signals_can_meet(actor))
		return 0;
	return actor->state == RT_ANNOUNCED && actor->can == can_look
		       ? ((const struct rt_look *)actor->thing)->set
		       : ~actor->signal_mask;
}

bool rt_signals_were_open(uint64_t pending, uint32_t whose, int number)
{
	if (rt_signals_are_apart())
		return pending & rt_signal_bit(number);
	if (whose != RT_SIGNALS_PROCESS)
		return pending & taken_next(&RT->actors[whose]);
	for (uint32_t i = 0; i < RT->actors_high; i++)
		if (pending & taken_next(&RT->actors[i]))
			return true;
	return false;
}

/* ---- the intercepted functions ---- */

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
