/* object.h: locks, semaphores, conditions and barriers in a graph.
 *
 * An object is a variable of a graph (graph.h) whose steps are updates, one after another in
 * modification order. Its value is a small number: HELD or the number of readers of a lock, the value
 * of a semaphore, the state of an initialisation. The value that a step finds decides its
 * effect:
 *
 *   it goes on      an update
 *   it has to wait  a read, and the thread takes no further step until a later write of the object
 *                   makes the read go on (search.h: revisits)
 *   a try fails     a read, of any write of the object that a load may read, also an old one
 *
 * A futex is a condition without a mutex. Between entering the set and blocking, its thread loads
 * the word; if the word has changed, the thread leaves the set instead of blocking.
 *
 * The value of a condition is the set of threads that wait and the signals under way, which
 * object.c finds by going through the steps on it.
 *
 * A lock acquires what the unlock before it released. Locking for reading does not acquire what
 * other readers released. A signal of a condition orders nothing.
 */
#ifndef WEAK_OBJECT_H
#define WEAK_OBJECT_H

#include "core/event.h"
#include "weak/graph.h"

enum object_answer {
	OBJECT_GOES,
	OBJECT_WAITS,
	OBJECT_FAILS,
};

/* Is the event a step on an object that is modelled? */
bool object_is_modelled(const struct event *event);

/* The same for a step that waited in the usual way until it could go on, also one of a condition
 * together with its mutex. */
bool object_waited(const struct event *event);

/* The object: of such a step of a condition, the mutex. */
uint64_t object_of(const struct event *event);

/* Sets the action of the node, what it did in the run and the value that it left. */
void object_read(const struct event *event, struct node *node);

/* The source of the node is known now. After it was destroyed an object stays so. */
void object_place(const struct graph *graph, struct node *node);

/* Decides the effect of the step after its source. Sets kind, order and value of the node. `initial` is the
 * first value of the object. */
enum object_answer object_answer(const struct graph *graph, uint32_t initial, struct node *node);

/* Did the step do in the run what the model says? */
bool object_agrees(const struct graph *graph, uint32_t initial, const struct node *node);

/* Is it a step that fails instead of waiting? */
bool object_is_try(const struct node *node);

/* Is it a try that failed? The write that it read may be an old one. */
bool object_reads_any(const struct node *node);

/* The load is the look at the word of a futex by a thread that has just entered the set of waiting
 * threads (graph.c: is_futex_look). Must it see the write, because the write came before a wake-up
 * after which the thread entered?
 *
 *	T1: x = 1; wake(x)      T2: enter the set; load x, which sees 1 if the wake-up came first
 *
 * "Before" is happens-before under RC11, as the C++ standard has it for notify. Under TSO it is
 * program order and reads-from, because a write that some thread has read is visible to all. */
bool object_is_shown(const struct graph *graph, uint32_t load, uint32_t write,
		     enum memory_model model);

/* Where a step that acquires finds the clock: the last write that released for it. */
uint32_t object_released_by(const struct graph *graph, const struct node *node);

#endif
