/* ets_object.h: one tuple stored in a table.
 *
 * The tuple is copied into the words after the struct, header first, with everything it refers to
 * behind it (except literals of code). So an object is one block. Its elements start at words[1],
 * and an object that contains only immediates is copied by one memcpy. The links between objects
 * belong to ets_hash (a chain) or to ets_tree (two children), depending on the type of the table.
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
	bool is_tombstone;   /* ets_hash: deleted while the table was fixed */
	term words[];
};

/* A copy of the tuple in the region; it is not in a store yet. */
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
