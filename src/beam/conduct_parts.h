/* conduct_parts.h: functions that the files of the conductor share.
 *
 * conduct.c        actors, who can go, one run
 * conduct_step.c   taking one step
 * conduct_next.c   the next event of a process: announcing it, entering a receive, signals
 * conduct_timer.c  timers as actors: which are armed, which may fire, firing
 * conduct_channel.c  channels as actors: signals on their way, delivering them
 *
 * conduct_timer.c changes slots of timers only, conduct_channel.c those of channels. All of these
 * functions may add actors, which moves the slots: do not keep a pointer to a slot across a call.
 */
#ifndef BEAM_CONDUCT_PARTS_H
#define BEAM_CONDUCT_PARTS_H

#include "base/bitset.h"
#include "beam/conduct.h"

static inline struct slot *slot_of(struct conductor *c, const struct process *p)
{
	return &c->slots.items[p->actor - 1];
}

/* conduct_find_enabled looks only at actors whose wait may let them go. */
static inline void conduct_set_wait(struct conductor *c, struct slot *slot, enum slot_wait wait)
{
	size_t actor = (size_t)(slot - c->slots.items);

	slot->wait = (uint8_t)wait;
	if (wait == SLOT_NONE || wait == SLOT_RECEIVE || wait == SLOT_IDLE)
		bitset_remove(c->astir.items, actor);
	else
		bitset_add(c->astir.items, actor);
}

/* Is p explored? */
static inline bool is_actor(const struct process *p)
{
	return p && p->actor && p->actor != ACTOR_NONE;
}

/* The set of actors that can go on; false if it is empty. */
bool conduct_find_enabled(struct conductor *c, uint64_t *set);

/* The actor of a pid, also of one that has ended; by the name in an object. */
uint32_t find_actor(const struct conductor *c, uint64_t object);
/* Did that process trap exits when it ended? By the name in an object. An exit signal that comes
 * later must look as it would have looked just before the end. */
bool conduct_has_trapped(const struct conductor *c, uint64_t object);

/* Gives actors to the processes that the step taken last has created; the last of them, or
 * ACTOR_NONE. */
uint32_t conduct_add_new(struct conductor *c);
void conduct_take_step(struct conductor *c, uint32_t actor);
void conduct_place_receive(struct conductor *c, struct slot *slot);
/* The run ends behind the step at hand, and the search with it. */
void conduct_lose(struct conductor *c, const char *why);

/* As announce_step; the event of an exit signal that ends its receiver also names that process. */
bool conduct_announce(struct conductor *c, struct process *p, struct event *event);

/* Lets p take the step it has announced, or, when it has announced none, begin. */
enum step_end conduct_vm_step(struct conductor *c, struct process *p);
/* p has stopped: lets p go on, over operations that no other process can notice, to its
 * next event. */
void conduct_settle(struct conductor *c, struct process *p, enum step_end end);
/* p, which stands before a receive, may begin to wait: after EVENT_SLEEP. */
void conduct_begin_waiting(struct conductor *c, struct process *p);
/* Processes that got a message or a signal announce their next event. */
void conduct_take_news(struct conductor *c);
/* Of whom the message is that the receive takes (NULL: none). */
void conduct_name_sender(const struct conductor *c, const struct message *message,
			 struct event *receive);
/* Must p, which asks about another process, wait until signals have arrived there? */
bool conduct_must_settle(struct conductor *c, const struct process *p);
/* A process that a signal has ended is dead for every process that asks, whether or not it has
 * begun to die. The access to its life gets a mode that means nothing to such an object; but not
 * where other processes give it names: they cannot do that any more once a process has asked. */
void conduct_weaken_question(struct conductor *c, const struct process *p, struct event *question);

/* A process that is suspended is kept back by the process that suspends it and by nothing else, so
 * an event that it cannot take for that reason conflicts only by its accesses to locks. The other
 * accesses get a mode that has no conflicts on such an object; they stay announced, because the
 * event does all of them where it is possible. */
void conduct_keep_holds(struct event *event);

/* The step taken last prevents the event that the slot has announced. node: the node of observe.h
 * whose tag the event gets, or UINT32_MAX. */
void conduct_withdraw(struct conductor *c, const struct slot *slot, uint32_t node);

/* Gives new timers a slot, and takes the slot from timers that are gone. */
void conduct_look_at_timers(struct conductor *c);
/* The deadline up to which time may pass now: of the first timer that can do something. */
uint64_t conduct_first_deadline(struct conductor *c);
bool conduct_may_fire(struct conductor *c, const struct slot *slot, uint64_t first_deadline);
/* Another actor goes on: notes that timers which could end now have to wait until no other actor
 * can go. */
void conduct_delay_timers(struct conductor *c);
/* A timer for a name is for the process that has the name now. */
void conduct_renew_timer(struct conductor *c, struct slot *slot);
void conduct_fire(struct conductor *c, uint32_t actor);
/* The timer of a process that polls is due later (turn.h). */
void conduct_delay_timer(struct conductor *c, struct timer *timer, uint64_t deadline_ns);
/* p takes a message by a receive with this timeout, for which it did not have to wait; had it come
 * to the receive before the message, the timeout could have ended it. node: of that receive. */
void conduct_forgo_timeout(struct conductor *c, struct process *p, uint64_t timeout_ms,
			   uint32_t node);
/* Signals that the step taken last has sent go to their channels. */
void conduct_take_transit(struct conductor *c);
/* Whether the next one ends its receiver depends on the receiver's state now. */
void conduct_renew_channel(struct conductor *c, struct slot *slot);
void conduct_deliver(struct conductor *c, uint32_t actor);
/* Is a signal from one to the other on its way? */
bool conduct_is_underway(struct conductor *c, term from, term to);
/* How many are there? */
uint32_t conduct_count_underway(struct conductor *c, term from, term to);
/* Is this a receive that would find nothing, while its process has sent itself a signal? */
bool conduct_must_look(struct conductor *c, const struct slot *slot);
/* p is about to find nothing in its mailbox: it takes the signals that it has sent itself first. */
void conduct_take_own(struct conductor *c, struct process *p);
/* Messages have come to p, which stands before a receive. */
void conduct_look_again(struct conductor *c, struct process *p);

/* Messages of the step taken last to processes that have ended, or, unless lost_since is 0, that do
 * not want them any more. Receives from the step before lost_since on could not have taken them
 * (relation.lost_since); UINT32_MAX: all could. content: TERM_NONE not known. */
void conduct_observe_lost(struct conductor *c, const struct event *did, term content,
			  uint32_t lost_since);

#endif
