/* Float registers: raw doubles, alive only inside one expression. */

OP_INLINE void op_fmove_load(struct regs *r)
{
	term t = get(r, 1);

	PROMISED(r, term_is_float(t));
	machine.running.f[r->ip[2]] = float_value(t);
	r->ip += 3;
}

/* Room was made by test_heap. */
OP_INLINE void op_fmove_store(struct regs *r)
{
	put(r, 2, float_build(&r->htop, machine.running.f[r->ip[1]]));
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
	machine.running.f[r->ip[2]] = value;
	r->ip += 3;
}

OP_INLINE void op_fconv_reg(struct regs *r)
{
	machine.running.f[r->ip[2]] = machine.running.f[r->ip[1]];
	r->ip += 3;
}

OP_INLINE void store_float(struct regs *r, double value)
{
	if (unlikely(!__builtin_isfinite(value))) {
		exception_set(r->p, A_error, A_badarith);
		go_fail(r, 1);
		return;
	}
	machine.running.f[r->ip[4]] = value;
	r->ip += 5;
}

OP_INLINE void op_fadd(struct regs *r)
{
	store_float(r, machine.running.f[r->ip[2]] + machine.running.f[r->ip[3]]);
}

OP_INLINE void op_fsub(struct regs *r)
{
	store_float(r, machine.running.f[r->ip[2]] - machine.running.f[r->ip[3]]);
}

OP_INLINE void op_fmul(struct regs *r)
{
	store_float(r, machine.running.f[r->ip[2]] * machine.running.f[r->ip[3]]);
}

OP_INLINE void op_fdiv(struct regs *r)
{
	store_float(r, machine.running.f[r->ip[3]] == 0 ? __builtin_inf() : machine.running.f[r->ip[2]] / machine.running.f[r->ip[3]]);
}

OP_INLINE void op_fnegate(struct regs *r)
{
	machine.running.f[r->ip[3]] = 0.0 - machine.running.f[r->ip[2]]; /* never -0.0, as the real one */
	r->ip += 4;
}
