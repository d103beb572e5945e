/* system.h: how far the work of system processes reaches.
 *
 * The steps of a system process belong to the step of the program that woke it (vm.c,
 * run_system_processes). The driver announces such a step before it knows what the system process
 * will do, so it must learn afterwards whether a system process ran, and whether that process did
 * anything to the rest of the program. A server that only answers the process that asked it
 * changes nothing but its own state.
 *
 * The group leader, ports, processes of the driver and the start of the system processes
 * themselves do not count here.
 */
#ifndef VM_PROCESS_SYSTEM_H
#define VM_PROCESS_SYSTEM_H

#include <stdbool.h>

#include "vm/process/effect.h"
#include "vm/process/process.h"

/* The work of a system process in one step of the program, as a set. */
enum system_work {
	SYSTEM_RAN = 1,
	SYSTEM_REACHED = 2, /* it did something to a process that does not take this step, or to data
			       that is not its own */
};

/* p, a system process under exploration, is about to run. */
void system_begin(struct process *p);

/* p, a system process under exploration, takes an operation of this effect. If it ends and has a
 * name, the run ends as not supported. */
void system_note(struct process *p, enum effect effect, const term *args, unsigned args_len);

#endif
