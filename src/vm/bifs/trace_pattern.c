/* erlang:trace_pattern: which functions are traced (process/trace.h). */
#include "vm/bifs/bif.h"
#include "vm/bifs/trace_parts.h"
#include "vm/code/code.h"
#include "vm/ets/match_spec.h"
#include "vm/process/trace.h"
#include "vm/vm.h"

struct pattern {
	term module, function, arity; /* or '_' */
	struct trace_change change;
};

static bool is_meta_pair(term flag)
{
	return term_is_tuple_of(flag, 2) && tuple_element(flag, 0) == atom_from_string("meta") &&
	       term_is_pid(tuple_element(flag, 1));
}

/* In a search only calls of processes with the flag `call` are traced. */
static bool is_refused(struct process *p, term flag)
{
	const char *text = term_is_atom(flag) ? atom_text(flag) : "{meta, _}";
	bool is_missing = !strcmp(text, "call_memory");

	if (!is_missing && !p->vm->is_explored)
		return false;
	bif_unsupported(p, "erlang:trace_pattern/3 with the flag %s%s", text,
			is_missing ? "" : " in a test that is explored");
	return true;
}

/* False: an exception is set, or the run has ended. */
static bool read_flag(struct process *p, term flag, struct trace_change *change)
{
	const char *text = term_is_atom(flag) ? atom_text(flag) : "";

	if (flag == A_local || flag == A_global) {
		change->sets_call = true;
		change->is_local |= flag == A_local;
		return true;
	}
	if (strcmp(text, "meta") && strcmp(text, "call_count") && strcmp(text, "call_time") &&
	    strcmp(text, "call_memory") && !is_meta_pair(flag))
		return false;
	if (change->spec != TERM_NONE && is_refused(p, flag))
		return false;
	if (is_meta_pair(flag))
		change->meta_tracer = tuple_element(flag, 1);
	change->sets_meta |= !strcmp(text, "meta") || is_meta_pair(flag);
	change->sets_count |= !strcmp(text, "call_count");
	change->sets_time |= !strcmp(text, "call_time");
	return true;
}

static bool read_flags(struct process *p, term list, struct trace_change *change)
{
	bool is_empty = list == NIL, counts;

	for (; term_is_cons(list); list = cons_tail(list))
		if (!read_flag(p, cons_head(list), change))
			return false;
	change->sets_call |= is_empty;
	counts = change->sets_count || change->sets_time;
	if (term_is_cons(change->spec) && counts && !change->is_local && !change->sets_meta)
		return false; /* counting has no use for a match spec */
	return list == NIL &&
	       !(change->sets_call && !change->is_local && (change->sets_meta || counts));
}

/* Whether the spec can be compiled and has only actions that exist here. */
static bool check_spec(struct process *p, term spec)
{
	struct match_actions actions = {.missing = NULL};
	struct match_program program = {.actions = &actions};
	bool is_good = match_compile(&program, spec, NULL);

	match_release(&program);
	if (!is_good && actions.missing)
		bif_unsupported(p, "%s in a match spec of a traced function", actions.missing);
	return is_good;
}

static bool is_pause(term t)
{
	return t == atom_from_string("pause") || t == atom_from_string("restart");
}

static bool read_spec(struct process *p, term t, struct trace_change *change)
{
	if (t == A_false) {
		change->spec = TERM_NONE;
		return true;
	}
	change->spec = t == A_true ? (term)NIL : t;
	return change->spec == NIL || is_pause(t) || (term_is_cons(t) && check_spec(p, t));
}

static bool is_matched(term wanted, term is)
{
	return wanted == A_underscore || wanted == is;
}

/* ---- native functions ---- */

static bool is_native_matched(const struct pattern *pattern, const struct bif *bif)
{
	return is_matched(pattern->module, bif_name(bif)->module) &&
	       is_matched(pattern->function, bif_name(bif)->function) &&
	       is_matched(pattern->arity, small_make(bif->arity)) && bif_is_there(bif) &&
	       !bif_is_body_only(bif) && strcmp(bif->module, "fermata") != 0;
}

/* How many there are; -1: it is refused. */
static int64_t set_natives(struct process *p, const struct pattern *pattern)
{
	struct trace_change change = pattern->change;
	int64_t count = 0;

	change.is_native = true;
	for (size_t i = 0; i < bif_table_len; i++) {
		if (!is_native_matched(pattern, &bif_table[i]))
			continue;
		if (change.spec != TERM_NONE && p->vm->is_explored) {
			bif_unsupported(p, "tracing calls of the native function %s:%s/%u in a test "
					   "that is explored",
					bif_table[i].module, bif_table[i].name, bif_table[i].arity);
			return -1;
		}
		trace_set(p->vm, bif_code(i), &change);
		count++;
	}
	return count;
}

/* ---- functions of modules ---- */

/* Native functions stand in for those of their module that have the same name. */
static bool is_native(const struct code_image *image, const struct code_function *f)
{
	const struct bif *bif = bif_find(image->module, f->name, f->arity);

	return bif && bif_is_there(bif);
}

static int64_t set_points(struct vm *vm, const struct code_image *image,
			  const struct pattern *pattern)
{
	static const struct trace_change nothing = {
		.sets_call = true, .sets_meta = true, .sets_count = true, .sets_time = true,
		.is_forced = true, .spec = TERM_NONE};
	bool is_global = pattern->change.sets_call && !pattern->change.is_local;
	int64_t count = 0;

	for (size_t i = 0; i < image->functions_len; i++) {
		const struct code_function *f = &image->functions[i];

		if (!is_matched(pattern->function, f->name) ||
		    !is_matched(pattern->arity, small_make(f->arity)) || is_native(image, f))
			continue;
		if (is_global && pattern->change.spec != TERM_NONE) /* ends all other kinds */
			trace_set(vm, f->start + FUNC_INFO_WORDS, &nothing);
		if (is_global && !f->is_exported)
			continue;
		trace_set(vm, f->start + FUNC_INFO_WORDS, &pattern->change);
		count++;
	}
	return count;
}

static term set_pattern(struct process *p, const struct pattern *pattern)
{
	struct module_table *modules = p->vm->modules;
	int64_t count = set_natives(p, pattern);

	if (count < 0)
		return TERM_NONE;
	for (uint32_t i = 0; i < modules->len; i++)
		if (modules->items[i].current &&
		    is_matched(pattern->module, modules->items[i].name))
			count += set_points(p->vm, modules->items[i].current, pattern);
	trace_changed(p);
	return small_make(count);
}

static bool read_mfa(term mfa, struct pattern *pattern)
{
	if (!term_is_tuple_of(mfa, 3))
		return false;
	pattern->module = tuple_element(mfa, 0);
	pattern->function = tuple_element(mfa, 1);
	pattern->arity = tuple_element(mfa, 2);
	return term_is_atom(pattern->module) && term_is_atom(pattern->function) &&
	       (pattern->arity == A_underscore || term_is_small(pattern->arity)) &&
	       (pattern->module != A_underscore || pattern->function == A_underscore) &&
	       (pattern->function != A_underscore || pattern->arity == A_underscore);
}

/* Counters do not count before there is a function. */
static term set_loading(struct process *p, term value, struct trace_change *change)
{
	if (value != A_false && p->vm->is_explored)
		return bif_unsupported(p, "erlang:trace_pattern/3 on_load in a test that is explored");
	if (!is_pause(value))
		trace_set_loading(p->vm, change);
	return small_make(0);
}

/* Actions that need a call. */
static bool is_of_call(term action)
{
	const char *text;

	if (!term_is_tuple(action) || !tuple_size(action) || !term_is_atom(tuple_element(action, 0)))
		return false;
	text = atom_text(tuple_element(action, 0));
	if (!strcmp(text, "message") && tuple_size(action) == 2)
		return is_of_call(tuple_element(action, 1));
	return !strcmp(text, "caller") || !strcmp(text, "caller_line");
}

static bool has_call_actions(term spec)
{
	for (; term_is_cons(spec); spec = cons_tail(spec)) {
		term clause = cons_head(spec);
		term body = term_is_tuple_of(clause, 3) ? tuple_element(clause, 2) : (term)NIL;

		for (; term_is_cons(body); body = cons_tail(body))
			if (is_of_call(cons_head(body)))
				return true;
	}
	return false;
}

/* erlang:trace_pattern(send | 'receive', Spec, []). */
static term set_messages(struct process *p, const term *args)
{
	bool is_plain = args[1] == A_true || args[1] == A_false || args[1] == NIL;

	if (args[2] != NIL || is_pause(args[1]) || has_call_actions(args[1]))
		return bif_badarg(p);
	if (!is_plain && (args[0] == A_receive || p->vm->is_explored))
		return bif_unsupported(p, "erlang:trace_pattern/3 of messages");
	if (args[0] == A_send)
		trace_set_sends(p->vm, args[1] == A_true ? (term)NIL : args[1]);
	else
		trace_set_receives(p->vm, args[1] != A_false);
	return small_make(1);
}

term trace_do_pattern(struct process *p, const term *args, term tracer)
{
	struct pattern pattern = {.change.meta_tracer = tracer};

	if (!read_spec(p, args[1], &pattern.change) || !read_flags(p, args[2], &pattern.change))
		return trace_refuse(p);
	if (args[0] == A_send || args[0] == A_receive)
		return set_messages(p, args);
	if (is_pause(args[1])) /* has no effect on calls */
		pattern.change.sets_call = pattern.change.sets_meta = false;
	if (args[0] == atom_from_string("on_load"))
		return set_loading(p, args[1], &pattern.change);
	if (!read_mfa(args[0], &pattern))
		return bif_badarg(p);
	if (pattern.module == A_error_handler && pattern.change.spec != TERM_NONE)
		return bif_unsupported(p, "tracing calls of error_handler: modules are loaded and "
					  "undefined functions are handled without it");
	return set_pattern(p, &pattern);
}
