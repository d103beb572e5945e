/* signal.h: what processes do to each other: messages, exit signals, links, monitors, aliases.
 *
 * Delivery is instant: when the sending step ends, the signal is in the receiver's queue. A message
 * goes straight to the mailbox as long as nothing waits before it; an exit signal is queued in
 * p->signals and *taken* by the receiver's own next step (signals_take), and what is sent after
 * it queues up behind it, so the order between two processes is kept: a link or monitor that comes
 * after an exit signal that ends the receiver finds nobody.
 *
 * The answer noproc is a signal of its own, and a demonitor may come before it. A process that is
 * dying, or has just gone, sends it late. For a name that no process has, the caller puts the answer
 * into its own queue, where it lies until the caller looks for messages. Explored, both wait in
 * vm->transit: the sender of the first is the process asked for, of the second the receiver itself.
 *
 * With vm->is_async only the order between two processes is kept: what an explored process sends
 * another (messages, exit signals, DOWN, requests to link or to watch) goes to vm->transit, from
 * where the driver takes it and delivers it (signal_deliver) when it likes; a DOWN or exit signal
 * whose monitor or link has been taken back meanwhile is dropped then. Unlinking and ceasing to
 * watch act at once.
 *
 * Links and monitors are struct relations, one at each end, pointing at each other.
 */
#ifndef VM_PROCESS_SIGNAL_H
#define VM_PROCESS_SIGNAL_H

#include "vm/process/process.h"

enum relation_kind {
	RELATION_LINK,
	RELATION_MONITOR,   /* I watch other */
	RELATION_MONITORED, /* other watches me */
	RELATION_ALIAS,     /* an active alias of mine without monitor */
};

enum alias_flags {
	ALIAS_ACTIVE = 1,
	ALIAS_REPLY = 2,           /* ends with the first message through it */
	ALIAS_REPLY_DEMONITOR = 4, /* and takes the monitor with it */
	ALIAS_DEMONITOR = 8,       /* {alias, demonitor}: ends with the monitor */
};

struct relation {
	struct relation *next;
	struct relation *prev;
	struct relation *peer; /* the other end, or NULL */
	struct process *owner;
	uint8_t kind;
	uint8_t alias; /* enum alias_flags; of a monitor, at both ends */
	uint8_t ref_flags;
	bool is_let_go; /* the other one, linked or watching, took a step to end it; of a monitor:
			 * its DOWN has come, or the alias with it was used */
	term other;       /* pid */
	term name;        /* name it was monitored by, or TERM_NONE */
	uint64_t ref_pid; /* the reference, unless a link */
	uint64_t ref_counter;
	term tag; /* of a monitor, at both ends: 'DOWN', or what {tag, Tag} says */
	struct message *tag_message; /* holds a tag that is no immediate */
};

/* Sends to a pid, name, {name, node}, alias or port. False: badarg. */
bool signal_send(struct process *from, term to, term content);
/* Puts a message into the receiver's queue. sender: a pid or A_system. */
void signal_message(struct process *to, term content, term sender);

/* Of a message in vm->transit, which it takes: brings it to its receiver, if there still is one. */
void signal_deliver(struct vm *vm, struct message *message);
/* Is it an exit signal, and would that end its receiver now, or would have when there was one? */
bool signal_is_exit(const struct message *message);
bool signal_is_down(const struct message *message);
/* Is it a request to link or to watch? */
bool signal_is_tie(const struct message *message);
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
/* Does the alias that this reference of p is go with its monitor, or has it gone with it? */
bool signal_alias_goes(struct process *p, term ref);

/* The process that a signal sent now reaches; NULL when it is gone, is dying, or an exit signal has
 * ended it. */
struct process *signal_find(struct vm *vm, term pid);
/* Not explored: must p, which wants an answer of another process (or NULL), let it run first,
 * because that has signals to take? */
bool signal_must_settle(const struct process *p, const struct process *of);

/* False when there is no such process. True also when there is one that an exit signal has ended:
 * then it answers noproc. */
bool signal_link(struct process *p, term pid);
/* The exit signal noproc of a link that could not be made, from p to itself. */
void signal_refuse_link(struct process *p, term pid);
void signal_unlink(struct process *p, term pid);
/* With a new process, which has got no signal yet. */
void signal_link_child(struct process *p, struct process *child);
term signal_monitor_child(struct process *p, struct process *child, term tag, unsigned alias_flags);

/* Starts to watch; target is a pid or registered name. Returns the reference. */
term signal_monitor(struct process *p, term target, term tag, unsigned alias_flags);
/* True when there was such a monitor. is_step: others could tell that it came before the DOWN. */
bool signal_demonitor(struct process *p, term ref, bool is_step);

/* Flags of an alias option: explicit_unalias, demonitor, reply_demonitor. */
bool signal_read_alias(term kind, unsigned *flags);
term signal_alias(struct process *p, unsigned alias_flags);
bool signal_unalias(struct process *p, term ref);

/* Dying: the relation whose signal is next, or NULL. Explored, their order does not depend on the
 * order in which they were made. */
struct relation *signal_exit_relation(const struct process *p);
/* One relation's signal; false when none is left. */
bool signal_exit_next(struct process *p, term reason);
/* What the next signal would say to whom it reaches: a new message, or NULL. */
struct message *signal_last_word(const struct process *p);

/* The messages of p (after taking signals that came before them) for process_info. */
void relation_free(struct relation *relation);

#endif
