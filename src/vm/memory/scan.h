/* scan.h: which words of a boxed object are terms. All other words of the object are raw. The
 * collector, term_copy and term_copy_words use this, so a new kind of object is described here
 * only. */
#ifndef VM_MEMORY_SCAN_H
#define VM_MEMORY_SCAN_H

#include "vm/terms/term.h"

struct scan_range {
	size_t first; /* index from the header word */
	size_t len;
};

static inline struct scan_range scan_terms(const term *box)
{
	size_t words = header_words(box[0]);

	switch (header_kind(box[0])) {
	case KIND_TUPLE:
	case KIND_FLATMAP:
	case KIND_HASHMAP:
		return (struct scan_range){1, words};
	case KIND_FUN:
		return (struct scan_range){2, words - 1};
	case KIND_SUBBIN:
	case KIND_MATCHCTX:
		return (struct scan_range){1, 1};
	default:
		return (struct scan_range){1, 0};
	}
}

#endif
