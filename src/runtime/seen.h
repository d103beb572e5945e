/* seen.h: accesses that the running thread repeats, in as few instructions as possible.
 *
 * A stretch is what a thread does between two steps. The second access of a stretch to the same
 * bytes gives the race detector nothing that the first did not, so most calls of a hook end here:
 *
 *     if (rt_seen_passes(address, size, is_write))     in the thread's own frames, or seen
 *             return;
 *     rt_plain_noted(address, size, is_write, site);   everything else
 *
 * RT->seen has a place for each 16 bytes, found by a hash; an entry of another stretch or of other bytes counts as
 * empty, so that nothing is ever cleared (but see STRETCHES). A stretch begins closed: nothing that was seen is passed
 * over. The first access that goes the long way opens it, unless something needs every access: a load that is tried
 * (await.c), accesses that the program wants to be ignored, the recording for a report. Writes are
 * passed over only when the turn of a loop is known to have written something (turn.h).
 */
#ifndef RUNTIME_SEEN_H
#define RUNTIME_SEEN_H

#include "runtime/rt.h"

/* Addresses have 47 bits, so the number of 16 bytes has 43. */
enum { RT_SEEN_UNIT = 16, RT_SEEN_SHIFT = 43 };

#define RT_STRETCHES ((uint64_t)1 << (64 - RT_SEEN_SHIFT))

/* For a silent loop. */
enum { RT_FIRST_LOOK = 2000 };

/* All that was seen is forgotten, and its memory given back. */
void rt_seen_clear(void);

/* The numbers of stretches have run out. */
void rt_seen_begin_again(void);

/* These bytes are given back: the next access to them is looked at. */
void rt_seen_forget(const void *address, size_t size);

/* From now on every access is looked at, until one opens the stretch again. */
static inline void rt_seen_close(void)
{
	RT->memory.reads = RT->memory.writes = RT->memory.simple = 0;
}

/* All accesses from now on are new. */
static inline void rt_seen_renew(void)
{
	RT->memory.stretch += (uint64_t)1 << RT_SEEN_SHIFT;
	if (!RT->memory.stretch)
		rt_seen_begin_again();
	rt_seen_close();
}

/* Another thread runs, or this one has taken a step. */
static inline void rt_seen_begin(void)
{
	struct rt_memory *memory = &RT->memory;

	rt_seen_renew();
	memory->own_size = 0;
	memory->hooks_left = memory->hooks_next = RT_FIRST_LOOK;
	memory->loop_site = 0;
}

/* Neighbours stay neighbours, and the heaps of different threads get different places. */
static inline struct rt_seen *rt_seen_of(uint64_t unit)
{
	return &RT->seen[(unit ^ (unit >> 28) * 0x9e37b) % RT_SEEN];
}

/* Has this access been seen, and may it be passed over? Of one that reaches into the next 16 bytes the answer
 * is no. At most 16 bytes. */
static inline bool rt_seen_has(const void *address, size_t size, bool is_write)
{
	uint64_t at = (uint64_t)address, unit = at / RT_SEEN_UNIT;
	const struct rt_seen *seen = rt_seen_of(unit);
	uint32_t bytes = (is_write ? seen->written : seen->read) >> at % RT_SEEN_UNIT;

	return seen->what == ((is_write ? RT->memory.writes : RT->memory.reads) | unit) &&
	       !(~bytes & ((1u << size) - 1));
}

/* Counts the access. Need nothing else be done about it? */
static inline bool rt_seen_passes(const void *address, size_t size, bool is_write)
{
	struct rt_memory *memory = &RT->memory;

	return --memory->hooks_left >= 0 &&
	       ((uint64_t)address - memory->own_low < memory->own_size ||
		rt_seen_has(address, size, is_write));
}

/* The same for one that may reach into the next 16 bytes. */
static inline bool rt_seen_passes_unaligned(const void *address, size_t size, bool is_write)
{
	size_t first = RT_SEEN_UNIT - (uint64_t)address % RT_SEEN_UNIT;

	if (size <= first)
		return rt_seen_passes(address, size, is_write);
	return rt_seen_passes(address, first, is_write) &&
	       ((uint64_t)address - RT->memory.own_low < RT->memory.own_size ||
		rt_seen_has((const char *)address + first, size - first, is_write));
}

/* rt_plain() of a call that is known to be controlled, and mostly short. */
static inline void rt_seen_plain(const void *address, size_t size, bool is_write, uint64_t site)
{
	if (size > RT_SEEN_UNIT)
		rt_plain(address, size, is_write, site);
	else if (size && !rt_seen_passes_unaligned(address, size, is_write))
		rt_plain_noted(address, size, is_write, site);
}

/* For the function below: one that reaches into the next 16 bytes. */
bool rt_seen_note_all(const void *address, size_t size, bool is_write);

/* Some of the 16 bytes. */
static inline bool rt_seen_note_part(uint64_t unit, uint32_t bytes, bool is_write)
{
	struct rt_seen *seen = rt_seen_of(unit);
	uint64_t what = RT->memory.stretch | unit;
	uint32_t before;

	if (seen->what != what) {
		seen->what = what;
		seen->read = (uint16_t)bytes;
		seen->written = is_write ? (uint16_t)bytes : 0;
		return false;
	}
	before = is_write ? seen->written : seen->read;
	if (is_write)
		seen->written |= (uint16_t)bytes;
	seen->read |= (uint16_t)bytes;
	return !(bytes & ~before);
}

/* Notes the access, and says whether it had been seen before in this stretch. */
static inline bool rt_seen_note(const void *address, size_t size, bool is_write)
{
	uint64_t at = (uint64_t)address, from = at % RT_SEEN_UNIT;

	if (from + size > RT_SEEN_UNIT)
		return rt_seen_note_all(address, size, is_write);
	return rt_seen_note_part(at / RT_SEEN_UNIT, ((1u << size) - 1) << from, is_write);
}

#endif
