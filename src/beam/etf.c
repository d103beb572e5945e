/* Decoding the external term format. Both passes walk without recursion: a term is a tag, some
 * bytes and a known number of terms that follow, so the first pass only counts what is still to
 * come, and the second keeps a stack of places still to be filled. */
#include "beam/etf.h"

#include <stdlib.h>

#include "base/bug.h"
#include "base/vec.h"
#include "beam/atom.h"
#include "beam/big.h"
#include "beam/binary.h"
#include "beam/code.h"
#include "beam/etf_tags.h"
#include "beam/tmap.h"
#include "beam/text.h"
#include "beam/vm.h"

struct input {
	const uint8_t *bytes;
	size_t len;
	size_t at;
	bool safe;
	bool failed;
};

static size_t take(struct input *in, size_t n)
{
	size_t at = in->at;

	if (n > in->len - in->at) {
		in->failed = true;
		return 0;
	}
	in->at += n;
	return at;
}

static uint64_t take_number(struct input *in, unsigned n)
{
	size_t at = take(in, n);
	uint64_t value = 0;

	for (unsigned i = 0; i < n && !in->failed; i++)
		value = value << 8 | in->bytes[at + i];
	return value;
}

/* ---- atoms ---- */

static bool is_utf8(const uint8_t *bytes, size_t len, size_t *chars)
{
	uint32_t c;

	*chars = 0;
	while (len) {
		size_t n = utf8_decode(bytes, len, &c);

		if (!n)
			return false;
		bytes += n;
		len -= n;
		++*chars;
	}
	return true;
}

/* The atom at the input, whose tag was read; TERM_NONE with in->failed. */
static term take_atom(struct input *in, unsigned tag)
{
	bool is_small = tag == ETF_SMALL_ATOM || tag == ETF_SMALL_ATOM_UTF8;
	size_t len = take_number(in, is_small ? 1 : 2), at = take(in, len), chars = len;
	const char *text = (const char *)in->bytes + at;
	struct bytes utf8 = {0};
	term atom;

	if (in->failed)
		return TERM_NONE;
	if (tag == ETF_ATOM || tag == ETF_SMALL_ATOM) {
		for (size_t i = 0; i < len; i++) {
			uint8_t encoded[4];

			bytes_add(&utf8, encoded, utf8_encode((uint8_t)text[i], encoded));
		}
		text = utf8.len ? (const char *)utf8.items : "";
		len = utf8.len;
	} else if (!is_utf8((const uint8_t *)text, len, &chars)) {
		in->failed = true;
	}
	if (chars > ATOM_MAX_CHARS)
		in->failed = true;
	atom = in->failed ? TERM_NONE
	       : in->safe ? atom_find_existing(text, len)
			  : atom_from_text(text, len);
	if (atom == TERM_NONE)
		in->failed = true;
	bytes_release(&utf8);
	return atom;
}

static bool is_atom_tag(unsigned tag)
{
	return tag == ETF_ATOM || tag == ETF_SMALL_ATOM || tag == ETF_ATOM_UTF8 ||
	       tag == ETF_SMALL_ATOM_UTF8;
}

static term expect_atom(struct input *in)
{
	unsigned tag = (unsigned)take_number(in, 1);

	if (in->failed || !is_atom_tag(tag)) {
		in->failed = true;
		return TERM_NONE;
	}
	return take_atom(in, tag);
}

static int64_t expect_int(struct input *in)
{
	unsigned tag = (unsigned)take_number(in, 1);

	if (tag == ETF_SMALL_INT)
		return (int64_t)take_number(in, 1);
	if (tag == ETF_INT)
		return (int32_t)take_number(in, 4);
	in->failed = true;
	return 0;
}

/* ---- names of things ---- */

static term take_pid(struct input *in, bool is_new)
{
	term node = expect_atom(in);
	uint64_t id = take_number(in, 4), serial = take_number(in, 4);

	take_number(in, is_new ? 4 : 1);
	if (node != A_nohost)
		in->failed = true; /* there are no other nodes */
	return pid_make((serial << 32 | id) & (((uint64_t)1 << 60) - 1));
}

static term take_port(struct input *in, bool is_wide)
{
	term node = expect_atom(in);
	uint64_t id = take_number(in, is_wide ? 8 : 4);

	take_number(in, 4);
	if (node != A_nohost)
		in->failed = true;
	return port_make(id & (((uint64_t)1 << 60) - 1));
}

struct ref_parts {
	uint64_t pid;
	uint64_t counter;
	uint64_t flags;
};

static struct ref_parts take_ref(struct input *in)
{
	uint64_t len = take_number(in, 2), ids[4] = {0};
	struct ref_parts parts = {0};

	if (expect_atom(in) != A_nohost || len > 5)
		in->failed = true;
	parts.flags = take_number(in, 4) & 1;
	for (uint64_t i = 0; i < len && !in->failed; i++) {
		uint64_t id = take_number(in, 4);

		if (i < 4)
			ids[i] = id;
	}
	parts.counter = ids[1] << 32 | ids[0];
	parts.pid = ids[3] << 32 | ids[2];
	return parts;
}

struct fun_parts {
	struct fun_entry *entry;
	uint64_t num_free;
};

static struct fun_parts take_fun(struct input *in)
{
	struct fun_parts parts = {0};
	term module;
	int64_t old_index, old_uniq;

	take_number(in, 4);
	take_number(in, 1);
	take(in, 16);
	take_number(in, 4);
	parts.num_free = take_number(in, 4);
	module = expect_atom(in);
	old_index = expect_int(in);
	old_uniq = expect_int(in);
	if (take_number(in, 1) == ETF_NEW_PID)
		take_pid(in, true);
	else
		in->failed = true;
	if (!in->failed)
		parts.entry = code_find_fun(vm_get(), module, (uint32_t)old_index,
					    (uint32_t)old_uniq);
	if (!parts.entry || parts.entry->num_free != parts.num_free)
		in->failed = true;
	return parts;
}

static double take_old_float(struct input *in)
{
	char text[32] = {0};
	size_t at = take(in, 31);

	if (in->failed)
		return 0;
	memcpy(text, in->bytes + at, 31);
	return strtod(text, NULL);
}

static double take_float(struct input *in)
{
	uint64_t raw = take_number(in, 8);
	double value;

	memcpy(&value, &raw, sizeof(value));
	if (!__builtin_isfinite(value))
		in->failed = true;
	return value;
}

/* ---- first pass ---- */

struct measure {
	struct input *in;
	size_t words;
	uint64_t pending; /* terms still to come */
	bool is_literal;
};

/* Each coming term takes at least a byte, so a count beyond the input is a lie. */
static void expect_terms(struct measure *m, uint64_t n)
{
	m->pending += n;
	if (m->pending > m->in->len - m->in->at)
		m->in->failed = true;
}

static void measure_big(struct measure *m, unsigned size_bytes)
{
	uint64_t n = take_number(m->in, size_bytes);

	take(m->in, 1);
	take(m->in, n);
	m->words += 2 + n / 8;
	if (n / 8 > BIG_MAX_LIMBS)
		m->in->failed = true;
}

static void measure_binary(struct measure *m, uint64_t n)
{
	take(m->in, n);
	m->words += heapbin_words(n) > REFCBIN_WORDS && n > HEAPBIN_MAX && !m->is_literal
			    ? REFCBIN_WORDS
			    : heapbin_words(n);
}

static void measure_compound(struct measure *m, unsigned tag)
{
	struct input *in = m->in;
	uint64_t n;

	switch (tag) {
	case ETF_SMALL_TUPLE:
	case ETF_LARGE_TUPLE:
		n = take_number(in, tag == ETF_SMALL_TUPLE ? 1 : 4);
		expect_terms(m, n);
		m->words += TUPLE_WORDS(n);
		break;
	case ETF_LIST:
		n = take_number(in, 4);
		expect_terms(m, n + 1);
		m->words += n * CONS_WORDS;
		break;
	case ETF_MAP:
		n = take_number(in, 4);
		expect_terms(m, 2 * n);
		if (!in->failed)
			m->words += tmap_pairs_words(n);
		break;
	case ETF_NEW_FUN:
		n = take_fun(in).num_free;
		expect_terms(m, n);
		m->words += 2 + n;
		break;
	case ETF_EXPORT:
		expect_atom(in);
		expect_atom(in);
		n = (uint64_t)expect_int(in);
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
	struct input *in = m->in;
	unsigned tag = (unsigned)take_number(in, 1);
	uint64_t n;

	switch (tag) {
	case ETF_SMALL_INT:
		take(in, 1);
		break;
	case ETF_INT:
		take(in, 4);
		break;
	case ETF_NIL:
		break;
	case ETF_NEW_FLOAT:
		take_float(in);
		m->words += FLOAT_WORDS;
		break;
	case ETF_OLD_FLOAT:
		take_old_float(in);
		m->words += FLOAT_WORDS;
		break;
	case ETF_ATOM:
	case ETF_SMALL_ATOM:
	case ETF_ATOM_UTF8:
	case ETF_SMALL_ATOM_UTF8:
		take_atom(in, tag);
		break;
	case ETF_STRING:
		n = take_number(in, 2);
		take(in, n);
		m->words += n * CONS_WORDS;
		break;
	case ETF_BINARY:
		measure_binary(m, take_number(in, 4));
		break;
	case ETF_BIT_BINARY:
		n = take_number(in, 4);
		if (take_number(in, 1) > 8)
			in->failed = true;
		measure_binary(m, n);
		m->words += SUBBIN_WORDS;
		break;
	case ETF_SMALL_BIG:
		measure_big(m, 1);
		break;
	case ETF_LARGE_BIG:
		measure_big(m, 4);
		break;
	case ETF_PID:
	case ETF_NEW_PID:
		take_pid(in, tag == ETF_NEW_PID);
		break;
	case ETF_NEW_PORT:
	case ETF_V4_PORT:
		take_port(in, tag == ETF_V4_PORT);
		break;
	case ETF_NEWER_REF:
		take_ref(in);
		m->words += REF_WORDS;
		break;
	default:
		measure_compound(m, tag);
	}
}

static bool measure_all(const uint8_t *bytes, size_t len, bool safe, bool is_literal,
			struct etf_size *size)
{
	struct input in = {bytes, len, 0, safe, false};
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

/* Places to fill: left of them, stride words apart. A map's pairs are collected aside first. */
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
	struct input in;
	term *top;
	struct off_heap *off_heap;
	bool is_literal;
	bool has_duplicates; /* a map had the same key twice */
	struct frame_vec frames;
};

static term build_binary(struct builder *b, uint64_t n)
{
	size_t at = take(&b->in, n), words = heapbin_words(n);
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
	uint64_t n = take_number(&b->in, 4);
	unsigned bits = (unsigned)take_number(&b->in, 1);
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
	uint64_t n = take_number(&b->in, size_bytes);
	bool negative = take_number(&b->in, 1) != 0;
	size_t at = take(&b->in, n), len = (n + 7) / 8;
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
	uint64_t n = take_number(&b->in, 2);
	size_t at = take(&b->in, n);
	term list = NIL;

	while (n > 0)
		list = cons_build(&b->top, small_make(b->in.bytes[at + --n]), list);
	return list;
}

static term build_ref(struct builder *b)
{
	struct ref_parts parts = take_ref(&b->in);
	term *box = b->top;

	b->top += REF_WORDS;
	box[0] = header_make(KIND_REF, 3);
	box[1] = parts.pid;
	box[2] = parts.counter;
	box[3] = parts.flags;
	return boxed_make(box);
}

static term build_export(struct builder *b)
{
	term module = expect_atom(&b->in), function = expect_atom(&b->in), *box = b->top;

	b->top += 2;
	box[0] = header_make(KIND_EXPORT, 1);
	box[1] = export_of(module, function, (unsigned)expect_int(&b->in))->number;
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
	uint64_t n = take_number(&b->in, 4);
	term *cells = b->top;

	if (!n) {
		push_frame(b, target, 1, 1); /* an improper list of nothing but a tail */
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
	struct fun_parts parts = take_fun(&b->in);
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
		return build_tuple(b, take_number(&b->in, 1));
	case ETF_LARGE_TUPLE:
		return build_tuple(b, take_number(&b->in, 4));
	case ETF_LIST:
		return build_list(b, target);
	case ETF_NEW_FUN:
		return build_fun(b);
	case ETF_EXPORT:
		return build_export(b);
	default:
		n = take_number(&b->in, 4);
		frame = push_frame(b, NULL, 2 * n, 1);
		frame->pairs = frame->next = mem_alloc((2 * n + 1) * sizeof(term));
		frame->pairs_len = n;
		frame->target = target;
		return TERM_NONE;
	}
}

static term build_term(struct builder *b, term *target)
{
	struct input *in = &b->in;
	unsigned tag = (unsigned)take_number(in, 1);

	switch (tag) {
	case ETF_SMALL_INT:
		return small_make((int64_t)take_number(in, 1));
	case ETF_INT:
		return small_make((int32_t)take_number(in, 4));
	case ETF_NIL:
		return NIL;
	case ETF_NEW_FLOAT:
		return float_build(&b->top, take_float(in));
	case ETF_OLD_FLOAT:
		return float_build(&b->top, take_old_float(in));
	case ETF_ATOM:
	case ETF_SMALL_ATOM:
	case ETF_ATOM_UTF8:
	case ETF_SMALL_ATOM_UTF8:
		return take_atom(in, tag);
	case ETF_STRING:
		return build_string(b);
	case ETF_BINARY:
		return build_binary(b, take_number(in, 4));
	case ETF_BIT_BINARY:
		return build_bit_binary(b);
	case ETF_SMALL_BIG:
		return build_big(b, 1);
	case ETF_LARGE_BIG:
		return build_big(b, 4);
	case ETF_PID:
	case ETF_NEW_PID:
		return take_pid(in, tag == ETF_NEW_PID);
	case ETF_NEW_PORT:
	case ETF_V4_PORT:
		return take_port(in, tag == ETF_V4_PORT);
	case ETF_NEWER_REF:
		return build_ref(b);
	default:
		return build_compound(b, tag, target);
	}
}

/* A frame whose places are all filled: a list goes on with its tail, a map is made. */
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
