/* The collector: a plain two-space copy of one process's heap.
 *
 * From-space is the heap block and all fragments; everything else (literals, persistent terms,
 * messages not yet looked at) is left where it is. Roots: live x registers, the stack, the
 * process dictionary, messages that have been looked at, and the terms in the process struct. */
#include <stdlib.h>

#include "base/bug.h"
#include "vm/machine.h"
#include "vm/memory/heap.h"
#include "vm/memory/region.h"
#include "vm/memory/scan.h"
#include "vm/terms/atom.h"
#include "vm/terms/binary.h"
#include "vm/vm.h"

struct collector {
	struct process *p;
	term *top;
};

static bool is_in_from_space(const struct process *p, const term *ptr)
{
	if (ptr >= p->heap && ptr < p->hend)
		return true;
	for (const struct heap_fragment *f = p->fragments; f; f = f->next)
		if (ptr >= f->words && ptr < f->words + f->words_len)
			return true;
	return false;
}

/* Between two collections, memory is given out in this order: first the heap, upwards, then one
 * fragment after the other, of which the newest is first in the list. */
bool heap_is_older(const struct process *p, term t, term fresh)
{
	const term *old = term_is_cons(t) ? cons_ptr(t) : boxed_ptr(t), *new = boxed_ptr(fresh);

	if (term_is_immediate(t))
		return true;
	for (const struct heap_fragment *f = p->fragments; f; f = f->next) {
		bool has_old = old >= f->words && old < f->words + f->words_len;
		bool has_new = new >= f->words && new < f->words + f->words_len;

		if (has_old || has_new)
			return has_new && (!has_old || old < new);
	}
	return old < p->heap || old >= p->hend || old < new;
}

/* A moved object holds its new address: a cons has a mark in its head and the new address in its
 * tail; a box has the new term in place of its header, from which it differs by its tag. */
static term move_cons(struct collector *c, term t)
{
	term *cell = cons_ptr(t);
	term *dst = c->top;

	if (cell[0] == TERM_NONE)
		return cell[1];
	dst[0] = cell[0];
	dst[1] = cell[1];
	c->top += CONS_WORDS;
	cell[0] = TERM_NONE;
	cell[1] = cons_make(dst);
	return cell[1];
}

static term move_boxed(struct collector *c, term t)
{
	term *box = boxed_ptr(t);
	term *dst = c->top;
	size_t words;

	if (!term_is_header(box[0]))
		return box[0];
	words = 1 + header_words(box[0]);
	memcpy(dst, box, words * sizeof(term));
	c->top += words;
	box[0] = boxed_make(dst);
	return box[0];
}

static inline term move_term(struct collector *c, term t)
{
	if (term_is_cons(t))
		return is_in_from_space(c->p, cons_ptr(t)) ? move_cons(c, t) : t;
	if (term_is_boxed(t))
		return is_in_from_space(c->p, boxed_ptr(t)) ? move_boxed(c, t) : t;
	return t;
}

static void move_range(struct collector *c, term *first, size_t len)
{
	for (size_t i = 0; i < len; i++)
		first[i] = move_term(c, first[i]);
}

static void move_visited(void *ctx, term *first, size_t len)
{
	move_range(ctx, first, len);
}

void heap_visit_roots(struct process *p, void (*visit)(void *ctx, term *first, size_t len),
		      void *ctx)
{
	term *const roots[] = {&p->exception.reason, &p->exception.trace, &p->exception.args,
			       &p->exception.cause,  &p->exception.info,  &p->exit_reason,
			       &p->group_leader};

	visit(ctx, p->saved_x, p->saved_len);
	visit(ctx, p->dictionary.entries, (size_t)p->dictionary.cap * 2);
	for (struct message *m = p->mailbox.first;
	     m && (m->kind == MESSAGE_ON_HEAP || m->is_priority); m = m->next)
		if (m->kind == MESSAGE_ON_HEAP)
			visit(ctx, &m->content, 1);
	for (struct message *m = p->marked_first; m; m = m->next)
		if (m->kind == MESSAGE_ON_HEAP)
			visit(ctx, &m->content, 1);
	for (size_t i = 0; i < sizeof(roots) / sizeof(*roots); i++)
		visit(ctx, roots[i], 1);
}

static void scan_to_space(struct collector *c, term *scan)
{
	while (scan < c->top) {
		if (term_is_header(*scan)) {
			struct scan_range range = scan_terms(scan);

			move_range(c, scan + range.first, range.len);
			scan += 1 + header_words(*scan);
		} else {
			*scan = move_term(c, *scan);
			scan++;
		}
	}
}

/* Keeps the chain of the binaries that survived, in order, and drops a reference of the others. */
static void sweep_off_heap(struct process *p)
{
	term *box = p->off_heap.first;
	term *last = NULL;

	p->off_heap.first = NULL;
	while (box) {
		bool moved = !term_is_header(box[0]);
		term *next = (term *)box[3]; /* the old copy's link is intact */

		if (moved) {
			term *alive = boxed_ptr(box[0]);

			alive[3] = (term)NULL;
			if (last)
				last[3] = (term)alive;
			else
				p->off_heap.first = alive;
			last = alive;
		} else {
			refc_binary_unref((struct refc_binary *)box[2]);
		}
		box = next;
	}
}

static size_t count_words(const struct process *p)
{
	size_t words = (size_t)(p->htop - p->heap);

	for (const struct heap_fragment *f = p->fragments; f; f = f->next)
		words += f->used;
	return words;
}

static void free_from_space(struct process *p)
{
	while (p->fragments) {
		struct heap_fragment *f = p->fragments;

		p->fragments = f->next;
		region_free(f, sizeof(*f) + f->words_len * sizeof(term));
	}
	if (machine.heap.is_hard)
		memset(p->heap, 0xa8, (size_t)(p->hend - p->heap) * sizeof(term));
	region_free(p->heap, (size_t)(p->hend - p->heap) * sizeof(term));
}

static size_t choose_size(size_t words)
{
	size_t size = 256;

	while (size < words)
		size += size < 1 << 20 ? size : size / 4;
	return size;
}

/* Moves everything into a block of so many words; the caller knows that they suffice. */
static void move_everything(struct process *p, size_t words, term *x, size_t live)
{
	term *block = region_alloc(words * sizeof(term));
	size_t stack = (size_t)(p->hend - p->e);
	term *e = block + words - stack;
	struct collector c = {p, block};

	memcpy(e, p->e, stack * sizeof(term));
	move_range(&c, e, stack);
	move_range(&c, x, live);
	heap_visit_roots(p, move_visited, &c);
	scan_to_space(&c, block);
	sweep_off_heap(p);
	free_from_space(p);
	p->heap = block;
	p->hend = block + words;
	p->htop = c.top;
	p->e = e;
	p->gc_count++;
	p->fresh = NULL;
}

/* On the real VM the heap is at least as large as min_heap_size says. */
static bool is_monitored(const struct process *p, size_t words)
{
	uint64_t limit = p->vm->monitor.large_heap;

	return words >= limit || process_tuned(p, A_min_heap_size) >= limit;
}

/* In the worst case everything is alive and must fit into the new block. Twice the size that was
 * alive last time keeps collections rare. A block that turns out far too large is exchanged for a
 * small one. */
void heap_collect(struct process *p, size_t need, term *x, size_t live)
{
	size_t fixed = (size_t)(p->hend - p->e) + need;
	size_t size = choose_size(count_words(p) + fixed);
	size_t wanted = choose_size(2 * (p->live_words + fixed));

	move_everything(p, size > wanted ? size : wanted, x, live);
	p->live_words = p->old_words = (size_t)(p->htop - p->heap);
	wanted = choose_size(2 * (p->live_words + fixed));
	size = (size_t)(p->hend - p->heap);
	if (size > 4096 && wanted * 8 <= size)
		move_everything(p, wanted, x, live);
	if (p->heap_limit.words && p->live_words + fixed > p->heap_limit.words) {
		p->is_too_large = true;
		p->fuel = 0;
	}
	if (p->vm->monitor.large_heap && is_monitored(p, p->live_words + fixed)) {
		p->is_large = true;
		p->fuel = 0;
	}
	BUG_ON((size_t)(p->e - p->htop) < need, "collection left %zd words of %zu",
	       p->e - p->htop, need);
}
