/* unseen.h: writes that nobody reads before they are overwritten.
 *
 * In which order two such writes were, nobody can tell (--observers all). Only blind
 * writes count, which do not look at what was there themselves (event_writes_blindly). A
 * write that is read later in the run is seen; so is one whose part (a key of a table) is
 * read with the whole.
 *
 * This is a property of a whole run: a longer run with the same beginning may see more.
 */
#ifndef CORE_UNSEEN_H
#define CORE_UNSEEN_H

#include "base/map.h"
#include "base/vec.h"
#include "core/trace.h"

struct unseen {
	VEC(uint8_t) masks; /* by event; bit a: nobody sees what access a wrote */
	struct map index;   /* scratch: objects, */
	VEC(struct unseen_use) uses; /* and how they are used later */
};

void unseen_find(struct unseen *u, const struct trace *trace);

void unseen_release(struct unseen *u);

#endif
