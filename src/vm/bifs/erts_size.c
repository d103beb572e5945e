/* erts_debug:flat_size/1: the words that a term takes on the heap of the real VM, not on ours.
 *
 * Programs compare these numbers with each other and with limits, so they are the real ones of the
 * chosen release, as measured on 25, 27 and 29. Only a map of more than 32 keys is near its real size
 * and not equal: its shape follows from a hash, and ours is another one. */
#include "base/vec.h"
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/memory/scan.h"
#include "vm/terms/binary.h"
#include "vm/terms/remote.h"
#include "vm/terms/tmap.h"

enum { NEW_BINARIES = 27, SMALL_FUNS = 28 }; /* the releases that changed the objects */

/* These functions return the words of an object alone. Its parts, which count as well, are pushed. */
static void push_parts(struct term_vec *pending, const term *box)
{
	struct scan_range range = scan_terms(box);

	for (size_t i = 0; i < range.len; i++)
		if (!term_is_immediate(box[range.first + i]))
			*vec_push(pending) = box[range.first + i];
}

/* A node on the real VM is a header and its children; ours has a word more. */
static size_t size_node(struct term_vec *pending, term node)
{
	const term *box = boxed_ptr(node);
	size_t children = header_words(box[0]) - 1, words = 1 + children;

	for (size_t i = 0; i < children; i++) {
		if (term_is_cons(box[2 + i]))
			*vec_push(pending) = box[2 + i];
		else
			words += size_node(pending, box[2 + i]);
	}
	return words;
}

/* The keys of a flat map are a tuple, which maps can share. */
static size_t size_map(struct term_vec *pending, term map)
{
	const term *box = boxed_ptr(map);

	if (header_kind(box[0]) == KIND_HASHMAP)
		return 1 + size_node(pending, box[2]);
	push_parts(pending, box);
	return 3 + flatmap_size(map);
}

static size_t size_bits(struct term_vec *pending, term t)
{
	const term *box = boxed_ptr(t);
	bool is_new = code_otp_release() >= NEW_BINARIES;
	size_t bits = bitstring_size(t);

	if (is_new && bits <= HEAPBIN_MAX * 8u)
		return heapbin_words((bits + 7) / 8);
	if (is_new)
		return 8;
	if (header_kind(box[0]) == KIND_SUBBIN) {
		push_parts(pending, box);
		return SUBBIN_WORDS;
	}
	/* A literal of ours is a HEAPBIN of any size. */
	if (bits > HEAPBIN_MAX * 8u || header_kind(box[0]) == KIND_REFCBIN)
		return 6;
	return 1 + header_words(box[0]);
}

/* Without the values that it has of its surroundings. */
static size_t size_fun(void)
{
	if (code_otp_release() >= SMALL_FUNS)
		return 2;
	return code_otp_release() >= NEW_BINARIES ? 6 : 5;
}

static size_t size_box(struct term_vec *pending, term t)
{
	const term *box = boxed_ptr(t);

	switch (header_kind(box[0])) {
	case KIND_TUPLE: /* all empty tuples are one object */
		push_parts(pending, box);
		return header_words(box[0]) ? 1 + header_words(box[0]) : 0;
	case KIND_FUN:
		push_parts(pending, box);
		return header_words(box[0]) - 1 + size_fun();
	case KIND_EXPORT:
		return code_otp_release() >= NEW_BINARIES ? 2 : 5;
	case KIND_REF:
		return 3;
	case KIND_REMOTE_REF:
		return 3 + (remote_read(t).numbers_len + 2) / 2;
	case KIND_FLATMAP:
	case KIND_HASHMAP:
		return size_map(pending, t);
	case KIND_HEAPBIN:
	case KIND_REFCBIN:
	case KIND_SUBBIN:
		return size_bits(pending, t);
	default:
		return 1 + header_words(box[0]);
	}
}

term bif_erts_debug_flat_size_1(struct process *p, const term *args)
{
	struct term_vec pending = {0};
	size_t words = 0;

	if (!term_is_immediate(args[0]))
		*vec_push(&pending) = args[0];
	while (pending.len) {
		term t = vec_pop(&pending);

		for (; term_is_cons(t); t = cons_tail(t)) {
			words += CONS_WORDS;
			if (!term_is_immediate(cons_head(t)))
				*vec_push(&pending) = cons_head(t);
		}
		if (term_is_boxed(t))
			words += size_box(&pending, t);
	}
	vec_release(&pending);
	return small_make((int64_t)words);
}
