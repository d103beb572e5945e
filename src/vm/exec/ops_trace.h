/* Tracing (trace.h). The other families stop here for the tracer. */

/* The tracer gets its message before the receiver, to which x0 and x1 are sent, gets that one. */
OP_INLINE bool stop_for_send(struct regs *r, unsigned live)
{
	bool stops = false;

	if (r->p->is_send_traced)
		return false;
	save(r);
	r->p->is_send_traced = true;
	trace_send(r->p, r->x[0], r->x[1]);
	stops = trace_stop(r->p, live);
	load(r);
	r->end = STEP_VISIBLE;
	return stops;
}

/* The tracer gets a message before the process dies. */
OP_INLINE bool stop_for_tracer(struct regs *r)
{
	if (likely(!(r->p->trace_flags & TRACE_PROCS)) || r->p->is_end_traced)
		return false;
	save(r);
	r->p->is_end_traced = true;
	trace_life(r->p, A_exit, r->p->exit_reason);
	if (r->p->registered_name != TERM_NONE && !r->p->vm->is_explored)
		trace_life(r->p, A_unregister, r->p->registered_name);
	r->end = STEP_VISIBLE;
	return trace_stop(r->p, 0);
}

/* The frame of a traced call: its return address and its handler. */

OP_INLINE bool op_trace_return(struct regs *r)
{
	bool stops;

	save(r);
	stops = trace_return(r->p);
	load(r);
	r->end = STEP_VISIBLE;
	return stops;
}

OP_INLINE bool op_trace_exception(struct regs *r)
{
	bool stops;

	save(r);
	stops = trace_exception(r->p);
	load(r);
	r->end = STEP_VISIBLE;
	return stops;
}
