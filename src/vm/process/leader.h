/* leader.h: the group leader, which answers io requests and prints the text.
 *
 * It is a process with a pid, so programs may monitor it and send to it, but it is native: its
 * code is two instructions of the VM. The function leader_take handles messages until the
 * mailbox is empty or until a request names a function that makes the text (io:format does).
 * Then that function is called, and leader_reply prints its result. Frame: y0 catch, y1 From, y2
 * ReplyAs.
 */
#ifndef VM_PROCESS_LEADER_H
#define VM_PROCESS_LEADER_H

#include "vm/process/process.h"

/* Makes the group leader (registered as user) and standard_error. */
void leader_open(struct vm *vm);

/* The part of a machine (machine.h) that belongs to the group leader. */
struct leader_output {
	void (*write)(void *ctx, int stream, const char *text, size_t len);
	void *ctx;
};

/* `write` gets all text, with stream 1 or 2. NULL: the text goes to stdout and stderr. This is a
 * setting of the machine: a restore does not change it. */
void leader_set_output(void (*write)(void *ctx, int stream, const char *text, size_t len),
		       void *ctx);
void leader_flush(void);
void leader_write(int stream, const char *text, size_t len);

bool leader_take(struct process *p);
void leader_reply(struct process *p, term chars);

#endif
