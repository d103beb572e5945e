/* Instructions of the group leader and of the process that starts the system processes. */

static inline bool wait_for_message(struct regs *r)
{
	process_save_x(r->p, 0);
	r->p->status = PROCESS_WAITING;
	r->end = STEP_WAITING;
	return true;
}

OP_INLINE bool op_leader_take(struct regs *r)
{
	save(r);
	if (leader_take(r->p)) { /* x0, x1, x2: a formatter to call */
		load(r);
		r->ip += 1;
		return false;
	}
	return wait_for_message(r);
}

OP_INLINE void op_leader_reply(struct regs *r)
{
	save(r);
	leader_reply(r->p, r->x[0]);
	load(r);
	r->ip = interp_leader;
}

OP_INLINE void op_atomic_return(struct regs *r)
{
	r->ip = r->p->atomic_return;
}

OP_INLINE void op_on_load_done(struct regs *r)
{
	save(r);
	on_load_finish(r->p, r->x[0]);
	load(r);
}

OP_INLINE bool op_boot_next(struct regs *r)
{
	save(r);
	if (boot_next(r->p)) { /* x0, x1, x2: module, function, arguments */
		load(r);
		r->ip += 1;
		return false;
	}
	return wait_for_message(r);
}

OP_INLINE void op_boot_done(struct regs *r)
{
	r->ip = interp_boot;
}

OP_INLINE bool op_boot_wait(struct regs *r)
{
	if (boot_is_done(r->p->vm)) {
		r->x[0] = A_ok;
		r->ip = r->cp;
		return false;
	}
	save(r);
	return wait_for_message(r);
}
