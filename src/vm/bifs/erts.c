/* erts_internal, without the parts for ports, tracing and other nodes. */
#include <stdio.h>

#include "vm/bifs/bif.h"
#include "vm/bifs/system_info.h"
#include "vm/code/code.h"
#include "vm/code/load.h"
#include "vm/process/heap_limit.h"
#include "vm/process/mailbox.h"
#include "vm/process/signal.h"
#include "vm/process/suspend.h"
#include "vm/process/trace.h"
#include "vm/terms/binary.h"
#include "vm/terms/remote.h"
#include "vm/terms/text.h"
#include "vm/vm.h"

/* ---- loading in two steps ---- */

/* Prepared code is a reference made of the checksum of its image: images stay until the machine is
 * closed, and the reference is the same in every run. */
static term make_prepared(struct process *p, const struct code_image *image)
{
	term *box = heap_alloc(p, REF_WORDS);

	box[0] = header_make(KIND_REF, REF_WORDS - 1);
	box[1] = 0;
	box[2] = image->checksum & REF_COUNTER_MASK;
	box[3] = REF_PREPARED;
	return boxed_make(box);
}

static struct code_image *get_prepared(term t)
{
	if (!term_is_ref(t) || ref_flags(t) != REF_PREPARED)
		return NULL;
	return code_cache_find(ref_counter(t), REF_COUNTER_MASK);
}

term bif_erts_internal_prepare_loading_2(struct process *p, const term *args)
{
	struct bytes bytes = {0};
	struct code_image *image = NULL;

	if (!term_is_atom(args[0]) || !term_is_binary(args[1]))
		return bif_badarg(p);
	if (iolist_flatten(args[1], &bytes))
		image = code_image_decode(bytes.items, bytes.len, NULL, NULL);
	bytes_release(&bytes);
	if (!image || image->module != args[0])
		return heap_tuple2(p, A_error, A_badfile);
	return make_prepared(p, image);
}

term bif_erlang_has_prepared_code_on_load_1(struct process *p, const term *args)
{
	struct code_image *image = get_prepared(args[0]);

	return image ? atom_from_bool(image->on_load != NULL) : bif_badarg(p);
}

static bool is_prepared_for(term list, term module)
{
	for (; term_is_cons(list); list = cons_tail(list))
		if (get_prepared(cons_head(list))->module == module)
			return true;
	return false;
}

/* All or nothing: {duplicated, Modules} when some are there twice, {not_purged, Modules} when old
 * code is in the way. A module with an on_load function must be loaded alone. */
term bif_erlang_finish_loading_1(struct process *p, const term *args)
{
	term list, blocked = NIL, duplicated = NIL;
	bool has_on_load = false;

	for (list = args[0]; term_is_cons(list); list = cons_tail(list))
		if (!get_prepared(cons_head(list)))
			return bif_badarg(p);
	if (list != NIL)
		return bif_badarg(p);
	for (list = args[0]; term_is_cons(list); list = cons_tail(list)) {
		struct code_image *image = get_prepared(cons_head(list));
		struct module *module = code_find_module(p->vm, image->module);

		has_on_load = has_on_load || image->on_load;
		if (is_prepared_for(cons_tail(list), image->module))
			duplicated = heap_cons(p, image->module, duplicated);
		if (module && module->current && module->old)
			blocked = heap_cons(p, image->module, blocked);
	}
	if (has_on_load && term_is_cons(cons_tail(args[0])))
		return bif_system_limit(p);
	if (duplicated != NIL)
		return heap_tuple2(p, atom_from_string("duplicated"), duplicated);
	if (blocked != NIL)
		return heap_tuple2(p, atom_from_string("not_purged"), blocked);
	for (list = args[0]; term_is_cons(list); list = cons_tail(list))
		code_activate(p->vm, get_prepared(cons_head(list)));
	if (has_on_load)
		return heap_tuple2(p, atom_from_string("on_load"),
				   heap_cons(p, get_prepared(cons_head(args[0]))->module, NIL));
	return A_ok;
}

term bif_erts_internal_check_process_code_1(struct process *p, const term *args)
{
	return atom_from_bool(term_is_atom(args[0]) && code_runs_old(p->vm, p->pid, args[0]));
}

/* ---- other processes ---- */

struct suspend_options {
	bool is_async; /* a process that does not exist is not an error */
	bool is_once;  /* unless_suspending */
	term tag;      /* of the message that tells the result; TERM_NONE: no message */
};

static bool read_suspend_options(term options, struct suspend_options *out)
{
	term asynchronous = atom_from_string("asynchronous");

	*out = (struct suspend_options){.tag = TERM_NONE};
	for (; term_is_cons(options); options = cons_tail(options)) {
		term option = cons_head(options);

		if (option == atom_from_string("unless_suspending")) {
			out->is_once = true;
		} else if (option == asynchronous) {
			out->is_async = true;
		} else if (term_is_tuple_of(option, 2) &&
			   tuple_element(option, 0) == asynchronous) {
			out->is_async = true;
			out->tag = tuple_element(option, 1);
		} else {
			return false;
		}
	}
	return options == NIL;
}

/* The other process is suspended at once, so the message about it comes at once too. */
term bif_erts_internal_suspend_process_2(struct process *p, const term *args)
{
	struct process *of = signal_find(p->vm, args[0]);
	struct suspend_options options;
	term result, state = of ? (term)A_suspended : (term)A_badarg;

	if (!read_suspend_options(args[1], &options) || !term_is_pid(args[0]) || of == p)
		return A_badarg;
	if (options.tag != TERM_NONE && p->vm->is_explored)
		return bif_unsupported(p, "exploring erlang:suspend_process/2 with {asynchronous, _}");
	if (!of)
		result = options.is_async ? (term)A_true : (term)A_badarg;
	else if (options.is_once && suspension_find(p, of->pid))
		result = A_false;
	else
		result = bif_erlang_suspend_process_1(p, args);
	if (options.tag != TERM_NONE)
		mailbox_deliver(p, message_new(heap_tuple2(p, options.tag, state), A_system));
	return result;
}

/* process_flag/3 knows save_calls only. */
term bif_erts_internal_process_flag_3(struct process *p, const term *args)
{
	if (!term_is_pid(args[0]) || args[1] != A_save_calls || !term_is_small(args[2]) ||
	    small_value(args[2]) < 0 || small_value(args[2]) > 10000)
		return A_badarg;
	if (signal_must_settle(p, process_find(p->vm, args[0])))
		return bif_retry(p);
	if (!signal_ask(p, args[0]))
		return A_badarg;
	if (small_value(args[2]))
		return bif_unsupported(p, "erlang:process_flag(_, save_calls, _)");
	return small_make(0);
}

/* The answer comes as a message {Ref, Bool}. */
term bif_erts_internal_is_process_alive_2(struct process *p, const term *args)
{
	bool alive = signal_ask(p, args[0]) != NULL;

	signal_message(p, heap_tuple2(p, args[1], atom_from_bool(alive)), p->pid);
	return A_ok;
}

static void collect_other(struct process *of, term task)
{
	trace_collection(of, tuple_size(task) > 2 && tuple_element(task, 2) == A_minor);
	system_monitor_collected(of);
	heap_limit_check(of);
}

/* Pid, Priority, {garbage_collect | check_process_code, RequestId, ...}: done at once, the
 * answer {Type, RequestId, Result} comes as a message. */
static term run_system_task(struct process *p, term pid, term task)
{
	term result, *hp;

	if (!term_is_tuple(task) || tuple_size(task) < 2 || !term_is_pid(pid))
		return bif_badarg(p);
	if (signal_must_settle(p, process_find(p->vm, pid)))
		return bif_retry(p);
	result = atom_from_bool(signal_ask(p, pid) != NULL);
	if (tuple_element(task, 0) == atom_from_string("check_process_code") &&
	    tuple_size(task) > 2)
		result = atom_from_bool(result == A_true &&
					code_runs_old(p->vm, pid, tuple_element(task, 2)));
	else if (tuple_element(task, 0) == atom_from_string("system_task_test"))
		return bif_unsupported(p, "erts_internal:request_system_task/3 with "
					  "system_task_test");
	else if (result == A_true && !p->vm->is_explored)
		collect_other(process_find(p->vm, pid), task);
	hp = heap_alloc(p, TUPLE_WORDS(3));
	signal_message(p, tuple_build3(&hp, tuple_element(task, 0), tuple_element(task, 1), result),
		       p->pid);
	return A_ok;
}

term bif_erts_internal_request_system_task_3(struct process *p, const term *args)
{
	return run_system_task(p, args[0], args[2]);
}

/* Requester, Pid, Priority, Task */
term bif_erts_internal_request_system_task_4(struct process *p, const term *args)
{
	return run_system_task(p, args[1], args[3]);
}

/* ---- facts ---- */

term bif_erts_internal_get_creation_0(struct process *p, const term *args) { return small_make(0); }
term bif_erts_internal_no_aux_work_threads_0(struct process *p, const term *args)
{
	return small_make(1 + SYSTEM_SCHEDULERS);
}
term bif_erts_internal_scheduler_wall_time_1(struct process *p, const term *args)
{
	return A_false;
}
term bif_erts_internal_system_check_1(struct process *p, const term *args) { return A_ok; }
term bif_erlang_monitor_node_3(struct process *p, const term *args) { return A_true; }

term bif_erts_internal_get_dflags_0(struct process *p, const term *args)
{
	term zero = small_make(0), elements[6] = {A_erts_dflags, zero, zero, zero, zero, zero};

	return heap_tuple(p, 6, elements);
}

term bif_erts_internal_term_type_1(struct process *p, const term *args)
{
	term t = args[0];
	const char *name = term_is_atom(t)       ? "atom"
			   : t == NIL            ? "nil"
			   : term_is_small(t)    ? "fixnum"
			   : term_is_pid(t)      ? "pid"
			   : term_is_port(t)     ? "port"
			   : term_is_cons(t)     ? "list"
			   : term_is_big(t)      ? "bignum"
			   : term_is_float(t)    ? "hfloat"
			   : term_is_tuple(t)    ? "tuple"
			   : term_is_ref(t)      ? "reference"
			   : term_is_kind(t, KIND_REMOTE_PID)  ? "external_pid"
			   : term_is_kind(t, KIND_REMOTE_PORT) ? "external_port"
			   : term_is_kind(t, KIND_REMOTE_REF)  ? "external_reference"
			   : term_is_export_fun(t) ? "export"
			   : term_is_fun(t)      ? "fun"
			   : term_is_flatmap(t)  ? "flatmap"
			   : term_is_hashmap(t)  ? "hashmap"
			   : term_is_kind(t, KIND_HEAPBIN) ? "heap_binary"
			   : term_is_kind(t, KIND_REFCBIN) ? "refc_binary"
							   : "sub_binary";

	return atom_from_string(name);
}

term bif_erlang_list_to_port_1(struct process *p, const term *args)
{
	struct bytes text = {0};
	unsigned long long node, number;
	int used = 0;
	bool ok = text_flatten_utf8(args[0], &text);

	bytes_add(&text, "", 1);
	ok = ok && sscanf((char *)text.items, "#Port<%llu.%llu>%n", &node, &number, &used) == 2 &&
	     (size_t)used + 1 == text.len && node == 0 && number < 1ull << 28;
	bytes_release(&text);
	return ok ? port_make(number) : bif_badarg(p);
}

/* The order of map keys: -1, 0 or 1. */
term bif_erts_internal_cmp_term_2(struct process *p, const term *args)
{
	int order = term_compare_exact(args[0], args[1]);

	return small_make((order > 0) - (order < 0));
}
