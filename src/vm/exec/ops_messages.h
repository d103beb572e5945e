/* Sending and receiving. The save pointer of the mailbox is the next message that a receive looks
 * at. */

OP_INLINE bool op_send(struct regs *r)
{
	if (unlikely(r->p->trace_flags & TRACE_SEND) && stop_for_send(r, 2))
		return true;
	if (must_announce(r)) {
		save(r);
		r->end = STEP_VISIBLE;
		return stop_and_announce(r->p, EFFECT_SEND, 2, 0);
	}
	if (is_served(r))
		system_note(r->p, EFFECT_SEND, r->x, 2);
	r->p->may_act = r->p->is_send_traced = false;
	save(r);
	if (likely(signal_send(r->p, r->x[0], r->x[1]))) {
		r->x[0] = r->x[1];
		r->ip += 1;
		return false;
	}
	exception_bif_badarg(r->p, A_send, 2, r->x);
	exception_raise(r->p);
	load(r);
	return false;
}

/* label for the end of the mailbox, destination */
OP_INLINE bool op_loop_rec(struct regs *r)
{
	struct process *p = r->p;

	if (must_announce(r)) {
		save(r);
		r->end = STEP_VISIBLE;
		return stop_and_announce(p, EFFECT_RECEIVE, 0, 0);
	}
	/* A process that never runs out of messages must let others run from time to time. */
	if (unlikely((++p->reductions & 2047) == 0) && p->vm->run_first && !p->vm->is_explored) {
		save(r);
		process_save_x(p, 0);
		r->end = STEP_YIELDED;
		return true;
	}
	if (unlikely(p->trace_flags & TRACE_RECEIVE) && !p->is_probe) {
		save(r);
		trace_received(p);
		load(r);
	}
	if (!p->mailbox.save) {
		if (unlikely(p->signals.first != NULL)) {
			save(r);
			signals_take(p);
			load(r);
			return false; /* ip is this instruction, or the code that ends p */
		}
		r->ip = label(r, 1);
		return false;
	}
	if (p->mailbox.save->kind != MESSAGE_ON_HEAP) {
		save(r);
		message_to_heap(p, p->mailbox.save);
		load(r);
	}
	put(r, 2, p->mailbox.save->content);
	r->ip += 3;
	return false;
}

OP_INLINE void op_loop_rec_end(struct regs *r)
{
	PROMISED(r, r->p->mailbox.save != NULL);
	r->p->mailbox.save = r->p->mailbox.save->next;
	r->ip = label(r, 1);
}

OP_INLINE bool stop_probe(struct regs *r, enum step_end end)
{
	r->end = end;
	return true;
}

OP_INLINE bool op_remove_message(struct regs *r)
{
	struct process *p = r->p;

	if (unlikely(p->is_probe))
		return stop_probe(r, STEP_MATCHED);
	if (unlikely(!p->mailbox.save)) {
		r->ip = stop_unsound(p, r->ip);
		return false;
	}
	mailbox_remove(p, p->mailbox.save);
	p->mailbox.save = p->mailbox.first;
	p->may_act = false;
	p->timed_out = false;
	if (unlikely(p->receive_timer != NULL))
		timer_cancel_receive(p);
	r->ip += 1;
	return false;
}

static bool is_jump(const word *ip)
{
	return ip[0] == (word)interp_labels[SPEC_jump] ||
	       ip[0] == (word)interp_labels[SPEC_jump_back];
}

/* The instruction after a wake-up is loop_rec again: the save pointer was kept. A compiler without
 * optimisations has jumps on the way there, in other lines of the source; process_info must find a
 * process that has waited where it finds one that has not. */
OP_INLINE bool go_wait_with(struct regs *r, unsigned live)
{
	r->ip = label(r, 1);
	for (int jumps = 0; jumps < 3 && is_jump(r->ip); jumps++)
		r->ip = label(r, 1);
	save(r);
	process_save_x(r->p, live);
	mailbox_take_in(r->p);
	r->p->may_act = false;
	r->p->status = PROCESS_WAITING;
	r->end = STEP_WAITING;
	return true;
}

OP_INLINE bool go_wait(struct regs *r) { return go_wait_with(r, 0); }

/* Of receive after T -> ... end, which alone may have T in an x register: the registers up to T. */
static unsigned live_of_time(word w)
{
	return (w & 7) == 0 ? (unsigned)(w / sizeof(term)) + 1 : 0;
}

OP_INLINE bool op_wait(struct regs *r)
{
	if (unlikely(r->p->is_probe))
		return stop_probe(r, STEP_WAITING);
	if (must_announce(r)) { /* receive after infinity -> ... */
		save(r);
		r->end = STEP_VISIBLE;
		return stop_and_announce(r->p, EFFECT_RECEIVE, 0, 0);
	}
	return go_wait(r);
}

/* label, time. The process comes here again after every message that did not match. */
OP_INLINE bool op_wait_timeout(struct regs *r)
{
	struct process *p = r->p;
	term time = get(r, 2);
	enum timer_wait wait;

	if (unlikely(p->is_probe)) {
		p->probed_time = time;
		return stop_probe(r, !timer_can_wait(time) ? STEP_TIMEOUT
				     : time == A_infinity ? STEP_WAITING : STEP_SLEEPING);
	}
	if (must_announce(r) && !p->receive_timer && !p->timed_out) { /* receive after T -> ... */
		unsigned live = live_of_time(r->ip[2]);

		save(r);
		r->end = STEP_VISIBLE;
		return stop_and_announce(p, EFFECT_RECEIVE, live, 0);
	}
	if (p->timed_out) {
		p->timed_out = false;
		r->ip += 3;
		return false;
	}
	if (p->receive_timer)
		return go_wait(r);
	wait = timer_start_receive(p, time);
	if (wait == TIMER_WAIT_BAD) { /* the receive is over: the next one begins anew */
		p->mailbox.save = p->mailbox.first;
		p->may_act = false;
		go_error(r, A_timeout_value);
		return false;
	}
	if (wait == TIMER_WAIT_ZERO) {
		r->ip += 3;
		return false;
	}
	/* A message wakes a process that waits for ever, and it comes here again for T. */
	return time == A_infinity ? go_wait_with(r, live_of_time(r->ip[2])) : go_wait(r);
}

OP_INLINE bool op_timeout(struct regs *r)
{
	if (unlikely(r->p->is_probe))
		return stop_probe(r, STEP_TIMEOUT);
	r->p->mailbox.save = r->p->mailbox.first;
	r->p->may_act = false;
	r->ip += 1;
	if (unlikely(r->p->trace_flags & TRACE_RECEIVE)) {
		save(r);
		trace_timeout(r->p);
		load(r);
	}
	return false;
}

/* destination */
OP_INLINE void op_recv_marker_reserve(struct regs *r)
{
	put(r, 1, r->p->vm->is_explored ? (term)NIL : small_make((int64_t)mailbox_mark(r->p)));
	r->ip += 2;
}

/* marker, reference */
OP_INLINE void op_recv_marker_bind(struct regs *r)
{
	term marker = get(r, 1), ref = get(r, 2);

	if (term_is_small(marker) && term_is_ref(ref))
		mailbox_bind_mark(r->p, (uint64_t)small_value(marker), ref);
	r->ip += 3;
}

OP_INLINE void op_recv_marker_use(struct regs *r)
{
	term ref = get(r, 1);

	if (term_is_ref(ref) && !r->p->vm->is_explored && !r->p->is_probe)
		mailbox_use_mark(r->p, ref);
	r->ip += 2;
}

OP_INLINE void op_recv_marker_clear(struct regs *r)
{
	term ref = get(r, 1);

	if (term_is_ref(ref) && !r->p->vm->is_explored && !r->p->is_probe)
		mailbox_clear_mark(r->p, ref);
	r->ip += 2;
}

/* Announced as a receive of any message. True: the instruction ends here, without a message. */
OP_INLINE bool hibernate(struct regs *r, uint32_t live, bool keeps_stack)
{
	if (unlikely(r->p->is_probe)) {
		r->end = r->p->mailbox.save ? STEP_MATCHED : STEP_WAITING;
		return true;
	}
	if (must_announce(r)) {
		save(r);
		r->end = STEP_VISIBLE;
		return stop_and_announce(r->p, EFFECT_RECEIVE, live, 0);
	}
	r->p->may_act = false;
	if (!keeps_stack) {
		r->e = r->p->hend;
		r->cp = interp_normal_exit;
	}
	if (!r->p->mailbox.first && !r->p->signals.first) {
		save(r);
		process_save_x(r->p, live);
		r->p->status = PROCESS_WAITING;
		r->end = STEP_WAITING;
		return true;
	}
	r->p->mailbox.save = r->p->mailbox.first;
	return false;
}

/* The error of x0, x1, x2 if they are not a module, a function and a list of arguments. */
OP_INLINE term wake_error(const term *x)
{
	term args = x[2];
	size_t n = 0;

	for (; term_is_cons(args); args = cons_tail(args))
		n++;
	if (!term_is_atom(x[0]) || !term_is_atom(x[1]) || args != NIL)
		return A_badarg;
	return n >= X_REGISTERS ? (term)A_system_limit : TERM_NONE;
}

/* x0, x1, x2: module, function, arguments. */
OP_INLINE bool op_hibernate(struct regs *r)
{
	/* A probe has no x registers, and asks for the message only. */
	term error = r->p->is_probe ? TERM_NONE : wake_error(r->x);

	if (unlikely(error != TERM_NONE)) {
		save(r);
		exception_set(r->p, A_error, error);
		exception_raise(r->p);
		load(r);
		return false;
	}
	if (hibernate(r, 3, false))
		return true;
	r->ip = interp_apply_jump;
	return false;
}

/* erlang:hibernate/0 of OTP 28, which keeps the stack. */
OP_INLINE bool op_hibernate_stay(struct regs *r)
{
	if (hibernate(r, 0, true))
		return true;
	r->x[0] = A_ok;
	r->ip = r->cp;
	return false;
}
