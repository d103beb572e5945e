/* Calls, frames, returns. */

OP_INLINE void op_func_info(struct regs *r)
{
	save(r);
	exception_function_clause(r->p, r->ip, r->x);
	exception_raise(r->p);
	load(r);
}

/* At the entry of a function: true when the turn of the process is over and others wait. Every call
 * uses one unit of fuel, so that every endless loop is noticed. */
OP_INLINE bool spend_as(struct regs *r, bool is_remote)
{
	if (likely(--r->p->fuel > 0))
		return false;
	save(r);
	if (!end_turn(r->p, is_remote)) {
		load(r); /* it may have been killed because its heap was too large */
		return false;
	}
	r->end = r->p->trace_live ? STEP_VISIBLE
		 : r->p->vm->end == VM_RUNNING ? STEP_TURN : STEP_STOPPED;
	return true;
}

OP_INLINE bool spend(struct regs *r) { return spend_as(r, false); }

OP_INLINE bool op_call(struct regs *r)
{
	r->cp = r->ip + 2;
	r->ip = label(r, 1);
	return spend(r);
}

OP_INLINE bool op_call_only(struct regs *r)
{
	r->ip = label(r, 1);
	return spend(r);
}

OP_INLINE void drop_frame(struct regs *r, size_t words)
{
	r->cp = (const word *)r->e[0];
	r->e += words;
}

OP_INLINE bool op_call_last(struct regs *r)
{
	size_t words = r->ip[2];

	r->ip = label(r, 1);
	drop_frame(r, words);
	return spend(r);
}

/* Goes to the code of an export. Loads its module if it is not loaded; raises undef if the function
 * does not exist. */
OP_INLINE bool go_export(struct regs *r, const word **slot)
{
	const word *code = *slot;

	if (unlikely(!code)) {
		save(r);
		exception_undefined(r->p, (uint32_t)(slot - export_slot(0)), r->x);
		load(r);
		return false;
	}
	r->ip = code;
	return spend_as(r, true);
}

OP_INLINE bool op_call_ext(struct regs *r)
{
	r->cp = r->ip + 2;
	return go_export(r, (const word **)r->ip[1]);
}

OP_INLINE bool op_call_ext_only(struct regs *r)
{
	return go_export(r, (const word **)r->ip[1]);
}

OP_INLINE bool op_call_ext_last(struct regs *r)
{
	const word **slot = (const word **)r->ip[1];

	drop_frame(r, r->ip[2]);
	return go_export(r, slot);
}

/* A BIF returned TERM_NONE: does what p->outcome says. `next` is the instruction after the call. */
bool bif_outcome(struct regs *r, const struct bif *bif, const word *next);

OP_INLINE bool run_bif(struct regs *r, const struct bif *bif, const word *next)
{
	term result;

	save(r);
	result = unlikely(machine.running.traces_natives) ? trace_native(r->p, bif, r->x)
							  : bif->call(r->p, r->x);
	if (unlikely(result == TERM_NONE)) {
		/* Slow and rare. It uses a copy, so that r itself can stay in CPU registers. */
		struct regs copy = *r;
		bool stop = bif_outcome(&copy, bif, next);

		*r = copy;
		return stop;
	}
	r->htop = r->p->htop;
	r->x[0] = result;
	r->ip = next;
	return false;
}

OP_INLINE bool op_call_bif(struct regs *r)
{
	return run_bif(r, (const struct bif *)r->ip[1], r->ip + 2);
}

/* The two below are followed by a return or deallocate_return of their own in the code. */
OP_INLINE bool op_call_bif_only(struct regs *r)
{
	return run_bif(r, (const struct bif *)r->ip[1], r->ip + 2);
}

OP_INLINE bool op_call_bif_last(struct regs *r)
{
	return run_bif(r, (const struct bif *)r->ip[1], r->ip + 2);
}

/* Native functions leave messages to the tracer: p stops behind the call, with the result in x0. */
OP_INLINE bool run_traced_bif(struct regs *r, const struct bif *bif)
{
	const word *next = r->ip + 2;

	if (run_bif(r, bif, next))
		return true;
	if (r->p->trace_notes == TERM_NONE)
		return false;
	save(r);
	r->end = STEP_VISIBLE;
	if (r->ip == next)
		return trace_stop(r->p, 1);
	vm_unsupported(r->p->vm, "not supported: tracing %s:%s/%u, which does not return",
		       bif->module, bif->name, bif->arity);
	r->end = STEP_STOPPED;
	return true;
}

OP_INLINE bool op_call_visible(struct regs *r)
{
	const struct bif *bif = (const struct bif *)r->ip[1];
	const word *next = r->ip + 2;

	if (unlikely(r->p->trace_flags & TRACE_SEND) && bif->effect == EFFECT_SEND &&
	    stop_for_send(r, bif->arity))
		return true;
	if (must_announce(r)) {
		save(r);
		r->end = STEP_VISIBLE;
		return stop_and_announce(r->p, bif->effect, bif->arity,
					 (unsigned)(bif - bif_table) + 1);
	}
	if (is_served(r))
		system_note(r->p, bif->effect, r->x, bif->arity);
	r->p->may_act = r->p->is_send_traced = false;
	if (unlikely(r->p->trace_flags != 0))
		return run_traced_bif(r, bif);
	if (run_bif(r, bif, next))
		return true;
	if (unlikely(r->p->vm->note_result != NULL) && r->ip == next)
		r->p->vm->note_result(r->p->vm->note_ctx, bif, r->x[0]);
	return false;
}

OP_INLINE bool op_bif_body(struct regs *r)
{
	const struct bif *bif = (const struct bif *)r->ip[1];

	if (bif_is_visible(bif))
		return op_call_visible(r);
	return run_bif(r, bif, r->ip + 2);
}

/* A function that the user declared as a visible step (beam/declared.h). */
OP_INLINE bool op_side_effect(struct regs *r)
{
	if (must_announce(r)) {
		save(r);
		r->end = STEP_VISIBLE;
		return stop_and_announce(r->p, EFFECT_DECLARED, (unsigned)r->ip[2], 0);
	}
	r->p->may_act = false;
	r->ip += 3;
	return false;
}

/* Not if the process is suspended until the code of the fun is purged. */
OP_INLINE bool go_on_with_handler(struct regs *r)
{
	if (likely(!r->p->suspend_count)) {
		load(r);
		return true;
	}
	process_save_x(r->p, 3);
	r->end = STEP_TURN;
	return false;
}

/* Calls a fun with n arguments in x[0..n-1]. `next` is the return address, NULL for a jump. Drops
 * so many words of frame (0: none), but only if the fun can be called. */
OP_INLINE bool go_fun(struct regs *r, term fun, unsigned n, const word *next, size_t drop)
{
	const struct fun_entry *entry = term_is_local_fun(fun) ? fun_entry_of(fun) : NULL;

	if (entry && unlikely(!entry->code || r->p->vm->lost_words) && entry->arity == n)
		entry = code_resolve_fun(r->p->vm, entry);
	if (likely(entry != NULL) && likely(entry->arity == n)) {
		const term *free = fun_free(fun);

		for (unsigned i = 0; i < entry->num_free; i++)
			r->x[n + i] = free[i];
		if (drop)
			drop_frame(r, drop);
		else if (next)
			r->cp = next;
		r->ip = entry->code;
		return spend(r);
	}
	if (term_is_export_fun(fun) && export_of_fun(fun)->arity == n) {
		if (drop)
			drop_frame(r, drop);
		else if (next)
			r->cp = next;
		return go_export(r, export_slot((uint32_t)boxed_ptr(fun)[1]));
	}
	if (unlikely(exception_handles_fun(r->p, fun, n))) {
		if (drop)
			drop_frame(r, drop);
		else if (next)
			r->cp = next;
		save(r);
		exception_handle_fun(r->p, fun, n, r->x);
		return !go_on_with_handler(r);
	}
	if (next)
		r->cp = next; /* the trace shows the caller twice, as on the real VM */
	save(r);
	exception_bad_fun(r->p, fun, n, r->x);
	exception_raise(r->p);
	load(r);
	return false;
}

OP_INLINE bool op_call_fun(struct regs *r)
{
	unsigned n = (unsigned)r->ip[1];

	return go_fun(r, r->x[n], n, r->ip + 2, 0);
}

OP_INLINE bool op_call_fun_last(struct regs *r)
{
	unsigned n = (unsigned)r->ip[1];

	return go_fun(r, r->x[n], n, r->ip + 3, r->ip[2]);
}

OP_INLINE bool op_call_fun2(struct regs *r)
{
	return go_fun(r, get(r, 2), (unsigned)r->ip[1], r->ip + 3, 0);
}

OP_INLINE bool op_call_fun2_last(struct regs *r)
{
	return go_fun(r, get(r, 2), (unsigned)r->ip[1], r->ip + 4, r->ip[3]);
}

/* x[n]:x[n+1] with n arguments. */
OP_INLINE bool go_apply(struct regs *r, term module, term function, unsigned n)
{
	const word **slot;

	save(r);
	slot = exception_apply_slot(r->p, module, function, n, r->x);
	if (slot) {
		if (unlikely(r->p->callback.is_sought))
			callback_enter(r->p, *slot);
		return go_export(r, slot);
	}
	load(r);
	return false;
}

/* erlang:error/1,2 by apply raises in the function that applies it, also as its last call: the
 * frame of that function stays in the trace. The arguments are in x0 and x1. */
OP_INLINE bool is_raising(term module, term function, int64_t n)
{
	return unlikely(module == A_erlang && function == A_error) && (n == 1 || n == 2);
}

OP_INLINE bool go_raise_applied(struct regs *r, int64_t n)
{
	save(r);
	if (unlikely(machine.running.traces_natives))
		trace_native(r->p, bif_find(A_erlang, A_error, (unsigned)n), r->x);
	else if (n == 1)
		bif_erlang_error_1(r->p, r->x);
	else
		bif_erlang_error_2(r->p, r->x);
	exception_raise(r->p);
	load(r);
	return false;
}

/* The same for apply(erlang, apply, [erlang, error, Args]), however often apply is applied; -1: it
 * does not raise. */
OP_INLINE int64_t count_raised(struct regs *r, unsigned n)
{
	term call[3] = {r->x[0], r->x[1], r->x[2]}, list;
	int64_t len;

	if (is_raising(r->x[n], r->x[n + 1], n))
		return n;
	if (likely(n != 3 || r->x[3] != A_erlang || r->x[4] != A_apply))
		return -1;
	while (call[0] == A_erlang && call[1] == A_apply && list_length(call[2]) == 3) {
		list = call[2];
		for (unsigned i = 0; i < 3; i++, list = cons_tail(list))
			call[i] = cons_head(list);
	}
	len = list_length(call[2]);
	if (!is_raising(call[0], call[1], len))
		return -1;
	for (unsigned i = 0; term_is_cons(call[2]); call[2] = cons_tail(call[2]))
		r->x[i++] = cons_head(call[2]);
	return len;
}

OP_INLINE bool op_apply(struct regs *r)
{
	unsigned n = (unsigned)r->ip[1];
	int64_t raised = count_raised(r, n);

	if (raised >= 0)
		return go_raise_applied(r, raised);
	r->cp = r->ip + 2;
	return go_apply(r, r->x[n], r->x[n + 1], n);
}

OP_INLINE bool op_apply_last(struct regs *r)
{
	unsigned n = (unsigned)r->ip[1];
	int64_t raised = count_raised(r, n);

	if (raised >= 0)
		return go_raise_applied(r, raised);
	drop_frame(r, r->ip[2] + 1);
	return go_apply(r, r->x[n], r->x[n + 1], n);
}

/* Spreads the argument list over x registers; -1 when it is not a list. The saved operand says
 * whether this is a call (0), a jump (1) or a jump that drops n - 1 words of frame. */
OP_INLINE void enter_call(struct regs *r)
{
	word how = r->ip[1];

	if (how == 0)
		r->cp = r->ip + 2;
	else if (how > 1)
		drop_frame(r, how - 1);
}

OP_INLINE bool op_apply_fun(struct regs *r)
{
	term fun = r->x[0], list = r->x[1];
	int64_t n = list_length(list);

	if (unlikely(n < 0 || n > 255)) {
		go_error(r, A_badarg);
		return false;
	}
	enter_call(r);
	for (unsigned i = 0; term_is_cons(list); list = cons_tail(list))
		r->x[i++] = cons_head(list);
	return go_fun(r, fun, (unsigned)n, NULL, 0);
}

/* apply(erlang, apply, [M, F, A]) is apply(M, F, A), in the same function. */
OP_INLINE void unfold_apply(struct regs *r)
{
	while (r->x[0] == A_erlang && r->x[1] == A_apply && list_length(r->x[2]) == 3) {
		term list = r->x[2];

		for (unsigned i = 0; i < 3; i++, list = cons_tail(list))
			r->x[i] = cons_head(list);
	}
}

OP_INLINE bool op_apply_mfa(struct regs *r)
{
	term module, function, list;
	int64_t n;

	unfold_apply(r);
	module = r->x[0];
	function = r->x[1];
	list = r->x[2];
	n = list_length(list);

	if (unlikely(n < 0 || n > 255 || !term_is_atom(module) || !term_is_atom(function))) {
		save(r);
		exception_bif_badarg(r->p, A_apply, 3, r->x);
		exception_raise(r->p);
		load(r);
		return false;
	}
	if (!is_raising(module, function, n))
		enter_call(r);
	for (unsigned i = 0; term_is_cons(list); list = cons_tail(list))
		r->x[i++] = cons_head(list);
	if (is_raising(module, function, n))
		return go_raise_applied(r, n);
	return go_apply(r, module, function, (unsigned)n);
}

OP_INLINE void op_jump(struct regs *r)
{
	r->ip = label(r, 1);
}

/* It is not known which registers are live here, so the process cannot stop: see
 * emit_jumps_back. */
OP_INLINE void op_jump_back(struct regs *r)
{
	PROMISED(r, --r->p->fuel > -LOOP_MAX);
	r->ip = label(r, 1);
}

OP_INLINE void push_frame(struct regs *r, size_t words, size_t heap, size_t live)
{
	need_heap(r, words + heap, live);
	r->e -= words;
	r->e[0] = (term)r->cp;
	if (unlikely(r->p->vm->is_explored)) /* beam/probe.c reads frames that are not full yet */
		for (size_t i = 1; i < words; i++)
			r->e[i] = NIL;
}

OP_INLINE void op_allocate(struct regs *r)
{
	push_frame(r, r->ip[1], 0, r->ip[2]);
	r->ip += 3;
}

OP_INLINE void op_allocate_heap(struct regs *r)
{
	push_frame(r, r->ip[1], r->ip[2], r->ip[3]);
	r->ip += 4;
}

OP_INLINE void op_allocate_zero(struct regs *r)
{
	push_frame(r, r->ip[1], r->ip[2], r->ip[3]);
	for (size_t i = 1; i < r->ip[1]; i++)
		r->e[i] = NIL;
	r->ip += 4;
}

OP_INLINE void op_test_heap(struct regs *r)
{
	need_heap(r, r->ip[1], r->ip[2]);
	r->ip += 3;
}

OP_INLINE void op_init_y(struct regs *r)
{
	Y(r, 1) = NIL;
	r->ip += 2;
}

OP_INLINE void op_init_yregs(struct regs *r)
{
	size_t n = r->ip[1];

	for (size_t i = 0; i < n; i++)
		Y(r, 2 + i) = NIL;
	r->ip += 2 + n;
}

OP_INLINE void op_deallocate(struct regs *r)
{
	drop_frame(r, r->ip[1]);
	r->ip += 2;
}

OP_INLINE void op_deallocate_return(struct regs *r)
{
	size_t words = r->ip[1];

	r->ip = (const word *)r->e[0];
	r->cp = NULL; /* so that a stack trace does not show it as a caller */
	r->e += words;
}

OP_INLINE void op_return(struct regs *r)
{
	r->ip = r->cp;
	r->cp = NULL;
}

OP_INLINE void op_trim(struct regs *r)
{
	size_t n = r->ip[1];
	term cp = r->e[0];

	r->e += n;
	r->e[0] = cp;
	r->ip += 2;
}

OP_INLINE bool op_normal_exit(struct regs *r)
{
	save(r);
	process_returned(r->p, r->x[0]);
	load(r);
	return false;
}

OP_INLINE bool op_process_end(struct regs *r)
{
	if (stop_for_tracer(r))
		return true;
	if (must_announce(r)) {
		save(r);
		r->end = STEP_VISIBLE;
		return stop_and_announce(r->p, EFFECT_EXIT_STEP, 0, 0);
	}
	if (is_served(r))
		system_note(r->p, EFFECT_EXIT_STEP, NULL, 0);
	r->p->may_act = false;
	/* Under exploration, becoming dead for other processes is a step of its own. */
	if (r->p->status != PROCESS_EXITING) {
		process_begin_exit(r->p);
		return false;
	}
	save(r);
	if (!process_exit_step(r->p))
		return false;
	r->end = STEP_ENDED;
	return true;
}

OP_INLINE bool op_unsupported(struct regs *r)
{
	save(r);
	exception_unsupported(r->p, (const char *)r->ip[1]);
	r->end = STEP_STOPPED;
	return true;
}

/* The report names the caller. */
OP_INLINE bool op_refused(struct regs *r)
{
	const char *what = (const char *)r->ip[1];

	save(r);
	exception_go_to_caller(r->p);
	exception_unsupported(r->p, what);
	r->end = STEP_STOPPED;
	return true;
}

/* p->ip is the instruction that found it. */
OP_INLINE bool op_unsound(struct regs *r)
{
	exception_unsound(r->p);
	r->end = STEP_STOPPED;
	return true;
}
