/* turn_data.h: the data that turn.c keeps about each thread. */
#ifndef RUNTIME_TURN_DATA_H
#define RUNTIME_TURN_DATA_H

#include <stdbool.h>
#include <stdint.h>

enum { RT_TURN_READS = 16, RT_TURN_SITES = 8 };

/* Detecting void turns of spin loops: states of the actor at its last visible
 * reads since it last wrote something. See turn.c. */
struct rt_turn {
	uint32_t sites_len;
	uint32_t reads_len;
	bool wrote;
	bool overflow;
	bool in_call;           /* the step announced next is a later one of the same call */
	uint32_t from;          /* step with which the void turn began */
	uint64_t held_state;    /* in which it came back to the look at which it is held */
	uint32_t tried;         /* bit i: reads[i] is a lock that it found taken */
	uint64_t look_site, look_object; /* the look that is counted (find_counted), */
	uint32_t looks, apart, look_step; /* how often, other looks since, and its last step */
	struct {                /* a state to come back to after many looks (turn.c) */
		uint64_t site;  /* 0: none */
		uint64_t state;
		uint32_t step;
		uint32_t visits, until;
	} anchor;
	struct {
		uint64_t site;
		uint64_t state;
		uint32_t step;  /* events_len when it was seen */
	} sites[RT_TURN_SITES];
	uint64_t reads[RT_TURN_READS]; /* objects it read */
	uint32_t read_steps[RT_TURN_READS]; /* and the first time it did */
};

#endif
