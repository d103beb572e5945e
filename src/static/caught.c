/* caught.c: calls of the registry whose failure is handled.
 *
 *     case whereis(N) of undefined -> try register(N, Pid) catch error:badarg -> taken end; ...
 *
 * If another process has taken the name in between, the second step fails with error:badarg (with
 * exit:{noproc, _} where it is a call of a server), and the handler deals with that. The first step
 * only saves work. The code of the handler is followed with that class, and with that reason where
 * it is an atom, until it does something else than ask for them. A handler that raises again, at
 * once or after cleaning up (`after`), handles nothing.
 */
#include "static/interp.h"

#include <string.h>

enum { MAX_STEPS = 64 };

/* The class and the reason that the handler finds in x0 and x1; reason 0: not an atom. */
struct failure {
	uint32_t class;
	uint32_t reason;
};

enum answer { ANSWER_NO, ANSWER_YES, ANSWER_UNKNOWN };

static bool is_atom(const struct interp *in, const struct beam_operand *o, uint32_t atom)
{
	return o->kind == BEAM_ATOM && in->m->atoms[o->value] == atom;
}

static enum answer is_equal(const struct interp *in, const struct failure *failure,
			    const struct beam_operand *subject, const struct beam_operand *o)
{
	uint32_t known;

	if (subject->kind != BEAM_X || subject->value > 1 || o->kind != BEAM_ATOM)
		return ANSWER_UNKNOWN;
	known = subject->value == 0 ? failure->class : failure->reason;
	return is_atom(in, o, known) ? ANSWER_YES : ANSWER_NO;
}

/* The instruction at the label; the end of the function if the operand is not a label. */
static uint32_t at_label(const struct interp *in, const struct beam_operand *o)
{
	return o->kind == BEAM_LABEL && o->value ? in->m->bf.labels[o->value] : in->f->end;
}

static uint32_t select_target(const struct interp *in, const struct failure *failure,
			     const struct beam_operand *o)
{
	for (uint32_t i = 0; i + 1 < o[2].len; i += 2)
		if (is_equal(in, failure, &o[0], &o[2].items[i]) == ANSWER_YES)
			return at_label(in, &o[2].items[i + 1]);
	return at_label(in, &o[1]);
}

static bool is_raise(const struct interp *in, const struct beam_instr *instr)
{
	bool is_import = instr->op == OP_call_ext || instr->op == OP_call_ext_last ||
			 instr->op == OP_call_ext_only;

	return instr->op == OP_raise || instr->op == OP_raw_raise ||
	       (is_import &&
		in->m->targets[instr->operands[1].value].special == SPECIAL_RAISE);
}

/* Does the code from here on raise before it returns or decides anything? */
static bool raises(const struct interp *in, uint32_t i)
{
	for (; i < in->f->end; i++) {
		const struct beam_instr *instr = &in->m->bf.instrs[i];

		if (is_raise(in, instr))
			return true;
		if (instr->op == OP_return || instr->op == OP_jump || instr->op == OP_label ||
		    instr->op == OP_call_last || instr->op == OP_call_only ||
		    instr->op == OP_call_ext_last || instr->op == OP_call_ext_only)
			return false;
	}
	return false;
}

/* Follows the tests of class and reason from the handler's first instruction. */
static bool handles(const struct interp *in, const struct failure *failure, uint32_t i)
{
	for (uint32_t steps = 0; steps < MAX_STEPS && i >= in->f->first && i < in->f->end; steps++) {
		const struct beam_instr *instr = &in->m->bf.instrs[i];
		const struct beam_operand *o = instr->operands;
		bool is_test = instr->op == OP_is_eq_exact || instr->op == OP_is_ne_exact;
		enum answer answer = is_test ? is_equal(in, failure, &o[1], &o[2]) : ANSWER_UNKNOWN;

		if (answer != ANSWER_UNKNOWN)
			i = (answer == ANSWER_YES) == (instr->op == OP_is_eq_exact)
				    ? i + 1
				    : at_label(in, &o[0]);
		else if (instr->op == OP_select_val && o[0].kind == BEAM_X && o[0].value <= 1)
			i = select_target(in, failure, o);
		else if (instr->op == OP_jump)
			i = at_label(in, &o[0]);
		else if (instr->op == OP_label || instr->op == OP_line || instr->op == OP_try_case)
			i++;
		else
			return !raises(in, i);
	}
	return false;
}

bool caught_is_failure_of(const struct interp *in, const struct builtin *b)
{
	struct failure failure = {program_atom_named(in->p, "error"),
				  program_atom_named(in->p, "badarg")};
	uint32_t label;

	if (!in->now.handlers_len)
		return false;
	if (b->role == ROLE_USE && b->function[0] != '!' && strcmp(b->function, "send") != 0)
		failure = (struct failure){program_atom_named(in->p, "exit"), 0};
	label = in->now.handlers[in->now.handlers_len - 1];
	return handles(in, &failure, in->m->bf.labels[label]);
}
