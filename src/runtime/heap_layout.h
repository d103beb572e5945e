/* heap_layout.h: where the program's heap is, which the tool must know to name blocks, and where the
 * stacks of its threads are.
 *
 * Both areas have one size, however many threads there are. With room for up to 1,024 of them each has
 * 4 GB of the heap and 256 MB for its stack; a program that needs more begins anew with smaller parts. */
#ifndef RUNTIME_HEAP_LAYOUT_H
#define RUNTIME_HEAP_LAYOUT_H

#include <stdint.h>

#define RT_HEAP_BASE 0x510000000000ul
#define RT_HEAP_SIZE (1ul << 42)
#define RT_STACK_BASE 0x500000000000ul

enum { LAYOUT_FEW_ACTORS = 1024, LAYOUT_MANY_ACTORS = 16384 };

/* The region of the actor with index i begins at RT_HEAP_BASE + (i << heap_layout_bits()). */
static inline uint32_t heap_layout_bits(uint32_t max_actors)
{
	return max_actors <= LAYOUT_FEW_ACTORS ? 32 : 28;
}

/* The stack of the thread with index i ends at RT_STACK_BASE + ((i + 1) << stack_layout_bits()). */
static inline uint32_t stack_layout_bits(uint32_t max_actors)
{
	return max_actors <= LAYOUT_FEW_ACTORS ? 28 : 26;
}

/* Whose region an address of the heap is in. */
static inline uint64_t heap_layout_owner(uint64_t address, uint32_t max_actors)
{
	return (address - RT_HEAP_BASE) >> heap_layout_bits(max_actors);
}

#endif
