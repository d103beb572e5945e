/* announce_parts.h: functions that the files of announce share.
 *
 * announce_signal.c  processes, messages, names, links
 * announce_exit.c    the end of a process
 * announce_table.c   ETS tables, persistent terms, atomics
 * announce_keys.c    the keys of a table that an operation names
 *
 * Each function fills kind and accesses of an event that announce_step has cleared, and returns
 * whether another process could notice the step. An event has room for EVENT_ACCESSES accesses, of
 * which announce_mark may need two; an event without that room conflicts with everything.
 */
#ifndef BEAM_ANNOUNCE_PARTS_H
#define BEAM_ANNOUNCE_PARTS_H

#include "beam/announce.h"

struct access *announce_add(struct event *event, uint64_t object, enum access_mode mode);
/* An event that conflicts with everything; true. */
bool announce_world(enum event_kind kind, struct event *event);

/* Makes the event one that depends on every other. If the event waited until the signals of its
 * process have arrived, or looked at the messages of another process, it still does. An event that
 * depends on two messages does not show their order, and one that looks at them does.
 * Test: tests/explore/found/asked_while_suspended.erl. */
void announce_widen(struct event *event);

/* Sends, links, monitors, exit signals; one step of dying; names; looking at another process,
 * holding or changing it. */
bool announce_signal(struct objects *objects, struct process *p, struct event *event);
bool announce_exit(struct objects *objects, struct process *p, struct event *event);
void announce_registry(struct objects *objects, struct process *p, struct event *event);
bool announce_inspect(struct objects *objects, struct process *p, struct event *event);
bool announce_other(struct objects *objects, struct process *p, struct event *event);
bool announce_own_flag(struct objects *objects, struct process *p, struct event *event);
bool announce_register_fails(struct process *p);
bool announce_link_is_made(struct process *p);

/* Makes a link or monitor to another process: that matters to its end, and to processes that
 * look at its links and monitors. */
void announce_add_tie(struct objects *objects, struct event *event, term pid);

/* A suspended process takes no step until it is resumed: suspending it takes a lock, which several
 * processes may share and each of its own steps needs alone. Suspending never waits. A signal can
 * end a suspended process, and suspending and resuming fail after that. Questions whose answers
 * show the suspension depend on every other step, because they have no room for the lock of their
 * process. */
bool announce_hold(struct objects *objects, struct process *p, term pid, enum access_mode mode,
		   struct event *event);

bool announce_ets(struct objects *objects, struct process *p, struct event *event);
bool announce_term(struct objects *objects, struct process *p, struct event *event);
void announce_ets_outcome(const struct process *p, struct event *event);

/* Keys of a table, each with the object to be stored: TERM_NONE where a key is named twice. */
struct announce_keys {
	term keys[EVENT_ACCESSES], objects[EVENT_ACCESSES];
	uint32_t len;
};

/* The keys that p is about to insert, to delete or to look for. False: the operation may touch keys
 * that it does not name, or names more than `max`. */
bool announce_list_keys(const struct process *p, uint32_t max, struct announce_keys *keys);

/* Will the operation leave the table as it is now? An insert_new of a key that is there, say. */
bool announce_changes_nothing(const struct process *p);

#endif
