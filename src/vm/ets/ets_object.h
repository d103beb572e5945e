/* ets_object.h: one tuple stored in a table.
 *
 * The tuple is copied into the words after the struct, header first, with everything it refers to
 * behind it (literals of code excepted), so an object is one block: its elements are words[1] and
 * on, and an object that is only immediates is copied out by one memcpy. How objects hang together
 * is the business of ets_hash (a chain) and ets_tree (two children); only one of the two uses of
 * the links is alive in a table.
 */
#ifndef VM_ETS_ETS_OBJECT_H
#define VM_ETS_ETS_OBJECT_H

#include "vm/memory/heap.h"

struct ets_object {
	union {
		struct {
			struct ets_object *next;
			uint64_t hash; /* of the key */
		};
		struct {
			struct ets_object *left;
			struct ets_object *right;
		};
	};
	struct off_heap off_heap;
	uint32_t words_len;
	uint8_t height;  /* ets_tree */
	bool is_ghost;   /* ets_hash: deleted while the table was fixed */
	term words[];
};

/* A copy of the tuple in the region, linked nowhere. */
struct ets_object *ets_object_new(term tuple);
void ets_object_free(struct ets_object *object);

/* The stored tuple, in place: valid as long as the object is. */
static inline term ets_object_tuple(const struct ets_object *object)
{
	return boxed_make(object->words);
}

/* A copy of the tuple on p's heap. */
term ets_object_import(struct process *p, const struct ets_object *object);

#endif
