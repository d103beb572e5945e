/* history_data.h: the state of history.c, which is part of the runtime's state (rt.h). */
#ifndef RUNTIME_HISTORY_DATA_H
#define RUNTIME_HISTORY_DATA_H

#include <stdbool.h>
#include <stdint.h>

enum { RT_MAX_WRITES = 32768, RT_MAX_VARIABLES = 4096, RT_HISTORY_SLOTS = 16384 };
enum { RT_KEPT_WRITES = 128, RT_KEPT_VARIABLES = 32 };

/* Atomic variables and their writes in modification order. Index 0 stands for nothing. */
struct rt_history {
	uint64_t run;             /* RT->runs when the lists were begun */
	uint32_t writes_len, variables_len;
	uint32_t chosen;          /* the write that the step being taken reads or comes after */
	uint32_t unsettled;       /* variable of a plain access that is not over, or 0 */
	uint32_t unsettled_write; /* what it wrote; 0: it reads */
	struct rt_write {
		_Alignas(16) char value[16];
		uint32_t source, ordinal; /* as event.source: the event that wrote it */
		uint32_t next;    /* in modification order */
		uint32_t variable;
		uint32_t step;    /* index of that event in the trace */
		bool is_plain;    /* its value is still only in memory */
	} writes[RT_MAX_WRITES];
	struct rt_variable {
		uint64_t at;
		uint32_t size;
		uint32_t first, last; /* writes */
		uint32_t next;    /* variable that begins in the same eight bytes */
	} variables[RT_MAX_VARIABLES];
	struct rt_history_slot {
		uint64_t run, granule;
		uint32_t first;   /* variable */
	} slots[RT_HISTORY_SLOTS];
};

/* The lists of a run that has few, for a state that is kept (stem.h). */
struct rt_history_kept {
	uint32_t writes_len, variables_len;
	struct rt_write writes[RT_KEPT_WRITES];
	struct rt_variable variables[RT_KEPT_VARIABLES];
};

#endif
