/* Calls, returns and exceptions of traced functions. */
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/ets/match_spec.h"
#include "vm/exec/exception.h"
#include "vm/exec/interp.h"
#include "vm/machine.h"
#include "vm/process/mailbox.h"
#include "vm/process/signal.h"
#include "vm/process/trace.h"
#include "vm/vm.h"

/* The trace messages that the end of a call is to give. */
enum call_end {
	END_RETURN = 1,
	END_EXCEPTION = 2,
	END_RETURN_TO = 4,
	END_META_RETURN = 8,
	END_META_EXCEPTION = 16,
};

struct traced_call {
	const word *entry;
	const word *caller; /* return address */
	term args;
	bool is_remote;
	uint32_t ends; /* out: enum call_end */
};

static term make_mfa(struct process *p, const word *entry, term third)
{
	return heap_tuple3(p, entry_module(entry), entry_function(entry), third);
}

/* True with the actions of the first clause that matches; false if no clause matches. */
static bool run_spec(struct process *p, term spec, term args, struct match_actions *actions)
{
	struct match_program program = {.actions = actions};
	bool matches = spec == NIL;

	if (spec != NIL && match_compile(&program, spec, NULL))
		matches = match_run(p, &program, args) != TERM_NONE;
	match_release(&program);
	return matches;
}

bool trace_selects_send(struct process *p, term to, term content, term *message)
{
	const struct trace_state *t = trace_get(p->vm);
	struct match_actions actions = {.message = A_true};
	term args;

	*message = A_true;
	if (t->hides_sends || !t->send_spec)
		return !t->hides_sends;
	args = heap_cons(p, to, heap_cons(p, content, NIL));
	if (!run_spec(p, t->send_spec->content, args, &actions))
		return false;
	*message = actions.message;
	return actions.message != A_false && !(p->trace_flags & TRACE_SILENT);
}

/* ---- meta tracing: messages with a time to a tracer of the function ---- */

static void note_meta(struct process *p, term tracer, const term *parts, size_t len)
{
	term all[7] = {A_trace_ts, process_known_as(p)};

	for (size_t i = 0; i < len; i++)
		all[2 + i] = parts[i];
	all[2 + len] = bif_erlang_now_0(p, NULL);
	signal_send(p, tracer, heap_tuple(p, 3 + len, all));
}

static void notice_meta(struct process *p, struct trace_point *point, struct traced_call *call)
{
	struct match_actions actions = {.message = A_true, .caller = call->caller};
	term parts[3] = {A_call};

	if (point->meta_spec && !process_find(p->vm, point->meta_tracer))
		point->meta_tracer = NIL; /* trace_info shows that it has ended */
	if (!point->meta_spec || p->pid == point->meta_tracer || p->is_sensitive ||
	    point->meta_tracer == NIL ||
	    !run_spec(p, point->meta_spec->content, call->args, &actions))
		return;
	if (actions.shows_return)
		call->ends |= END_META_RETURN;
	if (actions.shows_exception)
		call->ends |= END_META_RETURN | END_META_EXCEPTION;
	parts[1] = make_mfa(p, call->entry, call->args);
	parts[2] = actions.message;
	if (actions.message != A_false)
		note_meta(p, point->meta_tracer, parts, actions.message == A_true ? 2 : 3);
}

/* ---- calls ---- */

/* The spec may have ended the tracing of p; this call is still shown to its tracer. */
static void note_to(struct process *p, term tracer, term message)
{
	bool has_ended = p->tracer == TERM_NONE;

	if (has_ended)
		p->tracer = tracer;
	trace_note(p, message);
	if (has_ended)
		p->tracer = TERM_NONE;
}

static void notice_call(struct process *p, const struct trace_point *point,
			struct traced_call *call)
{
	struct match_actions actions = {.message = A_true, .caller = call->caller};
	term parts[3] = {A_call}, tracer = p->tracer;

	if (!point->spec || !(p->trace_flags & TRACE_CALL) || p->is_sensitive ||
	    !(point->is_local || call->is_remote || point->is_native) ||
	    !run_spec(p, point->spec->content, call->args, &actions))
		return;
	if (actions.shows_return)
		call->ends |= END_RETURN;
	if (actions.shows_exception)
		call->ends |= END_RETURN | END_EXCEPTION;
	if (p->trace_flags & TRACE_RETURN_TO && point->is_local)
		call->ends |= END_RETURN_TO;
	parts[1] = make_mfa(p, call->entry,
			    p->trace_flags & TRACE_ARITY ? small_make(entry_arity(call->entry))
							 : call->args);
	parts[2] = actions.message;
	if (actions.message != A_false && !(p->trace_flags & TRACE_SILENT))
		note_to(p, tracer, trace_message(p, parts, actions.message == A_true ? 2 : 3));
}

/* A frame that returns to interp_trace_return: return address, catch, module, function, arity, enum
 * call_end, meta tracer. */
enum { FRAME_WORDS = 7 };

/* Room for a frame must be there before anything is allocated: heap_alloc takes all words below
 * the stack. */
static void reserve_frame(struct process *p, unsigned arity)
{
	if ((size_t)(p->e - p->htop) < FRAME_WORDS)
		heap_collect(p, FRAME_WORDS, machine.running.x, arity);
	p->e -= FRAME_WORDS;
}

/* Writes the frame that reserve_frame made room for. */
static void fill_frame(struct process *p, const struct trace_point *point,
		       const struct traced_call *call)
{
	bool catches = call->ends & (END_EXCEPTION | END_META_EXCEPTION | END_RETURN_TO);

	p->e[0] = (term)p->cp;
	p->e[1] = catches ? catch_make(interp_trace_raise) : NIL;
	p->e[2] = entry_module(call->entry);
	p->e[3] = entry_function(call->entry);
	p->e[4] = small_make(entry_arity(call->entry));
	p->e[5] = small_make(call->ends);
	p->e[6] = call->ends & END_META_RETURN ? point->meta_tracer : (term)NIL;
	p->cp = interp_trace_return;
}

/* A call in place of the traced call that is about to return shares its return. */
static bool returns_already(const struct process *p, const term *frame)
{
	for (const word *cp = p->cp; cp == interp_trace_return; frame += FRAME_WORDS) {
		if (small_value(frame[5]) & END_RETURN_TO)
			return true;
		cp = (const word *)frame[0];
	}
	return false;
}

/* The return address behind the frames of traced calls. */
static const word *find_return(const term *frame)
{
	while ((const word *)frame[0] == interp_trace_return)
		frame += FRAME_WORDS;
	return (const word *)frame[0];
}

bool trace_call(struct process *p, bool is_remote)
{
	struct trace_point *point = trace_find(p->vm, p->ip);
	struct traced_call call = {.entry = p->ip, .caller = p->cp, .args = NIL,
				   .is_remote = is_remote};
	unsigned arity;

	if (!point || point->is_native)
		return false;
	trace_count(p, point);
	if (!point->spec && !point->meta_spec)
		return false;
	if (p->cp == interp_trace_return)
		call.caller = find_return(p->e);
	arity = entry_arity(p->ip);
	reserve_frame(p, arity);
	for (unsigned i = arity; i-- > 0;)
		call.args = heap_cons(p, machine.running.x[i], call.args);
	notice_call(p, point, &call);
	notice_meta(p, point, &call);
	if (returns_already(p, p->e + FRAME_WORDS))
		call.ends &= ~(uint32_t)END_RETURN_TO;
	if (call.ends)
		fill_frame(p, point, &call);
	else
		p->e += FRAME_WORDS;
	return trace_stop(p, arity);
}

/* ---- ends of calls ---- */

struct ended_call {
	term module, function, arity;
	uint32_t ends;
	term meta_tracer;
};

static struct ended_call read_frame(const struct process *p)
{
	return (struct ended_call){p->e[2], p->e[3], p->e[4], (uint32_t)small_value(p->e[5]),
				   p->e[6]};
}

static void note_end(struct process *p, const struct ended_call *call, bool is_exception,
		     term value)
{
	term parts[3] = {is_exception ? A_exception_from : A_return_from,
			 heap_tuple3(p, call->module, call->function, call->arity), value};

	if (call->ends & (is_exception ? END_META_EXCEPTION : END_META_RETURN))
		note_meta(p, call->meta_tracer, parts, 3);
	if (call->ends & (is_exception ? END_EXCEPTION : END_RETURN) &&
	    p->trace_flags & TRACE_CALL && !(p->trace_flags & TRACE_SILENT))
		trace_note(p, trace_message(p, parts, 3));
}

static void note_return_to(struct process *p, const word *address)
{
	term parts[2] = {atom_from_string("return_to"), A_undefined};
	struct code_place place;

	if (!(p->trace_flags & TRACE_RETURN_TO) || p->trace_flags & TRACE_SILENT)
		return;
	if (address && code_find_place(address - 1, &place))
		parts[1] = heap_tuple3(p, place.module, place.function, small_make(place.arity));
	trace_note(p, trace_message(p, parts, 2));
}

bool trace_return(struct process *p)
{
	struct ended_call call = read_frame(p);

	note_end(p, &call, false, machine.running.x[0]);
	if (call.ends & END_RETURN_TO)
		note_return_to(p, find_return(p->e));
	p->ip = (const word *)p->e[0];
	p->cp = NULL;
	p->e += FRAME_WORDS;
	return trace_stop(p, 1);
}

/* {Class, Reason}. A throw that is not caught is an error. */
static term make_exception(struct process *p, term class_, term reason, const term *stack)
{
	bool is_caught = class_ != A_throw;

	for (const term *slot = stack; slot < p->hend && !is_caught; slot++)
		is_caught = term_is_catch(*slot) && catch_code(*slot) != interp_trace_raise;
	return is_caught ? heap_tuple2(p, class_, reason)
			 : heap_tuple2(p, A_error, heap_tuple2(p, A_nocatch, reason));
}

/* Where the exception will be handled, unless another traced call is passed before; NULL. */
static const word *find_handler(const struct process *p)
{
	for (const term *slot = p->e + FRAME_WORDS; slot < p->hend; slot++)
		if (term_is_catch(*slot))
			return catch_code(*slot) == interp_trace_raise ? NULL : catch_code(*slot);
	return NULL;
}

/* x1 to x3 are class, reason and trace, as at every handler. */
bool trace_exception(struct process *p)
{
	term *x = machine.running.x;
	struct ended_call call = read_frame(p);
	const word *handler = find_handler(p);

	x[0] = NIL;
	note_end(p, &call, true, make_exception(p, x[1], x[2], p->e + FRAME_WORDS));
	if (call.ends & END_RETURN_TO && handler)
		note_return_to(p, handler + 1);
	p->cp = (const word *)p->e[0];
	p->e += FRAME_WORDS;
	p->ip = interp_trace_raise + 1;
	return trace_stop(p, 4);
}

/* ---- native functions ---- */

/* Native functions return into the function that calls them, also from its last call. One that is
 * applied returns to where the apply does, of which the frame of a traced call tells by itself. */
static void note_native_return(struct process *p)
{
	if (p->ip[0] != (word)interp_labels[SPEC_bif_body])
		note_return_to(p, p->ip + 1);
	else if (p->cp != interp_trace_return)
		note_return_to(p, p->cp);
}

/* Where the function that called a native one handles its exception; NULL: another function does, which
 * older releases do not tell. A frame begins with a return address. */
static const word *find_handler_of_caller(const struct process *p)
{
	unsigned frames = p->ip[0] == (word)interp_labels[SPEC_call_bif_only];

	for (const term *slot = p->e; slot < p->hend; slot++) {
		frames += term_is_header(*slot) && *slot;
		if (frames > 1 && code_otp_release() < 26)
			return NULL;
		if (term_is_catch(*slot))
			return catch_code(*slot) == interp_trace_raise ? NULL : catch_code(*slot);
	}
	return NULL;
}

static void note_native_end(struct process *p, const struct bif *bif,
			    const struct trace_point *point, const struct traced_call *call,
			    term result)
{
	struct ended_call end = {entry_module(call->entry), entry_function(call->entry),
				 small_make(bif->arity), call->ends, point->meta_tracer};

	if (result != TERM_NONE) {
		note_end(p, &end, false, result);
		if (call->ends & END_RETURN_TO)
			note_native_return(p);
	} else if (p->outcome == OUTCOME_RAISED) {
		const word *handler = find_handler_of_caller(p);

		note_end(p, &end, true,
			 make_exception(p, p->exception.class_, p->exception.reason, p->e));
		if (call->ends & END_RETURN_TO && handler)
			note_return_to(p, handler + 1);
	} else if (p->outcome == OUTCOME_TRAP && call->ends & ~(uint32_t)END_RETURN_TO) {
		bif_unsupported(p, "the return of the native function %s:%s/%u in a trace",
				bif->module, bif->name, bif->arity);
	}
}

term trace_native(struct process *p, const struct bif *bif, const term *args)
{
	struct traced_call call = {.entry = bif_code((size_t)(bif - bif_table)),
				   .caller = p->ip + 1, .args = NIL, .is_remote = true};
	struct trace_point *point = trace_find(p->vm, call.entry), kept;
	bool is_again = p->is_native_traced;
	term result;

	p->is_native_traced = false;
	if (!point || (is_again && !p->trace_flags))
		return bif->call(p, args);
	if (!is_again)
		trace_count(p, point);
	for (unsigned i = bif->arity; i-- > 0;)
		call.args = heap_cons(p, args[i], call.args);
	if (!is_again) {
		notice_call(p, point, &call);
		notice_meta(p, point, &call);
	}
	kept = *point; /* the function may remove its own point */
	result = bif->call(p, args);
	if (result == TERM_NONE && (p->outcome == OUTCOME_RETRY || p->outcome == OUTCOME_WAIT))
		p->is_native_traced = true;
	else if (call.ends)
		note_native_end(p, bif, &kept, &call, result);
	return result;
}
