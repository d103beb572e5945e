/* process_info and other functions that read the state of processes. */
#include <stdlib.h>

#include "vm/bifs/bif.h"
#include "vm/bifs/stack_text.h"
#include "vm/code/code.h"
#include "vm/exec/exception.h"
#include "vm/exec/interp.h"
#include "vm/process/heap_limit.h"
#include "vm/process/mailbox.h"
#include "vm/process/pdict.h"
#include "vm/process/signal.h"
#include "vm/process/suspend.h"
#include "vm/terms/binary.h"
#include "vm/vm.h"

struct info {
	struct process *of;
	struct process *p; /* the process that asks; the result is on its heap */
};

static term import(const struct info *in, term t)
{
	return in->of == in->p ? t : heap_import(in->p, t);
}

static term mfa(struct process *p, term module, term function, uint32_t arity)
{
	return heap_tuple3(p, module, function, small_make(arity));
}

static term get_current_function(const struct info *in)
{
	struct code_place place;

	if (!exception_current_place(in->of, &place))
		return A_undefined;
	return mfa(in->p, place.module, place.function, place.arity);
}

static term get_current_location(const struct info *in)
{
	term trace = exception_current_trace(in->of, in->p, 1);

	return term_is_cons(trace) ? cons_head(trace) : (term)A_undefined;
}

static term get_current_stacktrace(const struct info *in)
{
	return exception_current_trace(in->of, in->p, BACKTRACE_DEPTH);
}

static term get_initial_call(const struct info *in)
{
	return mfa(in->p, in->of->initial_module, in->of->initial_function, in->of->initial_arity);
}

static term get_status(const struct info *in)
{
	if (in->of == in->p)
		return A_running;
	if (in->of->status == PROCESS_EXITING)
		return A_exiting;
	if (in->of->busy_until_ns > in->p->vm->now_ns)
		return A_running;
	if (in->of->status == PROCESS_SUSPENDED || in->of->suspend_count)
		return A_suspended;
	return in->of->status == PROCESS_WAITING && !in->of->is_ready ? A_waiting : A_runnable;
}

static size_t count_pending(const struct process *of)
{
	size_t n = of->mailbox.len;

	for (const struct message *m = of->signals.first; m; m = m->next)
		n += m->send_event == 0;
	return n;
}

static term get_message_queue_len(const struct info *in)
{
	return small_make((int64_t)count_pending(in->of));
}

static term get_messages(const struct info *in)
{
	term list = NIL, *last = &list;

	for (struct message *m = in->of->is_sensitive ? NULL : in->of->mailbox.first; m;
	     m = m->next) {
		*last = heap_cons(in->p, heap_import(in->p, m->content), NIL);
		last = cons_ptr(*last) + 1;
	}
	return list;
}

static int compare_pids(const void *a, const void *b)
{
	return term_compare_exact(*(const term *)a, *(const term *)b);
}

/* The program sees the order of the pids: the verdict names it if it is that of processes which
 * different processes have started. */
static void note_order(struct process *p, const struct term_vec *pids)
{
	const struct process *of;
	term before = TERM_NONE;

	for (size_t i = 0; i < pids->len; i++) {
		of = process_find(p->vm, pids->items[i]);
		if (!of || of->is_system)
			continue;
		if (before != TERM_NONE)
			(void)term_order(before, of->pid);
		before = of->pid;
	}
}

/* Steps that add to such a list are independent of each other, so the list must not show their order.
 * Empties the vector. */
static term list_sorted(struct process *p, struct term_vec *pids)
{
	term list;

	if (pids->len)
		qsort(pids->items, pids->len, sizeof(term), compare_pids);
	note_order(p, pids);
	list = heap_list(p, pids->items, pids->len, NIL);
	vec_release(pids);
	return list;
}

static bool is_shown(const struct info *in, const struct relation *r)
{
	return r->peer || signal_goes_by_channel(in->of->vm, in->of->pid, r->other);
}

static term get_links(const struct info *in)
{
	struct term_vec pids = {0};

	for (struct relation *r = in->of->relations; r; r = r->next)
		if (relation_is_link(r) && is_shown(in, r))
			*vec_push(&pids) = r->other;
	return list_sorted(in->p, &pids);
}

static term get_monitors(const struct info *in)
{
	term list = NIL;

	for (struct relation *r = in->of->relations; r; r = r->next) {
		term object = r->other;

		if (r->kind != RELATION_MONITOR || r->is_let_go)
			continue;
		if (r->name != TERM_NONE)
			object = heap_tuple2(in->p, r->name, A_nohost);
		list = heap_cons(in->p, heap_tuple2(in->p, A_process, object), list);
	}
	return list;
}

static term get_monitored_by(const struct info *in)
{
	struct term_vec pids = {0};

	for (struct relation *r = in->of->relations; r; r = r->next)
		if (r->kind == RELATION_MONITORED && !r->is_let_go && is_shown(in, r))
			*vec_push(&pids) = r->other;
	return list_sorted(in->p, &pids);
}

static term get_suspending(const struct info *in)
{
	term list = NIL;

	for (const struct suspension *s = in->of->suspensions; s; s = s->next)
		if (process_find(in->p->vm, s->other))
			list = heap_cons(in->p, heap_tuple3(in->p, s->other, small_make(s->count),
							    small_make(0)), list);
	return list;
}

static term get_dictionary(const struct info *in)
{
	return in->of->is_sensitive ? (term)NIL : pdict_list(in->of, in->p);
}

static term get_trap_exit(const struct info *in) { return atom_from_bool(in->of->trap_exit); }
static term get_error_handler(const struct info *in) { return in->of->error_handler; }
static term get_group_leader(const struct info *in) { return import(in, in->of->group_leader); }
static term get_parent(const struct info *in) { return in->of->parent; }
static term get_empty(const struct info *in) { return NIL; }
static term get_zero(const struct info *in) { return small_make(0); }
static term get_false(const struct info *in) { return A_false; }
static term get_queue_data(const struct info *in)
{
	return in->of->is_off_heap ? A_off_heap : A_on_heap;
}


/* Sizes and reductions do not change in a search, because they must not depend on the schedule: a
 * heap has the size with which its process started. */
static term get_heap_limit(const struct info *in)
{
	return heap_limit_term(in->p, &in->of->heap_limit);
}

static term get_min_heap_size(const struct info *in)
{
	return small_make((int64_t)process_tuned(in->of, A_min_heap_size));
}
static bool is_hibernating(const struct process *of)
{
	return of->status == PROCESS_WAITING && of->ip[0] == (word)interp_labels[SPEC_hibernate];
}

/* A process that hibernates keeps the arguments of its next call only. */
static term get_heap_size(const struct info *in)
{
	size_t words = 0;

	if (in->p->vm->is_explored || !is_hibernating(in->of))
		return get_min_heap_size(in);
	for (uint32_t i = 0; i < in->of->saved_len; i++)
		words += term_copy_words(in->of->saved_x[i]);
	return small_make((int64_t)words);
}

static term get_stack_size(const struct info *in)
{
	return small_make(in->p->vm->is_explored ? 0 : in->of->hend - in->of->e);
}

static int64_t queue_words(const struct info *in)
{
	return in->p->vm->is_explored ? 0 : (int64_t)heap_limit_queue_words(in->of);
}

/* On the real VM, terms that have survived a collection are in the old heap until a full collection. */
static int64_t old_words(const struct info *in)
{
	return in->p->vm->is_explored || is_hibernating(in->of) ? 0 : (int64_t)in->of->old_words;
}

static term get_total_heap_size(const struct info *in)
{
	return small_make(small_value(get_heap_size(in)) + old_words(in) + queue_words(in));
}

/* {Address, Size, References} for each reference to a binary that processes share. */
static term get_binaries(const struct info *in)
{
	term list = NIL;

	for (const term *box = in->of->off_heap.first; box; box = (const term *)box[3]) {
		const struct refc_binary *binary = (const struct refc_binary *)box[2];

		list = heap_cons(in->p,
				 heap_tuple3(in->p, heap_unsigned(in->p, (uintptr_t)binary->bytes),
					     heap_unsigned(in->p, binary->used),
					     heap_unsigned(in->p, binary->refs)), list);
	}
	return list;
}

static term get_memory(const struct info *in) { return small_make(2688); }
static term get_reductions(const struct info *in)
{
	uint64_t now = in->of == in->p && !in->p->vm->is_explored
			       ? (uint64_t)(TURN_CALLS - in->p->fuel) : 0;

	return small_make((int64_t)(1000 + in->of->calls + now));
}

static term get_priority(const struct info *in)
{
	return process_priority_name(in->of);
}

static term get_name(const struct info *in)
{
	return in->of->registered_name == TERM_NONE ? NIL : in->of->registered_name;
}

static term get_collections(const struct info *in)
{
	term list = NIL;
	const struct {
		term name;
		int64_t value;
	} items[] = {{A_minor_gcs, 0},
		     {A_fullsweep_after, (int64_t)process_tuned(in->of, A_fullsweep_after)},
		     {A_min_heap_size, (int64_t)process_tuned(in->of, A_min_heap_size)},
		     {A_min_bin_vheap_size,
		      (int64_t)process_tuned(in->of, A_min_bin_vheap_size)}};

	for (size_t i = 0; i < sizeof(items) / sizeof(*items); i++)
		list = heap_cons(in->p,
				 heap_tuple2(in->p, items[i].name, small_make(items[i].value)),
				 list);
	return heap_cons(in->p, heap_tuple2(in->p, A_max_heap_size, get_heap_limit(in)), list);
}

/* There are no generations; what the last collection kept is shown as old. Sizes that change between two visible
 * steps are not shown in a search. */
static term get_heap_details(const struct info *in)
{
	bool is_shown = !in->p->vm->is_explored;
	int64_t block = small_value(get_heap_size(in));
	int64_t used = is_shown ? in->of->htop - in->of->heap : 0;
	int64_t vheap = (int64_t)process_tuned(in->of, A_min_bin_vheap_size);
	const struct {
		const char *name;
		int64_t words;
	} details[] = {{"bin_old_vheap_block_size", vheap},
		       {"bin_old_vheap_size", 0},
		       {"bin_vheap_block_size", vheap},
		       {"bin_vheap_size", 0},
		       {"heap_size", used},
		       {"old_heap_size", old_words(in)},
		       {"stack_size", small_value(get_stack_size(in))},
		       {"recent_size", 0},
		       {"mbuf_size", queue_words(in)},
		       {"heap_block_size", block},
		       {"old_heap_block_size", old_words(in)}};
	term list = NIL;

	for (size_t i = 0; i < sizeof(details) / sizeof(*details); i++)
		list = heap_cons(in->p, heap_tuple2(in->p, atom_from_string(details[i].name),
						    small_make(details[i].words)), list);
	return list;
}

static term get_fullsweep_after(const struct info *in)
{
	return small_make((int64_t)process_tuned(in->of, A_fullsweep_after));
}

static term get_min_bin_vheap_size(const struct info *in)
{
	return small_make((int64_t)process_tuned(in->of, A_min_bin_vheap_size));
}

static const struct {
	term item;
	term (*get)(const struct info *in);
	bool in_default; /* part of process_info/1 */
	bool is_moving;  /* changes between two visible steps, too */
	bool is_figure;  /* of memory or work */
} items[] = {
	{A_registered_name, get_name, true, false, false},
	{A_current_function, get_current_function, true, true, false},
	{A_initial_call, get_initial_call, true, false, false},
	{A_status, get_status, true, true, false},
	{A_message_queue_len, get_message_queue_len, true, false, false},
	{A_links, get_links, true, false, false},
	{A_dictionary, get_dictionary, true, true, false},
	{A_trap_exit, get_trap_exit, true, false, false},
	{A_error_handler, get_error_handler, true, true, false},
	{A_priority, get_priority, true, true, false},
	{A_group_leader, get_group_leader, true, true, false},
	{A_total_heap_size, get_total_heap_size, true, true, true},
	{A_heap_size, get_heap_size, true, true, true},
	{A_stack_size, get_stack_size, true, true, true},
	{A_reductions, get_reductions, true, true, true},
	{A_garbage_collection, get_collections, true, true, true},
	{A_suspending, get_suspending, true, false, false},
	{A_messages, get_messages, false, false, false},
	{A_monitors, get_monitors, false, false, false},
	{A_monitored_by, get_monitored_by, false, false, false},
	{A_current_location, get_current_location, false, true, false},
	{A_current_stacktrace, get_current_stacktrace, false, true, false},
	{A_memory, get_memory, false, true, true},
	{A_parent, get_parent, false, false, false},
	{A_binary, get_binaries, false, false, false},
	{A_catchlevel, get_zero, false, false, false},
	{A_message_queue_data, get_queue_data, false, true, false},
	{A_sensitive, get_false, false, false, false},
	{A_garbage_collection_info, get_heap_details, false, true, true},
	{A_min_heap_size, get_min_heap_size, false, true, false},
	{A_max_heap_size, get_heap_limit, false, true, false},
	{A_fullsweep_after, get_fullsweep_after, false, true, false},
	{A_min_bin_vheap_size, get_min_bin_vheap_size, false, true, false},
	{A_trace, get_zero, false, false, false},
	{A_last_calls, get_false, false, false, false},
	{A_async_dist, get_false, false, false, false},
	{A_sequential_trace_token, get_empty, false, false, false},
};

enum { ITEMS_LEN = sizeof(items) / sizeof(*items) };

/* Another process is seen where it stopped, which the verdict must say of what moves meanwhile. */
static void note_moving(const struct info *in, bool is_moving)
{
	if (is_moving && in->of != in->p)
		in->p->vm->relied_on |= RELIED_ON_PROGRESS;
}

/* proc_lib only puts them into reports of crashes. */
static void note_figure(const struct info *in)
{
	const struct process *p = in->p;
	struct code_place place;

	if (p->vm->relied_on & RELIED_ON_FIGURES)
		return;
	if (!p->ip || !code_find_place(p->ip, &place) || !code_is_of_library(p->vm, place.module))
		p->vm->relied_on |= RELIED_ON_FIGURES;
}

static term get_value(const struct info *in, size_t i)
{
	note_moving(in, items[i].is_moving);
	if (items[i].is_figure)
		note_figure(in);
	return items[i].get(in);
}

/* {Item, Value}; but [] for the name of a process that is not registered. */
static term get_item(const struct info *in, term item)
{
	if (term_is_tuple_of(item, 2) && tuple_element(item, 0) == A_dictionary &&
	    code_otp_release() >= 26) {
		term value = pdict_get(in->of, tuple_element(item, 1));

		note_moving(in, true);
		value = value == TERM_NONE ? (term)A_undefined : import(in, value);
		return heap_tuple2(in->p, item, value);
	}
	if (item == A_async_dist && code_otp_release() < 26)
		return TERM_NONE;
	if (item == A_binary && in->p->vm->is_explored)
		return bif_unsupported(in->p, "erlang:process_info(Pid, binary) in a test that is "
					      "explored");
	if (item == A_backtrace && in->p->vm->is_explored)
		return bif_unsupported(in->p, "erlang:process_info(Pid, backtrace) in a search");
	if (item == A_backtrace)
		return heap_tuple2(in->p, item,
				   stack_text_binary(in->p, in->of, "erlang:process_info/2"));
	for (size_t i = 0; i < ITEMS_LEN; i++)
		if (items[i].item == item)
			return heap_tuple2(in->p, item, get_value(in, i));
	return TERM_NONE;
}

term bif_erlang_process_info_2(struct process *p, const term *args)
{
	struct info in = {NULL, p};
	term list = args[1], result = NIL, *last = &result;

	if (!term_is_pid(args[0]))
		return bif_badarg(p);
	if (args[0] == p->pid && p->signals.first)
		signals_take(p);
	if (signal_must_settle(p, process_find(p->vm, args[0])))
		return bif_retry(p);
	in.of = signal_ask(p, args[0]);
	if (!in.of)
		return A_undefined;
	if (!term_is_list(list)) {
		result = get_item(&in, list);
		if (result == TERM_NONE)
			return bif_badarg(p);
		return list == A_registered_name && tuple_element(result, 1) == NIL ? NIL : result;
	}
	for (; term_is_cons(list); list = cons_tail(list)) {
		term pair = get_item(&in, cons_head(list));

		if (pair == TERM_NONE)
			return bif_badarg(p);
		*last = heap_cons(p, pair, NIL);
		last = cons_ptr(*last) + 1;
	}
	return list == NIL ? result : bif_badarg(p);
}

term bif_erlang_process_info_1(struct process *p, const term *args)
{
	struct info in = {NULL, p};
	term list = NIL;

	if (!term_is_pid(args[0]))
		return bif_badarg(p);
	if (signal_must_settle(p, process_find(p->vm, args[0])))
		return bif_retry(p);
	in.of = signal_ask(p, args[0]);
	if (!in.of)
		return A_undefined;
	for (size_t i = ITEMS_LEN; i-- > 0;) {
		if (!items[i].in_default)
			continue;
		if (items[i].item == A_registered_name && in.of->registered_name == TERM_NONE)
			continue;
		list = heap_cons(p, get_item(&in, items[i].item), list);
	}
	return list;
}

term bif_erlang_processes_0(struct process *p, const term *args)
{
	struct term_vec pids = {0};

	for (struct process *of = p->vm->first_process; of; of = of->all_next)
		if (process_is_listed(of))
			*vec_push(&pids) = of->pid;
	return list_sorted(p, &pids);
}

term bif_erlang_is_process_alive_1(struct process *p, const term *args)
{
	if (!term_is_pid(args[0]))
		return bif_badarg(p);
	if (signal_must_settle(p, process_find(p->vm, args[0])))
		return bif_retry(p);
	return atom_from_bool(signal_ask(p, args[0]) != NULL);
}
