/* observe.h: which messages of a run can a receive distinguish by the order in which they came?
 *
 * Two messages to one process are ordered only if a receive that happened took one and would
 * have taken the other, had it come first ("observers": Aronis, Jonsson, Lang and Sagonas,
 * TACAS 2018). Messages and receives are put into groups: a receive with every message its
 * patterns take, the one it got, those behind it in the queue and those that come later.
 * When the run is over, each send and each receive gets the number of its group as the tag of
 * its mailbox access (access_is_observed). Two messages that only share a third one end up in one
 * group, too. That is coarser than necessary, and safe.
 *
 * A receive that took nothing, because it does not wait or because its time was over, is not in a
 * group with the messages it would have taken: the receive does not depend on the order of these
 * messages. Such a message gets the bit of the receive instead (access_would_take).
 */
#ifndef BEAM_OBSERVE_H
#define BEAM_OBSERVE_H

#include "base/arena.h"
#include "base/vec.h"
#include "beam/probe.h"
#include "core/event.h"
#include "core/trace.h"

/* A receive that happened, or a timer that could have ended it. */
struct observed_receive {
	uint32_t next; /* the one before of the same process, plus one */
	uint32_t node;
	uint32_t poll; /* one bit if it took nothing, else 0 */
	struct probe_frame frame;
};

/* A send or a receive; its mailbox access gets the tag of the group that the node is in. */
struct observed_node {
	uint32_t parent;
	uint32_t event;  /* index in the trace */
	bool is_left;    /* a message that no receive has taken */
	uint32_t polls;  /* bits of receives (mail_tag_with_polls) */
	uint64_t object; /* the mailbox */
};

struct observation {
	VEC(struct observed_node) nodes;
	VEC(struct observed_receive) receives;
	bool wants_refusals; /* and states */
	VEC(struct refusal) refusals; /* trace.h */
	VEC(struct receive_state) states;
	struct arena frames;
	VEC(struct arena) kept; /* frames of a beginning that several runs have in common */
};

void observation_reset(struct observation *o);
void observation_release(struct observation *o);
/* Frames of receives so far stay (stem.h) while those that follow are forgotten; those kept last
 * go. */
void observation_keep_frames(struct observation *o);
void observation_forget_later(struct observation *o);
void observation_forget_kept(struct observation *o);

/* A new message in a mailbox (message->observed becomes its node plus one). *receives is where
 * the chain of the receiver's receives begins. */
void observe_message(struct observation *o, struct message *message, uint64_t mailbox,
		     uint32_t receives);

/* A message to a process that has ended: no receive takes it, but had it come earlier ...
 * content TERM_NONE: not known, so that every receive would have taken it. */
void observe_lost(struct observation *o, term content, uint32_t event, uint64_t mailbox,
		  uint32_t receives);

/* p is about to take `taken` (NULL: nothing, the receive times out) by its event number `event`.
 * Returns the node. */
uint32_t observe_receive(struct observation *o, struct process *p, struct message *taken,
			 uint32_t event, uint32_t *receives);

/* This event ends p. If p waits in a receive, it might have taken the messages that come
 * later. */
void observe_stop(struct observation *o, struct process *p, uint32_t event, uint32_t *receives,
		  bool is_waiting);

/* A process looks, by this event, at all messages that p has not taken, in the order in
 * which they came. */
void observe_look(struct observation *o, struct process *p, uint32_t event);

/* The tag of a node: mail_tag. */
uint32_t observation_tag(struct observation *o, uint32_t node);
/* Writes all tags into the events. */
void observation_finish(struct observation *o, struct event *events, uint32_t events_len);

#endif
