/* erts_debug:flat_size/1, size/1 and size_shared/1: the words that a term takes on the heap of the
 * real VM, not on ours. The second and the third count an object that occurs twice once, and the third
 * does not count literals and persistent terms at all.
 *
 * Programs compare these numbers with each other and with limits, so they are the real ones of the
 * chosen release, as measured on 25, 27 and 29. Only a map of more than 32 keys is near its real size
 * and not equal: its shape follows from a hash, and ours is another one. */
#include "base/map.h"
#include "base/vec.h"
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/ets/persistent.h"
#include "vm/memory/copy_shared.h"
#include "vm/memory/region.h"
#include "vm/memory/scan.h"
#include "vm/terms/binary.h"
#include "vm/terms/remote.h"
#include "vm/terms/tmap.h"
#include "vm/vm.h"

struct sizing {
	bool counts_once;
	struct process *p; /* size_shared; NULL: the others */
	struct term_vec pending; /* objects that are still to be counted */
	struct map counted;
	bool is_unsure; /* an object is outside the heap: only not in a search it is known where */
};

enum { NEW_BINARIES = 27, SMALL_FUNS = 28 }; /* the releases that changed the objects */

static bool is_on_heap(const struct process *p, const term *at)
{
	if (at >= p->heap && at < p->hend)
		return true;
	for (const struct heap_fragment *f = p->fragments; f; f = f->next)
		if (at >= f->words && at < f->words + f->used)
			return true;
	return false;
}

/* The real VM copies a persistent term that is erased to the heaps that refer to it. Here it stays
 * where it is, and belongs to them all the same. */
static bool is_someone_elses(struct sizing *s, term t)
{
	const term *at = term_is_cons(t) ? cons_ptr(t) : boxed_ptr(t);

	if (!region_holds(at))
		return true;
	if (is_on_heap(s->p, at))
		return false;
	s->is_unsure = true;
	return persistent_holds(s->p->vm, at);
}

static bool must_count(struct sizing *s, term t)
{
	bool is_new = true;

	if (!s->counts_once)
		return true;
	if (s->p && is_someone_elses(s, t))
		return false;
	map_put(&s->counted, t, &is_new);
	return is_new;
}

/* These functions return the words of an object alone. Its parts, which count as well, are pushed. */
static void push_parts(struct sizing *s, const term *box)
{
	struct scan_range range = scan_terms(box);

	for (size_t i = 0; i < range.len; i++)
		if (!term_is_immediate(box[range.first + i]))
			*vec_push(&s->pending) = box[range.first + i];
}

/* A node on the real VM is a header and its children; ours has a word more. */
static size_t size_node(struct sizing *s, term node)
{
	const term *box = boxed_ptr(node);
	size_t children = header_words(box[0]) - 1, words = 1 + children;

	for (size_t i = 0; i < children; i++) {
		if (term_is_cons(box[2 + i]))
			*vec_push(&s->pending) = box[2 + i];
		else if (must_count(s, box[2 + i]))
			words += size_node(s, box[2 + i]);
	}
	return words;
}

/* The keys of a flat map are a tuple, which maps can share. */
static size_t size_map(struct sizing *s, term map)
{
	const term *box = boxed_ptr(map);

	if (header_kind(box[0]) == KIND_HASHMAP)
		return 1 + (must_count(s, box[2]) ? size_node(s, box[2]) : 0);
	push_parts(s, box);
	return 3 + flatmap_size(map);
}

/* A part of another bit string, before OTP 27. On the real VM a small one of whole bytes is a copy, and
 * the others count with the binary that a copy would be. */
static size_t size_part(const struct sizing *s, const term *box)
{
	size_t bits = box[2], odd = bits % 8 + box[3] % 8;
	bool is_shared = bitstring_size(box[1]) > HEAPBIN_MAX * 8u ||
			 header_kind(*boxed_ptr(box[1])) == KIND_REFCBIN;

	if (bits % 8 == 0 && bits <= HEAPBIN_MAX * 8u && !box[4])
		return heapbin_words(bits / 8);
	if (s->p)
		return is_shared ? 6 : heapbin_words((bits + 7) / 8);
	return (odd ? SUBBIN_WORDS : 0) + (is_shared ? 6 : heapbin_words(bits / 8 + (odd + 7) / 8));
}

static size_t size_bits(const struct sizing *s, term t)
{
	const term *box = boxed_ptr(t);
	bool is_new = code_otp_release() >= NEW_BINARIES;
	size_t bits = bitstring_size(t);

	if (is_new && bits <= HEAPBIN_MAX * 8u)
		return heapbin_words((bits + 7) / 8);
	if (is_new)
		return 8;
	if (header_kind(box[0]) == KIND_SUBBIN)
		return size_part(s, box);
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

static size_t size_box(struct sizing *s, term t)
{
	const term *box = boxed_ptr(t);

	switch (header_kind(box[0])) {
	case KIND_TUPLE: /* all empty tuples are one object */
		push_parts(s, box);
		return header_words(box[0]) ? 1 + header_words(box[0]) : 0;
	case KIND_FUN:
		push_parts(s, box);
		return header_words(box[0]) - 1 + size_fun();
	case KIND_EXPORT:
		return code_otp_release() >= NEW_BINARIES ? 2 : 5;
	case KIND_REF:
		return 3;
	case KIND_REMOTE_REF:
		return 3 + (remote_read(t).numbers_len + 2) / 2;
	case KIND_FLATMAP:
	case KIND_HASHMAP:
		return size_map(s, t);
	case KIND_HEAPBIN:
	case KIND_REFCBIN:
	case KIND_SUBBIN:
		return size_bits(s, t);
	default:
		return 1 + header_words(box[0]);
	}
}

static size_t size_term(struct sizing *s, term whole)
{
	size_t words = 0;

	if (!term_is_immediate(whole))
		*vec_push(&s->pending) = whole;
	while (s->pending.len) {
		term t = vec_pop(&s->pending);

		for (; term_is_cons(t) && must_count(s, t); t = cons_tail(t)) {
			words += CONS_WORDS;
			if (!term_is_immediate(cons_head(t)))
				*vec_push(&s->pending) = cons_head(t);
		}
		if (term_is_boxed(t) && must_count(s, t))
			words += size_box(s, t);
	}
	vec_release(&s->pending);
	map_release(&s->counted);
	return words;
}

term bif_erts_debug_flat_size_1(struct process *p, const term *args)
{
	struct sizing s = {0};

	(void)p;
	return small_make((int64_t)size_term(&s, args[0]));
}

/* OTP's own function asks for the nodes of a large map, and in our maps the nodes are not terms. */
term bif_erts_debug_size_1(struct process *p, const term *args)
{
	struct sizing s = {.counts_once = true};

	(void)p;
	return small_make((int64_t)size_term(&s, args[0]));
}

term bif_erts_debug_size_shared_1(struct process *p, const term *args)
{
	struct sizing s = {.counts_once = true, .p = p};
	size_t words = size_term(&s, args[0]);

	if (s.is_unsure && p->vm->is_explored)
		return bif_unsupported(p, "erts_debug:size_shared of a persistent term in a search");
	return small_make((int64_t)words);
}

term bif_erts_debug_copy_shared_2(struct process *p, const term *args)
{
	struct shared_copy copy = {.takes_literals = args[1] == A_true};
	term *hp, result;

	if (args[1] != A_true && args[1] != A_false)
		return bif_badarg(p);
	hp = heap_alloc(p, shared_copy_measure(&copy, args[0]));
	result = shared_copy_make(&copy, args[0], &hp, &p->off_heap);
	shared_copy_release(&copy);
	return result;
}
