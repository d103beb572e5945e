/* Handlers and raising. A handler is a catch term in a y slot: the address of its code. An
 * exception arrives there with x0 = TERM_NONE, x1 class, x2 reason, x3 raw trace. */

OP_INLINE void op_catch(struct regs *r)
{
	Y(r, 1) = catch_make(label(r, 2));
	r->ip += 3;
}

OP_INLINE void op_try_end(struct regs *r)
{
	Y(r, 1) = NIL;
	r->ip += 2;
}

OP_INLINE void op_catch_end(struct regs *r)
{
	Y(r, 1) = NIL;
	if (r->x[0] == TERM_NONE) {
		save(r);
		r->x[0] = exception_catch_value(r->p, r->x[1], r->x[2], r->x[3]);
		load(r);
	}
	r->ip += 2;
}

OP_INLINE void op_try_case(struct regs *r)
{
	PROMISED(r, r->x[0] == TERM_NONE);
	Y(r, 1) = NIL;
	r->x[0] = r->x[1];
	r->x[1] = r->x[2];
	r->x[2] = r->x[3];
	r->ip += 2;
}

OP_INLINE void raise_again(struct regs *r, term class_, term reason, term trace)
{
	save(r); /* a trace that is not raw needs memory */
	exception_again(r->p, class_, reason, trace);
	exception_raise(r->p);
	load(r);
}

OP_INLINE void op_raise(struct regs *r)
{
	raise_again(r, TERM_NONE, get(r, 2), get(r, 1));
}

OP_INLINE void op_raw_raise(struct regs *r)
{
	term class_ = r->x[0];

	if (class_ != A_error && class_ != A_exit && class_ != A_throw) {
		r->x[0] = A_badarg;
		r->ip += 1;
		return;
	}
	raise_again(r, class_, r->x[1], r->x[2]);
}

/* Behind op_trace_exception. */
OP_INLINE void op_trace_raise_again(struct regs *r)
{
	raise_again(r, r->x[1], r->x[2], r->x[3]);
}

OP_INLINE void op_build_stacktrace(struct regs *r)
{
	save(r);
	r->x[0] = exception_trace_list(r->p, r->x[0]);
	load(r);
	r->ip += 1;
}

OP_INLINE void op_badmatch(struct regs *r)
{
	go_error_tagged(r, A_badmatch, get(r, 1));
}

OP_INLINE void op_case_end(struct regs *r)
{
	go_error_tagged(r, A_case_clause, get(r, 1));
}

OP_INLINE void op_try_case_end(struct regs *r)
{
	go_error_tagged(r, A_try_clause, get(r, 1));
}

OP_INLINE void op_badrecord(struct regs *r)
{
	go_error_tagged(r, A_badrecord, get(r, 1));
}

OP_INLINE void op_if_end(struct regs *r)
{
	go_error(r, A_if_clause);
}
