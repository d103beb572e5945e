/* memory_data.h: the data about plain accesses that memory.c, seen.c, silent_loop.c and
 * record.c keep. */
#ifndef RUNTIME_MEMORY_DATA_H
#define RUNTIME_MEMORY_DATA_H

#include <stdint.h>

#include "core/event.h"

enum { RT_SEEN = 1 << 20, RT_LOOP_READS = 64, RT_LAST_PLAINS = 64 };

/* Which of 16 bytes the running thread has accessed in this stretch (seen.h). */
struct rt_seen {
	uint64_t what;            /* RT->memory.stretch, and which 16 bytes */
	uint16_t read, written;   /* a bit each; what is written counts as read */
	uint32_t spare;
};

/* The state of memory.c: the facts about the stretch, that is, about what the running thread does
 * between two steps, and the search for a thread that makes many plain accesses and no step. */
struct rt_memory {
	uint64_t stretch;         /* its number, shifted by RT_SEEN_SHIFT (seen.h) */
	uint64_t reads, writes;   /* the same if accesses that have been seen may be passed over, or 0 */
	uint64_t simple;          /* the same if nothing special is to be done for a new access, or 0 */
	uint64_t own_low, own_size; /* its own frames, if no other actor was ever seen there */
	int64_t hooks_left;       /* plain accesses until the next look at the stretch */
	int64_t hooks_next;       /* plain accesses in the stretch at that look */
	uint32_t floor;           /* plains before this one are not made longer */
	struct {                  /* the last recorded access from a place, by its hash */
		uint64_t stretch, site;
		uint32_t plain;
	} last[RT_LAST_PLAINS];
	uint64_t loop_site, loop_state; /* a state to come back to; site 0: none */
	uint32_t loop_visits_left;      /* visits of the site until the search is given up */
	uint32_t loop_returns;          /* how often the state has come back */
	uint32_t loop_reads_len;
	uint64_t loop_reads[RT_LOOP_READS];
	uint32_t spinners;        /* actors parked after a void turn */
	/* The last write of the current actor, which its hook comes before: did it change the
	 * value (rt_mem_settle)? */
	uint32_t written_size;    /* 0: settled */
	const void *written_at;
	uint64_t written_over;    /* the value before */
	struct event *written_by; /* its step, if it is one; NULL else */
	uint64_t write_at;        /* the write of the last step, whose value is not yet recorded */
	uint32_t write_size, write_step; /* size 0: none (record.h) */
	uint64_t plain_at;        /* the last plain write, whose value is not yet recorded */
	uint32_t plain_size, plain_stack; /* size 0: none (record.h) */
};

#endif
