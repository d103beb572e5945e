/* vclock.h: vector clocks as plain arrays: what each actor had done by then.
 *
 * They keep three orders: the dependence order (order.h), the order that every schedule has
 * (causality.h), and the order that the language guarantees (detect/sync.h). Each has its
 * own way to make them; to join two is the same.
 */
#ifndef CORE_VCLOCK_H
#define CORE_VCLOCK_H

#include <stdint.h>

/* Afterwards `into` knows what `from` does, too. Without a branch: it is on the hot path. */
static inline void vclock_join(uint32_t *into, const uint32_t *from, uint32_t width)
{
	for (uint32_t a = 0; a < width; a++)
		into[a] = from[a] > into[a] ? from[a] : into[a];
}

/* Most programs have few actors: to call a function takes longer than to copy their numbers. */
static inline void vclock_copy(uint32_t *into, const uint32_t *from, uint32_t width)
{
	enum { FEW = 8 };

	if (width > FEW) {
		__builtin_memcpy(into, from, width * sizeof(*into));
		return;
	}
	for (uint32_t a = 0; a < width; a++) {
		into[a] = from[a];
		__asm__("" : : : "memory"); /* or the compiler makes a call of it all the same */
	}
}

#endif
