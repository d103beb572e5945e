#include "vm/exec/exception.h"

#include "base/strbuf.h"
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/code/on_load.h"
#include "vm/exec/bs_match.h"
#include "vm/exec/interp.h"
#include "vm/process/boot.h"
#include "vm/process/trace.h"
#include "vm/terms/tmap.h"
#include "vm/machine.h"
#include "vm/vm.h"

void exception_set(struct process *p, term class_, term reason)
{
	p->exception = (struct exception){.class_ = class_, .reason = reason};
	p->outcome = OUTCOME_RAISED;
}

/* A trace as build_raw_trace makes it, not yet a list. */
static bool is_raw_trace(term trace)
{
	return term_is_tuple_of(trace, 3) &&
	       (tuple_element(trace, 0) == A_error || tuple_element(trace, 0) == A_exit ||
		tuple_element(trace, 0) == A_throw);
}

static term raw_class(term trace)
{
	return is_raw_trace(trace) ? tuple_element(trace, 0) : (term)A_error;
}

void exception_again(struct process *p, term class_, term reason, term trace)
{
	if (class_ == TERM_NONE)
		class_ = raw_class(trace);
	exception_set(p, class_, reason);
	if (!is_raw_trace(trace))
		trace = heap_tuple3(p, class_, trace, NIL);
	else if (tuple_element(trace, 0) != class_)
		trace = heap_tuple3(p, class_, tuple_element(trace, 1), tuple_element(trace, 2));
	p->exception.trace = trace;
}

static term list_of_args(struct process *p, const term *args, unsigned n)
{
	return heap_list(p, args, n, NIL);
}

static void set_first_frame(struct process *p, term module, term function, unsigned arity,
			    const term *args)
{
	p->exception.mfa_module = module;
	p->exception.mfa_function = function;
	p->exception.mfa_arity = arity;
	p->exception.args = list_of_args(p, args, arity);
}

/* An error of the failing instruction itself with an error_info for its frame. */
void exception_explain(struct process *p, term info)
{
	struct code_place place;

	if (!code_find_place(p->ip, &place))
		return;
	p->exception.mfa_module = place.module;
	p->exception.mfa_function = place.function;
	p->exception.mfa_arity = place.arity;
	p->exception.args = small_make(place.arity);
	p->exception.info = info;
	p->exception.is_caller = true;
	p->exception.skip_place = true;
}

void exception_from_bif(struct process *p, const struct bif *bif, const term *args)
{
	if (p->exception.trace == TERM_NONE && p->exception.mfa_module == TERM_NONE)
		set_first_frame(p, bif_name(bif)->module, bif_name(bif)->function, bif->arity,
				args);
}

void exception_bif_badarg(struct process *p, term function, unsigned arity, const term *args)
{
	exception_set(p, A_error, A_badarg);
	set_first_frame(p, A_erlang, function, arity, args);
}

/* An argument may be a match context of the caller: the trace shows the rest of its bit string. */
void exception_function_clause(struct process *p, const word *ip, term *x)
{
	for (unsigned i = 0; i < (unsigned)ip[3]; i++)
		if (term_is_kind(x[i], KIND_MATCHCTX))
			x[i] = bitstring_part(p, x[i], 0, ctx_left(x[i]));
	exception_set(p, A_error, A_function_clause);
	set_first_frame(p, ip[1], ip[2], (unsigned)ip[3], x);
	p->exception.is_caller = true;
	p->exception.skip_place = true;
}

static void raise_missing_fun(struct process *p, term fun, unsigned n, const term *x)
{
	if (code_is_current(p->vm, fun_entry_of(fun)->module)) {
		exception_set(p, A_error, heap_tuple2(p, A_badfun, fun));
		return;
	}
	exception_set(p, A_error, A_undef);
	set_first_frame(p, fun, A_undefined, n, x);
	p->exception.skip_place = true;
}

void exception_bad_fun(struct process *p, term fun, unsigned n, const term *x)
{
	term args;

	if (!term_is_fun(fun)) {
		exception_set(p, A_error, heap_tuple2(p, A_badfun, fun));
		return;
	}
	if (term_is_local_fun(fun) && fun_entry_of(fun)->arity == n) { /* its code is not there */
		raise_missing_fun(p, fun, n, x);
		return;
	}
	args = list_of_args(p, x, n);
	exception_set(p, A_error, heap_tuple2(p, A_badarity, heap_tuple2(p, fun, args)));
}

/* ---- frames ---- */

static term address_term(const word *address)
{
	return small_make((int64_t)(intptr_t)address);
}

struct trace_walk {
	struct process *p;
	const word *previous;
	unsigned left;
	term *last;
};

static void add_address(struct trace_walk *walk, const word *address)
{
	term cell;

	if (!walk->left || address == walk->previous || !address ||
	    address == interp_normal_exit || address == interp_trace_return)
		return;
	walk->previous = address;
	walk->left--;
	/* A return address is just after its call, and the frame must show the call. */
	cell = heap_cons(walk->p, address_term(address - 1), NIL);
	*walk->last = cell;
	walk->last = cons_ptr(cell) + 1;
}

static void walk_stack(struct trace_walk *walk, const struct process *of)
{
	add_address(walk, of->cp == interp_one_step_return ? of->atomic_return : of->cp);
	for (const term *slot = of->e; slot < of->hend && walk->left; slot++)
		if (term_is_header(*slot) && *slot)
			add_address(walk, *slot == (term)interp_one_step_return ? of->atomic_return
									     : (const word *)*slot);
}

/* [{error_info, #{module => Module, cause => ...}}] for native functions; Module:format_error/2
 * explains the error. */
static term frame_info(struct process *p, bool is_bif)
{
	term pairs[4] = {A_module, TERM_NONE, A_cause, p->exception.cause};
	size_t len = p->exception.cause == TERM_NONE ? 1 : 2;
	term *hp;

	if (!is_bif || p->exception.class_ != A_error)
		return NIL;
	pairs[1] = bif_errors_module(p->exception.mfa_module);
	if (pairs[1] == TERM_NONE)
		return NIL;
	hp = heap_alloc(p, tmap_pairs_words(len));
	return heap_cons(p, heap_tuple2(p, A_error_info, tmap_build(&hp, pairs, len)), NIL);
}

static term build_frame(struct process *p, term module, term function, term arity, term info)
{
	term *hp = heap_alloc(p, TUPLE_WORDS(4));

	if (term_is_fun(module))
		return tuple_build3(&hp, module, arity, info);
	return tuple_build4(&hp, module, function, arity, info);
}

/* The emulator contains these modules without their lines. */
static bool is_preloaded(term module)
{
	static const char *const names[] = {
		"erlang", "init", "erts_internal", "erl_prim_loader", "prim_file", "erl_init",
		"prim_eval", "prim_inet", "prim_net", "prim_socket", "prim_zip", "prim_buffer",
		"zlib", "atomics", "counters", "persistent_term", "socket_registry", "erl_tracer",
		"erts_code_purger", "erts_literal_area_collector",
		"erts_dirty_process_signal_handler"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i], atom_text(module)) == 0)
			return true;
	return false;
}

static term place_info(struct process *p, const struct code_place *place, term info)
{
	if (!place->file || is_preloaded(place->module))
		return info;
	info = heap_cons(p, heap_tuple2(p, A_line, small_make(place->line)), info);
	return heap_cons(p, heap_tuple2(p, A_file, heap_string(p, place->file)), info);
}

static term first_frame_info(struct process *p)
{
	struct exception *ex = &p->exception;
	struct code_place place;
	term info;

	if (!ex->is_caller)
		return frame_info(p, bif_find(ex->mfa_module, ex->mfa_function,
					      ex->mfa_arity) != NULL);
	info = ex->info == TERM_NONE
		       ? NIL
		       : heap_cons(p, heap_tuple2(p, A_error_info, ex->info), NIL);
	return code_find_place(p->ip, &place) ? place_info(p, &place, info) : info;
}

static bool has_first_frame(const struct exception *ex)
{
	return ex->mfa_module != TERM_NONE && ex->mfa_module != A_undefined;
}

/* The failing instruction does not get a frame of its own when the first frame is its function. */
static term build_raw_trace(struct process *p)
{
	struct exception *ex = &p->exception;
	term frames = NIL, addresses = NIL;
	uint32_t depth = p->vm->backtrace_depth ? p->vm->backtrace_depth : 1;
	struct trace_walk walk = {p, NULL, depth, &addresses};

	if (has_first_frame(ex)) {
		frames = heap_cons(p, build_frame(p, ex->mfa_module, ex->mfa_function, ex->args,
						  first_frame_info(p)), NIL);
		walk.left--;
	}
	if (!ex->skip_place)
		add_address(&walk, p->ip + 1);
	walk_stack(&walk, p);
	return heap_tuple3(p, ex->class_, frames, addresses);
}

static term frame_of_address(struct process *p, const word *address)
{
	struct code_place place;

	if (!code_find_place(address, &place))
		return TERM_NONE;
	return build_frame(p, place.module, place.function, small_make(place.arity),
			   place_info(p, &place, NIL));
}

static term frames_of_addresses(struct process *p, term addresses)
{
	term frames = NIL, *last = &frames;

	for (; term_is_cons(addresses); addresses = cons_tail(addresses)) {
		const word *address = (const word *)(intptr_t)small_value(cons_head(addresses));
		term frame = frame_of_address(p, address);

		if (frame == TERM_NONE)
			continue;
		*last = heap_cons(p, frame, NIL);
		last = cons_ptr(*last) + 1;
	}
	return frames;
}

term exception_trace_list(struct process *p, term trace)
{
	term frames;

	if (!is_raw_trace(trace))
		return trace == TERM_NONE ? NIL : trace;
	if (tuple_element(trace, 2) == NIL)
		return tuple_element(trace, 1);
	frames = frames_of_addresses(p, tuple_element(trace, 2));
	if (term_is_cons(tuple_element(trace, 1)))
		frames = heap_cons(p, cons_head(tuple_element(trace, 1)), frames);
	return frames;
}

term exception_current_trace(struct process *of, struct process *p, unsigned depth)
{
	term addresses = NIL;
	struct trace_walk walk = {p, NULL, depth, &addresses};

	add_address(&walk, of->ip + 1);
	walk_stack(&walk, of);
	return frames_of_addresses(p, addresses);
}

/* ---- handlers ---- */

static bool find_handler(struct process *p)
{
	term *frame = p->e;

	for (term *slot = p->e; slot < p->hend; slot++) {
		if (term_is_header(*slot)) {
			frame = slot;
		} else if (term_is_catch(*slot)) {
			p->e = frame;
			p->ip = catch_code(*slot);
			return true;
		}
	}
	return false;
}

term exception_exit_reason(struct process *p)
{
	struct exception *ex = &p->exception;
	term trace;

	if (ex->class_ == A_exit)
		return ex->reason;
	trace = exception_trace_list(p, ex->trace);
	if (ex->class_ == A_throw)
		return heap_tuple2(p, heap_tuple2(p, A_nocatch, ex->reason), trace);
	return heap_tuple2(p, ex->reason, trace);
}

void exception_raise(struct process *p)
{
	if (p->exception.trace == TERM_NONE)
		p->exception.trace = build_raw_trace(p);
	if (find_handler(p)) {
		machine.running.x[0] = TERM_NONE;
		machine.running.x[1] = p->exception.class_;
		machine.running.x[2] = p->exception.reason;
		machine.running.x[3] = p->exception.trace;
		p->cp = NULL;
		p->exception = (struct exception){0};
		return;
	}
	process_uncaught(p);
}

bool exception_current_place(const struct process *of, struct code_place *place)
{
	if (of->ip == interp_apply_jump) { /* not started yet */
		place->module = of->initial_module;
		place->function = of->initial_function;
		place->arity = of->initial_arity;
		place->file = NULL;
		place->line = 0;
		return true;
	}
	if (of->busy_until_ns > of->vm->now_ns) {
		*place = (struct code_place){.module = atom_from_string("erts_debug"),
					     .function = of->busy_function,
					     .arity = of->busy_arity};
		return true;
	}
	if (of->status == PROCESS_WAITING && of->ip[0] == (word)interp_labels[SPEC_hibernate]) {
		*place = (struct code_place){
			.module = A_erlang, .function = A_hibernate, .arity = 3};
		return true;
	}
	return code_find_place(of->ip, place);
}

term exception_catch_value(struct process *p, term class_, term reason, term trace)
{
	if (class_ == A_throw)
		return reason;
	if (class_ == A_error)
		reason = heap_tuple2(p, reason, exception_trace_list(p, trace));
	return heap_tuple2(p, A_EXIT, reason);
}

/* ---- functions that are not there ---- */

/* '$handle_undefined_function'/2 of the module, or NULL. */
static const word *find_own_handler(struct process *p, term module)
{
	struct export *handler =
		export_find(module, atom_from_string("$handle_undefined_function"), 2);

	return handler ? code_resolve(p->vm, handler) : NULL;
}

static bool traces_native(struct process *p, term module, const char *function, unsigned arity)
{
	const struct bif *bif = bif_find(module, atom_from_string(function), arity);

	return trace_find(p->vm, bif_code((size_t)(bif - bif_table)));
}

/* The real error_handler calls code:ensure_loaded/1 for a module that was not loaded. */
static bool loading_is_traced(struct process *p, term module)
{
	if (!machine.running.traces_natives || !traces_native(p, A_code, "ensure_loaded", 1))
		return false;
	vm_unsupported(p->vm, "not supported: tracing calls of code:ensure_loaded/1 while a call loads "
		       "the module %s", atom_text(module));
	p->ip = interp_unsound;
	return true;
}

/* The real error_handler is Erlang code, which asks for the module and raises by native functions.
 * If the latter are traced, that code runs; false: none of them are. */
static bool undef_is_traced(struct process *p, term module, term function, unsigned n,
			    const term *x)
{
	struct export *handler =
		export_of(A_error_handler, atom_from_string("raise_undef_exception"), 3);
	const word *code;
	term args;

	if (traces_native(p, A_erlang, "whereis", 1) || traces_native(p, A_erlang, "function_exported", 3)) {
		vm_unsupported(p->vm, "not supported: tracing calls of erlang:whereis/1 or "
			       "function_exported/3 while an undefined function is called");
		p->ip = interp_unsound;
		return true;
	}
	if (!traces_native(p, A_erlang, "error", 1) && !traces_native(p, A_erlang, "raise", 3))
		return false;
	code = code_resolve(p->vm, handler);
	if (!code)
		return false;
	args = list_of_args(p, x, n);
	machine.running.x[0] = module;
	machine.running.x[1] = function;
	machine.running.x[2] = args;
	p->ip = code;
	return true;
}

void exception_undef(struct process *p, term module, term function, unsigned n, const term *x)
{
	struct export *handler =
		p->error_handler == A_error_handler
			? NULL
			: export_of(p->error_handler, A_undefined_function, 3);
	const word *code = handler ? code_resolve(p->vm, handler) : NULL;

	if (code) { /* the program has an error_handler of its own */
		term args = list_of_args(p, x, n);

		machine.running.x[0] = module;
		machine.running.x[1] = function;
		machine.running.x[2] = args;
		p->ip = code;
		return;
	}
	code = p->error_handler == A_error_handler ? find_own_handler(p, module) : NULL;
	if (code) {
		term args = list_of_args(p, x, n);

		machine.running.x[0] = function;
		machine.running.x[1] = args;
		p->ip = code;
		return;
	}
	if (machine.running.traces_natives && undef_is_traced(p, module, function, n, x))
		return;
	exception_set(p, A_error, A_undef);
	set_first_frame(p, module, function, n, x);
	p->exception.skip_place = true;
	exception_raise(p);
}

/* The module's file exists, but its code was refused: that ends the run and does not raise
 * undef. */
static bool is_stopped(struct process *p)
{
	if (p->vm->end != VM_UNSUPPORTED)
		return false;
	p->ip = interp_unsound;
	return true;
}

/* On the real machine the caller waits for the on_load function, which another process runs. */
static void refuse_unready(struct process *p, const struct export *export)
{
	vm_unsupported(p->vm, "a call of %s:%s/%u while another process runs the on_load function of "
		       "the module", atom_text(export->module), atom_text(export->function),
		       export->arity);
	p->ip = interp_unsound;
}

void exception_undefined(struct process *p, uint32_t export_number, const term *x)
{
	struct export *export = export_get(export_number);
	bool was_loaded = code_find_module(p->vm, export->module);
	const word *code = code_resolve(p->vm, export);
	struct module *module = code_find_module(p->vm, export->module);

	if (is_stopped(p))
		return;
	if (code && !was_loaded && loading_is_traced(p, export->module))
		return;
	if (boot_is_needed_for(p->vm, export->module)) {
		boot_enter(p, export->module, export->function, x, export->arity);
		return;
	}
	if (module && module->is_on_load_pending) {
		on_load_enter(p, module, export->function, x, export->arity);
		return;
	}
	if (module && module->on_load_runner && module->on_load_runner != p->pid) {
		refuse_unready(p, export);
		return;
	}
	if (code) {
		p->ip = code;
		return;
	}
	exception_undef(p, export->module, export->function, export->arity, x);
}

const word **exception_apply_slot(struct process *p, term module, term function, unsigned n,
				  const term *x)
{
	struct export *export;

	if (!term_is_atom(module) || !term_is_atom(function)) {
		term args[3] = {module, function, list_of_args(p, x, n)};

		exception_bif_badarg(p, A_apply, 3, args);
		p->exception.skip_place = true;
		exception_raise(p);
		return NULL;
	}
	export = export_find(module, function, n);
	if (!export && !code_find_module(p->vm, module) && code_load_module(p->vm, module, NULL))
		export = export_find(module, function, n);
	if (is_stopped(p))
		return NULL;
	if (export)
		return export_slot(export->number);
	exception_undef(p, module, function, n, x);
	return NULL;
}

/* "called from m:f/1 (m.erl:12)" */
static void describe_place(struct process *p, const char *how, struct strbuf *out)
{
	struct code_place place;

	if (!code_find_place(p->ip, &place))
		return;
	strbuf_addf(out, "%s %s:%s/%u", how, atom_text(place.module), atom_text(place.function),
		    place.arity);
	if (place.file)
		strbuf_addf(out, " (%s:%u)", place.file, place.line);
}

void exception_go_to_caller(struct process *p)
{
	if (p->cp)
		p->ip = p->cp - 1;
	else if (p->e < p->hend && p->e[0])
		p->ip = (const word *)p->e[0] - 1;
}

void exception_unsupported(struct process *p, const char *what)
{
	struct strbuf from = {0};

	describe_place(p, ", called from", &from);
	vm_unsupported(p->vm, "not supported: %s%s", what, strbuf_text(&from));
	strbuf_release(&from);
}

void exception_unsound(struct process *p)
{
	struct strbuf from = {0};

	describe_place(p, " in", &from);
	vm_unsupported(p->vm, "unsound code: an instruction got a term of the wrong type,%s",
		       strbuf_text(&from));
	strbuf_release(&from);
}
