/* Calls of other modules by code of the program. Each leaves a note, by which a report finds the
 * line (beam/sites.h). The loader decides what is code of the program and what is code of a
 * library. */

/* The first one behind a message that a library has received. */
OP_INLINE void note_first_departure(struct regs *r, const word *ip)
{
	if (likely(!r->p->callback.is_sought) || !r->p->callback.entry)
		return;
	r->p->callback.at = callback_place(r->p, ip, r->cp, r->e);
	r->p->callback.is_sought = false;
}

/* The program calls another module: its stack does not show a tail call. */
OP_INLINE void note_departure(struct regs *r, const word *ip, bool is_tail)
{
	r->p->departure = (struct departure){
		.ip = ip,
		.continuation = r->cp,
		.depth = (uint32_t)(r->p->hend - r->e),
		.step = r->p->vm->step,
		.is_tail = is_tail,
	};
	note_first_departure(r, ip);
}

OP_INLINE bool op_leave(struct regs *r)
{
	note_departure(r, r->ip, false);
	return op_call_ext(r);
}

OP_INLINE bool op_leave_only(struct regs *r)
{
	note_departure(r, r->ip, true);
	return op_call_ext_only(r);
}

OP_INLINE bool op_leave_last(struct regs *r)
{
	const word *ip = r->ip, **slot = (const word **)ip[1];

	drop_frame(r, ip[2]);
	note_departure(r, ip, true);
	return go_export(r, slot);
}

/* Another clause goes on with the message: the place does not show which one took it. */
OP_INLINE void note_again(struct regs *r)
{
	if (r->p->callback.entry)
		r->p->callback.is_sought = false;
}

OP_INLINE bool op_again_only(struct regs *r)
{
	note_again(r);
	return op_call_only(r);
}

OP_INLINE bool op_again_last(struct regs *r)
{
	note_again(r);
	return op_call_last(r);
}

OP_INLINE bool op_leave_bif(struct regs *r)
{
	note_first_departure(r, r->ip);
	return op_call_bif(r);
}
