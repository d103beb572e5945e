/* copy_shared.h: a copy of a term in which parts that occur twice stay one object.
 *
 *     struct shared_copy copy = {.takes_literals = false};
 *     size_t words = shared_copy_measure(&copy, t);
 *     term *hp = ... room for that many words ...
 *     term result = shared_copy_make(&copy, t, &hp, &off_heap);
 *     shared_copy_release(&copy);
 *
 * Several terms may be measured, then made in the same order; they share parts, too. Nothing may
 * change or move them in between. */
#ifndef VM_MEMORY_COPY_SHARED_H
#define VM_MEMORY_COPY_SHARED_H

#include "base/map.h"
#include "vm/terms/term.h"

struct off_heap;

struct shared_copy {
	bool takes_literals; /* copy literals of code as well */
	struct map places; /* from each object to its copy, 0 before it is made */
	term *top;
	struct off_heap *off_heap;
};

size_t shared_copy_measure(struct shared_copy *c, term t);
term shared_copy_make(struct shared_copy *c, term t, term **hp, struct off_heap *off_heap);
void shared_copy_release(struct shared_copy *c);

#endif
