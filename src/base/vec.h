/* vec.h: a growable array of any type, without hiding the array.
 *
 *     VEC(int) numbers = {0};
 *     *vec_push(&numbers) = 42;
 *     for (size_t i = 0; i < numbers.len; i++) use(numbers.items[i]);
 *     vec_release(&numbers);
 *
 * Zero-initialised is empty. Pushing may move the items: do not keep pointers into
 * a vec across a push. Name a vec type once where it crosses functions:
 *
 *     VEC_TYPE(int_vec, int);   // struct int_vec
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>
#include <string.h>

#include "base/mem.h"

#define VEC(type)                                                              \
	struct {                                                               \
		type *items;                                                   \
		size_t len;                                                    \
		size_t cap;                                                    \
	}

#define VEC_TYPE(name, type)                                                   \
	struct name {                                                          \
		type *items;                                                   \
		size_t len;                                                    \
		size_t cap;                                                    \
	}

/* Room for n items in all. */
#define vec_reserve(v, n)                                                                          \
	((n) > (v)->cap                                                                            \
		 ? (void)((v)->items = vec_grow((v)->items, &(v)->cap, (n), sizeof(*(v)->items)))  \
		 : (void)0)

/* A pointer to one new, uninitialised item at the end. */
#define vec_push(v) (vec_reserve((v), (v)->len + 1), &(v)->items[(v)->len++])

/* Appends n items copied from src (which must not lie inside v). */
#define vec_append(v, src, n)                                                  \
	do {                                                                   \
		size_t vec_n_ = (n);                                           \
		vec_reserve((v), (v)->len + vec_n_);                           \
		if (vec_n_)                                                    \
			memcpy((v)->items + (v)->len, (src), vec_n_ * sizeof(*(v)->items)); \
		(v)->len += vec_n_;                                            \
	} while (0)

#define vec_last(v) (&(v)->items[(v)->len - 1])
#define vec_pop(v) ((v)->items[--(v)->len])
#define vec_clear(v) ((void)((v)->len = 0))
#define vec_release(v) (mem_free((v)->items), (v)->items = NULL, (v)->len = (v)->cap = 0)

static inline void *vec_grow(void *items, size_t *cap, size_t need, size_t item_size)
{
	size_t grown = *cap ? *cap * 2 : 8;

	if (grown < need)
		grown = need;
	items = mem_realloc(items, grown * item_size); /* may not come back: mem_set_limit() */
	*cap = grown;
	return items;
}

#endif
