/* Arithmetic with fast paths for small integers, and native functions inside expressions.
 *
 * Operands of the binary ones: fail, live, bif, a, b, destination. */

/* A native function raised: goes to the guard's label, or to the handler of the exception. */
OP_INLINE void fail_bif(struct regs *r, const struct bif *bif, const term *args)
{
	if (r->ip[1]) { /* r->htop is as before: drops the error's term, keeps the reserved words */
		r->p->exception = (struct exception){0};
		r->ip = label(r, 1);
		return;
	}
	r->htop = r->p->htop;
	save(r);
	if (bif)
		exception_from_bif(r->p, bif, args);
	exception_raise(r->p);
	load(r);
}

/* The result may be in a fragment. Collects here, because in a loop without frames no other
 * instruction would. */
OP_INLINE term settle(struct regs *r, term result, size_t live)
{
	if (likely(r->p->fragments == NULL))
		return result;
	r->x[live] = result;
	collect(r, 0, live + 1);
	return r->x[live];
}

/* The same for an instruction that also reserves `need` words for the following ones. */
OP_INLINE term settle_with(struct regs *r, term result, size_t need, size_t live)
{
	if (likely(r->p->fragments == NULL && (size_t)(r->e - r->htop) >= need))
		return result;
	r->x[live] = result;
	collect(r, need, live + 1);
	return r->x[live];
}

/* Before OTP 26, adding a constant is an instruction of its own, which does not get a frame. */
OP_INLINE bool is_increment(struct regs *r, const struct bif *bif)
{
	if (code_otp_release() >= 26)
		return false;
	if (bif->call == bif_erlang_plus_2)
		return term_is_small(r->ip[4]) || term_is_small(r->ip[5]);
	return bif->call == bif_erlang_minus_2 && term_is_small(r->ip[5]);
}

OP_INLINE void slow_binary(struct regs *r, term a, term b)
{
	const struct bif *bif = (const struct bif *)r->ip[3];
	term args[2] = {a, b};
	term result;

	save(r);
	result = bif->call(r->p, args);
	if (unlikely(result == TERM_NONE)) {
		fail_bif(r, is_increment(r, bif) ? NULL : bif, args);
		return;
	}
	r->htop = r->p->htop;
	put(r, 6, settle(r, result, r->ip[2]));
	r->ip += 7;
}

#define ADD_SUB(name, left, right, store, builtin)                             \
	OP_INLINE void op_##name(struct regs *r)                               \
	{                                                                      \
		term a = (left), b = (right);                                  \
		int64_t result;                                                \
                                                                               \
		if (likely(terms_are_small(a, b)) &&                           \
		    likely(!builtin((int64_t)a, (int64_t)(b - TAG_SMALL), &result))) { \
			store;                                                 \
			r->ip += 7;                                            \
			return;                                                \
		}                                                              \
		slow_binary(r, a, b);                                          \
	}

ADD_SUB(add_xc, X(r, 4), r->ip[5], X(r, 6) = (term)result, __builtin_add_overflow)
ADD_SUB(add_xx, X(r, 4), X(r, 5), X(r, 6) = (term)result, __builtin_add_overflow)
ADD_SUB(sub_xx, X(r, 4), X(r, 5), X(r, 6) = (term)result, __builtin_sub_overflow)
ADD_SUB(add, get(r, 4), get(r, 5), put(r, 6, (term)result), __builtin_add_overflow)
ADD_SUB(sub, get(r, 4), get(r, 5), put(r, 6, (term)result), __builtin_sub_overflow)
#undef ADD_SUB

OP_INLINE void op_mul(struct regs *r)
{
	term a = get(r, 4), b = get(r, 5);
	int64_t result;

	if (likely(terms_are_small(a, b)) &&
	    likely(!__builtin_mul_overflow(small_value(a), (int64_t)(b - TAG_SMALL), &result))) {
		put(r, 6, (term)result + TAG_SMALL);
		r->ip += 7;
		return;
	}
	slow_binary(r, a, b);
}

OP_INLINE void op_band(struct regs *r)
{
	term a = get(r, 4), b = get(r, 5);

	if (likely(terms_are_small(a, b))) {
		put(r, 6, a & b);
		r->ip += 7;
		return;
	}
	slow_binary(r, a, b);
}

OP_INLINE void op_bor(struct regs *r)
{
	term a = get(r, 4), b = get(r, 5);

	if (likely(terms_are_small(a, b))) {
		put(r, 6, a | b);
		r->ip += 7;
		return;
	}
	slow_binary(r, a, b);
}

/* The constant is a small integer > 0, so overflow and division by zero cannot happen. */
OP_INLINE void op_rem_xc(struct regs *r)
{
	term a = X(r, 4), b = r->ip[5];

	if (likely(term_is_small(a))) {
		put(r, 6, small_make(small_value(a) % small_value(b)));
		r->ip += 7;
		return;
	}
	slow_binary(r, a, b);
}

OP_INLINE void op_div_xc(struct regs *r)
{
	term a = X(r, 4), b = r->ip[5];

	if (likely(term_is_small(a))) {
		put(r, 6, small_make(small_value(a) / small_value(b)));
		r->ip += 7;
		return;
	}
	slow_binary(r, a, b);
}

/* 0 <= constant < 60 */
OP_INLINE void op_bsr_xc(struct regs *r)
{
	term a = X(r, 4), b = r->ip[5];

	if (likely(term_is_small(a))) {
		put(r, 6, small_make(small_value(a) >> small_value(b)));
		r->ip += 7;
		return;
	}
	slow_binary(r, a, b);
}

OP_INLINE void op_self(struct regs *r)
{
	put(r, 1, r->p->pid);
	r->ip += 2;
}

/* 0, 0, bif, destination */
OP_INLINE void op_bif0(struct regs *r)
{
	const struct bif *bif = (const struct bif *)r->ip[3];
	term result;

	save(r);
	result = bif->call(r->p, NULL);
	r->htop = r->p->htop;
	put(r, 4, result);
	r->ip += 5;
}

/* fail, live, bif, arguments, destination. Without a label, the stack trace names the function.
 * None of these collects: their results are immediate or parts of arguments, or so rare that they
 * can wait for the next test_heap. */
#define BIF_CALL(name, n, settle_result)                                       \
	OP_INLINE void op_##name(struct regs *r)                               \
	{                                                                      \
		const struct bif *bif = (const struct bif *)r->ip[3];          \
		term args[n], result;                                          \
                                                                               \
		for (unsigned i = 0; i < (n); i++)                             \
			args[i] = get(r, 4 + i);                               \
		save(r);                                                       \
		result = bif->call(r->p, args);                                \
		if (unlikely(result == TERM_NONE)) {                           \
			fail_bif(r, bif, args);                                \
			return;                                                \
		}                                                              \
		r->htop = r->p->htop;                                          \
		put(r, 4 + (n), settle_result);                                \
		r->ip += 5 + (n);                                              \
	}

BIF_CALL(bif1, 1, result)
BIF_CALL(bif2, 2, result)
BIF_CALL(bif3, 3, result)
BIF_CALL(gc_bif1, 1, settle(r, result, r->ip[2]))
BIF_CALL(gc_bif2, 2, settle(r, result, r->ip[2]))
BIF_CALL(gc_bif3, 3, settle(r, result, r->ip[2]))
#undef BIF_CALL
