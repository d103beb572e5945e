/* effect.h: what a process announces before a visible step.
 *
 * A process stops *before* each operation whose effect is not NONE when the VM runs under
 * exploration, and says here what it is about to do. The description is the effect and the
 * arguments; turning them into objects and access modes is the explorer's work, done only
 * there, so `beam run` pays one predictable branch per visible operation.
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
