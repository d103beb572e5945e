/* Decoding the external term format, in two passes without recursion. A term is a tag, some bytes
 * and a known number of further terms. So the first pass only counts the terms that must still
 * follow, and the second pass keeps a stack of places that must still be filled. */
#include "vm/terms/etf.h"

#include "base/bug.h"
#include "base/vec.h"
#include "vm/code/code.h"
#include "vm/terms/atom.h"
#include "vm/terms/big.h"
#include "vm/terms/binary.h"
#include "vm/terms/etf_input.h"
#include "vm/terms/etf_tags.h"
#include "vm/terms/text.h"
#include "vm/terms/tmap.h"
#include "vm/vm.h"

/* ---- first pass ---- */

struct measure {
	struct etf_input *in;
	size_t words;
	uint64_t pending; /* terms still to come */
	bool is_literal;
};

/* Each term takes at least a byte, so a count larger than the rest of the input is wrong. */
static void expect_terms(struct measure *m, uint64_t n)
{
	m->pending += n;
	if (m->pending > m->in->len - m->in->at)
		m->in->failed = true;
}

static void measure_big(struct measure *m, unsigned size_bytes)
{
	uint64_t n = etf_take_number(m->in, size_bytes);

	etf_take(m->in, 1);
	etf_take(m->in, n);
	m->words += 2 + n / 8;
	if (n / 8 > BIG_MAX_LIMBS)
		m->in->failed = true;
}

static void measure_binary(struct measure *m, uint64_t n)
{
	etf_take(m->in, n);
	m->words += heapbin_words(n) > REFCBIN_WORDS && n > HEAPBIN_MAX && !m->is_literal
			    ? REFCBIN_WORDS
			    : heapbin_words(n);
}

static void measure_remote(struct measure *m, unsigned tag)
{
	struct remote parts = etf_take_remote(m->in, tag);

	m->words += etf_remote_words(&parts);
}

static void measure_compound(struct measure *m, unsigned tag)
{
	struct etf_input *in = m->in;
	uint64_t n;

	switch (tag) {
	case ETF_SMALL_TUPLE:
	case ETF_LARGE_TUPLE:
		n = etf_take_number(in, tag == ETF_SMALL_TUPLE ? 1 : 4);
		expect_terms(m, n);
		m->words += TUPLE_WORDS(n);
		break;
	case ETF_LIST:
		n = etf_take_number(in, 4);
		expect_terms(m, n + 1);
		m->words += n * CONS_WORDS;
		break;
	case ETF_MAP:
		n = etf_take_number(in, 4);
		expect_terms(m, 2 * n);
		if (!in->failed)
			m->words += tmap_pairs_words(n);
		break;
	case ETF_NEW_FUN:
		n = etf_take_fun(in).num_free;
		expect_terms(m, n);
		m->words += 2 + n;
		break;
	case ETF_EXPORT:
		etf_expect_atom(in);
		etf_expect_atom(in);
		n = (uint64_t)etf_expect_int(in);
		if (n > 255)
			in->failed = true;
		m->words += 2;
		break;
	default:
		in->failed = true;
	}
}

static void measure_term(struct measure *m)
{
	struct etf_input *in = m->in;
	unsigned tag = (unsigned)etf_take_number(in, 1);
	uint64_t n;

	switch (tag) {
	case ETF_SMALL_INT:
	case ETF_INT:
		etf_take(in, tag == ETF_SMALL_INT ? 1 : 4);
		break;
	case ETF_NIL:
		break;
	case ETF_NEW_FLOAT:
		etf_take_float(in);
		m->words += FLOAT_WORDS;
		break;
	case ETF_OLD_FLOAT:
		etf_take_old_float(in);
		m->words += FLOAT_WORDS;
		break;
	case ETF_ATOM:
	case ETF_SMALL_ATOM:
	case ETF_ATOM_UTF8:
	case ETF_SMALL_ATOM_UTF8:
		etf_take_atom(in, tag);
		break;
	case ETF_STRING:
		n = etf_take_number(in, 2);
		etf_take(in, n);
		m->words += n * CONS_WORDS;
		break;
	case ETF_BINARY:
		measure_binary(m, etf_take_number(in, 4));
		break;
	case ETF_BIT_BINARY:
		n = etf_take_number(in, 4);
		if (etf_take_number(in, 1) > 8)
			in->failed = true;
		measure_binary(m, n);
		m->words += SUBBIN_WORDS;
		break;
	case ETF_SMALL_BIG:
	case ETF_LARGE_BIG:
		measure_big(m, tag == ETF_SMALL_BIG ? 1 : 4);
		break;
	default:
		if (etf_is_remote_tag(tag))
			measure_remote(m, tag);
		else
			measure_compound(m, tag);
	}
}

static bool measure_all(const uint8_t *bytes, size_t len, bool safe, bool is_literal,
			struct etf_size *size)
{
	struct etf_input in = {bytes, len, 0, safe, false};
	struct measure m = {&in, 0, 1, is_literal};

	while (m.pending && !in.failed) {
		m.pending--;
		measure_term(&m);
	}
	size->words = m.words;
	size->bytes = in.at;
	return !in.failed;
}

bool etf_measure(const uint8_t *bytes, size_t len, bool safe, struct etf_size *size)
{
	return measure_all(bytes, len, safe, false, size);
}

bool etf_measure_literal(const uint8_t *bytes, size_t len, struct etf_size *size)
{
	return measure_all(bytes, len, false, true, size);
}

/* ---- second pass ---- */

/* Places to fill: `left` places, `stride` words apart. The pairs of a map are collected first. */
struct frame {
	term *next;
	size_t left;
	size_t stride;
	term *last;   /* a list's tail: one more place after the others, or NULL */
	term *pairs;  /* a map: the collected pairs, to be freed */
	size_t pairs_len;
	term *target; /* a map: where it goes */
};

VEC_TYPE(frame_vec, struct frame);

struct builder {
	struct etf_input in;
	term *top;
	struct off_heap *off_heap;
	bool is_literal;
	bool has_duplicates; /* a map had the same key twice */
	struct frame_vec frames;
};

static term build_binary(struct builder *b, uint64_t n)
{
	size_t at = etf_take(&b->in, n), words = heapbin_words(n);
	term *box = b->top;

	if (n > HEAPBIN_MAX && !b->is_literal) {
		struct refc_binary *binary = refc_binary_new(n);

		memcpy(binary->bytes, b->in.bytes + at, n);
		binary->used = n;
		return refcbin_build(&b->top, binary, n, b->off_heap);
	}
	b->top += words;
	box[0] = header_make(KIND_HEAPBIN, words - 1);
	box[1] = n;
	if (words > 2)
		box[words - 1] = 0;
	if (n)
		memcpy(box + 2, b->in.bytes + at, n);
	return boxed_make(box);
}

static term build_bit_binary(struct builder *b)
{
	uint64_t n = etf_take_number(&b->in, 4);
	unsigned bits = (unsigned)etf_take_number(&b->in, 1);
	term whole = build_binary(b, n);
	term *box = b->top;

	if (bits == 8 || bits == 0 || n == 0)
		return whole;
	b->top += SUBBIN_WORDS;
	box[0] = header_make(KIND_SUBBIN, SUBBIN_WORDS - 1);
	box[1] = whole;
	box[2] = n * 8 - 8 + bits;
	box[3] = 0;
	box[4] = 0;
	return boxed_make(box);
}

static term build_big(struct builder *b, unsigned size_bytes)
{
	uint64_t n = etf_take_number(&b->in, size_bytes);
	bool negative = etf_take_number(&b->in, 1) != 0;
	size_t at = etf_take(&b->in, n), len = (n + 7) / 8;
	term *box = b->top;

	if (b->in.failed)
		return NIL;
	if (len) {
		box[len] = 0;
		memcpy(box + 1, b->in.bytes + at, n);
	}
	while (len && !box[len])
		len--;
	if (!len)
		return small_make(0);
	if (len == 1 && box[1] <= (uint64_t)SMALL_MAX + negative)
		return small_make(negative ? (int64_t)(0 - box[1]) : (int64_t)box[1]);
	box[0] = header_make(negative ? KIND_BIG_NEG : KIND_BIG_POS, len);
	b->top += 1 + len;
	return boxed_make(box);
}

static term build_string(struct builder *b)
{
	uint64_t n = etf_take_number(&b->in, 2);
	size_t at = etf_take(&b->in, n);
	term list = NIL;

	while (n > 0)
		list = cons_build(&b->top, small_make(b->in.bytes[at + --n]), list);
	return list;
}

static term build_remote(struct builder *b, unsigned tag)
{
	struct remote parts = etf_take_remote(&b->in, tag);

	return etf_build_remote(&parts, &b->top);
}

static term build_export(struct builder *b)
{
	term module = etf_expect_atom(&b->in), function = etf_expect_atom(&b->in), *box = b->top;

	b->top += 2;
	box[0] = header_make(KIND_EXPORT, 1);
	box[1] = export_of(module, function, (unsigned)etf_expect_int(&b->in))->number;
	return boxed_make(box);
}

static struct frame *push_frame(struct builder *b, term *next, size_t left, size_t stride)
{
	struct frame *frame = vec_push(&b->frames);

	*frame = (struct frame){.next = next, .left = left, .stride = stride};
	return frame;
}

static term build_tuple(struct builder *b, uint64_t n)
{
	term *box = b->top;

	b->top += TUPLE_WORDS(n);
	box[0] = header_make(KIND_TUPLE, n);
	push_frame(b, box + 1, n, 1);
	return boxed_make(box);
}

static term build_list(struct builder *b, term *target)
{
	uint64_t n = etf_take_number(&b->in, 4);
	term *cells = b->top;

	if (!n) {
		push_frame(b, target, 1, 1); /* a list with 0 elements is its tail alone */
		return TERM_NONE;
	}
	b->top += n * CONS_WORDS;
	for (uint64_t i = 0; i + 1 < n; i++)
		cells[2 * i + 1] = cons_make(cells + 2 * i + 2);
	push_frame(b, cells, n, 2)->last = cells + 2 * n - 1;
	return cons_make(cells);
}

static term build_fun(struct builder *b)
{
	struct etf_fun parts = etf_take_fun(&b->in);
	term *box = b->top;

	b->top += 2 + parts.num_free;
	box[0] = header_make(KIND_FUN, 1 + parts.num_free);
	box[1] = (term)parts.entry;
	push_frame(b, box + 2, parts.num_free, 1);
	return boxed_make(box);
}

/* Returns TERM_NONE when the place is filled later. */
static term build_compound(struct builder *b, unsigned tag, term *target)
{
	struct frame *frame;
	uint64_t n;

	switch (tag) {
	case ETF_SMALL_TUPLE:
		return build_tuple(b, etf_take_number(&b->in, 1));
	case ETF_LARGE_TUPLE:
		return build_tuple(b, etf_take_number(&b->in, 4));
	case ETF_LIST:
		return build_list(b, target);
	case ETF_NEW_FUN:
		return build_fun(b);
	case ETF_EXPORT:
		return build_export(b);
	default:
		n = etf_take_number(&b->in, 4);
		frame = push_frame(b, NULL, 2 * n, 1);
		frame->pairs = frame->next = mem_alloc((2 * n + 1) * sizeof(term));
		frame->pairs_len = n;
		frame->target = target;
		return TERM_NONE;
	}
}

static term build_term(struct builder *b, term *target)
{
	struct etf_input *in = &b->in;
	unsigned tag = (unsigned)etf_take_number(in, 1);

	switch (tag) {
	case ETF_SMALL_INT:
		return small_make((int64_t)etf_take_number(in, 1));
	case ETF_INT:
		return small_make((int32_t)etf_take_number(in, 4));
	case ETF_NIL:
		return NIL;
	case ETF_NEW_FLOAT:
		return float_build(&b->top, etf_take_float(in));
	case ETF_OLD_FLOAT:
		return float_build(&b->top, etf_take_old_float(in));
	case ETF_ATOM:
	case ETF_SMALL_ATOM:
	case ETF_ATOM_UTF8:
	case ETF_SMALL_ATOM_UTF8:
		return etf_take_atom(in, tag);
	case ETF_STRING:
		return build_string(b);
	case ETF_BINARY:
		return build_binary(b, etf_take_number(in, 4));
	case ETF_BIT_BINARY:
		return build_bit_binary(b);
	case ETF_SMALL_BIG:
		return build_big(b, 1);
	case ETF_LARGE_BIG:
		return build_big(b, 4);
	default:
		return etf_is_remote_tag(tag) ? build_remote(b, tag)
					      : build_compound(b, tag, target);
	}
}

/* All places of the frame are filled: fills the tail of a list, makes a map of its pairs. */
static void finish_frame(struct builder *b)
{
	struct frame *frame = vec_last(&b->frames);

	if (frame->last) {
		frame->next = frame->last;
		frame->left = 1;
		frame->last = NULL;
		return;
	}
	if (frame->pairs) {
		*frame->target = tmap_build(&b->top, frame->pairs, frame->pairs_len);
		b->has_duplicates |= tmap_size(*frame->target) != frame->pairs_len;
		mem_free(frame->pairs);
	}
	b->frames.len--;
}

term etf_build(const uint8_t *bytes, size_t len, term **hp, struct off_heap *off_heap,
	       bool is_literal)
{
	struct builder b = {{bytes, len, 0, false, false}, *hp, off_heap, is_literal, false, {0}};
	term root = NIL;

	push_frame(&b, &root, 1, 1);
	while (b.frames.len) {
		struct frame *frame = vec_last(&b.frames);
		term *place = frame->next;
		term t;

		if (!frame->left) {
			finish_frame(&b);
			continue;
		}
		frame->left--;
		frame->next += frame->stride;
		t = build_term(&b, place); /* frame may have moved */
		if (t != TERM_NONE)
			*place = t;
	}
	BUG_ON(b.in.failed, "external term changed between its two passes");
	vec_release(&b.frames);
	*hp = b.top;
	return b.has_duplicates ? TERM_NONE : root;
}
