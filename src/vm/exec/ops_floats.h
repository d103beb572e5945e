/* Float registers: raw doubles, alive only inside one expression. */

/* The float register that operand i numbers. */
#define F(r, i) machine.running.f[(r)->ip[i]]

OP_INLINE void op_fmove_load(struct regs *r)
{
	term t = get(r, 1);

	PROMISED(r, term_is_float(t));
	F(r, 2) = float_value(t);
	r->ip += 3;
}

/* Room was made by test_heap. */
OP_INLINE void op_fmove_store(struct regs *r)
{
	put(r, 2, float_build(&r->htop, F(r, 1)));
	r->ip += 3;
}

OP_INLINE void op_fconv(struct regs *r)
{
	term t = get(r, 1);
	double value;

	if (term_is_small(t)) {
		value = (double)small_value(t);
	} else if (!number_to_double(t, &value)) {
		go_error(r, A_badarith);
		return;
	}
	F(r, 2) = value;
	r->ip += 3;
}

OP_INLINE void op_fconv_reg(struct regs *r)
{
	F(r, 2) = F(r, 1);
	r->ip += 3;
}

OP_INLINE void store_float(struct regs *r, double value)
{
	if (unlikely(!__builtin_isfinite(value))) {
		exception_set(r->p, A_error, A_badarith);
		go_fail(r, 1);
		return;
	}
	F(r, 4) = value;
	r->ip += 5;
}

OP_INLINE void op_fadd(struct regs *r)
{
	store_float(r, F(r, 2) + F(r, 3));
}

OP_INLINE void op_fsub(struct regs *r)
{
	store_float(r, F(r, 2) - F(r, 3));
}

OP_INLINE void op_fmul(struct regs *r)
{
	store_float(r, F(r, 2) * F(r, 3));
}

OP_INLINE void op_fdiv(struct regs *r)
{
	store_float(r, F(r, 3) == 0 ? __builtin_inf() : F(r, 2) / F(r, 3));
}

OP_INLINE void op_fnegate(struct regs *r)
{
	/* Before OTP 27 never -0.0, as on the real VM. */
	F(r, 3) = machine.compare.zeros_differ ? -F(r, 2) : 0.0 - F(r, 2);
	r->ip += 4;
}
