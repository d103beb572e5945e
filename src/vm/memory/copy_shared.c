/* Copying a term so that a part that it contains twice is copied once.
 *
 * Messages are not copied like this: the real VM does not do it either. Persistent terms are, and a
 * term of n words can have 2^n parts when each is counted as often as it is met. */
#include "base/map.h"
#include "base/vec.h"
#include "vm/memory/copy_shared.h"
#include "vm/memory/heap.h"
#include "vm/memory/region.h"
#include "vm/memory/scan.h"
#include "vm/terms/binary.h"

static bool must_copy(const struct shared_copy *c, term t)
{
	return !term_is_immediate(t) && (c->takes_literals || region_holds((void *)t));
}

/* The words of one object. Its parts are pushed. */
static size_t measure_one(struct shared_copy *c, struct term_vec *pending, term t)
{
	const term *box = boxed_ptr(t);
	struct scan_range range = {0, CONS_WORDS};
	size_t words = CONS_WORDS;

	if (term_is_cons(t)) {
		box = cons_ptr(t);
	} else {
		range = scan_terms(box);
		words = 1 + header_words(box[0]);
	}
	for (size_t i = 0; i < range.len; i++)
		if (must_copy(c, box[range.first + i]))
			*vec_push(pending) = box[range.first + i];
	return words;
}

size_t shared_copy_measure(struct shared_copy *c, term t)
{
	struct term_vec pending = {0};
	size_t words = 0;

	if (must_copy(c, t))
		*vec_push(&pending) = t;
	while (pending.len) {
		bool is_new = false;

		t = vec_pop(&pending);
		map_put(&c->places, t, &is_new);
		if (is_new)
			words += measure_one(c, &pending, t);
	}
	vec_release(&pending);
	return words;
}

static term copy_object(struct shared_copy *c, term t)
{
	const term *src = term_is_cons(t) ? cons_ptr(t) : boxed_ptr(t);
	size_t words = term_is_cons(t) ? CONS_WORDS : 1 + header_words(src[0]);
	term *dst = c->top;

	memcpy(dst, src, words * sizeof(term));
	c->top += words;
	if (term_is_cons(t))
		return cons_make(dst);
	if (header_kind(src[0]) == KIND_REFCBIN) {
		((struct refc_binary *)dst[2])->refs++;
		dst[3] = (term)c->off_heap->first;
		c->off_heap->first = dst;
	} else if (header_kind(src[0]) == KIND_SUBBIN) {
		dst[4] = 0; /* a copy may not append in place */
	}
	return boxed_make(dst);
}

static term copy_one(struct shared_copy *c, term t)
{
	uint64_t *place;

	if (!must_copy(c, t))
		return t;
	place = map_get(&c->places, t);
	if (!*place)
		*place = copy_object(c, t);
	return *place;
}

term shared_copy_make(struct shared_copy *c, term t, term **hp, struct off_heap *off_heap)
{
	term *scan = *hp;
	term root;

	c->top = *hp;
	c->off_heap = off_heap;
	root = copy_one(c, t);
	while (scan < c->top) {
		struct scan_range range = {0, 1};
		size_t words = 1;

		if (term_is_header(*scan)) {
			range = scan_terms(scan);
			words = 1 + header_words(*scan);
		}
		for (size_t i = 0; i < range.len; i++)
			scan[range.first + i] = copy_one(c, scan[range.first + i]);
		scan += words;
	}
	*hp = c->top;
	return root;
}

void shared_copy_release(struct shared_copy *c)
{
	map_release(&c->places);
}
