/* match_spec.h: match specifications, compiled to a small program and run.
 *
 * A spec is a list of clauses {Head, Guards, Body}. Compiling makes one flat array of instructions
 * (match_ops.def): for each clause its head, which takes the subject apart without recursion,
 * then guards and body as a stack machine. The program borrows constants from the spec, so the
 * spec must not move while the program exists, that is, within one BIF. A "compiled" spec that an
 * Erlang program holds is a reference to a spec in the region (match_compiled.h), which is compiled
 * again at each use, so that a compiled program is never state of the run.
 *
 *     struct match_program program = {0};
 *     if (match_compile(&program, spec, NULL))
 *             result = match_run(p, &program, subject);
 *     match_release(&program);
 *
 * No step recurses over the depth of a term.
 */
#ifndef VM_ETS_MATCH_SPEC_H
#define VM_ETS_MATCH_SPEC_H

#include "base/vec.h"
#include "vm/memory/heap.h"

struct bif;

enum match_op_code {
#define MATCH_OP(name) MATCH_##name,
#include "vm/ets/match_ops.def"
#undef MATCH_OP
};

enum match_action {
#define MATCH_ACTION(id, text, arity) MATCH_ACTION_##id,
#define MATCH_ACTION_LIVE(id, text, arity) MATCH_ACTION_##id,
#define MATCH_ACTION_MISSING(text, arity)
#include "vm/ets/match_actions.def"
#undef MATCH_ACTION
#undef MATCH_ACTION_LIVE
#undef MATCH_ACTION_MISSING
	MATCH_ACTION_COUNT
};

struct match_op {
	uint32_t code;
	uint32_t count;
	union {
		term value;
		uint64_t index;
		uint64_t target; /* while compiling a label, then the number of an op */
		const struct bif *bif;
	};
};

struct match_variable {
	uint64_t number; /* of '$N' */
	uint32_t index;  /* where its value is kept */
};

struct match_clause {
	term head;
	term guards;
	term body;
	size_t start;     /* of its ops */
	size_t variables; /* first in program->variables, by number */
	size_t variables_len;
};

VEC_TYPE(match_ops, struct match_op);
VEC_TYPE(match_clauses, struct match_clause);
VEC_TYPE(match_variables, struct match_variable);

/* The actions that a spec of a traced function asks for when its clause matches. */
struct match_actions {
	bool is_tried; /* by match_spec_test: changes nothing */
	bool shows_return;    /* return_trace() */
	bool shows_exception; /* exception_trace() */
	term message;         /* of {message, M}: the last element of the trace message, if it is
				 neither true nor false; false: no message */
	const uint64_t *caller; /* in: return address, for {caller} */
	const char *missing;  /* out, when compiling: an action that does not exist here */
};

struct match_program {
	struct match_actions *actions; /* NULL: the spec is not about a trace */
	struct match_ops ops;
	struct match_clauses clauses;
	struct match_variables variables;
};

/* The part of a machine (machine.h) that belongs to running match specs: scratch memory that only
 * grows. */
struct match_scratch {
	struct term_vec stack;     /* of the stack machine */
	struct term_vec variables; /* values, by index */
};
void match_scratch_release(void);

/* The errors of a spec, for match_spec_test: a list of {error, Text} on p's heap. last must be
 * &list at first. */
struct match_errors {
	struct process *p;
	term list;
	term *last;
};

/* False when spec is not a match spec; errors may be NULL. An empty list is a spec without
 * clauses. */
bool match_compile(struct match_program *program, term spec, struct match_errors *errors);
void match_release(struct match_program *program);

/* The value of the first clause that matches, or TERM_NONE. It may share parts with the subject. */
term match_run(struct process *p, const struct match_program *program, term subject);

/* An action that changes what is traced (match_trace.c). */
term match_act_on_trace(struct process *p, enum match_action action, const term *args);
/* The same for match_spec_test. */
term match_try_on_trace(struct process *p, enum match_action action);

/* The N of an atom '$N', or -1. */
int64_t match_variable_number(term atom);
/* Whether a pattern matches exactly one term, itself: no variable, no '_', no map. */
bool match_is_exact(term pattern);
/* The order of t against all terms that begin as the pattern does up to its first variable, '_' or
 * map: <0, 0 (t may match) or >0. In term order, the terms of order 0 lie together. */
int match_compare_prefix(term t, term pattern);

#endif
