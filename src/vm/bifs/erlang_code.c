/* erlang: functions about loaded code. */
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/terms/binary.h"
#include "vm/process/signal.h"
#include "vm/vm.h"

static struct code_image *current_of(struct process *p, term name)
{
	struct module *module = term_is_atom(name) ? code_find_module(p->vm, name) : NULL;

	return module ? module->current : NULL;
}

/* Modules are loaded when they are first called, but a program that asks finds those that a node
 * loads when it starts. */
static void load_of_boot(struct process *p, term name)
{
	if (!code_find_module(p->vm, name) && code_is_of_boot(name))
		code_load_module(p->vm, name, NULL);
}

static term list_exports(struct process *p, const struct code_image *image)
{
	term list = NIL;

	for (size_t i = 0; i < image->exports_len; i++) {
		const struct export *export = export_get(image->exports[i]);

		list = heap_cons(p, heap_tuple2(p, export->function, small_make(export->arity)),
				 list);
	}
	return list;
}

static term list_functions(struct process *p, const struct code_image *image)
{
	term list = NIL;

	for (size_t i = 0; i < image->functions_len; i++) {
		const struct code_function *f = &image->functions[i];

		list = heap_cons(p, heap_tuple2(p, f->name, small_make(f->arity)), list);
	}
	return list;
}

static term module_item(struct process *p, const struct code_image *image, term item)
{
	if (item == A_module)
		return image->module;
	if (item == A_attributes)
		return image->attributes;
	if (item == A_compile)
		return image->compile_info;
	if (item == A_exports)
		return list_exports(p, image);
	if (item == A_functions)
		return list_functions(p, image);
	if (item == A_md5)
		return binary_from(p, image->md5, 16);
	if (item == A_nifs)
		return code_is_of_otp(p->vm, image->module)
			       ? bif_unsupported(p, "native functions of a module of OTP")
			       : (term)NIL;
	if (item == A_native)
		return A_false;
	if (item == atom_from_string("native_addresses"))
		return NIL;
	return TERM_NONE;
}

term bif_erlang_get_module_info_2(struct process *p, const term *args)
{
	struct code_image *image = current_of(p, args[0]);
	term value = image ? module_item(p, image, args[1]) : TERM_NONE;

	return value == TERM_NONE ? bif_badarg(p) : value;
}

term bif_erlang_get_module_info_1(struct process *p, const term *args)
{
	static const term items[] = {A_md5, A_compile, A_attributes, A_exports, A_module};
	struct code_image *image = current_of(p, args[0]);
	term list = NIL;

	if (!image)
		return bif_badarg(p);
	for (size_t i = 0; i < sizeof(items) / sizeof(*items); i++)
		list = heap_cons(p, heap_tuple2(p, items[i], module_item(p, image, items[i])),
				 list);
	return list;
}

term bif_erlang_function_exported_3(struct process *p, const term *args)
{
	struct export *export;

	if (!term_is_atom(args[0]) || !term_is_atom(args[1]) || !term_is_small(args[2]) ||
	    small_value(args[2]) < 0)
		return bif_badarg(p);
	if (small_value(args[2]) > 255)
		return A_false;
	load_of_boot(p, args[0]);
	code_note_question(p, args[0]);
	export = export_find(args[0], args[1], (unsigned)small_value(args[2]));
	return atom_from_bool(export && *export_slot(export->number));
}

term bif_erlang_module_loaded_1(struct process *p, const term *args)
{
	if (!term_is_atom(args[0]))
		return bif_badarg(p);
	code_note_question(p, args[0]);
	return atom_from_bool(current_of(p, args[0]) != NULL || args[0] == A_erlang);
}

term bif_erlang_loaded_0(struct process *p, const term *args)
{
	struct module_table *table = p->vm->modules;
	term list = heap_cons(p, A_erlang, NIL);

	code_note_question(p, TERM_NONE);
	for (uint32_t i = 0; table && i < table->len; i++)
		if (table->items[i].current && table->items[i].name != A_erlang)
			list = heap_cons(p, table->items[i].name, list);
	return list;
}

term bif_erlang_pre_loaded_0(struct process *p, const term *args)
{
	return heap_cons(p, A_erlang, NIL);
}

/* Native code is never loaded. A call of a stub is reported as not supported, with its name. */
term bif_erlang_load_nif_2(struct process *p, const term *args)
{
	struct code_place place;

	if (!term_is_list(args[0]))
		return bif_badarg(p);
	if (code_find_place(p->ip, &place) && code_is_of_otp(p->vm, place.module))
		return A_ok;
	return heap_tuple2(p, A_error, heap_tuple2(p, atom_from_string("load_failed"),
						   heap_string(p, "native code is not loaded")));
}

term bif_erlang_delete_module_1(struct process *p, const term *args)
{
	if (!term_is_atom(args[0]))
		return bif_badarg(p);
	/* As on the real VM, new processes get to their first call before. */
	p->has_let_run = !p->has_let_run && !p->vm->is_explored;
	if (p->has_let_run)
		return bif_retry(p);
	return code_delete(p->vm, args[0]) ? (term)A_true : (term)A_undefined;
}

term bif_erlang_purge_module_1(struct process *p, const term *args)
{
	if (!term_is_atom(args[0]) || !code_purge(p->vm, args[0]))
		return bif_badarg(p);
	return A_true;
}

/* Only for the process erts_code_purger, which prepares a purge, looks who runs the code, and then
 * completes or aborts it. */
term bif_erts_internal_purge_module_2(struct process *p, const term *args)
{
	bool is_complete = args[1] == A_complete;

	if (!p->is_system)
		return bif_error(p, A_notsup);
	if (args[1] == atom_from_string("prepare"))
		return atom_from_bool(code_begin_purge(p, args[0]));
	if (!is_complete && args[1] != atom_from_string("abort"))
		return bif_unsupported(p, "erts_internal:purge_module(_, prepare_on_load)");
	code_end_purge(p, args[0], is_complete);
	return atom_from_bool(is_complete);
}

term bif_erlang_check_old_code_1(struct process *p, const term *args)
{
	struct module *module;

	if (!term_is_atom(args[0]))
		return bif_badarg(p);
	module = code_find_module(p->vm, args[0]);
	return atom_from_bool(module && module->old);
}

term bif_erlang_check_process_code_2(struct process *p, const term *args)
{
	if (!term_is_pid(args[0]) || !term_is_atom(args[1]))
		return bif_badarg(p);
	return atom_from_bool(code_runs_old(p->vm, args[0], args[1]));
}

/* {async, Id}: the answer {check_process_code, Id, Result} comes as a message. */
static term find_async(term options)
{
	for (; term_is_cons(options); options = cons_tail(options))
		if (term_is_tuple_of(cons_head(options), 2) &&
		    tuple_element(cons_head(options), 0) == atom_from_string("async"))
			return tuple_element(cons_head(options), 1);
	return TERM_NONE;
}

term bif_erlang_check_process_code_3(struct process *p, const term *args)
{
	term id = find_async(args[2]), result;

	if (term_is_pid(args[0]) && signal_must_settle(p, process_find(p->vm, args[0])))
		return bif_retry(p);
	result = bif_erlang_check_process_code_2(p, args);
	if (id == TERM_NONE || result == TERM_NONE)
		return result;
	result = atom_from_bool(result == A_true && signal_find(p->vm, args[0]));
	signal_message(p, heap_tuple3(p, atom_from_string("check_process_code"), id, result), p->pid);
	return atom_from_string("async");
}
