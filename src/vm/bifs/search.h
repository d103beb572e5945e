/* search.h: finds one of several byte strings as binary:match does: the leftmost match, and of
 * several matches there the longest. Patterns are chained by their first byte, which is fast enough
 * for the few separators that programs search for; a single pattern is found by memmem. */
#ifndef VM_BIFS_SEARCH_H
#define VM_BIFS_SEARCH_H

#include "base/vec.h"
#include "vm/bifs/slice.h"
#include "vm/terms/view.h"

VEC_TYPE(view_vec, struct view);

struct search {
	struct view_vec patterns; /* none empty */
	uint32_t first[256];      /* 1 + index of a pattern that begins with this byte, or 0 */
	uint32_t *next;           /* the same chain, by pattern */
};

/* Prepares a search for a binary, a list of binaries, or a result of binary:compile_pattern. False,
 * with nothing to release, when t is something else or a pattern is empty. */
bool search_open(struct search *search, term t);
void search_close(struct search *search);

/* The first match in bytes[from .. to); false when nothing matches. */
bool search_next(const struct search *search, const uint8_t *bytes, size_t from, size_t to,
		 struct slice *found);

#endif
