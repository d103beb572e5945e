/* suspend.h: processes that keep others from running.
 *
 * A suspended process does not take steps until every process that suspended it has resumed it as
 * often as it suspended it. The end of a process resumes those that it still suspends, behind the
 * exit signals of its links and before the news for the processes that monitor it: a process that
 * gets a DOWN message finds them resumed. Under exploration each of these is a step of the dying
 * process, also if the suspended process has ended meanwhile.
 */
#ifndef VM_PROCESS_SUSPEND_H
#define VM_PROCESS_SUSPEND_H

#include "vm/process/process.h"

/* One process that another one suspends, in the list of the latter. */
struct suspension {
	struct suspension *next;
	term other;     /* pid */
	uint32_t count; /* how often it must be resumed */
};

/* The entry of p for that process, or NULL. */
struct suspension *suspension_find(struct process *p, term other);

/* p suspends the other process, which is alive and not p. False: too often. */
bool process_suspend(struct process *p, struct process *other);

/* Takes one suspending back. False: p does not suspend that process, or it has ended. */
bool process_resume(struct process *p, term other);

/* Of a dying process: the next one that it resumes, or NULL: there is none, or an exit signal of a
 * link comes first. */
const struct suspension *suspension_at_exit(const struct process *p);

/* Resumes it. */
void suspension_end_first(struct process *p);

#endif
