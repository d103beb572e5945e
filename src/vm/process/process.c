#include "vm/process/process.h"

#include <stdio.h>

#include "base/bug.h"
#include "base/rng.h"
#include "vm/code/code.h"
#include "vm/ets/ets.h"
#include "vm/exec/exception.h"
#include "vm/exec/interp.h"
#include "vm/machine.h"
#include "vm/memory/heap.h"
#include "vm/memory/region.h"
#include "vm/process/boot.h"
#include "vm/process/crash_report.h"
#include "vm/process/mailbox.h"
#include "vm/process/registry.h"
#include "vm/process/relation.h"
#include "vm/process/signal.h"
#include "vm/process/suspend.h"
#include "vm/process/timer.h"
#include "vm/process/trace.h"
#include "vm/terms/atom.h"
#include "vm/terms/print.h"
#include "vm/vm.h"

enum { HEAP_WORDS_FIRST = 256 };

/* ---- names ---- */

#define VALUE_BITS 55 /* with the bit above them, as many as OBJECT() has room for */
#define VALUE_HASHED ((uint64_t)1 << VALUE_BITS)

/* The parent's value with the child's number appended in groups of 3 bits, each with a bit that
 * says whether more follow. A path too long for that is a hash. */
uint64_t process_child_value(uint64_t parent, uint32_t n)
{
	unsigned groups = 1;
	uint64_t value = parent;

	while (groups < 11 && n >> (3 * groups))
		groups++;
	if ((parent & VALUE_HASHED) || parent >> (VALUE_BITS - 4 * groups))
		return VALUE_HASHED | (rng_mix(rng_mix(parent) + n) & (VALUE_HASHED - 1));
	for (unsigned g = groups; g-- > 0;)
		value = value << 4 | (n >> (3 * g) & 7) << 1 | (g != 0);
	return value;
}

/* The value of the parent; 0: not known. */
static uint64_t parent_of(uint64_t value)
{
	if (value & VALUE_HASHED)
		return 0;
	do
		value >>= 4;
	while (value & 1 && value > 1);
	return value;
}

bool process_are_kin(uint64_t a, uint64_t b)
{
	uint64_t low = a < b ? a : b, above = a < b ? b : a;

	if (parent_of(a) && parent_of(a) == parent_of(b))
		return true;
	while (above > low)
		above = parent_of(above);
	return above == low;
}

term process_make_ref(struct process *p, unsigned flags)
{
	term *box = heap_alloc(p, REF_WORDS);

	box[0] = header_make(KIND_REF, 3);
	box[1] = pid_value(p->pid);
	box[2] = ++p->ref_count;
	box[3] = flags;
	return boxed_make(box);
}

/* ---- the table ---- */

static uint32_t bucket_of(const struct process_table *table, term pid)
{
	return (uint32_t)(rng_mix(pid) & (table->buckets_len - 1));
}

struct process *process_find(struct vm *vm, term pid)
{
	struct process_table *table = &vm->processes;
	struct process *p;

	if (!table->buckets_len || !term_is_pid(pid))
		return NULL;
	p = table->buckets[bucket_of(table, pid)];
	while (p && p->pid != pid)
		p = p->table_next;
	return p;
}

static void grow_table(struct process_table *table)
{
	struct process_table old = *table;

	table->buckets_len = old.buckets_len ? old.buckets_len * 2 : 64;
	table->buckets = region_zalloc(table->buckets_len * sizeof(*table->buckets));
	for (uint32_t i = 0; i < old.buckets_len; i++) {
		while (old.buckets[i]) {
			struct process *p = old.buckets[i];
			uint32_t bucket = bucket_of(table, p->pid);

			old.buckets[i] = p->table_next;
			p->table_next = table->buckets[bucket];
			table->buckets[bucket] = p;
		}
	}
	region_free(old.buckets, old.buckets_len * sizeof(*old.buckets));
}

static void add_to_table(struct vm *vm, struct process *p)
{
	uint32_t bucket;

	if (vm->processes.len >= vm->processes.buckets_len)
		grow_table(&vm->processes);
	bucket = bucket_of(&vm->processes, p->pid);
	p->table_next = vm->processes.buckets[bucket];
	vm->processes.buckets[bucket] = p;
	vm->processes.len++;
	p->all_prev = vm->last_process;
	if (vm->last_process)
		vm->last_process->all_next = p;
	else
		vm->first_process = p;
	vm->last_process = p;
}

static void remove_from_table(struct vm *vm, struct process *p)
{
	struct process **link = &vm->processes.buckets[bucket_of(&vm->processes, p->pid)];

	while (*link != p)
		link = &(*link)->table_next;
	*link = p->table_next;
	vm->processes.len--;
	if (p->all_prev)
		p->all_prev->all_next = p->all_next;
	else
		vm->first_process = p->all_next;
	if (p->all_next)
		p->all_next->all_prev = p->all_prev;
	else
		vm->last_process = p->all_prev;
}

/* ---- life ---- */

static term choose_pid(struct vm *vm, struct process *parent)
{
	uint64_t value = 1;

	if (parent) {
		value = process_child_value(pid_value(parent->pid), ++parent->child_count);
		while (process_find(vm, pid_make(value)))
			value = VALUE_HASHED | (rng_mix(value) & (VALUE_HASHED - 1));
	}
	return pid_make(value);
}

void process_save_x(struct process *p, unsigned n)
{
	if (n > p->saved_cap) {
		p->saved_x = region_grow(p->saved_x, p->saved_cap * sizeof(term), n * sizeof(term));
		p->saved_cap = n;
	}
	if (n)
		memcpy(p->saved_x, machine.running.x, n * sizeof(term));
	p->saved_len = n;
}

struct process *process_spawn(struct vm *vm, struct process *parent, term module, term function,
			      term args)
{
	struct process *p = region_zalloc(sizeof(*p));
	size_t words = term_send_words(args);
	term list;

	p->vm = vm;
	p->pid = choose_pid(vm, parent);
	heap_open(p, HEAP_WORDS_FIRST + words);
	p->group_leader = parent ? parent->group_leader : vm->group_leader;
	p->parent = parent ? parent->pid : (term)A_undefined;
	p->born = vm->step;
	p->error_handler = A_error_handler;
	p->initial_module = module;
	p->initial_function = function;
	p->initial_arity = (uint32_t)list_length(args);
	p->cp = interp_normal_exit;
	p->ip = interp_apply_jump;
	p->exit_reason = A_normal;
	/* A process that a system process starts during boot is a system process too. */
	p->is_system = parent && parent->is_system && parent->pid != vm->init_pid &&
		       !boot_is_done(vm);
	list = term_send(args, &p->htop, &p->off_heap);
	p->saved_x = region_alloc(3 * sizeof(term));
	p->saved_cap = p->saved_len = 3;
	p->saved_x[0] = module;
	p->saved_x[1] = function;
	p->saved_x[2] = list;
	add_to_table(vm, p);
	p->status = PROCESS_RUNNABLE;
	if (parent && vm->trace)
		trace_spawn(parent, p);
	return p;
}

void process_begin_exit(struct process *p)
{
	p->status = PROCESS_EXITING;
	p->exit_name = p->registered_name;
}

static void go_to_end(struct process *p)
{
	if (p->ip != interp_process_end)
		p->end_ip = p->ip;
	p->ip = interp_process_end;
	p->cp = NULL;
	p->saved_len = 0;
	p->trace_live = 0;
	p->trace_notes = TERM_NONE;
	p->is_end_traced = p->is_send_traced = false;
	/* Under exploration other processes see p alive until p takes its first step of dying. */
	p->status = PROCESS_RUNNABLE;
	if (!p->vm->is_explored || p->is_system)
		process_begin_exit(p);
}

static void keep_result(struct process *p, term class_, term value, term trace)
{
	struct vm *vm = p->vm;
	size_t words = term_copy_words(value) + term_copy_words(trace);
	struct off_heap *off_heap = region_zalloc(sizeof(*off_heap));
	term *hp = region_alloc((words + 1) * sizeof(term));

	vm->result_class = class_;
	vm->result = term_copy(value, &hp, off_heap);
	vm->result_trace = term_copy(trace, &hp, off_heap);
}

void process_returned(struct process *p, term value)
{
	if (p == p->vm->test)
		keep_result(p, A_ok, value, NIL);
	p->exit_reason = A_normal;
	go_to_end(p);
}

void process_uncaught(struct process *p)
{
	if (p == p->vm->test)
		keep_result(p, p->exception.class_, p->exception.reason,
			    exception_trace_list(p, p->exception.trace));
	p->exit_reason = exception_exit_reason(p);
	if (p->exception.class_ != A_exit)
		crash_report_send(p, p->exit_reason);
	if (p->is_port && p->exit_reason != A_normal) {
		struct strbuf reason = {0};

		print_term(p->exit_reason, &reason);
		vm_unsupported(p->vm, "not supported: a use of a port or socket that ended in %s",
			       strbuf_text(&reason));
		strbuf_release(&reason);
	}
	p->exception = (struct exception){0};
	go_to_end(p);
}

void process_exit(struct process *p, term reason)
{
	if (p == p->vm->test)
		keep_result(p, A_exit, reason, NIL);
	p->exit_reason = reason;
	go_to_end(p);
}

static const term priority_names[] = {A_normal, A_low, A_high, A_max};

bool process_read_priority(term name, uint8_t *priority)
{
	for (uint8_t i = 0; i < 4; i++)
		if (priority_names[i] == name) {
			*priority = i;
			return true;
		}
	return false;
}

term process_priority_name(const struct process *p)
{
	return priority_names[p->priority & 3];
}

/* The real VM's heaps have the sizes 12, 38, and then the sum of the last two plus one; from a
 * million words on they grow by a fifth. */
static uint64_t round_heap_size(uint64_t words)
{
	uint64_t last = 12, size = 38;

	while (size < words) {
		uint64_t next = size < 833026 ? size + last + 1 : size + size / 5;

		last = size;
		size = next;
	}
	return size;
}

uint64_t process_tuned(const struct process *p, term flag)
{
	if (flag == A_min_heap_size)
		return p->min_heap_size ? p->min_heap_size : 233;
	if (flag == A_min_bin_vheap_size)
		return p->min_bin_vheap_size ? p->min_bin_vheap_size : 46422;
	return p->fullsweep_after ? p->fullsweep_after - 1 : 65535;
}

void process_tune(struct process *p, term flag, uint64_t value)
{
	if (flag == A_min_heap_size)
		p->min_heap_size = round_heap_size(value < 233 ? 233 : value);
	else if (flag == A_min_bin_vheap_size)
		p->min_bin_vheap_size = round_heap_size(value < 46422 ? 46422 : value);
	else
		p->fullsweep_after = (uint32_t)(value < 65535 ? value : 65535) + 1;
}

static void free_process(struct process *p)
{
	struct vm *vm = p->vm;

	mailbox_clear(&p->mailbox);
	mailbox_clear(&p->signals);
	relation_index_release(p);
	region_free(p->dictionary.entries, (size_t)p->dictionary.cap * 2 * sizeof(term));
	region_free(p->saved_x, p->saved_cap * sizeof(term));
	heap_close(p);
	remove_from_table(vm, p);
	if (vm->test == p) {
		vm->test = NULL;
		if (vm->end == VM_RUNNING) /* else a gap was met */
			vm->end = VM_DONE;
	}
	region_free(p, sizeof(*p));
}

/* First timers, tables, fixations of tables and name, then one signal per link and monitor, in the
 * order of the real VM; between links and monitors p resumes the processes that it suspends. */
bool process_exit_step(struct process *p)
{
	if (p->timers || p->receive_timer) {
		timer_owner_exit(p);
		return false;
	}
	if (p->tables) {
		ets_owner_exit_step(p);
		return false;
	}
	if (p->fixations) {
		ets_fixer_exit_step(p);
		return false;
	}
	if (!p->relations_are_ordered && !p->vm->is_explored) { /* else see goes_before */
		relation_order_for_death(p);
		p->relations_are_ordered = true;
	}
	if (p->exit_name != TERM_NONE) { /* a step even if the name was unregistered meanwhile */
		if (p->registered_name != TERM_NONE)
			registry_remove(p->vm, p->registered_name);
		p->registered_name = p->exit_name = TERM_NONE;
		return false;
	}
	if (suspension_at_exit(p)) {
		suspension_end_first(p);
		return false;
	}
	if (signal_exit_next(p, p->exit_reason))
		return false;
	free_process(p);
	return true;
}
