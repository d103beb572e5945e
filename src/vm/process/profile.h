/* profile.h: erlang:system_profile/2: a process gets messages about when other processes can run
 * and when they wait.
 *
 * A process is active from the moment when something wakes it until it waits, is suspended or ends;
 * a pause between two turns, in which others run, does not count. The one scheduler becomes
 * inactive when no process can run, and active when the clock has moved. Ports have their work done
 * at once, so that they are never in a queue. Never in a search: bifs/system_profile.c refuses it.
 */
#ifndef VM_PROCESS_PROFILE_H
#define VM_PROCESS_PROFILE_H

#include "vm/process/process.h"

/* These do nothing about p if it is the profiler itself or not profiled. The first two know whether p
 * was active before. */
void profile_active(struct process *p);
void profile_inactive(struct process *p);
/* The process with this pid has ended; TERM_NONE for one of the system. */
void profile_ended(struct vm *vm, term pid);
void profile_idle(struct vm *vm, bool is_idle);

#endif
