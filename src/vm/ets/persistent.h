/* persistent.h: persistent terms.
 *
 * get/1 does not copy: the term that it returns lies in the region outside every process heap,
 * where no collection moves it. So a value that was erased or replaced must stay as long as a
 * process may refer to it. It stays until the end of the run (the real VM searches all heaps
 * instead).
 */
#ifndef VM_ETS_PERSISTENT_H
#define VM_ETS_PERSISTENT_H

#include "vm/process/process.h"

struct persistent_term {
	struct persistent_term *next;
	uint64_t hash; /* of the key */
	term key;
	term value;
	size_t words_len;
	uint64_t gone_ns; /* when it was erased or replaced */
	struct off_heap off_heap;
	term words[];
};

struct persistent_range {
	const term *from, *to;
};

struct persistent_terms {
	struct persistent_term **buckets;
	uint32_t buckets_len; /* a power of two */
	uint32_t len;
	size_t words;
	struct persistent_term *gone; /* erased or replaced, the last one first */
	struct persistent_range *ranges; /* the words of all, also of those that are gone, in order */
	uint32_t ranges_len, ranges_cap;
	uintptr_t low, span; /* of the words of all, with what lies between them */
};

void persistent_open(struct vm *vm);
/* The value, or TERM_NONE. */
term persistent_get(struct vm *vm, term key);
void persistent_put(struct vm *vm, term key, term value);
bool persistent_erase(struct vm *vm, term key);
/* Is the object at this place part of a key or value that is neither erased nor replaced? It stays one
 * for as long as the clock stands: on the real VM, too, the processes that refer to it get their
 * copies later. */
bool persistent_holds(struct vm *vm, const term *at);
/* Is the object at this place part of one that is or was a persistent term? Such a term stays where it
 * is when it is sent. */
bool persistent_find(const struct persistent_terms *terms, const void *at);
static inline bool persistent_keeps(const struct persistent_terms *terms, const void *at)
{
	return (uintptr_t)at - terms->low < terms->span && persistent_find(terms, at);
}

#endif
