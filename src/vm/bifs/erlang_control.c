/* Raising, yielding, halting, and printing for debugging. */
#include "base/strbuf.h"
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/exec/exception.h"
#include "vm/process/heap_limit.h"
#include "vm/process/leader.h"
#include "vm/process/mailbox.h"
#include "vm/terms/print.h"
#include "vm/terms/tmap.h"
#include "vm/terms/view.h"
#include "vm/process/trace.h"
#include "vm/vm.h"

/* These raise on behalf of their caller, so they are not a frame of the trace. */
static term raise_plain(struct process *p, term class_, term reason)
{
	bif_raise(p, class_, reason);
	p->exception.mfa_module = A_undefined;
	return TERM_NONE;
}

term bif_erlang_error_1(struct process *p, const term *args)
{
	return raise_plain(p, A_error, args[0]);
}

/* The first frame is the caller itself, with the arguments given. */
static term raise_with_args(struct process *p, term reason, term arguments)
{
	struct code_place place;

	raise_plain(p, A_error, reason);
	if (term_is_list(arguments) && code_find_place(p->ip, &place)) {
		p->exception.mfa_module = place.module;
		p->exception.mfa_function = place.function;
		p->exception.mfa_arity = place.arity;
		p->exception.args = arguments;
		p->exception.skip_place = true;
		p->exception.is_caller = true;
	}
	return TERM_NONE;
}

term bif_erlang_error_2(struct process *p, const term *args)
{
	return raise_with_args(p, args[0], args[1]);
}

term bif_erlang_error_3(struct process *p, const term *args)
{
	term options = args[2], info = TERM_NONE;

	/* Options that are not known are ignored. */
	for (; term_is_cons(options); options = cons_tail(options)) {
		term option = cons_head(options);

		if (term_is_tuple_of(option, 2) && tuple_element(option, 0) == A_error_info &&
		    term_is_map(tuple_element(option, 1)))
			info = tuple_element(option, 1);
	}
	if (args[1] != A_none && list_length(args[1]) < 0)
		return bif_badarg(p);
	raise_with_args(p, args[0], args[1]);
	p->exception.info = info;
	return TERM_NONE;
}

term bif_erlang_exit_1(struct process *p, const term *args)
{
	return raise_plain(p, A_exit, args[0]);
}

term bif_erlang_throw_1(struct process *p, const term *args)
{
	return raise_plain(p, A_throw, args[0]);
}

static bool is_frame(term t)
{
	if (!term_is_tuple(t))
		return false;
	if (tuple_size(t) == 4)
		return term_is_atom(tuple_element(t, 0)) && term_is_atom(tuple_element(t, 1)) &&
		       term_is_list(tuple_element(t, 3));
	if (tuple_size(t) == 3)
		return (term_is_atom(tuple_element(t, 0)) && term_is_atom(tuple_element(t, 1))) ||
		       term_is_fun(tuple_element(t, 0));
	return tuple_size(t) == 2 && term_is_fun(tuple_element(t, 0));
}

/* raise/3 with a bad argument returns badarg instead of raising. */
term bif_erlang_raise_3(struct process *p, const term *args)
{
	term list = args[2], copy = NIL, *last = &copy;
	unsigned depth = 0;

	if (args[0] != A_error && args[0] != A_exit && args[0] != A_throw)
		return A_badarg;
	for (; term_is_cons(list); list = cons_tail(list)) {
		term frame = cons_head(list);

		if (!is_frame(frame))
			return A_badarg;
		if (depth++ >= BACKTRACE_DEPTH)
			continue;
		if (tuple_size(frame) == 3) {
			term *hp = heap_alloc(p, TUPLE_WORDS(4));

			frame = tuple_build4(&hp, tuple_element(frame, 0), tuple_element(frame, 1),
					     tuple_element(frame, 2), NIL);
		}
		*last = heap_cons(p, frame, NIL);
		last = cons_ptr(*last) + 1;
	}
	if (list != NIL)
		return A_badarg;
	exception_again(p, args[0], args[1], copy);
	return TERM_NONE;
}

/* A stub of OTP whose native code this VM does not have. A stub of the program itself raises the
 * error that it names. */
static term report_missing(struct process *p, term reason)
{
	struct code_place place;

	if (!code_find_place(p->ip, &place))
		return bif_unsupported(p, "a native function");
	if (!code_is_of_otp(p->vm, place.module))
		return raise_plain(p, A_error, reason);
	/* The report names the caller of the stub. */
	exception_go_to_caller(p);
	return bif_unsupported(p, "%s:%s/%u", atom_text(place.module), atom_text(place.function),
			       place.arity);
}

term bif_erlang_nif_error_1(struct process *p, const term *args)
{
	return report_missing(p, args[0]);
}

term bif_erlang_nif_error_2(struct process *p, const term *args)
{
	return report_missing(p, args[0]);
}

/* These functions have instructions of their own, which their export slots lead to (bif_open). A
 * call that comes here nevertheless goes on through the slot. */
term bif_erlang_apply_2(struct process *p, const term *args)
{
	return bif_trap(p, A_erlang, A_apply, 2, args);
}

term bif_erlang_apply_3(struct process *p, const term *args)
{
	return bif_trap(p, A_erlang, A_apply, 3, args);
}

term bif_erlang_hibernate_0(struct process *p, const term *args)
{
	return bif_trap(p, A_erlang, A_hibernate, 0, args);
}

term bif_erlang_hibernate_3(struct process *p, const term *args)
{
	return bif_trap(p, A_erlang, A_hibernate, 3, args);
}

term bif_erlang_yield_0(struct process *p, const term *args)
{
	mailbox_take_in(p);
	return bif_yield(p);
}

term bif_erlang_bump_reductions_1(struct process *p, const term *args)
{
	if (!term_is_small(args[0]) || small_value(args[0]) < 1)
		return bif_badarg(p);
	if (!p->vm->is_explored)
		p->calls += (uint64_t)small_value(args[0]);
	return A_true;
}

/* In a search nothing shows a collection. */
static term ask_for_collection(struct process *p)
{
	return p->vm->is_explored || trace_watches(p) ? (term)A_true : bif_collect(p);
}

term bif_erlang_garbage_collect_0(struct process *p, const term *args)
{
	trace_collection(p, false);
	system_monitor_collected(p);
	return ask_for_collection(p);
}

term bif_erts_internal_garbage_collect_1(struct process *p, const term *args)
{
	trace_collection(p, args[0] == A_minor);
	system_monitor_collected(p);
	return ask_for_collection(p);
}

/* ---- ending everything ---- */

term bif_erlang_halt_2(struct process *p, const term *args)
{
	if (term_is_small(args[0]) && small_value(args[0]) >= 0)
		p->vm->halt_status = (int)(small_value(args[0]) & 0xff);
	else if (args[0] == A_abort || term_is_list(args[0]))
		p->vm->halt_status = 1;
	else
		return bif_badarg(p);
	p->vm->end = VM_HALTED;
	p->outcome = OUTCOME_STOP;
	return TERM_NONE;
}

/* ---- printing ---- */

term bif_erlang_display_1(struct process *p, const term *args)
{
	struct strbuf text = {0};

	print_display(args[0], &text);
	strbuf_addc(&text, '\n');
	leader_write(1, strbuf_text(&text), text.len);
	strbuf_release(&text);
	return A_true;
}

static term display_string(struct process *p, int where, term list)
{
	struct strbuf text = {0};

	for (; term_is_cons(list) && term_is_small(cons_head(list)); list = cons_tail(list))
		strbuf_addc(&text, (char)small_value(cons_head(list)));
	if (list == NIL)
		leader_write(where, strbuf_text(&text), text.len);
	strbuf_release(&text);
	return list == NIL ? (term)A_true : bif_badarg(p);
}

term bif_erlang_display_string_1(struct process *p, const term *args)
{
	return display_string(p, 1, args[0]);
}

term bif_erlang_display_string_2(struct process *p, const term *args)
{
	struct view view;

	if (args[0] != atom_from_string("stdout") && args[0] != atom_from_string("stderr"))
		return bif_badarg(p);
	if (!view_open(&view, args[1]))
		return display_string(p, args[0] == atom_from_string("stderr") ? 2 : 1, args[1]);
	leader_write(args[0] == atom_from_string("stderr") ? 2 : 1, (const char *)view.bytes,
		     view.len);
	view_close(&view);
	return A_true;
}

term bif_erlang_display_nl_0(struct process *p, const term *args)
{
	leader_write(1, "\n", 1);
	return A_true;
}
