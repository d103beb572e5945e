/* census.h: walks over every object that the program can still reach, place by place.
 *
 * The real VM counts references to the code of a fun and to the name of a node, and shows the counts
 * to its own tests (erlang:fun_info(Fun, refc), erts_debug:get_internal_state). Here nothing is
 * counted while a program runs: a call that asks for a count walks over all heaps, messages, timers
 * and tables. The walk does not meet objects that only await the next garbage collection.
 *
 *     struct census census = {.p = p, .meet = count_it, .ctx = &count};
 *     census_take(&census, args, 1);
 *
 * Never in a search: it sees other processes in the middle of a step. */
#ifndef VM_BIFS_CENSUS_H
#define VM_BIFS_CENSUS_H

#include "base/map.h"
#include "vm/process/process.h"

enum census_place {
	CENSUS_HEAP,	   /* of a process, with its messages; the owner is its pid */
	CENSUS_TIMER,	   /* the message of a timer; the owner is its receiver */
	CENSUS_TABLE,	   /* an ETS table; the owner is its reference, on the heap of p */
	CENSUS_MATCH_SPEC, /* a compiled match spec; the owner is a number */
	CENSUS_PERSISTENT, /* the persistent terms; without an owner */
};

struct census {
	struct process *p; /* the one that asks: its x registers are the arguments */
	void (*meet)(struct census *c, const term *box); /* called for each object but lists */
	void *ctx;
	/* The rest is the walk's; `meet` may look at the place and its owner. */
	enum census_place place;
	term owner;
	struct map seen;
	struct term_vec pending;
	struct term_vec specs; /* references of compiled match specs that were met */
};

void census_take(struct census *c, const term *args, size_t args_len);

/* How many objects are this fun, also as copies; plus one if its code is loaded. */
uint64_t census_count_fun(struct process *p, const term *args);
/* {{node_references, _}, {dist_references, _}} as get_internal_state(node_and_dist_references) shows. */
term census_show_nodes(struct process *p, const term *args);
/* The list of nodes(known). */
term census_list_nodes(struct process *p, const term *args);

#endif
