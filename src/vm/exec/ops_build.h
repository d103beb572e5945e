/* Building bit strings. bs_create_bin: fail, live, destination, n, heap need, then for each segment
 * type | unit << 8 | flags << 40 | number << 48, value (or bytes of a string), size. */

enum { SEGMENT_WORDS = 3, SEGMENTS_MAX = BS_SEGMENTS_MAX };

/* The most words that a bit string takes which was begun. They are reserved in advance, because the
 * bit string must not move while it is filled, and the words that the instruction reserves for the
 * following ones must remain. */
enum { FILLING_WORDS = 2 + HEAPBIN_MAX / 8 + SUBBIN_WORDS + REFCBIN_WORDS };

OP_INLINE void read_segments(struct regs *r, struct bs_segment *segments, size_t n)
{
	const word *at = r->ip + 6;

	for (size_t i = 0; i < n; i++, at += SEGMENT_WORDS) {
		struct bs_segment *s = &segments[i];

		s->type = at[0] & 0xff;
		s->unit = (unsigned)(at[0] >> 8);
		s->flags = (unsigned)(at[0] >> 40) & 0xff;
		s->number = (unsigned)(at[0] >> 48);
		s->size = get_word(r, at[2]);
		s->bits = 0;
		s->failed_what = TERM_NONE;
		if (s->type == BS_STRING) {
			s->string = (const uint8_t *)at[1];
			s->value = NIL;
		} else {
			s->value = get_word(r, at[1]);
		}
	}
}

OP_INLINE void op_bs_create_bin(struct regs *r)
{
	struct bs_segment *segments = machine.bs.segments;
	size_t n = r->ip[4];
	term result;

	read_segments(r, segments, n);
	save(r);
	result = bs_create(r->p, segments, n);
	r->htop = r->p->htop;
	if (unlikely(result == TERM_NONE)) {
		go_fail(r, 1);
		return;
	}
	put(r, 3, settle_with(r, result, r->ip[5], r->ip[2]));
	r->ip += 6 + SEGMENT_WORDS * n;
}

OP_INLINE void op_bs_init_writable(struct regs *r)
{
	size_t room = term_is_small(r->x[0]) && small_value(r->x[0]) >= 0 &&
				      small_value(r->x[0]) < 1 << 20
			      ? (size_t)small_value(r->x[0])
			      : 256;

	save(r);
	r->x[0] = bs_writable(r->p, room);
	r->htop = r->p->htop;
	r->ip += 1;
}

/* A size that is not valid: system_limit when it is too large, else badarg. */
OP_INLINE void fail_size(struct regs *r, term size)
{
	bool is_large = term_is_small(size) ? small_value(size) > 0
					    : term_is_big(size) && !big_is_negative(size);

	exception_set(r->p, A_error, is_large ? A_system_limit : A_badarg);
	go_fail(r, 1);
}

/* fail, size, heap, live, flags, destination; the size counts `unit` bits */
OP_INLINE void init_bits(struct regs *r, size_t unit)
{
	word size = r->ip[2];
	size_t bits;
	term result;

	need_heap(r, r->ip[3] + FILLING_WORDS, r->ip[4]);
	if (!bs_size(get_word(r, size), unit, &bits)) {
		fail_size(r, get_word(r, size));
		return;
	}
	save(r);
	result = bs_fill_new(r->p, bits);
	r->htop = r->p->htop;
	put(r, 6, result);
	r->ip += 7;
}

OP_INLINE void op_bs_init2(struct regs *r)
{
	init_bits(r, 8);
}

OP_INLINE void op_bs_init_bits(struct regs *r)
{
	init_bits(r, 1);
}

/* fail, a, b, unit, destination: a + b * unit */
OP_INLINE void op_bs_add(struct regs *r)
{
	size_t a, b;

	if (!bs_size(get(r, 2), 1, &a) || !bs_size(get(r, 3), r->ip[4], &b)) {
		fail_size(r, bs_size(get(r, 2), 1, &a) ? get(r, 3) : get(r, 2));
		return;
	}
	put(r, 5, small_make((int64_t)(a + b)));
	r->ip += 6;
}

OP_INLINE void append(struct regs *r, unsigned size, unsigned unit, unsigned source, unsigned dst)
{
	term old = get(r, source), result;
	size_t bits;

	if (!bs_size(get(r, size), 1, &bits)) {
		fail_size(r, get(r, size));
		return;
	}
	if (!term_is_bitstring(old) || (r->ip[unit] && bitstring_size(old) % r->ip[unit])) {
		exception_set(r->p, A_error, A_badarg);
		go_fail(r, 1);
		return;
	}
	save(r);
	result = bs_fill_append(r->p, old, bits);
	r->htop = r->p->htop;
	put(r, dst, result);
	r->ip += dst + 1;
}

/* fail, size, extra, live, unit, source, flags, destination; the size is in bits */
OP_INLINE void op_bs_append(struct regs *r)
{
	need_heap(r, r->ip[3] + FILLING_WORDS, r->ip[4]);
	append(r, 2, 5, 6, 8);
}

/* fail, size, unit, source, flags, destination; the size is in bits here too */
OP_INLINE void op_bs_private_append(struct regs *r)
{
	append(r, 2, 3, 4, 6);
}

/* fail, size, unit, flags, value */
OP_INLINE void put_segment(struct regs *r, enum bs_type type)
{
	struct bs_segment s = {.type = type, .unit = (unsigned)r->ip[3],
			       .flags = (unsigned)r->ip[4], .size = get(r, 2), .value = get(r, 5)};

	save(r);
	if (!bs_measure(r->p, &s) || !bs_fill(&s)) {
		exception_set(r->p, A_error, A_badarg);
		go_fail(r, 1);
		return;
	}
	r->ip += 6;
}

OP_INLINE void op_bs_put_integer(struct regs *r)
{
	put_segment(r, BS_INTEGER);
}

OP_INLINE void op_bs_put_binary(struct regs *r)
{
	put_segment(r, BS_BINARY);
}

OP_INLINE void op_bs_put_float(struct regs *r)
{
	put_segment(r, BS_FLOAT);
}

/* length, bytes */
OP_INLINE void op_bs_put_string(struct regs *r)
{
	struct bs_segment s = {.type = BS_STRING, .string = (const uint8_t *)r->ip[2],
			       .bits = r->ip[1] * 8};

	PROMISED(r, bs_fill(&s));
	r->ip += 3;
}

/* fail, value, destination */
OP_INLINE void utf_size(struct regs *r, enum bs_type type)
{
	struct bs_segment s = {.type = type, .value = get(r, 2)};

	save(r);
	if (!bs_measure(r->p, &s)) {
		go_fail(r, 1);
		return;
	}
	put(r, 3, small_make((int64_t)s.bits / 8));
	r->ip += 4;
}

OP_INLINE void op_bs_utf8_size(struct regs *r)
{
	utf_size(r, BS_UTF8);
}

OP_INLINE void op_bs_utf16_size(struct regs *r)
{
	utf_size(r, BS_UTF16);
}

/* fail, flags, value */
OP_INLINE void put_utf(struct regs *r, enum bs_type type)
{
	struct bs_segment s = {.type = type, .flags = (unsigned)r->ip[2], .value = get(r, 3)};

	save(r);
	if (!bs_measure(r->p, &s)) {
		go_fail(r, 1);
		return;
	}
	PROMISED(r, bs_fill(&s));
	r->ip += 4;
}

OP_INLINE void op_bs_put_utf8(struct regs *r)
{
	put_utf(r, BS_UTF8);
}

OP_INLINE void op_bs_put_utf16(struct regs *r)
{
	put_utf(r, BS_UTF16);
}

OP_INLINE void op_bs_put_utf32(struct regs *r)
{
	put_utf(r, BS_UTF32);
}
