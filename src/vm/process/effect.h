/* effect.h: the description of a visible step, which a process gives before it takes the step.
 *
 * When the VM runs under exploration, a process stops *before* each operation whose effect is not
 * NONE, and describes the operation by its effect and its arguments. The explorer (src/beam) turns
 * them into objects and access modes. So `beam run`, which does not explore, pays one predictable
 * branch per visible operation.
 */
#ifndef VM_PROCESS_EFFECT_H
#define VM_PROCESS_EFFECT_H

#include <stdint.h>

#include "vm/terms/term.h"

enum effect {
#define EFFECT(name, text) EFFECT_##name,
#include "vm/process/effect.def"
#undef EFFECT
	EFFECT_COUNT
};

enum { ANNOUNCED_ARGS = 5 };

struct announced {
	uint16_t effect;
	uint16_t args_len;
	uint32_t bif; /* number in bif.def + 1, or 0 for an opcode */
	/* The arguments, borrowed from the process's saved registers. */
	const term *args;
};

#endif
