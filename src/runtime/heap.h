/* heap.h: the allocator of the tested program.
 *
 * An address is a function of (actor, what it allocated before): every actor has a
 * region of its own at a fixed place and takes blocks from it in order. So an object
 * has the same name in every schedule in which the actor that allocated it did the
 * same, whatever other actors did in between. No block is used twice within a run: a
 * freed block stays freed, so a use after free is noticed, and an address has one
 * meaning only. Freed blocks are used again in two cases: before the first thread, and
 * past a bound, which the trace then reports (BOUND_QUARANTINE).
 *
 * A shadow byte for every 16 bytes says whether they are in a freed block.
 *
 * Outside fermata (phase PASSIVE) everything goes to the allocator of libc. Blocks
 * of the two differ in their address, so either may free the other's.
 */
#ifndef RUNTIME_HEAP_H
#define RUNTIME_HEAP_H

#include "runtime/heap_layout.h"
#include "runtime/rt.h"

#define RT_HEAP_SHADOW 0x580000000000ul
#define RT_HEAP_PART (1ul << 36) /* mapped at once */

static inline bool rt_heap_has(const void *address)
{
	return (uint64_t)address - RT_HEAP_BASE < RT_HEAP_SIZE;
}

static inline uint8_t *rt_heap_shadow(const void *address)
{
	return (uint8_t *)(RT_HEAP_SHADOW + ((uint64_t)address - RT_HEAP_BASE) / 16);
}

/* Is that byte, which rt_heap_has, in a freed block? Only for mapped regions: the
 * program touches it anyway. */
static inline bool rt_heap_is_freed(const void *address)
{
	return RT->heap.mapped >> (((uint64_t)address - RT_HEAP_BASE) / RT_HEAP_PART) & 1 &&
	       *rt_heap_shadow(address);
}

/* Where the freed block around the address was freed; 0 if that is not known. */
uint64_t rt_heap_freed_at(const void *address);

/* The block around the address, live or freed; false if not found. */
bool rt_heap_find(const void *address, struct channel_block *out);

/* Every block that is live now, by the site that allocated it. Blocks from before the
 * first thread are left out when there are very many. */
void rt_heap_live(void (*each)(uint64_t site, size_t size));

/* The same into the channel, at the end of a run (lives.c); if the tool wants it. */
void rt_heap_record_lives(void);

/* The memory a run can write: everything allocated before the first thread, and its
 * shadow. Blocks that lie above are cleared by rt_heap_clear, to be called before the
 * actors (and with them the cursors) are put back. */
void rt_heap_ranges(void (*each)(void *low, void *high));
void rt_heap_clear(void);

#endif
