/* heap.h: where memory for terms comes from. There are three places.
 *
 * 1. On a process's heap, from a BIF: heap_alloc. It never collects and never moves
 *    anything: arguments and results you hold stay valid until you return. When the heap
 *    is full the words come from a fragment, and the next test_heap collects. So a BIF
 *    may build incrementally, cell by cell, without roots:
 *
 *        term *hp = heap_alloc(p, TUPLE_WORDS(2));
 *        return tuple_build2(&hp, A_ok, args[0]);
 *
 *    You need not use every word you asked for, but all words of an object you made must
 *    be filled before you return.
 *
 * 2. Anywhere else (messages, ETS objects, persistent terms): ask term_copy_words how
 *    many words a copy needs, get them from region_alloc, and call term_copy with your own
 *    struct off_heap. When the object dies: off_heap_release, then region_free.
 *
 * 3. Outside the region (literals of code): the loader only.
 *
 * Binaries over HEAPBIN_MAX bytes live in a struct refc_binary (binary.h) that all
 * copies share; each REFCBIN object is chained in the off_heap of its owner.
 */
#ifndef VM_MEMORY_HEAP_H
#define VM_MEMORY_HEAP_H

#include "vm/process/process.h"

term *heap_alloc_fragment(struct process *p, size_t words);

static inline term *heap_alloc(struct process *p, size_t words)
{
	term *start = p->htop;

	if (__builtin_expect((size_t)(p->e - start) < words, 0))
		return heap_alloc_fragment(p, words);
	p->htop = start + words;
	return start;
}

/* Words a copy of t needs. Literals (terms outside the region) are shared, not copied. */
size_t term_copy_words(term t);

/* Copies t to *hp, where the caller has made room, and moves *hp behind the copy. Parts that t
 * contains twice are copied twice. */
term term_copy(term t, term **hp, struct off_heap *off_heap);
/* The same for messages that a process sends and the arguments of a new process: persistent terms stay
 * where they are. */
size_t term_send_words(term t);
term term_send(term t, term **hp, struct off_heap *off_heap);

/* A copy of t on p's heap, for a term of an ETS table and the like. */
term heap_import(struct process *p, term t);

/* Forgets one reference of each binary in the chain. */
void off_heap_release(struct off_heap *off_heap);

/* Makes room for `need` words on heap and stack together, keeping x[0..live-1].
 * Only the interpreter and the scheduler call it. */
void heap_collect(struct process *p, size_t need, term *x, size_t live);

/* Calls visit for all words from which the objects on p's heap are reached, but for its stack and the
 * registers of a process that runs. Messages that p has not looked at yet are not among them. */
void heap_visit_roots(struct process *p, void (*visit)(void *ctx, term *first, size_t len),
		      void *ctx);

/* Whether t is the tuple that setelement/3 made last, and has not moved since. */
static inline bool heap_is_fresh(const struct process *p, term t)
{
	return boxed_ptr(t) == p->fresh;
}
/* Whether t was made before the fresh tuple, so that t cannot contain it. */
bool heap_is_older(const struct process *p, term t, term fresh);

void heap_open(struct process *p, size_t words);
void heap_close(struct process *p);

/* The part of a machine (machine.h) that belongs to heaps. */
struct heap_settings {
	bool is_hard; /* FERMATA_BEAM_HARD=1: collect at every chance and poison the old heap */
	struct term_vec pending; /* terms that term_copy_words has still to measure */
};
void heap_settings_release(void);

/* ---- small conveniences for BIFs ---- */

term heap_cons(struct process *p, term head, term tail);
term heap_tuple(struct process *p, size_t len, const term *elements);
term heap_tuple2(struct process *p, term a, term b);
term heap_tuple3(struct process *p, term a, term b, term c);
term heap_float(struct process *p, double value);
/* Any 64-bit integer: a small one if it fits, else a big one. */
term heap_integer(struct process *p, int64_t value);
term heap_unsigned(struct process *p, uint64_t value);
/* A list of the characters of UTF-8 text, and of plain bytes. */
term heap_string(struct process *p, const char *utf8);
term heap_byte_list(struct process *p, const uint8_t *bytes, size_t len, term tail);
term heap_list(struct process *p, const term *items, size_t len, term tail);

/* The length of a proper list, or -1 when t is not one. */
int64_t list_length(term t);

#endif
