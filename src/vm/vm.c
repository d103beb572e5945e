#include "vm/vm.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bug.h"
#include "base/mem.h"
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/ets/ets.h"
#include "vm/ets/persistent.h"
#include "vm/exec/interp.h"
#include "vm/machine.h"
#include "vm/memory/heap.h"
#include "vm/memory/region.h"
#include "vm/process/leader.h"
#include "vm/process/signal.h"
#include "vm/process/profile.h"
#include "vm/process/system.h"
#include "vm/process/timer.h"
#include "vm/process/trace.h"
#include "vm/terms/atom.h"
#include "vm/terms/print.h"

struct vm *vm_get(void)
{
	return region_root(sizeof(struct vm));
}

static void set_bif_slots(void)
{
	for (size_t i = 0; i < bif_table_len; i++) {
		const struct bif *bif = &bif_table[i];
		const struct bif_name *name = bif_name(bif);
		struct export *export;

		if (!bif_is_there(bif) || bif_is_body_only(bif))
			continue;
		export = export_of(name->module, name->function, bif->arity);
		*export_slot(export->number) = bif_code(i);
	}
}

/* Makes the root of the spawn tree. It never runs; it owns the processes and tables that exist from
 * the start. */
static void start_init(struct vm *vm)
{
	struct process *init = process_spawn(vm, NULL, A_init, A_start, NIL);

	init->is_system = true;
	init->status = PROCESS_SUSPENDED;
	vm->init_pid = init->pid;
}

bool vm_open(size_t memory_limit, struct err *err)
{
	struct vm *vm;

	if (!region_open(memory_limit, err))
		return false;
	vm = vm_get();
	*vm = (struct vm){.now_ns = 1, .backtrace_depth = 8, .requests_limit = 4,
			  .loop_limits = {0, LOOP_LIMIT, LOOP_LIMIT}};
	machine.heap.is_hard = getenv("FERMATA_BEAM_HARD") != NULL;
	atom_table_open(code_otp_release());
	interp_open();
	bif_open();
	set_bif_slots();
	start_init(vm);
	leader_open(vm);
	ets_open(vm);
	persistent_open(vm);
	if (code_otp_release() >= 27) /* kernel does it when it starts */
		persistent_put(vm, atom_from_string("kernel_os_cmd_shell"),
			       heap_string(process_find(vm, vm->init_pid), "/bin/sh"));
	return true;
}

void vm_close(void)
{
	child_end_all();
	region_close();
	re_cache_close();
	environment_forget_asked();
	bif_close();
	match_scratch_release();
	code_path_close();
	code_table_close();
	big_scratch_release();
	compare_release();
	atom_table_close();
	heap_settings_release();
	memset(&machine, 0, sizeof(machine));
}

void vm_wake(struct process *p)
{
	struct vm *vm = p->vm;

	if (p->is_queued)
		return;
	if (!vm->is_explored)
		profile_active(p);
	p->is_queued = true;
	p->queue_next = NULL;
	if (vm->run_last)
		vm->run_last->queue_next = p;
	else
		vm->run_first = p;
	vm->run_last = p;
}

static void unlink_queued(struct vm *vm, struct process *p)
{
	struct process **link = &vm->run_first, *before = NULL;

	while (*link && *link != p) {
		before = *link;
		link = &(*link)->queue_next;
	}
	if (!*link)
		return;
	*link = p->queue_next;
	if (vm->run_last == p)
		vm->run_last = before;
	p->is_queued = false;
}

static struct process *take_runnable(struct vm *vm)
{
	struct process *p = vm->run_first;

	if (!p)
		return NULL;
	vm->run_first = p->queue_next;
	if (!vm->run_first)
		vm->run_last = NULL;
	p->is_queued = false;
	return p;
}

struct process *vm_spawn(struct vm *vm, struct process *parent, term module, term function,
			 term args)
{
	struct process *p = process_spawn(vm, parent, module, function, args);

	vm_wake(p);
	return p;
}

/* A process that waited first takes the signals that arrived meanwhile. A process that is about to
 * end does not, because its exit reason is decided already. */
static enum step_end run_process(struct process *p)
{
	enum step_end end;
	struct vm *vm;
	term pid;

	if (p->trace_flags && !p->vm->is_explored)
		trace_turn(p, "in");
	if (p->signals.first && p->status != PROCESS_EXITING && p->ip != interp_process_end)
		signals_take(p);
	machine.running.process = p;
	vm = p->vm;
	pid = p->is_system ? TERM_NONE : p->pid;
	end = interp_run(p);
	if (!vm->is_explored && end == STEP_WAITING)
		profile_inactive(p);
	else if (!vm->is_explored && end == STEP_ENDED)
		profile_ended(vm, pid);
	if (end != STEP_ENDED && end != STEP_STOPPED && p->trace_flags && !p->vm->is_explored)
		trace_turn(p, "out");
	return end;
}

enum { LIMIT_NONE, LIMIT_MEMORY, LIMIT_TIME };

/* Passing a limit ends the run here. The state it leaves is good only for a restore. */
static void leave_run(void)
{
	machine.running.limit = LIMIT_MEMORY;
	longjmp(machine.running.leave, 1);
}

void vm_interrupt(const char *why)
{
	sigset_t blocked;

	if (!machine.running.is_inside || mem_is_busy())
		return;
	machine.running.is_inside = 0;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &blocked, NULL);
	machine.running.limit = LIMIT_TIME;
	machine.running.why = why;
	longjmp(machine.running.leave, 1);
}

bool vm_is_interrupted(const struct vm *vm)
{
	return vm->end == VM_UNSUPPORTED && machine.running.limit == LIMIT_TIME;
}

/* From now on region and malloc are limited, and the run can be left. */
static void enter_run(void)
{
	region_set_oom_handler(leave_run);
	mem_set_limit(region_left(), leave_run);
	machine.running.limit = LIMIT_NONE;
	machine.running.is_inside = 1;
}

static void end_run(void)
{
	machine.running.is_inside = 0;
	mem_set_limit(0, NULL);
}

/* The run was left by leave_run() or vm_interrupt(). */
static void end_at_limit(struct vm *vm)
{
	const struct process *p = machine.running.process;
	struct code_place place;
	struct strbuf text = {0};

	end_run();
	if (machine.running.limit == LIMIT_MEMORY) {
		vm->end = VM_OUT_OF_MEMORY;
		return;
	}
	vm->end = VM_RUNNING;
	if (p && code_find_place(p->ip, &place)) {
		print_atom(place.module, &text);
		strbuf_addc(&text, ':');
		print_atom(place.function, &text);
		strbuf_addf(&text, "/%u", place.arity);
	}
	vm_unsupported(vm, "%sa call has not come back%s%s", machine.running.why,
		       text.len ? " to " : "", strbuf_text(&text));
	strbuf_release(&text);
}

/* System processes answer at once: their work belongs to the step of the process that asked. */
static void run_system_processes(struct vm *vm)
{
	struct process *p = vm->run_first;

	while (p && vm->end == VM_RUNNING) {
		if (!p->is_system) {
			p = p->queue_next;
			continue;
		}
		unlink_queued(vm, p);
		if (vm->is_explored)
			system_begin(p);
		run_process(p);
		p = vm->run_first;
	}
}

/* ---- turns ---- */

/* Calls take no virtual time, except that a process that never waits must not keep timers waiting
 * for ever. This is about the time that the real VM needs for a turn. */
enum { TURN_NS = 40000 };

static bool is_timer_due(struct vm *vm)
{
	struct timer *timer = timer_first(vm);

	return timer && vm->busy_turns * TURN_NS >= timer_left(vm, timer);
}

bool vm_count_turn(struct vm *vm, const struct process *p)
{
	uint64_t max = vm->turns_max;

	vm->turns++;
	vm->busy_turns++;
	if (max && vm->turns > max) {
		err_set(&vm->err, "a process makes calls without end and takes no step that other "
			"processes could notice");
		vm->end = VM_ENDLESS;
		return true;
	}
	return !vm->is_explored && !p->is_system && (vm->run_first || is_timer_due(vm));
}

enum step_end vm_step(struct vm *vm, struct process *p)
{
	enum step_end end;

	if (setjmp(machine.running.leave)) {
		end_at_limit(vm);
		return STEP_STOPPED;
	}
	enter_run();
	unlink_queued(vm, p);
	vm->turns = 0;
	vm->stepper = p->pid;
	/* A new process has announced nothing yet. */
	p->may_act = p->announced.effect != EFFECT_NONE;
	end = run_process(p);
	if (vm->end == VM_RUNNING)
		run_system_processes(vm);
	end_run();
	return vm->end == VM_RUNNING || end == STEP_ENDED ? end : STEP_STOPPED;
}

void vm_serve(struct vm *vm)
{
	if (setjmp(machine.running.leave)) {
		end_at_limit(vm);
		return;
	}
	enter_run();
	vm->turns = 0;
	vm->stepper = TERM_NONE;
	run_system_processes(vm);
	end_run();
}

static void fire_first(struct vm *vm)
{
	vm->busy_turns = 0;
	timer_fire(vm, timer_first(vm));
}

enum vm_end vm_run(struct vm *vm)
{
	if (setjmp(machine.running.leave)) {
		end_at_limit(vm);
		return vm->end;
	}
	enter_run();
	while (vm->end == VM_RUNNING) {
		struct process *p = take_runnable(vm);

		if (p && p->suspend_count && p->status != PROCESS_EXITING) {
			profile_inactive(p);
			continue;
		}
		if (p) {
			enum step_end end = run_process(p);

			if (end == STEP_YIELDED || end == STEP_TURN)
				vm_wake(p);
			if (end == STEP_TURN && is_timer_due(vm))
				fire_first(vm);
			continue;
		}
		if (!timer_first(vm)) {
			vm->end = VM_STUCK;
			break;
		}
		profile_idle(vm, true);
		if (vm->run_first) /* who is told of it */
			continue;
		fire_first(vm);
		profile_idle(vm, false);
	}
	end_run();
	return vm->end;
}

void vm_unsupported(struct vm *vm, const char *format, ...)
{
	char text[900];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (vm->end == VM_RUNNING) {
		err_set_unsupported(&vm->err, "%s", text);
		vm->end = VM_UNSUPPORTED;
	}
}
