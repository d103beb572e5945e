/* erlang:system_info/1. */
#include "vm/bifs/system_info.h"

#include <stdio.h>

#include "vm/bifs/bif.h"
#include "vm/bifs/stack_text.h"
#include "vm/code/code.h"
#include "vm/ets/ets.h"
#include "vm/exec/interp.h"
#include "vm/machine.h"
#include "vm/process/crash_report.h"
#include "vm/process/heap_limit.h"
#include "vm/process/signal.h"
#include "vm/process/trace.h"
#include "vm/vm.h"

static const struct {
	term item;
	int64_t value;
} processors[] = {
	{A_schedulers, SYSTEM_SCHEDULERS}, {A_schedulers_online, SYSTEM_SCHEDULERS},
	{A_logical_processors, SYSTEM_SCHEDULERS}, {A_dirty_cpu_schedulers, SYSTEM_SCHEDULERS},
	{A_dirty_cpu_schedulers_online, SYSTEM_SCHEDULERS},
	{A_logical_processors_available, SYSTEM_SCHEDULERS},
	{A_logical_processors_online, SYSTEM_SCHEDULERS},
}, numbers[] = {
	{A_wordsize, 8},
	{A_port_limit, 65536}, {A_atom_limit, 1048576}, {A_ets_limit, 8192},
	{A_port_count, 0}, {A_thread_pool_size, 1}, {A_creation, 0}, {A_dirty_io_schedulers, 1},
	{A_scheduler_id, 1}, {A_atom_count, 20000}, {A_start_time, 0},
};

static const struct {
	term item;
	term value;
} atoms[] = {
	{A_smp_support, A_true}, {A_threads, A_true}, {A_kernel_poll, A_true},
	{A_endian, A_little}, {A_emu_type, A_opt}, {A_build_type, A_opt},
	{A_emu_flavor, A_emulator}, {A_debug_compiled, A_false},
	{A_lock_checking, A_false}, {A_lock_counting, A_false},
	{A_time_correction, A_true}, {A_time_warp_mode, A_no_time_warp},
	{A_tolerant_timeofday, A_enabled},
	{A_message_queue_data, A_on_heap}, {A_modified_timing_level, A_undefined},
	{A_time_offset, A_final}, {A_dynamic_trace, A_none}, {A_dynamic_trace_probes, A_false},
	{A_update_cpu_info, A_unchanged}, {A_heap_type, A_private}, {A_port_parallelism, A_false},
	{A_scheduler_bind_type, A_unbound}, {A_eager_check_io, A_true},
};

static term system_text(struct process *p, term item)
{
	char text[128];

	if (item == A_otp_release)
		snprintf(text, sizeof(text), "%u", code_otp_release());
	else if (item == A_version)
		snprintf(text, sizeof(text), "%u.1", code_otp_release() - 12);
	else if (item == A_machine)
		snprintf(text, sizeof(text), "BEAM");
	else if (item == A_system_architecture)
		snprintf(text, sizeof(text), "x86_64-pc-linux-gnu");
	else if (item == A_system_version)
		snprintf(text, sizeof(text), "Erlang/OTP %u [fermata]\n", code_otp_release());
	else if (item == A_nif_version)
		snprintf(text, sizeof(text), "2.16");
	else if (item == A_driver_version)
		snprintf(text, sizeof(text), "3.3");
	else
		return TERM_NONE;
	return heap_string(p, text);
}

/* Items about the inside of the real VM, which this one does not have. */
static bool is_of_real_vm(const char *item)
{
	static const char *const items[] = {
#define SYSTEM_ITEM(name) name,
#include "vm/bifs/system_item.def"
#undef SYSTEM_ITEM
	};

	for (size_t i = 0; i < sizeof(items) / sizeof(*items); i++)
		if (strcmp(items[i], item) == 0)
			return true;
	return false;
}

/* Settings of the collector, as {Item, Value}. */
static term system_setting(struct process *p, term item)
{
	static const struct {
		term item;
		int64_t value;
	} settings[] = {{A_min_heap_size, 233}, {A_min_bin_vheap_size, 46422},
			{A_fullsweep_after, 65535}};
	term list = NIL;

	for (size_t i = 0; i < 3; i++)
		if (settings[i].item == item)
			return heap_tuple2(p, item, small_make(settings[i].value));
	if (item == A_trace_control_word)
		return heap_unsigned(p, p->vm->trace ? p->vm->trace->control_word : 0);
	if (item == A_max_heap_size)
		return heap_limit_term(p, &p->vm->heap_limit);
	if (item == A_dist_ctrl || item == A_taints)
		return NIL;
	if (item != A_garbage_collection)
		return TERM_NONE;
	list = heap_cons(p, heap_tuple2(p, A_fullsweep_after, small_make(65535)), list);
	list = heap_cons(p, heap_tuple2(p, A_min_heap_size, small_make(233)), list);
	list = heap_cons(p, heap_tuple2(p, A_min_bin_vheap_size, small_make(46422)), list);
	return heap_cons(p, heap_tuple2(p, A_max_heap_size, small_make(0)), list);
}

/* The allocators of the real VM, which answers the same when they are switched off (+Mea min). */
static const char *const allocators[] = {
	"temp_alloc", "sl_alloc", "std_alloc", "ll_alloc", "eheap_alloc", "ets_alloc", "fix_alloc",
	"literal_alloc", "binary_alloc", "driver_alloc"};

static bool is_named(term t, const char *name)
{
	return term_is_atom(t) && strcmp(atom_text(t), name) == 0;
}

static bool is_allocator(term t)
{
	for (size_t i = 0; i < sizeof(allocators) / sizeof(*allocators); i++)
		if (is_named(t, allocators[i]))
			return true;
	return false;
}

/* false for one allocator, [{Allocator, false}] for a list of them. */
static term allocator_sizes(struct process *p, term of)
{
	term result = NIL, *last = &result, list = of;

	if (is_allocator(of))
		return A_false;
	for (; term_is_cons(list) && is_allocator(cons_head(list)); list = cons_tail(list)) {
		*last = heap_cons(p, heap_tuple2(p, cons_head(list), A_false), NIL);
		last = cons_ptr(*last) + 1;
	}
	return list == NIL && of != NIL ? result : bif_badarg(p);
}

/* {memory_internal, Ref, Allocators}: each scheduler answers {Ref, Number, Sizes}, the first of them
 * for all. */
static term ask_schedulers(struct process *p, term ref, term of)
{
	if (!term_is_ref(ref) || !term_is_cons(of) || allocator_sizes(p, of) == TERM_NONE)
		return bif_badarg(p);
	if (p->vm->is_explored)
		return bif_unsupported(p, "erlang:system_info({memory_internal, ...}) in a search");
	for (unsigned i = SYSTEM_SCHEDULERS; i > 0; i--)
		signal_send(p, p->pid,
			    heap_tuple3(p, ref, small_make(i),
					i == 1 ? allocator_sizes(p, of) : (term)NIL));
	return A_true;
}

/* Items with an argument; TERM_NONE for those that are not answered. */
static term system_pair(struct process *p, term item)
{
	term of;

	if (!term_is_tuple_of(item, 2))
		return TERM_NONE;
	of = tuple_element(item, 1);
	if (tuple_element(item, 0) == A_wordsize && (is_named(of, "internal") || of == A_external))
		return small_make(8);
	if (tuple_element(item, 0) == A_cpu_topology &&
	    (is_named(of, "defined") || is_named(of, "detected") || is_named(of, "used")))
		return A_undefined;
	return TERM_NONE;
}

/* The number of tables changes with every ets:new, which a search would have to know. */
static term system_count(struct process *p, term item)
{
	if (p->vm->is_explored)
		return TERM_NONE;
	if (is_named(item, "ets_count"))
		return small_make(p->vm->ets->len);
	return small_make(p->vm->requests_limit);
}

static term system_other(struct process *p, term item)
{
	term list = NIL;

	if (is_named(item, "ets_count") || is_named(item, "outstanding_system_requests_limit"))
		return system_count(p, item);
	if (item == A_system_logger && !p->vm->is_explored && p->vm->system_logger)
		return system_logger(p->vm);
	if (is_named(item, "context_reductions"))
		return small_make(TURN_CALLS);
	if (is_named(item, "constant_pool_support") || is_named(item, "port_tasks"))
		return A_true;
	if (is_named(item, "ets_realloc_moves") || is_named(item, "break_ignored") ||
	    is_named(item, "ets_always_compress"))
		return A_false;
	if (item == A_atom_count && !p->vm->is_explored)
		return small_make((int64_t)machine.atoms.names.len);
	if (term_is_tuple_of(item, 3) && is_named(tuple_element(item, 0), "memory_internal"))
		return ask_schedulers(p, tuple_element(item, 1), tuple_element(item, 2));
	if (is_named(item, "snifs"))
		return system_snifs(p);
	if (is_named(item, "os_version"))
		return heap_tuple3(p, small_make(6), small_make(1), small_make(0));
	if (!is_named(item, "alloc_util_allocators"))
		return TERM_NONE;
	for (size_t i = sizeof(allocators) / sizeof(*allocators); i-- > 0;)
		list = heap_cons(p, atom_from_string(allocators[i]), list);
	return list;
}

/* As many as processes/0 lists. */
static int64_t count_processes(const struct vm *vm)
{
	int64_t count = 0;

	for (const struct process *of = vm->first_process; of; of = of->all_next)
		count += process_is_listed(of);
	return count;
}

term bif_erlang_system_info_1(struct process *p, const term *args)
{
	term item = args[0], text = system_text(p, item);

	if (text == TERM_NONE)
		text = system_setting(p, item);
	if (text == TERM_NONE)
		text = schedulers_info(p, item);
	if (text == TERM_NONE)
		text = system_pair(p, item);
	if (text == TERM_NONE)
		text = system_other(p, item);
	if (text == TERM_NONE && term_is_atom(item))
		text = system_constant(p, atom_text(item));
	if (text == TERM_NONE)
		text = system_dump(p, item);
	if (text != TERM_NONE)
		return text;
	if (term_is_tuple_of(item, 2) && is_named(tuple_element(item, 0), "allocator_sizes"))
		return allocator_sizes(p, tuple_element(item, 1));
	if (term_is_tuple_of(item, 2) && tuple_element(item, 0) == A_cpu_topology)
		return bif_badarg(p);
	if (item == A_process_limit)
		return small_make(process_limit(code_otp_release()));
	if (item == A_process_count)
		return small_make(count_processes(p->vm));
	if (item == A_os_type)
		return heap_tuple2(p, A_unix, A_linux);
	if (item == A_time_warp_mode && code_otp_release() >= 26)
		return atom_from_string("multi_time_warp");
	if (item == A_time_offset && code_otp_release() >= 26)
		return atom_from_string("volatile");
	if (item == A_compat_rel)
		return small_make(code_otp_release());
	if (item == A_cpu_topology)
		return A_undefined;
	for (size_t i = 0; i < sizeof(processors) / sizeof(*processors); i++)
		if (processors[i].item == item) {
			p->vm->relied_on |= RELIED_ON_PROCESSORS;
			return small_make(processors[i].value);
		}
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (numbers[i].item == item) {
			if (item == A_atom_count || item == A_port_count)
				p->vm->relied_on |= RELIED_ON_FIGURES;
			return small_make(numbers[i].value);
		}
	for (size_t i = 0; i < sizeof(atoms) / sizeof(*atoms); i++)
		if (atoms[i].item == item)
			return atoms[i].value;
	if (term_is_atom(item) && is_of_real_vm(atom_text(item)))
		return bif_unsupported(p, "erlang:system_info(%s)", atom_text(item));
	if (term_is_tuple_of(item, 2) && term_is_atom(tuple_element(item, 0)) &&
	    is_of_real_vm(atom_text(tuple_element(item, 0))))
		return bif_unsupported(p, "erlang:system_info({%s, ...})",
				       atom_text(tuple_element(item, 0)));
	return bif_badarg(p);
}

