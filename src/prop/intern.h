/* intern.h: equal bytes, equal number. Things of one fixed size get numbers from 1. */
#ifndef PROP_INTERN_H
#define PROP_INTERN_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"

struct intern {
	size_t size; /* of each thing; set before the first */
	VEC(unsigned char) bytes;
	VEC(uint32_t) next; /* by number - 1: another with the same hash, or 0 */
	struct map by_hash;
};

static inline const void *intern_get(const struct intern *in, uint32_t number)
{
	return in->bytes.items + (number - 1) * in->size;
}

/* The number of these bytes; a new one if they were not seen before. */
uint32_t intern_put(struct intern *in, const void *bytes);

void intern_clear(struct intern *in);
void intern_release(struct intern *in);

#endif
