/* system_info.h: facts about the node that erlang:system_info/1 and erlang:system_flag/2 share. */
#ifndef VM_BIFS_SYSTEM_INFO_H
#define VM_BIFS_SYSTEM_INFO_H

#include "vm/terms/term.h"

struct process;

/* Libraries start as many workers as there are schedulers: with one, no two of them would ever run
 * side by side. */
enum { SYSTEM_SCHEDULERS = 2 };

/* The value of an item that is the same on every node, or TERM_NONE. */
term system_constant(struct process *p, const char *item);
/* The answers of system_info and statistics about schedulers, or TERM_NONE; setting the flag multi_scheduling. */
term schedulers_info(struct process *p, term item);
term schedulers_statistic(struct process *p, term item);
term schedulers_block(struct process *p, term value);
/* The native functions of the real VM: [{Module, Function, Arity}]. */
term system_snifs(struct process *p);

#endif
