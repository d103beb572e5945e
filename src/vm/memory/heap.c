#include "vm/memory/heap.h"

#include "base/bug.h"
#include "vm/memory/region.h"
#include "vm/terms/atom.h"
#include "vm/terms/binary.h"
#include "vm/vm.h"

enum { FRAGMENT_WORDS_MIN = 256, FRAGMENT_WORDS_MAX = 1 << 20, FRAGMENT_WORDS_COSTLY = 1 << 15 };

static size_t fragment_bytes(size_t words)
{
	return sizeof(struct heap_fragment) + words * sizeof(term);
}

/* A loop whose only allocations are those of native functions is collected when a turn ends. A turn
 * may have thousands of large results, so these count as calls, as they do on the real VM. In a search
 * the turns must not depend on memory. */
static void charge(struct process *p, size_t words)
{
	size_t calls = words / 64;

	if (!p->vm->is_explored && p->fuel > 0)
		p->fuel = (size_t)p->fuel > calls ? p->fuel - (int32_t)calls : 0;
}

term *heap_alloc_fragment(struct process *p, size_t words)
{
	struct heap_fragment *fragment = p->fragments;
	size_t size = FRAGMENT_WORDS_MIN;
	term *start;

	p->htop = p->e; /* so that the next test_heap collects */
	if (!fragment || fragment->words_len - fragment->used < words) {
		if (fragment && fragment->words_len < FRAGMENT_WORDS_MAX)
			size = fragment->words_len * 2;
		else if (fragment)
			size = FRAGMENT_WORDS_MAX;
		if (size < words)
			size = words;
		if (size >= FRAGMENT_WORDS_COSTLY)
			charge(p, size);
		fragment = region_alloc(fragment_bytes(size));
		fragment->next = p->fragments;
		fragment->words_len = size;
		fragment->used = 0;
		p->fragments = fragment;
	}
	start = fragment->words + fragment->used;
	fragment->used += words;
	return start;
}

void heap_open(struct process *p, size_t words)
{
	p->heap = region_alloc(words * sizeof(term));
	p->hend = p->heap + words;
	p->htop = p->heap;
	p->e = p->hend;
	p->fragments = NULL;
	p->off_heap.first = NULL;
}

static void free_fragments(struct process *p)
{
	while (p->fragments) {
		struct heap_fragment *fragment = p->fragments;

		p->fragments = fragment->next;
		region_free(fragment, fragment_bytes(fragment->words_len));
	}
}

void heap_close(struct process *p)
{
	off_heap_release(&p->off_heap);
	free_fragments(p);
	region_free(p->heap, (size_t)(p->hend - p->heap) * sizeof(term));
	p->heap = p->hend = p->htop = p->e = NULL;
}

void off_heap_release(struct off_heap *off_heap)
{
	term *box = off_heap->first;

	while (box) {
		term *next = (term *)box[3];

		refc_binary_unref((struct refc_binary *)box[2]);
		box = next;
	}
	off_heap->first = NULL;
}

term heap_import(struct process *p, term t)
{
	term *hp;

	if (term_is_immediate(t))
		return t;
	hp = heap_alloc(p, term_copy_words(t));
	return term_copy(t, &hp, &p->off_heap);
}

term heap_cons(struct process *p, term head, term tail)
{
	term *hp = heap_alloc(p, CONS_WORDS);

	return cons_build(&hp, head, tail);
}

term heap_tuple(struct process *p, size_t len, const term *elements)
{
	term *box = heap_alloc(p, TUPLE_WORDS(len));

	box[0] = header_make(KIND_TUPLE, len);
	if (len)
		memcpy(box + 1, elements, len * sizeof(term));
	return boxed_make(box);
}

term heap_tuple2(struct process *p, term a, term b)
{
	term *hp = heap_alloc(p, TUPLE_WORDS(2));

	return tuple_build2(&hp, a, b);
}

term heap_tuple3(struct process *p, term a, term b, term c)
{
	term *hp = heap_alloc(p, TUPLE_WORDS(3));

	return tuple_build3(&hp, a, b, c);
}

term heap_float(struct process *p, double value)
{
	term *hp = heap_alloc(p, FLOAT_WORDS);

	return float_build(&hp, value);
}

static term build_one_limb(struct process *p, enum term_kind kind, uint64_t limb)
{
	term *box = heap_alloc(p, 2);

	box[0] = header_make(kind, 1);
	box[1] = limb;
	return boxed_make(box);
}

term heap_integer(struct process *p, int64_t value)
{
	if (small_fits(value))
		return small_make(value);
	if (value < 0)
		return build_one_limb(p, KIND_BIG_NEG, 0 - (uint64_t)value);
	return build_one_limb(p, KIND_BIG_POS, (uint64_t)value);
}

term heap_unsigned(struct process *p, uint64_t value)
{
	if (value <= (uint64_t)SMALL_MAX)
		return small_make((int64_t)value);
	return build_one_limb(p, KIND_BIG_POS, value);
}

static const char *decode_utf8(const char *text, uint32_t *point)
{
	const uint8_t *s = (const uint8_t *)text;
	int more = s[0] < 0x80 ? 0 : s[0] < 0xe0 ? 1 : s[0] < 0xf0 ? 2 : 3;

	*point = more ? s[0] & (0x3fu >> more) : s[0];
	s++;
	while (more-- > 0 && (*s & 0xc0) == 0x80)
		*point = *point << 6 | (*s++ & 0x3f);
	return (const char *)s;
}

term heap_string(struct process *p, const char *utf8)
{
	size_t len = strlen(utf8);
	term *hp = heap_alloc(p, len * CONS_WORDS);
	term *last = NULL;
	term list = NIL;

	while (*utf8) {
		uint32_t point;
		term cell;

		utf8 = decode_utf8(utf8, &point);
		cell = cons_build(&hp, small_make(point), NIL);
		if (last)
			*last = cell;
		else
			list = cell;
		last = cons_ptr(cell) + 1;
	}
	return list;
}

term heap_byte_list(struct process *p, const uint8_t *bytes, size_t len, term tail)
{
	term *hp = heap_alloc(p, len * CONS_WORDS);

	while (len > 0)
		tail = cons_build(&hp, small_make(bytes[--len]), tail);
	return tail;
}

term heap_list(struct process *p, const term *items, size_t len, term tail)
{
	term *hp = heap_alloc(p, len * CONS_WORDS);

	while (len > 0)
		tail = cons_build(&hp, items[--len], tail);
	return tail;
}

int64_t list_length(term t)
{
	int64_t len = 0;

	for (; term_is_cons(t); t = cons_tail(t))
		len++;
	return t == NIL ? len : -1;
}
