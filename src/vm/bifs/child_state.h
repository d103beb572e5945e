/* child_state.h: asks the kernel whether a program outside waits for its input. */
#ifndef VM_BIFS_CHILD_STATE_H
#define VM_BIFS_CHILD_STATE_H

#include <stdbool.h>
#include <sys/types.h>

/* Whether the pipe of which `to` is the end to write is empty, and a process of this group is in a
 * system call that waits for it. False where /proc cannot be read. */
bool child_state_waits(pid_t group, int to);

#endif
