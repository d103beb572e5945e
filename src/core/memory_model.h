/* memory_model.h: which values loads may read (--memory; docs/weak-memory.md). */
#ifndef CORE_MEMORY_MODEL_H
#define CORE_MEMORY_MODEL_H

#include <stdbool.h>

enum memory_model {
	MEMORY_SC,   /* sequential consistency, whatever orders the program names */
	MEMORY_TSO,  /* x86: each thread has a buffer of stores */
	MEMORY_RC11, /* C11 and C++20 with repaired seq_cst and without load buffering */
	MEMORY_RF,   /* as MEMORY_SC; runs with the same reads-from are one (--equivalence rf) */
};

/* May a load read another write than the last one? */
static inline bool memory_is_weak(unsigned model)
{
	return model == MEMORY_TSO || model == MEMORY_RC11;
}

#endif
