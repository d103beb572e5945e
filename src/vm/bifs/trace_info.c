/* erlang:trace_info/2: what is traced (process/trace.h). */
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/process/signal.h"
#include "vm/process/trace.h"
#include "vm/vm.h"

static term list_flags(struct process *p, uint32_t flags)
{
	static const struct {
		const char *text;
		uint32_t bit;
	} known[] = {
#define TRACE_FLAG(text, bit) {text, bit},
#define TRACE_FLAG_MISSING(text)
#include "vm/bifs/trace_flag.def"
#undef TRACE_FLAG
#undef TRACE_FLAG_MISSING
	};
	term list = NIL;

	for (size_t i = sizeof(known) / sizeof(*known); i-- > 0;)
		if (flags & known[i].bit)
			list = heap_cons(p, atom_from_string(known[i].text), list);
	return list;
}

static term about_process(struct process *p, uint32_t flags, term tracer, term item)
{
	if (tracer != TERM_NONE && !process_find(p->vm, tracer)) /* it has ended */
		flags = 0;
	if (item == atom_from_string("flags"))
		return heap_tuple2(p, item, list_flags(p, flags));
	if (item == atom_from_string("tracer"))
		return heap_tuple2(p, item, tracer == TERM_NONE || !flags ? (term)NIL : tracer);
	return bif_badarg(p);
}

/* The entry of a function of a loaded module; NULL: there is not one. */
static const word *find_entry(struct process *p, term mfa)
{
	const struct module *module = code_find_module(p->vm, tuple_element(mfa, 0));
	const struct bif *bif = term_is_atom(tuple_element(mfa, 1)) && term_is_small(tuple_element(mfa, 2))
		? bif_find(tuple_element(mfa, 0), tuple_element(mfa, 1),
			   (unsigned)small_value(tuple_element(mfa, 2))) : NULL;

	if (bif && bif_is_there(bif))
		return bif_code((size_t)(bif - bif_table));

	for (size_t i = 0; module && module->current && i < module->current->functions_len; i++) {
		const struct code_function *f = &module->current->functions[i];

		if (f->name == tuple_element(mfa, 1) &&
		    tuple_element(mfa, 2) == small_make(f->arity))
			return f->start + FUNC_INFO_WORDS;
	}
	return NULL;
}

/* [{Pid, Calls, Seconds, Microseconds}] */
static term list_times(struct process *p, const struct trace_point *point)
{
	term list = NIL;

	for (uint32_t i = point->tallies_len; i-- > 0;) {
		term items[4] = {point->tallies[i].pid, heap_unsigned(p, point->tallies[i].count),
				 small_make(0), small_make(0)};

		list = heap_cons(p, heap_tuple(p, 4, items), list);
	}
	return list;
}

/* is_listed: as one item of all. */
static term one_fact(struct process *p, const struct trace_point *point, term item, bool is_listed)
{
	const char *text = atom_text(item);

	if (!point)
		return A_false;
	if (!strcmp(text, "traced"))
		return !point->spec ? (term)A_false : point->is_local ? (term)A_local
								      : (term)A_global;
	if (!strcmp(text, "match_spec"))
		return point->spec ? heap_import(p, point->spec->content) : (term)A_false;
	if (!strcmp(text, "meta"))
		return point->meta_spec				       ? point->meta_tracer
		       : is_listed || code_otp_release() >= 28 ? (term)A_false
							       : (term)NIL;
	if (!strcmp(text, "meta_match_spec"))
		return point->meta_spec ? heap_import(p, point->meta_spec->content) : (term)A_false;
	if (!strcmp(text, "call_count"))
		return point->counts ? heap_unsigned(p, point->count) : (term)A_false;
	if (!strcmp(text, "call_time"))
		return point->is_timed ? list_times(p, point) : (term)A_false;
	return A_false; /* kinds of tracing that trace_pattern refuses */
}

/* Of functions of modules that will be loaded; their calls and their time are not counted
 * yet. */
static term loading_fact(struct process *p, const struct trace_point *point, term item, bool is_listed)
{
	if (!strcmp(atom_text(item), "call_count"))
		return atom_from_bool(point->counts);
	if (!strcmp(atom_text(item), "call_time") || (!strcmp(atom_text(item), "meta") &&
						      !point->meta_spec))
		return A_false;
	return one_fact(p, point, item, is_listed);
}

static term about_loading(struct process *p, term item)
{
	static const char *const items[] = {"traced", "match_spec", "meta", "meta_match_spec",
					    "call_count", "call_time"};
	const struct trace_point *point = &trace_get(p->vm)->loading;
	size_t len = sizeof(items) / sizeof(*items) - (item == A_all);
	bool is_set = point->spec || point->meta_spec || point->counts;
	term list = NIL;

	for (size_t i = len; i-- > 0;) {
		term name = atom_from_string(items[i]);

		if (name == item)
			return heap_tuple2(p, item, loading_fact(p, point, item, false));
		list = heap_cons(p, heap_tuple2(p, name, loading_fact(p, point, name, true)), list);
	}
	return item == A_all ? heap_tuple2(p, item, is_set ? list : (term)A_false) : bif_badarg(p);
}

static term about_function(struct process *p, term mfa, term item)
{
	static const char *const older[] = {"traced", "match_spec", "meta", "meta_match_spec",
					    "call_time", "call_count"};
	static const char *const newer[] = {"traced", "match_spec", "meta", "meta_match_spec",
					    "call_memory", "call_time", "call_count"};
	bool is_newer = code_otp_release() >= 26;
	const char *const *items = is_newer ? newer : older;
	size_t len = is_newer ? sizeof(newer) / sizeof(*newer) : sizeof(older) / sizeof(*older);
	const word *entry = find_entry(p, mfa);
	const struct trace_point *point = entry ? trace_find(p->vm, entry) : NULL;
	bool is_all = item == A_all, is_known = is_all;
	term list = NIL;

	for (size_t i = len; i-- > 0;) {
		term name = atom_from_string(items[i]);

		is_known = is_known || name == item;
		if (is_all)
			list = heap_cons(p, heap_tuple2(p, name, one_fact(p, point, name, true)),
					 list);
	}
	if (!is_known)
		return bif_badarg(p);
	if (!entry)
		return heap_tuple2(p, item, A_undefined);
	return heap_tuple2(p, item, !is_all ? one_fact(p, point, item, false) : point ? list
							       : (term)A_false);
}

/* {match_spec, true | false | Spec} of trace_pattern(send | 'receive', _, []). */
static term about_messages(struct process *p, term what)
{
	const struct trace_state *t = trace_get(p->vm);
	bool is_hidden = what == A_send ? t->hides_sends : t->hides_receives;
	term spec = atom_from_bool(!is_hidden);

	if (what == A_send && t->send_spec)
		spec = heap_import(p, t->send_spec->content);
	return heap_tuple2(p, atom_from_string("match_spec"), spec);
}

term bif_erlang_trace_info_2(struct process *p, const term *args)
{
	struct trace_state *t = trace_get(p->vm);
	const char *text = term_is_atom(args[0]) ? atom_text(args[0]) : "";
	struct process *of;

	if (term_is_tuple_of(args[0], 3) && term_is_atom(tuple_element(args[0], 0)))
		return about_function(p, args[0], args[1]);
	if (!strcmp(text, "new") || !strcmp(text, "new_processes"))
		return about_process(p, process_find(p->vm, t->new_tracer) ? t->new_flags : 0,
				     t->new_tracer, args[1]);
	if (!strcmp(text, "new_ports"))
		return about_process(p, 0, TERM_NONE, args[1]);
	if (!strcmp(text, "on_load") && code_otp_release() < 26)
		return about_loading(p, args[1]);
	if ((args[0] == A_send || args[0] == A_receive) && args[1] == atom_from_string("match_spec"))
		return about_messages(p, args[0]);
	if (*text)
		return bif_unsupported(p, "erlang:trace_info(%s, _)", text);
	of = term_is_pid(args[0]) ? signal_find(p->vm, args[0]) : NULL;
	if (term_is_pid(args[0]) && !of)
		return A_undefined;
	return of ? about_process(p, of->trace_flags, of->tracer, args[1]) : bif_badarg(p);
}

term bif_erts_internal_trace_info_3(struct process *p, const term *args)
{
	return bif_erlang_trace_info_2(p, args + 1);
}
