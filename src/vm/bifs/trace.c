/* erlang:trace and erlang:trace_pattern, and the trace sessions of OTP 27 (process/trace.h). */
#include "vm/bifs/bif.h"
#include "vm/bifs/trace_parts.h"
#include "vm/code/code.h"
#include "vm/ets/match_spec.h"
#include "vm/process/signal.h"
#include "vm/process/trace.h"
#include "vm/vm.h"

term trace_refuse(struct process *p)
{
	return p->vm->end == VM_RUNNING ? bif_badarg(p) : TERM_NONE;
}

/* ---- which processes, which flags ---- */

struct trace_request {
	bool sets;
	bool is_of_work; /* cpu_timestamp: of all processes or none */
	uint32_t flags;
	term tracer;
};

static const struct {
	const char *text;
	uint32_t bit; /* 0: missing */
} known_flags[] = {
#define TRACE_FLAG(text, bit) {text, bit},
#define TRACE_FLAG_MISSING(text) {text, 0},
#include "vm/bifs/trace_flag.def"
#undef TRACE_FLAG
#undef TRACE_FLAG_MISSING
};

enum { FLAGS_LEN = sizeof(known_flags) / sizeof(*known_flags) };

/* The bit of a flag, 0 if it is missing here, -1 if it does not exist. */
static int64_t find_flag(term t)
{
	for (size_t i = 0; term_is_atom(t) && i < FLAGS_LEN; i++)
		if (strcmp(known_flags[i].text, atom_text(t)) == 0)
			return known_flags[i].bit;
	return -1;
}

uint32_t trace_flag_bit(term t)
{
	int64_t bit = find_flag(t);

	return bit > 0 ? (uint32_t)bit : 0;
}

static bool is_refused_when_explored(struct process *p, uint32_t flags)
{
	uint32_t refused = TRACE_RECEIVE | TRACE_TIMESTAMP | TRACE_MONOTONIC | TRACE_STRICT |
			   TRACE_RETURN_TO | TRACE_SET_ON_LINK | TRACE_SET_ON_FIRST_LINK |
			   TRACE_RUNNING | TRACE_RUNNING_PROCS | TRACE_COLLECTIONS |
			   TRACE_SCHEDULER;

	for (size_t i = 0; p->vm->is_explored && i < FLAGS_LEN; i++)
		if (known_flags[i].bit & flags & refused) {
			bif_unsupported(p, "erlang:trace/3 with the flag %s in a test that is explored",
					known_flags[i].text);
			return true;
		}
	return false;
}

static bool read_tracer(struct process *p, term t, struct trace_request *request)
{
	if (!term_is_tuple_of(t, 2) || tuple_element(t, 0) != atom_from_string("tracer")) {
		if (term_is_tuple_of(t, 3))
			bif_unsupported(p, "a tracer module (erl_tracer)");
		return false;
	}
	request->tracer = tuple_element(t, 1);
	if (term_is_port(request->tracer))
		bif_unsupported(p, "a port as tracer");
	return term_is_pid(request->tracer);
}

/* False: an exception is set, or the run has ended. */
static bool read_flags(struct process *p, term list, struct trace_request *request)
{
	for (; term_is_cons(list); list = cons_tail(list)) {
		int64_t bit = find_flag(cons_head(list));

		if (bit > 0) {
			request->flags |= (uint32_t)bit;
		} else if (cons_head(list) == atom_from_string("cpu_timestamp") &&
			   !p->vm->is_explored) {
			request->is_of_work = true;
		} else if (bit == 0 && request->sets) {
			bif_unsupported(p, "erlang:trace/3 with the flag %s",
					atom_text(cons_head(list)));
			return false;
		} else if (bit == 0) {
			if (strcmp(atom_text(cons_head(list)), "all") == 0)
				request->flags = UINT32_MAX;
		} else if (!read_tracer(p, cons_head(list), request)) {
			return false;
		}
	}
	return list == NIL && !(request->sets && is_refused_when_explored(p, request->flags));
}

/* Whether the process is one that the request may change. */
static bool may_trace(struct process *of, const struct trace_request *request)
{
	if (of->is_port || of->status == PROCESS_EXITING)
		return false;
	return of->tracer == TERM_NONE || of->tracer == request->tracer ||
	       !process_find(of->vm, of->tracer);
}

static void change(struct process *of, const struct trace_request *request)
{
	const uint32_t times = TRACE_TIMESTAMP | TRACE_MONOTONIC | TRACE_STRICT;

	if (request->sets && process_find(of->vm, request->tracer)) {
		if (request->flags & times) /* one kind of time at a time */
			of->trace_flags &= ~times;
		of->trace_flags |= request->flags;
		of->tracer = request->tracer;
	} else if (!request->sets) {
		of->trace_flags &= ~request->flags;
	}
	trace_changed(of);
}

static int64_t change_all(struct vm *vm, const struct trace_request *request)
{
	int64_t count = 0;

	for (struct process *of = vm->first_process; of; of = of->all_next) {
		if (of->is_port || (request->sets && !may_trace(of, request)))
			continue;
		change(of, request);
		count++;
	}
	return count;
}

static void change_new(struct vm *vm, const struct trace_request *request)
{
	struct trace_state *t = trace_get(vm);

	if (request->sets)
		t->new_flags |= request->flags;
	else
		t->new_flags &= ~request->flags;
	t->new_tracer = request->tracer;
}

/* How many processes the word stands for; -1: it is not known. */
static int64_t change_by_word(struct vm *vm, term group, const struct trace_request *request)
{
	const char *text = term_is_atom(group) ? atom_text(group) : "";
	bool is_all = !strcmp(text, "all") || !strcmp(text, "processes");
	bool is_new = !strcmp(text, "new") || !strcmp(text, "new_processes");
	bool is_old = !strcmp(text, "existing") || !strcmp(text, "existing_processes");

	if (!strcmp(text, "ports") || !strcmp(text, "new_ports") ||
	    !strcmp(text, "existing_ports"))
		return 0;
	if (!is_all && !is_new && !is_old)
		return -1;
	if (!is_old)
		change_new(vm, request);
	return is_new ? 0 : change_all(vm, request);
}

static term do_trace(struct process *p, const term *args, term tracer)
{
	struct trace_request request = {.sets = args[1] == A_true, .tracer = tracer};
	struct process *of;
	int64_t count;

	if ((args[1] != A_true && args[1] != A_false) || !read_flags(p, args[2], &request))
		return trace_refuse(p);
	if (request.is_of_work && args[0] != atom_from_string("all"))
		return bif_badarg(p);
	if (request.is_of_work)
		trace_get(p->vm)->counts_work = request.sets;
	if (request.is_of_work && !request.flags)
		return small_make(0);
	trace_get(p->vm);
	if (!term_is_pid(args[0])) {
		count = change_by_word(p->vm, args[0], &request);
		return count < 0 ? bif_badarg(p) : small_make(count);
	}
	of = signal_find(p->vm, args[0]);
	if (!of || (request.sets && !may_trace(of, &request)))
		return bif_badarg(p);
	change(of, &request);
	return small_make(1);
}

/* ---- sessions ---- */

/* Whether the term is the session {Ref, {Name, Ref}}, or its weak part, and has not ended. */
static bool is_session(struct process *p, term t)
{
	struct trace_state *state = trace_get(p->vm);

	if (term_is_tuple_of(t, 2) && term_is_tuple(tuple_element(t, 1)))
		t = tuple_element(t, 1);
	return term_is_tuple_of(t, 2) && term_is_ref(tuple_element(t, 1)) && state->session &&
	       ref_counter(tuple_element(t, 1)) == state->session;
}

static bool is_beside_session(struct process *p)
{
	if (!trace_get(p->vm)->session)
		return false;
	bif_unsupported(p, "erlang:trace beside a trace session");
	return true;
}

term bif_erts_internal_trace_session_create_3(struct process *p, const term *args)
{
	struct trace_state *t = trace_get(p->vm);
	term ref;

	if (t->session)
		return bif_unsupported(p, "a second trace session");
	if (t->len || t->new_flags)
		return bif_unsupported(p, "a trace session beside erlang:trace");
	if (!term_is_atom(args[0]) || args[2] != NIL)
		return bif_badarg(p);
	if (!term_is_pid(args[1]))
		return bif_unsupported(p, "a tracer that is not a process");
	if (!process_find(p->vm, args[1]))
		return bif_badarg(p);
	ref = process_make_ref(p, 0);
	t->session = ref_counter(ref);
	t->session_tracer = args[1];
	return heap_tuple2(p, ref, heap_tuple2(p, args[0], ref));
}

term bif_erts_internal_trace_session_destroy_1(struct process *p, const term *args)
{
	struct trace_request all = {.sets = false, .flags = UINT32_MAX};
	struct trace_state *t = trace_get(p->vm);

	if (!is_session(p, args[0]))
		return A_false;
	change_all(p->vm, &all);
	change_new(p->vm, &all);
	trace_clear(p->vm);
	t->session = 0;
	return A_true;
}

term bif_erts_internal_trace_3(struct process *p, const term *args)
{
	return is_beside_session(p) ? TERM_NONE : do_trace(p, args, p->pid);
}

term bif_erts_internal_trace_4(struct process *p, const term *args)
{
	if (!is_session(p, args[0]))
		return bif_badarg(p);
	return do_trace(p, args + 1, trace_get(p->vm)->session_tracer);
}

term bif_erts_internal_trace_pattern_3(struct process *p, const term *args)
{
	return is_beside_session(p) ? TERM_NONE : trace_do_pattern(p, args, p->pid);
}

term bif_erts_internal_trace_pattern_4(struct process *p, const term *args)
{
	if (!is_session(p, args[0]))
		return bif_badarg(p);
	return trace_do_pattern(p, args + 1, trace_get(p->vm)->session_tracer);
}

term bif_erlang_trace_delivered_1(struct process *p, const term *args)
{
	term ref;

	if (args[0] != A_all && !term_is_pid(args[0]))
		return bif_badarg(p);
	if (p->vm->is_async)
		return bif_unsupported(p, "erlang:trace_delivered/1 with --delivery async");
	if (p->vm->is_explored)
		return bif_trap(p, atom_from_string("fermata_trace"), atom_from_string("delivered"),
				1, args);
	ref = process_make_ref(p, 0);
	signal_message(p, heap_tuple3(p, atom_from_string("trace_delivered"), args[0], ref), p->pid);
	return ref;
}
