/* stem_data.h: the part of the runtime's state (rt.h) that stem.c uses. */
#ifndef RUNTIME_STEM_DATA_H
#define RUNTIME_STEM_DATA_H

#include <stdbool.h>
#include <stdint.h>

enum { RT_STEM_RUNS = 64 };
#define RT_STEM_NEVER 0xffffffffu

struct rt_stem {
	bool is_mapped;         /* stem.c has its store */
	bool is_off;            /* runs read or write memory that is shared with the tool (calls/model.c) */
	bool is_loud;           /* the run has used something whose state is not kept */
	uint32_t next_at;       /* the next state is kept before this event; RT_STEM_NEVER */
	uint32_t kept_len;      /* states that are kept, each of a longer beginning than the one before */
	uint32_t runs_len;      /* schedules of this request */
	uint32_t alike[RT_STEM_RUNS]; /* of each: so many decisions are those of the one before */
	uint32_t wanted_len;    /* places where later runs part, the nearest one last */
	uint32_t wanted[RT_STEM_RUNS];
};

#endif
