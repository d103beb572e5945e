/* announce_parts.h: functions that the files of announce share.
 *
 * announce_signal.c  processes, messages, names, links, dying
 * announce_table.c   ETS tables, persistent terms, atomics
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

/* Sends, links, monitors, exit signals; one step of dying; names; looking at another process,
 * holding or changing it. */
bool announce_signal(struct objects *objects, struct process *p, struct event *event);
bool announce_exit(struct objects *objects, struct process *p, struct event *event);
void announce_registry(struct objects *objects, struct process *p, struct event *event);
bool announce_inspect(struct objects *objects, struct process *p, struct event *event);
bool announce_other(struct objects *objects, struct process *p, struct event *event);
bool announce_own_flag(struct objects *objects, struct process *p, struct event *event);
bool announce_register_fails(struct process *p);

bool announce_ets(struct objects *objects, struct process *p, struct event *event);
bool announce_term(struct objects *objects, struct process *p, struct event *event);
bool announce_insert_fails(struct process *p);

#endif
