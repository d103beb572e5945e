/* Copying terms between heaps: into messages, tables, persistent terms, and back.
 *
 * Terms may be nested deeper than the C stack, so neither pass recurses. Measuring uses an explicit
 * stack. Copying is Cheney's scan: the words copied so far are the queue of the words still to be
 * scanned. */
#include "base/vec.h"
#include "vm/ets/persistent.h"
#include "vm/machine.h"
#include "vm/memory/heap.h"
#include "vm/memory/region.h"
#include "vm/memory/scan.h"
#include "vm/terms/binary.h"
#include "vm/vm.h"

struct copier {
	const struct persistent_terms *kept; /* not copied; NULL: all are */
	term *top;
	struct off_heap *off_heap;
};

static struct term_vec *const pending = &machine.heap.pending;

void heap_settings_release(void)
{
	vec_release(pending);
}

static bool must_copy(const struct persistent_terms *kept, term t)
{
	/* A tagged pointer lies in the object that it points to. */
	return !term_is_immediate(t) && region_holds((void *)t) &&
	       !(kept && persistent_keeps(kept, (const void *)t));
}

/* A sub-binary is copied together with the whole REFCBIN or HEAPBIN that it is part of. */
static size_t size_boxed(const struct persistent_terms *kept, term t)
{
	const term *box = boxed_ptr(t);
	struct scan_range range = scan_terms(box);

	for (size_t i = 0; i < range.len; i++)
		if (must_copy(kept, box[range.first + i]))
			*vec_push(pending) = box[range.first + i];
	return 1 + header_words(box[0]);
}

static size_t measure(const struct persistent_terms *kept, term t)
{
	size_t words = 0;

	if (!must_copy(kept, t))
		return 0;
	vec_clear(pending);
	*vec_push(pending) = t;
	while (pending->len) {
		t = vec_pop(pending);
		while (term_is_cons(t) && must_copy(kept, t)) {
			words += CONS_WORDS;
			if (must_copy(kept, cons_head(t)))
				*vec_push(pending) = cons_head(t);
			t = cons_tail(t);
		}
		if (term_is_boxed(t) && must_copy(kept, t))
			words += size_boxed(kept, t);
	}
	return words;
}

size_t term_copy_words(term t)
{
	return measure(NULL, t);
}

size_t term_send_words(term t)
{
	return measure(vm_get()->persistent, t);
}

static term copy_one(struct copier *c, term t)
{
	term *dst = c->top;
	const term *src;
	size_t words;

	if (!must_copy(c->kept, t))
		return t;
	if (term_is_cons(t)) {
		src = cons_ptr(t);
		dst[0] = src[0];
		dst[1] = src[1];
		c->top += CONS_WORDS;
		return cons_make(dst);
	}
	src = boxed_ptr(t);
	words = 1 + header_words(src[0]);
	memcpy(dst, src, words * sizeof(term));
	c->top += words;
	if (header_kind(src[0]) == KIND_REFCBIN) {
		((struct refc_binary *)dst[2])->refs++;
		dst[3] = (term)c->off_heap->first;
		c->off_heap->first = dst;
	} else if (header_kind(src[0]) == KIND_SUBBIN) {
		dst[4] = 0; /* a copy may not append in place */
	}
	return boxed_make(dst);
}

static term copy_all(struct copier *c, term t)
{
	term *scan = c->top;
	term root = copy_one(c, t);

	while (scan < c->top) {
		if (term_is_header(*scan)) {
			struct scan_range range = scan_terms(scan);
			size_t words = 1 + header_words(*scan);

			for (size_t i = 0; i < range.len; i++)
				scan[range.first + i] = copy_one(c, scan[range.first + i]);
			scan += words;
		} else {
			*scan = copy_one(c, *scan);
			scan++;
		}
	}
	return root;
}

term term_copy(term t, term **hp, struct off_heap *off_heap)
{
	struct copier c = {NULL, *hp, off_heap};
	term copy = copy_all(&c, t);

	*hp = c.top;
	return copy;
}

term term_send(term t, term **hp, struct off_heap *off_heap)
{
	struct copier c = {vm_get()->persistent, *hp, off_heap};
	term copy = copy_all(&c, t);

	*hp = c.top;
	return copy;
}
