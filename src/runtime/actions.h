/* actions.h: the actions that the program has set for its signals.
 *
 * The kernel keeps them, and it knows nothing of runs, so an action that a run has changed is set
 * back when the next run begins. Some signals are the runtime's own: it learns of written pages by
 * SIGSEGV and of crashes by all of them. Their handler stays the runtime's, and the action that the
 * program asks for is only remembered. Test frameworks set an action for all of these signals
 * around each test, to print the name of the test that crashed; here the run ends with a finding
 * instead.
 */
#ifndef RUNTIME_ACTIONS_H
#define RUNTIME_ACTIONS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

enum { RT_SIGNALS = 65, RT_OWN_SIGNALS = 8 };

struct rt_actions {
	struct sigaction own[RT_OWN_SIGNALS];  /* by the place in the list of own signals */
	struct sigaction before[RT_SIGNALS];   /* by number: as it was when the run began */
	uint64_t changed;                      /* bit number - 1: `before` is valid */
	volatile bool *trial;                  /* for the answer of mend.h, while a handler is tried */
};

/* The action that the program has set for the signal. */
struct sigaction rt_action_of(int number);

/* The default action takes the place of the handler, which SA_RESETHAND lets run once only. */
void rt_action_reset(int number, uint64_t site);

/* Sets back what the last run has changed. */
void rt_actions_restore(void);

#endif
