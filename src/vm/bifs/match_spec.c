/* Match specs on their own: ets:match_spec_compile and friends, erlang:match_spec_test. */
#include "vm/bifs/bif.h"
#include "vm/ets/match_compiled.h"
#include "vm/ets/match_spec.h"
#include "vm/vm.h"

term bif_ets_match_spec_compile_1(struct process *p, const term *args)
{
	struct match_program program = {0};
	bool is_valid = args[0] != NIL && match_compile(&program, args[0], NULL);

	match_release(&program);
	return is_valid ? match_compiled_reference(p, args[0]) : bif_badarg(p);
}

term bif_ets_is_compiled_ms_1(struct process *p, const term *args)
{
	return atom_from_bool(match_compiled_spec(p->vm, args[0]) != TERM_NONE);
}

/* Results go in front of the third argument, the last result first. */
term bif_ets_match_spec_run_r_3(struct process *p, const term *args)
{
	term spec = match_compiled_spec(p->vm, args[1]), list = args[0], results = args[2];
	struct match_program program = {0};

	if (spec == TERM_NONE)
		return bif_badarg(p);
	match_compile(&program, spec, NULL);
	for (; term_is_cons(list); list = cons_tail(list)) {
		term value = match_run(p, &program, cons_head(list));

		if (value != TERM_NONE)
			results = heap_cons(p, value, results);
	}
	match_release(&program);
	return list == NIL ? results : bif_badarg(p);
}

/* {ok, Result or false, Flags, Warnings} or {error, [{error, Text}]}. For tracing the subject is
 * the list of arguments, and the result is the element that the spec adds to the message. */
term bif_erlang_match_spec_test_3(struct process *p, const term *args)
{
	struct match_errors errors = {p, NIL, &errors.list};
	struct match_actions actions = {.is_tried = true, .message = A_true};
	struct match_program program = {.actions = args[2] == A_trace ? &actions : NULL};
	term value, flags = NIL, *hp;

	if (args[2] != A_table && (args[2] != A_trace || !term_is_list(args[0])))
		return bif_badarg(p);
	if (!match_compile(&program, args[1], &errors)) {
		match_release(&program);
		if (actions.missing)
			return bif_unsupported(p, "%s in a match spec of a traced function",
					       actions.missing);
		return heap_tuple2(p, A_error, errors.list);
	}
	value = match_run(p, &program, args[0]);
	match_release(&program);
	if (value != TERM_NONE && args[2] == A_trace)
		value = actions.message;
	if (actions.shows_return || actions.shows_exception)
		flags = heap_cons(p, actions.shows_return ? A_return_trace : A_exception_trace, NIL);
	hp = heap_alloc(p, TUPLE_WORDS(4));
	return tuple_build4(&hp, A_ok, value == TERM_NONE ? (term)A_false : value, flags, NIL);
}
