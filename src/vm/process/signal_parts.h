/* signal_parts.h: functions that signal.c and monitor.c share. */
#ifndef VM_PROCESS_SIGNAL_PARTS_H
#define VM_PROCESS_SIGNAL_PARTS_H

#include "vm/process/signal.h"

/* Values of message.send_event. The content of an exit signal is {'EXIT', From, Reason}. */
enum {
	SIGNAL_MESSAGE = 0,
	SIGNAL_EXIT = 1,
	SIGNAL_EXIT_LINK = 2,
	SIGNAL_DOWN = 3, /* in transit only */
};

/* Puts the message into the receiver's mailbox or signal queue and wakes it. Takes the message. */
void signal_enqueue(struct process *to, struct message *message);
/* Leaves the message to the driver, which will deliver it to the pid `to`. Takes the message. */
void signal_put_in_transit(struct vm *vm, term to, struct message *message);
/* Returns a new message {'EXIT', From, Reason}. */
struct message *signal_make_exit(term from, term reason);

#endif
