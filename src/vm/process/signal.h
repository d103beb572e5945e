/* signal.h: what processes do to each other: messages, exit signals, links, monitors, aliases.
 *
 * Delivery is instant: when the sending step ends, the signal is in the receiver's queue. A message
 * goes straight to the mailbox as long as nothing waits before it; an exit signal is queued in
 * p->signals and *taken* by the receiver's own next step (signals_take), and what is sent after
 * it queues up behind it, so the order between two processes is kept.
 *
 * With vm->is_async only the order between two processes is kept: what an explored process sends
 * another (messages, exit signals, DOWN) goes to vm->transit, from where the driver takes it and
 * delivers it (signal_deliver) when it likes; a DOWN or exit signal whose monitor or link has been
 * taken back meanwhile is dropped then. Linking, watching and their opposites act at once.
 */
#ifndef VM_PROCESS_SIGNAL_H
#define VM_PROCESS_SIGNAL_H

#include "vm/process/relation.h"

/* Sends to a pid, name, {name, node}, alias or port. False: badarg. */
bool signal_send(struct process *from, term to, term content);
/* Puts a message into the receiver's queue. sender: a pid or A_system. */
void signal_message(struct process *to, term content, term sender);

/* Of a message in vm->transit, which it takes: brings it to its receiver, if there still is one. */
void signal_deliver(struct vm *vm, struct message *message);
/* Is it an exit signal, and would that end its receiver now, or would have when there was one? */
bool signal_is_exit(const struct message *message);
bool signal_is_down(const struct message *message);
bool signal_is_lethal(struct vm *vm, const struct message *message);
/* Does it go through an alias, or may it end one? */
bool signal_is_to_alias(const struct message *message);
/* Is it a DOWN that nobody wants any more? */
bool signal_is_stale(struct vm *vm, const struct message *message);
/* Whether what one sends the other is delivered apart. */
bool signal_goes_by_channel(struct vm *vm, term from, term to);

/* An exit signal; is_link: it came over a link (then normal is ignored, kill is not special). */
void signal_exit(struct vm *vm, term from, term to, term reason, bool is_link);
/* Handles what waits in p->signals: messages move to the mailbox, exit signals become messages
 * or end p (its ip then is the code that ends a process). */
void signals_take(struct process *p);
/* Handles those that do not end p; true when the next one would. */
bool signals_settle(struct process *p);

/* The pid at the other end of a monitor of p that this reference names, or TERM_NONE. */
term signal_monitored(struct process *p, term ref);

/* False when there is no such process (then noproc has been signalled if p traps). */
bool signal_link(struct process *p, term pid);
void signal_unlink(struct process *p, term pid);

/* Starts to watch; target is a pid or registered name. Returns the reference. */
term signal_monitor(struct process *p, term target, term tag, unsigned alias_flags);
/* True when there was such a monitor. is_step: others could tell that it came before the DOWN. */
bool signal_demonitor(struct process *p, term ref, bool is_step);

term signal_alias(struct process *p, unsigned alias_flags);
bool signal_unalias(struct process *p, term ref);

/* Dying: the relation whose signal is next, or NULL. Explored, their order does not depend on the
 * order in which they were made. */
struct relation *signal_exit_relation(const struct process *p);
/* One relation's signal; false when none is left. */
bool signal_exit_next(struct process *p, term reason);
/* What the next signal would say to whom it reaches: a new message, or NULL. */
struct message *signal_last_word(const struct process *p);

#endif
