/* Running a compiled match spec. */
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/ets/match_spec.h"
#include "vm/machine.h"
#include "vm/terms/atom.h"
#include "vm/terms/tmap.h"

static struct term_vec *const stack = &machine.match.stack;
static struct term_vec *const variables = &machine.match.variables;

void match_scratch_release(void)
{
	vec_release(stack);
	vec_release(variables);
}

struct runner {
	struct process *p;
	const struct match_program *program;
	const struct match_clause *clause;
	term subject;
	bool in_body;
};

/* ---- heads ---- */

static bool match_map(const struct match_op *op, term t)
{
	if (!term_is_map(t) || tmap_size(t) < op->count)
		return false;
	for (size_t i = op->count; i > 0; i--) {
		term value = tmap_get(t, op[i].value);

		if (value == TERM_NONE)
			return false;
		*vec_push(stack) = value;
	}
	return true;
}

static bool match_tuple(const struct match_op *op, term t)
{
	if (!term_is_tuple_of(t, op->count))
		return false;
	vec_reserve(stack, stack->len + op->count);
	for (size_t i = op->count; i-- > 0;)
		stack->items[stack->len++] = tuple_element(t, i);
	return true;
}

/* The op after the head, or NULL when it does not match. */
static const struct match_op *match_head(const struct runner *run)
{
	const struct match_op *op = run->program->ops.items + run->clause->start;

	stack->len = 0;
	*vec_push(stack) = run->subject;
	for (; stack->len; op++) {
		term t = vec_pop(stack);

		switch (op->code) {
		case MATCH_ANY:
			break;
		case MATCH_VALUE:
			if (!term_equal(t, op->value))
				return NULL;
			break;
		case MATCH_BIND:
			variables->items[op->index] = t;
			break;
		case MATCH_SAME:
			if (!term_equal(t, variables->items[op->index]))
				return NULL;
			break;
		case MATCH_TUPLE:
			if (!match_tuple(op, t))
				return NULL;
			break;
		case MATCH_CONS:
			if (!term_is_cons(t))
				return NULL;
			*vec_push(stack) = cons_tail(t);
			*vec_push(stack) = cons_head(t);
			break;
		default: /* MATCH_MAP and its KEYs */
			if (!match_map(op, t))
				return NULL;
			op += op->count;
			break;
		}
	}
	return op;
}

/* ---- guards and bodies ---- */

static term list_bindings(const struct runner *run)
{
	const struct match_variable *first = run->program->variables.items + run->clause->variables;
	term list = NIL;

	for (size_t i = run->clause->variables_len; i-- > 0;)
		list = heap_cons(run->p, variables->items[first[i].index], list);
	return list;
}

static term call_function(const struct runner *run, const struct match_op *op, const term *args)
{
	term result = op->bif->call(run->p, args);

	if (result == TERM_NONE)
		run->p->exception = (struct exception){0};
	return result;
}

/* The function that called, or undefined: {caller}, and with its place {caller_line}. */
static term find_caller(struct process *p, const uint64_t *address, bool with_line)
{
	struct code_place place;
	term parts[4], line = A_undefined;

	if (!address || !code_find_place(address - 1, &place))
		return A_undefined;
	if (!with_line)
		return heap_tuple3(p, place.module, place.function, small_make(place.arity));
	if (place.file)
		line = heap_tuple2(p, heap_string(p, place.file), small_make(place.line));
	parts[0] = place.module;
	parts[1] = place.function;
	parts[2] = small_make(place.arity);
	parts[3] = line;
	return heap_tuple(p, 4, parts);
}

static term act(const struct runner *run, const struct match_op *op, const term *args)
{
	struct match_actions *actions = run->program->actions;

	switch ((enum match_action)op->index) {
	case MATCH_ACTION_RETURN_TRACE:
		actions->shows_return = true;
		return A_true;
	case MATCH_ACTION_EXCEPTION_TRACE:
		actions->shows_exception = true;
		return A_true;
	case MATCH_ACTION_MESSAGE:
		actions->message = args[0];
		return A_true;
	case MATCH_ACTION_CALLER:
		return find_caller(run->p, actions->caller, false);
	case MATCH_ACTION_CALLER_LINE:
		return find_caller(run->p, actions->caller, true);
	default:
		if (actions->is_tried)
			return match_try_on_trace(run->p, (enum match_action)op->index);
		return match_act_on_trace(run->p, (enum match_action)op->index, args);
	}
}

static term join_booleans(const struct match_op *op, const term *args)
{
	bool is_and = op->code == MATCH_AND, result = is_and;

	for (size_t i = 0; i < op->count; i++) {
		if (args[i] != A_true && args[i] != A_false)
			return TERM_NONE;
		if ((args[i] == A_true) != is_and)
			result = !is_and;
	}
	return atom_from_bool(result);
}

/* The value of an operation with op->count arguments; TERM_NONE when it fails. */
static term make_value(const struct runner *run, const struct match_op *op, term *args)
{
	switch (op->code) {
	case MATCH_CALL:
		return call_function(run, op, args);
	case MATCH_ACTION:
		return act(run, op, args);
	case MATCH_MAKE_TUPLE:
		return heap_tuple(run->p, op->count, args);
	case MATCH_MAKE_MAP:
		return tmap_from_pairs(run->p, args, op->count);
	default:
		return join_booleans(op, args);
	}
}

/* Replaces the arguments by the value; false when a guard fails. */
static bool apply_op(const struct runner *run, const struct match_op *op)
{
	size_t args_len = op->code == MATCH_MAKE_MAP ? 2 * (size_t)op->count : op->count;
	term value;

	stack->len -= args_len;
	value = make_value(run, op, stack->items + stack->len);
	if (value == TERM_NONE && !run->in_body)
		return false;
	*vec_push(stack) = value == TERM_NONE ? (term)A_EXIT : value;
	return true;
}

/* andalso, orelse: the topmost value decides; false when a guard fails. */
static bool decide(const struct runner *run, const struct match_op **op)
{
	term value = *vec_last(stack);
	term going_on = (*op)->code == MATCH_ANDALSO ? A_true : A_false;

	if (value == going_on) {
		stack->len--;
		return true;
	}
	if (value != A_true && value != A_false) {
		if (!run->in_body)
			return false;
		*vec_last(stack) = A_EXIT;
	}
	*op = run->program->ops.items + (*op)->target - 1;
	return true;
}

static void make_cons(struct process *p)
{
	term tail = vec_pop(stack);

	*vec_last(stack) = heap_cons(p, *vec_last(stack), tail);
}

/* The body's value, or TERM_NONE when a guard was not true. */
static term evaluate(struct runner *run, const struct match_op *op)
{
	for (;; op++) {
		switch (op->code) {
		case MATCH_CONST:
			*vec_push(stack) = op->value;
			break;
		case MATCH_VARIABLE:
			*vec_push(stack) = variables->items[op->index];
			break;
		case MATCH_OBJECT:
			*vec_push(stack) = run->subject;
			break;
		case MATCH_BINDINGS:
			*vec_push(stack) = list_bindings(run);
			break;
		case MATCH_MAKE_CONS:
			make_cons(run->p);
			break;
		case MATCH_ANDALSO:
		case MATCH_ORELSE:
			if (!decide(run, &op))
				return TERM_NONE;
			break;
		case MATCH_GUARD:
			if (vec_pop(stack) != A_true)
				return TERM_NONE;
			break;
		case MATCH_BODY:
			run->in_body = true;
			break;
		case MATCH_DROP:
			stack->len--;
			break;
		case MATCH_END:
			return vec_pop(stack);
		default:
			if (!apply_op(run, op))
				return TERM_NONE;
			break;
		}
	}
}

term match_run(struct process *p, const struct match_program *program, term subject)
{
	for (size_t i = 0; i < program->clauses.len; i++) {
		struct runner run = {p, program, &program->clauses.items[i], subject, false};
		const struct match_op *op;
		term value;

		vec_reserve(variables, run.clause->variables_len + 1);
		op = match_head(&run);
		if (!op)
			continue;
		stack->len = 0;
		value = evaluate(&run, op);
		if (value != TERM_NONE)
			return value;
	}
	return TERM_NONE;
}
