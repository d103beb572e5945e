/* relation.h: links, monitors and aliases as data.
 *
 * A link or a monitor is a pair of struct relation, one in the list of each process, which point
 * at each other (peer). An alias without a monitor is one relation without a peer. A peer is
 * NULL when one of the two ends was removed before the other: its process died, or the other
 * process gave the relation up while it was dying (relation_let_go).
 *
 * A process with many relations has an index of them, a hash table by the other end of links and
 * by the reference of the others. An explored run does not use it.
 *
 * The signals that go through relations are in signal.h.
 */
#ifndef VM_PROCESS_RELATION_H
#define VM_PROCESS_RELATION_H

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
	ALIAS_PRIORITY = 16,       /* messages sent through it may have priority */
};

struct relation {
	struct relation *next;
	struct relation *prev;
	struct relation *peer; /* the other end, or NULL */
	struct relation *index_next; /* in the same bucket of the owner's index */
	struct process *owner;
	uint8_t kind;
	uint8_t alias; /* enum alias_flags; of a monitor, at both ends */
	uint8_t ref_flags;
	bool is_let_go; /* the process at the other end took a step to end the relation; of a
			 * monitor: its DOWN has come, or its alias was used */
	uint32_t lost_since; /* the step in which the process at the other end ceased to watch
			      * (vm.step), plus one, if it was not a step of its own; else 0 */
	bool is_over;      /* of a link: the exit signal of the other process has come */
	bool is_unlinking; /* of a link that was removed (is_let_go): by its owner, see link.c */
	uint32_t unlinks_sent; /* of a link: how often its owner removed it (--delivery async), */
	uint32_t unlinks_come; /* and how many removals by the other process have come */
	bool has_priority; /* the DOWN or exit signal that comes through it has priority */
	term other;       /* pid */
	term name;        /* name it was monitored by, or TERM_NONE */
	uint64_t ref_pid; /* the reference, unless a link */
	uint64_t ref_counter;
	term tag; /* of a monitor, at both ends: 'DOWN', or the Tag of {tag, Tag} */
	struct message *tag_message; /* holds the tag unless it is an immediate */
};

/* A new relation of p without a peer. */
struct relation *relation_add(struct process *p, enum relation_kind kind, term other);
/* Removes one end; the peer then has no peer. */
void relation_free(struct relation *relation);
/* Removes both ends. */
void relation_free_pair(struct relation *relation);
/* p begins to die: the list gets the order in which the real VM sends the news of its end: links
 * first, then monitors, each the oldest first. */
void relation_order_for_death(struct process *p);

/* Sets the reference of a monitor or alias, once. */
void relation_set_ref(struct relation *relation, uint64_t pid, uint64_t counter);
/* Frees the index of a process that has ended. */
void relation_index_release(struct process *p);

/* Makes two ends peers of each other. */
void relation_connect(struct relation *mine, struct relation *theirs);
/* Sets the tag of a monitor; a tag that is not an immediate is copied. */
void relation_set_tag(struct relation *relation, term tag);

/* A relation of p, or NULL: the link to pid of which both ends exist; the link to pid whose other
 * end has sent its exit signal already; the monitor or alias with this reference. */
struct relation *relation_find_link(struct process *p, term pid);
struct relation *relation_find_half_link(struct process *p, term pid);
/* The end that p has of a link to pid, also of one that was removed (--delivery async: link.c). */
struct relation *relation_find_end(struct process *p, term pid);
/* Whether this link exists for its owner. */
bool relation_is_link(const struct relation *link);
struct relation *relation_find_ref(struct process *p, term ref);
struct relation *relation_find(struct process *p, uint64_t ref_pid, uint64_t ref_counter);

/* Parts the two ends of a monitor whose DOWN has not come yet, or of a link to a process that has
 * begun to end; the caller then removes `mine`. Under exploration the other end stays, because a
 * dying process must take the same steps whether the relation was given up before or not.
 * With is_step, giving the relation up was a step of its own, so the other end sends nothing. */
void relation_let_go(struct relation *mine, bool is_step);

/* Ends a relation because of a step of the other process. Under exploration it stays in the list of
 * its owner without meaning (is_let_go), for the same reason as above; else it is removed. */
void relation_retire(struct relation *relation);

/* Whether it is a monitor whose DOWN can still come. relation may be NULL. */
bool relation_is_monitor(const struct relation *relation);
/* Removes the monitor, or keeps it as an alias only. */
void relation_end_monitor(struct relation *monitor);
/* The DOWN has come: ends the monitor; under exploration by relation_retire. */
void relation_fulfil_monitor(struct relation *monitor);

#endif
