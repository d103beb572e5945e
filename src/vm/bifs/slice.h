/* slice.h: {Position, Length} of functions on binaries, where a negative length counts backwards
 * from the position. Shared by erlang:binary_part, binary:part, re and others. */
#ifndef VM_BIFS_SLICE_H
#define VM_BIFS_SLICE_H

#include "vm/terms/term.h"

struct slice {
	size_t start; /* bytes */
	size_t len;
};

/* False when the two are not integers or the slice is not inside `total` bytes. */
static inline bool slice_read(struct slice *slice, term position, term length, size_t total)
{
	int64_t start, len;

	if (!term_is_small(position) || !term_is_small(length))
		return false;
	start = small_value(position);
	len = small_value(length);
	if (start < 0 || (uint64_t)start > total)
		return false;
	if (len < 0) {
		if (-len > start)
			return false;
		start += len;
		len = -len;
	}
	if ((uint64_t)len > total - (uint64_t)start)
		return false;
	slice->start = (size_t)start;
	slice->len = (size_t)len;
	return true;
}

/* The same from a tuple. */
static inline bool slice_read_tuple(struct slice *slice, term tuple, size_t total)
{
	return term_is_tuple_of(tuple, 2) &&
	       slice_read(slice, tuple_element(tuple, 0), tuple_element(tuple, 1), total);
}

#endif
