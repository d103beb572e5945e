/* Matching bit strings: reads operands; bs_match.c reads the bits. */

/* Makes a context of operand src in operand dst; false when src is not a bit string. */
OP_INLINE bool start_match(struct regs *r, unsigned src, unsigned dst, size_t live)
{
	term t = get(r, src);

	if (term_is_kind(t, KIND_MATCHCTX)) {
		put(r, dst, t);
		return true;
	}
	if (!term_is_bitstring(t))
		return false;
	if (unlikely((size_t)(r->e - r->htop) < MATCHCTX_WORDS) || unlikely(machine.heap.is_hard)) {
		r->x[live] = t;
		collect(r, MATCHCTX_WORDS, live + 1);
		t = r->x[live];
	}
	put(r, dst, ctx_build(&r->htop, t));
	return true;
}

OP_INLINE bool is_context(term t)
{
	return term_is_kind(t, KIND_MATCHCTX);
}

OP_INLINE void op_bs_start_match3(struct regs *r)
{
	if (start_match(r, 2, 4, r->ip[3])) {
		r->ip += 5;
		return;
	}
	exception_set(r->p, A_error, A_badarg);
	go_fail(r, 1);
}

/* The first operand is a label, or an atom when it cannot fail. */
OP_INLINE void op_bs_start_match4(struct regs *r)
{
	if (start_match(r, 3, 4, r->ip[2])) {
		r->ip += 5;
		return;
	}
	PROMISED(r, r->ip[1] && !term_is_atom(r->ip[1]));
	r->ip = label(r, 1);
}

OP_INLINE void op_bs_get_position(struct regs *r)
{
	term ctx = get(r, 1);

	PROMISED(r, is_context(ctx));
	put(r, 2, small_make((int64_t)ctx_offset(ctx)));
	r->ip += 4;
}

OP_INLINE void op_bs_set_position(struct regs *r)
{
	term ctx = get(r, 1), to = get(r, 2);

	PROMISED(r, is_context(ctx) && term_is_small(to) && small_value(to) >= 0 &&
			    (size_t)small_value(to) <= ctx_offset(ctx) + ctx_left(ctx));
	boxed_ptr(ctx)[2] = (term)small_value(to);
	r->ip += 3;
}

OP_INLINE void op_bs_get_tail(struct regs *r)
{
	term ctx = get(r, 1), tail;

	PROMISED(r, is_context(ctx));
	save(r);
	tail = bitstring_part(r->p, ctx, 0, ctx_left(ctx));
	r->htop = r->p->htop;
	put(r, 2, settle(r, tail, r->ip[3]));
	r->ip += 4;
}

/* Stores the result of a getter, or fails. */
OP_INLINE void finish_get(struct regs *r, term value, unsigned dst, size_t live)
{
	r->htop = r->p->htop;
	if (value == TERM_NONE) {
		r->ip = label(r, 1);
		return;
	}
	put(r, dst, settle(r, value, live));
	r->ip += dst + 1;
}

/* fail, context, live, size, unit, flags, destination */
OP_INLINE void op_bs_get_integer2(struct regs *r)
{
	term ctx = get(r, 2), value = TERM_NONE;
	size_t bits;

	PROMISED(r, is_context(ctx));
	if (likely(bs_size(get(r, 4), r->ip[5], &bits))) {
		if (bits == 8 && r->ip[6] <= 2 && ctx_left(ctx) >= 8) { /* the common byte */
			put(r, 7,
			    small_make((int64_t)bits_get(ctx_bytes(ctx), ctx_offset(ctx), 8)));
			ctx_skip(ctx, 8);
			r->ip += 8;
			return;
		}
		save(r);
		value = bs_get_integer(r->p, ctx, bits, (unsigned)r->ip[6]);
	}
	finish_get(r, value, 7, r->ip[3]);
}

OP_INLINE void op_bs_get_float2(struct regs *r)
{
	term ctx = get(r, 2), value = TERM_NONE;
	size_t bits;

	PROMISED(r, is_context(ctx));
	save(r);
	if (bs_size(get(r, 4), r->ip[5], &bits))
		value = bs_get_float(r->p, ctx, bits, (unsigned)r->ip[6]);
	finish_get(r, value, 7, r->ip[3]);
}

OP_INLINE void op_bs_get_binary2(struct regs *r)
{
	term ctx = get(r, 2), size = get(r, 4), value = TERM_NONE;
	size_t unit = r->ip[5], bits;

	PROMISED(r, is_context(ctx));
	save(r);
	if (size == A_all) {
		if (ctx_left(ctx) % unit == 0)
			value = bs_get_binary(r->p, ctx, ctx_left(ctx));
	} else if (bs_size(size, unit, &bits)) {
		value = bs_get_binary(r->p, ctx, bits);
	}
	finish_get(r, value, 7, r->ip[3]);
}

/* fail, context, size, unit, flags */
OP_INLINE void op_bs_skip_bits2(struct regs *r)
{
	term ctx = get(r, 2), size = get(r, 3);
	size_t unit = r->ip[4], bits = 0;
	bool ok;

	PROMISED(r, is_context(ctx));
	if (size == A_all) {
		bits = ctx_left(ctx);
		ok = bits % unit == 0;
	} else {
		ok = bs_size(size, unit, &bits) && bits <= ctx_left(ctx);
	}
	if (!ok) {
		r->ip = label(r, 1);
		return;
	}
	ctx_skip(ctx, bits);
	r->ip += 6;
}

OP_INLINE void op_bs_test_tail2(struct regs *r)
{
	PROMISED(r, is_context(get(r, 2)));
	r->ip = ctx_left(get(r, 2)) == r->ip[3] ? r->ip + 4 : label(r, 1);
}

OP_INLINE void op_bs_test_unit(struct regs *r)
{
	PROMISED(r, is_context(get(r, 2)));
	r->ip = ctx_left(get(r, 2)) % r->ip[3] == 0 ? r->ip + 4 : label(r, 1);
}

/* fail, context, bits, bytes */
OP_INLINE void op_bs_match_string(struct regs *r)
{
	term ctx = get(r, 2);
	size_t bits = r->ip[3];
	struct bits want = {(const uint8_t *)r->ip[4], 0, bits};

	PROMISED(r, is_context(ctx));
	if (ctx_left(ctx) < bits ||
	    bits_compare((struct bits){ctx_bytes(ctx), ctx_offset(ctx), bits}, want) != 0) {
		r->ip = label(r, 1);
		return;
	}
	ctx_skip(ctx, bits);
	r->ip += 5;
}

/* fail, context, live, flags, destination */
#define UTF_GET(name, expression)                                              \
	OP_INLINE void op_bs_get_##name(struct regs *r)                        \
	{                                                                      \
		term ctx = get(r, 2), value;                                   \
                                                                               \
		PROMISED(r, is_context(ctx));                                  \
		value = (expression);                                          \
		if (value == TERM_NONE) {                                      \
			r->ip = label(r, 1);                                   \
			return;                                                \
		}                                                              \
		put(r, 5, value);                                              \
		r->ip += 6;                                                    \
	}                                                                      \
	OP_INLINE void op_bs_skip_##name(struct regs *r)                       \
	{                                                                      \
		term ctx = get(r, 2), value;                                   \
                                                                               \
		PROMISED(r, is_context(ctx));                                  \
		value = (expression);                                          \
		r->ip = value == TERM_NONE ? label(r, 1) : r->ip + 5;          \
	}

UTF_GET(utf8, bs_get_utf8(ctx))
UTF_GET(utf16, bs_get_utf16(ctx, (unsigned)r->ip[4]))
UTF_GET(utf32, bs_get_utf32(ctx, (unsigned)r->ip[4]))
#undef UTF_GET

/* fail, context, n, commands: see load_bits.c for their words */
OP_INLINE void op_bs_match(struct regs *r)
{
	term ctx = get(r, 2);
	const word *at = r->ip + 4, *end = r->ip + 4 + r->ip[3];

	PROMISED(r, is_context(ctx));
	while (at < end) {
		term value = TERM_NONE;

		switch (at[0]) {
		case BS_MATCH_AT_LEAST:
			if (ctx_left(ctx) < at[1] || (ctx_left(ctx) - at[1]) % at[2])
				goto fail;
			at += 3;
			continue;
		case BS_MATCH_EXACTLY:
			if (ctx_left(ctx) != at[1])
				goto fail;
			at += 2;
			continue;
		case BS_MATCH_SKIP:
			PROMISED(r, ctx_left(ctx) >= at[1]);
			ctx_skip(ctx, at[1]);
			at += 2;
			continue;
		case BS_MATCH_EQUAL: /* bits, value */
			PROMISED(r, ctx_left(ctx) >= at[1]);
			save(r);
			value = bs_get_integer(r->p, ctx, at[1], 0);
			r->htop = r->p->htop;
			if (!term_equal(value, at[2]))
				goto fail;
			at += 3;
			continue;
		case BS_MATCH_INTEGER: /* live, flags, bits, destination */
			save(r);
			value = bs_get_integer(r->p, ctx, at[3], (unsigned)at[2]);
			break;
		case BS_MATCH_BINARY:
			save(r);
			value = bs_get_binary(r->p, ctx, at[3]);
			break;
		default: /* tail: live, unit (checked before), unused, destination */
			save(r);
			value = bitstring_part(r->p, ctx, 0, ctx_left(ctx));
			ctx_skip(ctx, ctx_left(ctx));
		}
		PROMISED(r, value != TERM_NONE);
		r->htop = r->p->htop;
		if (unlikely(r->p->fragments != NULL)) {
			size_t live = at[1];

			r->x[live] = value;
			r->x[live + 1] = ctx;
			collect(r, 0, live + 2);
			value = r->x[live];
			ctx = r->x[live + 1];
		}
		put_word(r, at[4], value);
		at += 5;
	}
	r->ip = end;
	return;
fail:
	r->ip = label(r, 1);
}
