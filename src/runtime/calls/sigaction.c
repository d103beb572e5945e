/* sigaction.c: actions of signals (runtime/actions.h). */
#include <errno.h>

#include "runtime/actions.h"
#include "runtime/calls/arguments.h"
#include "runtime/intercept.h"
#include "runtime/rt.h"

static const int own_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS,
				  CHANNEL_SILENCE_SIGNAL};

_Static_assert(sizeof(own_signals) / sizeof(own_signals[0]) <= RT_OWN_SIGNALS, "one row for each");

/* The remembered action of a signal that is the runtime's own; NULL if it is the program's. */
static struct sigaction *own_action(int number)
{
	for (size_t i = 0; i < sizeof(own_signals) / sizeof(own_signals[0]); i++)
		if (own_signals[i] == number)
			return &RT->actions.own[i];
	return NULL;
}

struct sigaction rt_action_of(int number)
{
	struct sigaction action = {.sa_handler = SIG_DFL};

	if (own_action(number))
		return *own_action(number);
	REAL(sigaction)(number, NULL, &action);
	return action;
}

/* ---- putting back ---- */

static void note_change(int number)
{
	uint64_t bit = number > 0 && number < RT_SIGNALS ? (uint64_t)1 << (number - 1) : 0;

	if (!bit || !rt_running() || RT->actions.changed & bit)
		return;
	RT->actions.before[number] = rt_action_of(number);
	RT->actions.changed |= bit;
}

void rt_actions_restore(void)
{
	while (RT->actions.changed) {
		int number = __builtin_ctzll(RT->actions.changed) + 1;

		if (own_action(number))
			*own_action(number) = RT->actions.before[number];
		else
			REAL(sigaction)(number, &RT->actions.before[number], NULL);
		RT->actions.changed &= RT->actions.changed - 1;
	}
}

bool rt_signals_alone(void)
{
	for (uint32_t i = 0; i < RT->actors_high; i++) {
		const struct rt_actor *actor = &RT->actors[i];

		if (actor != rt_self() && actor->state != RT_FREE && !actor->owner && !actor->joined)
			return false;
	}
	return true;
}

/* ---- calls ---- */

/* The effect of a signal depends on whether it came before the change of its action, and such changes
 * are not steps. */
static void note_handler(int number, __sighandler_t handler, uint64_t site)
{
	struct sigaction was = rt_action_of(number);

	if (rt_running() && !rt_signals_alone() && was.sa_handler != handler)
		rt_warn_uncontrolled_at("the action of a signal that changes beside other threads", site);
	if (number == SIGALRM && RT->alarm_ns)
		rt_warn_ringer("alarm", "alarm with a handler for SIGALRM");
}

void rt_action_reset(int number, uint64_t site)
{
	struct sigaction action = rt_action_of(number), *own = own_action(number);

	note_change(number);
	note_handler(number, SIG_DFL, site);
	action.sa_handler = SIG_DFL;
	if (own)
		*own = action;
	else
		REAL(sigaction)(number, &action, NULL);
}

INTERCEPT(int, sigaction,
	  (int number, const struct sigaction *restrict action, struct sigaction *restrict old))
{
	struct sigaction *own, was;

	if (!rt_active())
		return REAL(sigaction)(number, action, old);
	rt_reads(action, sizeof(*action), RT_SITE);
	rt_writes(old, sizeof(*old), RT_SITE);
	if (action) {
		note_change(number);
		note_handler(number, action->sa_handler, RT_SITE);
	}
	own = own_action(number);
	if (!own)
		return REAL(sigaction)(number, action, old);
	was = *own;
	if (action)
		*own = *action;
	if (old)
		*old = was;
	return 0;
}

INTERCEPT(__sighandler_t, signal, (int number, __sighandler_t handler))
{
	struct sigaction *own;
	__sighandler_t was;

	if (!rt_active())
		return REAL(signal)(number, handler);
	note_change(number);
	note_handler(number, handler, RT_SITE);
	own = own_action(number);
	if (!own)
		return REAL(signal)(number, handler);
	was = own->sa_handler;
	*own = (struct sigaction){.sa_handler = handler, .sa_flags = SA_RESTART};
	return was;
}

/* Handlers run on the stack of their thread; ours for crashes stays. */
INTERCEPT(int, sigaltstack, (const stack_t *stack, stack_t *old))
{
	if (!rt_active())
		return REAL(sigaltstack)(stack, old);
	rt_reads(stack, sizeof(*stack), RT_SITE);
	rt_writes(old, sizeof(*old), RT_SITE);
	if (old)
		*old = (stack_t){.ss_flags = SS_DISABLE};
	return 0;
}
