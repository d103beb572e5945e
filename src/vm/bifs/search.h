/* search.h: finding one of several byte strings, as binary:match wants it: the leftmost
 * place, and there the longest pattern. Patterns are chained by their first byte, which
 * is enough for the handful of separators programs search for; one alone goes to memmem. */
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

/* From a binary, a list of binaries, or what binary:compile_pattern returned. False (and nothing
 * to release) when t is none of these or a pattern is empty. */
bool search_open(struct search *search, term t);
void search_close(struct search *search);

/* The first match in bytes[from .. to); false when there is none. */
bool search_next(const struct search *search, const uint8_t *bytes, size_t from, size_t to,
		 struct slice *found);

#endif
