/* Instructions of the native stand-ins. */

OP_INLINE bool op_leader_take(struct regs *r)
{
	save(r);
	if (leader_take(r->p)) { /* x0, x1, x2: a formatter to call */
		load(r);
		r->ip += 1;
		return false;
	}
	process_save_x(r->p, 0);
	r->p->status = PROCESS_WAITING;
	r->end = STEP_WAITING;
	return true;
}

OP_INLINE void op_leader_reply(struct regs *r)
{
	save(r);
	leader_reply(r->p, r->x[0]);
	load(r);
	r->ip = interp_leader;
}
