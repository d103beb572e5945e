/* signal.h: signals between processes: messages, exit signals, links, monitors, aliases.
 *
 * Delivery is instant: when the sending step ends, the signal is in the receiver's queue. A message
 * goes straight to the mailbox while p->signals is empty. An exit signal is queued in p->signals,
 * and the receiver's own next step *takes* it (signals_take). Later signals queue up behind it, so
 * that signals between two processes stay in order. So a link or monitor that comes after an exit
 * signal which ends the receiver is answered with noproc.
 *
 * The answer noproc is a signal of its own, and a demonitor may come before it. A process that is
 * dying or has just ended sends it. For a name that is not registered, the asking process puts it
 * into its own queue, where it stays until that process looks for messages. Under exploration both
 * wait in vm->transit: the sender of the first is the process that was asked for, the sender of the
 * second is the receiver itself.
 *
 * With vm->is_async, delivery is a step of its own: messages, exit signals, DOWN and requests to
 * link, to unlink or to monitor from an explored process to another go to vm->transit. The driver
 * takes them from there and delivers them (signal_deliver) at a time of its choice, keeping the
 * order between any two processes. A DOWN or exit signal whose monitor or link was removed before
 * is dropped then. So the other process need not hear that a monitor was removed, unless a process
 * asks who monitors it (vm->tells_demonitors): then the removal is a signal, too.
 */
#ifndef VM_PROCESS_SIGNAL_H
#define VM_PROCESS_SIGNAL_H

#include "vm/process/relation.h"

/* Sends to a pid, name, {name, node}, alias or port. False: badarg. */
bool signal_send(struct process *from, term to, term content);
/* The same; has_priority: as a message with priority, if the alias accepts such. */
bool signal_send_as(struct process *from, term to, term content, bool has_priority);
/* Puts a message into the receiver's queue. sender: a pid or A_system. */
void signal_message(struct process *to, term content, term sender);

/* Delivers a message that the driver took from vm->transit, if its receiver is still alive. Takes
 * the message. */
void signal_deliver(struct vm *vm, struct message *message);
/* Whether the message is an exit signal; a DOWN; an exit signal that would end its receiver, or
 * would have ended it, if the receiver is gone. has_trapped: a receiver that is gone trapped exits
 * when it ended. */
bool signal_is_exit(const struct message *message);
bool signal_is_down(const struct message *message);
/* Whether the message asks to make or to remove a link or a monitor; in words for reports. */
bool signal_is_tie(const struct message *message);
const char *signal_tie_words(const struct message *message);
bool signal_is_lethal(struct vm *vm, const struct message *message, bool has_trapped);
/* Whether the message was sent to an alias or may end an alias. */
bool signal_is_to_alias(const struct message *message);
/* Whether the message is a DOWN whose monitor was removed. */
bool signal_is_stale(struct vm *vm, const struct message *message);
/* Whether a signal between the two is delivered in a step of its own (see above). */
bool signal_goes_by_channel(struct vm *vm, term from, term to);

/* Returns a new message {'EXIT', From, Reason}. */
struct message *signal_make_exit(term from, term reason);
/* An exit signal; is_link: it came over a link (then normal is ignored, kill is not special). */
void signal_exit(struct vm *vm, term from, term to, term reason, bool is_link);
void signal_exit_as(struct vm *vm, term from, term to, term reason, bool is_link,
		    bool has_priority);
/* The same to the process of an alias, if the alias is active. */
void signal_exit_alias(struct process *from, term alias, term reason, bool has_priority);
/* Handles the queue p->signals: messages move to the mailbox, exit signals become messages or end p
 * (its ip is then the code that ends a process). */
void signals_take(struct process *p);
/* Handles the signals that do not end p; true when the next one would. */
bool signals_settle(struct process *p);

/* The pid at the other end of a monitor of p that this reference names, or TERM_NONE. */
term signal_monitored(struct process *p, term ref);
/* Whether the alias that this reference of p stands for ends with its monitor, or has ended so. */
bool signal_alias_goes(struct process *p, term ref);

/* The process that a signal sent now reaches; NULL when the process has ended, is dying, or was
 * ended by an exit signal. */
struct process *signal_find(struct vm *vm, term pid);
/* The same for p, which waits for the answer and takes in its messages meanwhile. It learns: if the other one was ended by an exit signal
 * and has not begun to die, its is_known_dead is set. */
struct process *signal_ask(struct process *p, term pid);
/* Not under exploration: whether p, which asks about another process (or NULL), must let that
 * process run first, because it has signals to take. */
bool signal_must_settle(const struct process *p, const struct process *of);

/* False when the process does not exist or is dying. True also when an exit signal has ended it:
 * then the answer noproc will come. */
bool signal_link(struct process *p, term pid);
/* The exit signal of the link, or of the monitor, that p has with this pid or by this reference
 * will have priority. */
void signal_prioritise_link(struct process *p, term pid, bool has_priority);
void signal_prioritise_monitor(struct process *p, term ref);
/* Puts the exit signal noproc of a link that could not be made into p's own queue. */
void signal_refuse_link(struct process *p, term pid);
void signal_unlink(struct process *p, term pid);
/* Links or monitors a new process, which has not got any signal yet. */
void signal_link_child(struct process *p, struct process *child);
term signal_monitor_child(struct process *p, struct process *child, term tag, unsigned alias_flags);

/* Starts a monitor; target is a pid or registered name. Returns the reference. */
term signal_monitor(struct process *p, term target, term tag, unsigned alias_flags);
/* True when the monitor existed. is_step: the caller is a visible step, see relation_let_go. */
bool signal_demonitor(struct process *p, term ref, bool is_step);

term signal_alias(struct process *p, unsigned alias_flags);
bool signal_unalias(struct process *p, term ref);

/* Of a dying process: the relation whose signal is next, or NULL. Under exploration the order does
 * not depend on the order in which the relations were made. */
struct relation *signal_exit_relation(const struct process *p);
/* Sends the signal of one relation; false when no relation is left. */
bool signal_exit_next(struct process *p, term reason);
/* Returns a new message with the content of the next signal, or NULL when it does not have any. */
struct message *signal_last_word(const struct process *p);

#endif
