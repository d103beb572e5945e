/* heap_limit.h: max_heap_size: how many words a process may need.
 *
 * A collection that finds more sets p->is_too_large, and the process reports it or dies at its next
 * call (end_turn). Messages in the queue count where message_queue_data is on_heap, and
 * erlang:garbage_collect/1 of another process looks at them, too. One that is large enough for
 * erlang:system_monitor/2 is marked as p->is_large, and sends the monitor a message at its next
 * call. Both are done at once when a program asks for the collection. */
#ifndef VM_PROCESS_HEAP_LIMIT_H
#define VM_PROCESS_HEAP_LIMIT_H

#include "vm/process/process.h"

/* Sends the process of erlang:system_monitor/2 the message that p is large. */
void system_monitor_tell(struct process *p);
/* A program has asked for a collection of p, which takes as long as erts_debug has been told. */
void system_monitor_collected(struct process *p);

/* Reads a limit that a program wrote as a number of words or as a map. False when t is neither.
 * Parts that the map leaves out are those of system_flag(max_heap_size, _). */
bool heap_limit_read(struct vm *vm, term t, struct heap_limit *limit);
term heap_limit_term(struct process *p, const struct heap_limit *limit);

/* Words of the messages that p has not taken; 0 if they are kept off the heap. */
size_t heap_limit_queue_words(const struct process *p);

/* A collection found p large or too large: tells the system monitor, reports that to logger, and ends p
 * if the limit says so. */
void heap_limit_act(struct process *p);
/* Another process asked for a collection of p: kills p if it is too large. */
void heap_limit_check(struct process *p);

#endif
