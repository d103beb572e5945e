/* child.h: programs outside, which open_port and os:cmd start with --allow-io.
 *
 * A child is a process group with a pipe to its input and a pipe from its output. It lives outside
 * the region, so a restore cannot put it back: child_end_all ends all of them before a run and
 * after it, and a state in which one is alive is not kept (child_is_any). A program holds a
 * child by a number that is not used again; a number from before a restore is refused.
 *
 * Virtual time stands still while a child works. child_read waits until the child writes, ends, or
 * waits for input itself, so all that a child does belongs to the step that gave it its input:
 *
 *     open_port({spawn, "cat"}, [])     cat waits for input: the step ends
 *     port_command(Port, "hello")       cat writes hello and waits again: the step ends
 *
 * Whether a child waits for input is read from /proc: one process of its group is in a read of
 * the pipe, or in a poll while the pipe is its standard input, and the pipe is empty. A child that
 * does nothing of all this for CHILD_PATIENCE_MS ends the run as not supported.
 */
#ifndef VM_BIFS_CHILD_H
#define VM_BIFS_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"

enum { CHILD_PATIENCE_MS = 20000 };

struct child {
	uint64_t number;
	pid_t pid;
	int to;   /* its input, or -1 */
	int from; /* its output, or -1 */
	bool has_ended;
	int status; /* of waitpid, when it has ended */
};

/* The part of a machine (machine.h) that belongs to programs outside. */
struct children {
	VEC(struct child) all;
	uint64_t count; /* of all that were ever started */
};

/* Ends every child and its process group, and waits for them. */
void child_end_all(void);
/* Whether one was started and not closed. */
bool child_is_any(void);

#endif
