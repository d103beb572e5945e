/* slots.h: a rough search for memory that may have races.
 *
 * Each slot stands for all words (4 bytes of memory) with its hash. It says which actor accesses some of them plainly,
 * or that several do, and whether one of these accesses is a write. Slots only fill: they stand for all runs
 * since the last restart. Memory that no actor accesses plainly has no races, and neither has
 * memory that is only read, such as settings that the first thread made before there were others.
 *
 * A word is as large as most variables. With a granule (8 bytes) for a slot, an atomic variable beside such a setting
 * would have to be looked at in every run.
 */
#ifndef DETECT_SLOTS_H
#define DETECT_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

enum { SLOTS = 1024, SLOT_WORD = 4 };

struct slots {
	uint32_t users[SLOTS]; /* 0, 1 + the only actor, or SLOT_SHARED; and SLOT_WRITTEN */
	uint32_t full_len;     /* how many slots cannot change any more */
	bool may_race;         /* several actors access some memory, and one writes */
};

void slots_clear(struct slots *slots);

/* A plain access, or the end of memory. Was some of the memory not accessed plainly by the actor before? */
bool slots_add(struct slots *slots, uint64_t address, uint64_t size, uint32_t actor, bool is_write);

/* May another actor access the memory plainly? */
bool slots_shared(const struct slots *slots, uint64_t address, uint32_t size, uint32_t actor);

static inline bool slots_are_full(const struct slots *slots)
{
	return slots->full_len == SLOTS;
}

static inline uint32_t slots_index(uint64_t word)
{
	return (word * 0x9e3779b97f4a7c15u >> 32) % SLOTS;
}

/* May any actor access some of the granule (8 bytes) plainly? */
static inline bool slots_use(const struct slots *slots, uint64_t granule)
{
	return slots->users[slots_index(granule * 2)] | slots->users[slots_index(granule * 2 + 1)];
}

#endif
