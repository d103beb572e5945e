/* signal_parts.h: functions that signal.c, link.c, monitor.c and transit.c share. */
#ifndef VM_PROCESS_SIGNAL_PARTS_H
#define VM_PROCESS_SIGNAL_PARTS_H

#include "vm/process/signal.h"

/* Values of message.send_event. The content of an exit signal is {'EXIT', From, Reason}; a request
 * to link or to monitor carries the answer noproc as its content. */
enum {
	SIGNAL_MESSAGE = 0,
	SIGNAL_EXIT = 1,
	SIGNAL_EXIT_LINK = 2,
	SIGNAL_DOWN = 3, /* this and the following in transit only */
	SIGNAL_LINK = 4,
	SIGNAL_MONITOR = 5,
	SIGNAL_UNLINK = 6, /* this and the following without content */
	SIGNAL_DEMONITOR = 7,
};

/* Puts the message into the receiver's mailbox or signal queue and wakes it. Takes the message. */
void signal_enqueue(struct process *to, struct message *message);
/* The same for a message to an alias of `to`, if the alias is active. Takes the message. */
void signal_enqueue_by_alias(struct process *to, struct message *message);
/* Leaves the message to the driver, which will deliver it to the pid `to`. Takes the message. */
void signal_put_in_transit(struct vm *vm, term to, struct message *message);

/* Whether this exit signal would end p. */
bool signal_would_end(const struct process *p, const struct message *message);
/* Whether an exit signal has ended p or will when p takes it; signals that come later do not reach
 * p. Takes the signals before it. */
bool signal_is_doomed(struct process *p);
/* Whether a signal that `from` sends now reaches p alive. */
bool signal_is_reached(struct process *p, const struct process *from);

/* Sends noproc to p under exploration. from: a pid, or TERM_NONE for a name that is not
 * registered. Takes the message. */
void signal_answer_noproc(struct process *p, term from, struct message *message);
/* Sends a request to link, to unlink or to monitor. Its content is the answer noproc ({'EXIT', ...}
 * or {'DOWN', ...}), in case the receiver has ended. Takes the message. */
void signal_request_tie(struct process *p, term pid, struct message *message, uint64_t signal);
/* A request has come to `to`, which is alive. */
void signal_accept_monitor(struct process *to, const struct message *request);
void signal_accept_demonitor(struct process *to, const struct message *request);
void signal_accept_link(struct process *to, const struct message *request);
void signal_accept_unlink(struct process *to, const struct message *request);

/* The monitor ends, because its owner ends it, or because of a message to its alias. is_step: a
 * visible step ends it, see relation_let_go. */
void signal_unwatch(struct relation *mine, bool is_step);

#endif
