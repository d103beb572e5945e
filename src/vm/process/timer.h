/* timer.h: virtual time. The clock moves when a timer ends and,
 * unless the run is explored, a little whenever a program reads it.
 *
 * All timers are in one binary heap, ordered by deadline, then by the place of the process that
 * started the timer, then by a counter of that process; so the order does not depend on the
 * schedule. A timer belongs to the process that started it (p->timers); a timer that sends a
 * message lives on when that process has ended.
 */
#ifndef VM_PROCESS_TIMER_H
#define VM_PROCESS_TIMER_H

#include "vm/process/process.h"

enum timer_kind {
	TIMER_RECEIVE, /* ends a receive ... after */
	TIMER_SEND,    /* erlang:send_after: the message itself */
	TIMER_START,   /* erlang:start_timer: {timeout, Ref, Message} */
};

struct timer {
	uint64_t deadline_ns;
	uint64_t owner_value; /* pid value of the process that started it */
	uint64_t number;      /* its counter: also the reference's counter. The timer of a receive has
	                         the number of the reference before it and comes behind that timer: it
	                         uses up no number, because a receive may or may not have to wait */
	size_t heap_index;
	uint8_t kind;
	term destination; /* pid or name; TIMER_RECEIVE: the process itself */
	struct message *message; /* the message to send */
	struct timer *owner_next, *owner_prev;
	struct process *owner; /* NULL when that process has ended */
	uint32_t actor;        /* for the driver of the VM: its number there + 1; 0: none yet */
};

#define TIMER_MAX_MS ((uint64_t)0xffffffff)

enum timer_wait { TIMER_WAIT_STARTED, TIMER_WAIT_ZERO, TIMER_WAIT_BAD };

/* Whether a receive may wait for this time: infinity, or 1, 2, ... It goes on at once after 0, and
 * raises an error if the time is not valid. */
bool timer_can_wait(term time);
/* For receive: time is 0, 1, ... or infinity (waits without a timer). */
enum timer_wait timer_start_receive(struct process *p, term time);
void timer_cancel_receive(struct process *p);

/* Sends content to destination (pid or atom) at the deadline. Returns the reference. */
term timer_start(struct process *p, enum timer_kind kind, uint64_t deadline_ns, term destination,
		 term content);
/* The timer of this reference, or NULL when it has fired, was cancelled or never existed. */
struct timer *timer_find(struct vm *vm, term ref);
/* Whether the process that the timer is for, by its pid, has ended: for a program the timer does not
 * exist any more. A timer for a name lives on. */
bool timer_is_void(struct vm *vm, const struct timer *timer);
void timer_free(struct vm *vm, struct timer *timer);
/* Moves its deadline to a later one. */
void timer_delay(struct vm *vm, struct timer *timer, uint64_t deadline_ns);
/* Nanoseconds until it fires. */
uint64_t timer_left(struct vm *vm, const struct timer *timer);

/* The timer with the first deadline, or NULL; firing it moves the clock to that deadline. */
struct timer *timer_first(struct vm *vm);
void timer_fire(struct vm *vm, struct timer *timer);

/* p ends: its receive timer is removed, its other timers lose their owner. */
void timer_owner_exit(struct process *p);

#endif
