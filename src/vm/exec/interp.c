#include "vm/exec/interp.h"

#include "vm/exec/ops.h"

/* The families of instructions are parts of this file and need ops.h before them. */
#include "vm/exec/ops_trace.h" /* which the others use */
#include "vm/exec/ops_arith.h"
#include "vm/exec/ops_build.h"
#include "vm/exec/ops_calls.h"
#include "vm/exec/ops_leave.h" /* behind the calls */
#include "vm/exec/ops_data.h"
#include "vm/exec/ops_exceptions.h"
#include "vm/exec/ops_floats.h"
#include "vm/exec/ops_maps.h"
#include "vm/exec/ops_match.h"
#include "vm/exec/ops_messages.h"
#include "vm/exec/ops_system.h"
#include "vm/exec/ops_tests.h"

const void *interp_labels[SPEC_COUNT];

word interp_normal_exit[1];
word interp_process_end[1];
word interp_apply_jump[2];
word interp_unsound[1];
word interp_leader[4];
word interp_on_load[1];
word interp_boot[4];
word interp_boot_wait[1];
word interp_one_step_return[1];
word interp_trace_return[1];
word interp_trace_raise[2];

/* Saves the arguments and describes the operation. Always true: the interpreter loop must be
 * left. */
bool stop_and_announce(struct process *p, enum effect effect, unsigned live, unsigned bif)
{
	process_save_x(p, live);
	p->announced = (struct announced){
		.effect = (uint16_t)effect, .bif = bif,
		.args = p->saved_x, .args_len = (uint16_t)live};
	return true;
}

const word *stop_unsound(struct process *p, const word *ip)
{
	p->ip = ip;
	return interp_unsound;
}

/* The calls of the turn that ends, for process_info(reductions). A search does not count them,
 * because the state of a process must not depend on how its turns were cut. */
static void count_calls(struct process *p)
{
	if (!p->vm->is_explored && p->fuel > 1 - TURN_CALLS && p->fuel <= TURN_CALLS)
		p->calls += (uint64_t)(TURN_CALLS - p->fuel);
}

/* p has used up its fuel at the entry of a function, or its calls are traced. In `beam run` it goes on at once when no other
 * process can run; under exploration the turns of a step are counted. */
bool end_turn(struct process *p, bool is_remote)
{
	if (unlikely(p->vm->trace != NULL) && trace_watches(p)) {
		p->fuel = 1;
		if (trace_call(p, is_remote))
			return true;
		if (--p->trace_calls > 0)
			return false;
		p->trace_calls = TURN_CALLS;
	} else {
		count_calls(p);
		p->fuel = TURN_CALLS;
	}
	if (p->is_too_large || p->is_large) {
		heap_limit_act(p);
		if (p->ip == interp_process_end)
			return false;
	}
	/* Nothing else collects in a loop whose only allocations are those of native functions. */
	if (p->fragments && !p->is_probe)
		heap_collect(p, 0, machine.running.x, entry_arity(p->ip));
	if (!vm_count_turn(p->vm, p))
		return false;
	process_save_x(p, entry_arity(p->ip));
	return true;
}

bool bif_outcome(struct regs *r, const struct bif *bif, const word *next)
{
	struct process *p = r->p;
	struct export *export;

	load(r);
	switch (p->outcome) {
	case OUTCOME_TRAP:
		export = export_of(p->trap_module, p->trap_function, p->trap_arity);
		/* A call followed by a return does not need a frame: the new call returns to p's
		 * caller. */
		r->cp = next;
		if (next[0] == (word)interp_labels[SPEC_return])
			r->cp = p->cp;
		return go_export(r, export_slot(export->number));
	case OUTCOME_ON_LOAD:
		r->cp = next[0] == (word)interp_labels[SPEC_return] ? p->cp : next;
		save(r);
		on_load_enter(p, code_find_module(p->vm, p->trap_module), NIL, r->x, 0);
		load(r);
		return false;
	case OUTCOME_WAIT:
		process_save_x(p, bif->arity);
		p->status = PROCESS_WAITING;
		r->end = STEP_WAITING;
		return true;
	case OUTCOME_YIELD:
		/* The announced step has been taken. Else vm_step() would let the process take its
		 * next one, too, before others could go. */
		p->announced.effect = EFFECT_NONE;
		r->ip = next;
		save(r);
		r->x[0] = A_true;
		process_save_x(p, 1);
		r->end = STEP_YIELDED;
		return true;
	case OUTCOME_COLLECT:
		r->ip = next;
		r->x[0] = A_true;
		save(r);
		heap_collect(p, 0, r->x, 1);
		p->old_words = 0;
		if (p->is_too_large || p->is_large)
			heap_limit_act(p);
		load(r);
		return false;
	case OUTCOME_RETRY:
		process_save_x(p, bif->arity);
		r->end = STEP_YIELDED;
		return true;
	case OUTCOME_STOP:
		r->end = p->vm->end == VM_RUNNING ? STEP_ENDED : STEP_STOPPED;
		return true;
	case OUTCOME_EXITED:
		load(r); /* ip is the code that ends a process */
		return false;
	default:
		if (p->vm->note_result && bif_is_visible(bif))
			p->vm->note_result(p->vm->note_ctx, bif, TERM_NONE);
		exception_from_bif(p, bif, r->x);
		exception_raise(p);
		load(r);
		return false;
	}
}

#define FLOW_NEXT(name)                                                        \
	op_##name(&r);                                                         \
	goto *(const void *)r.ip[0];
#define FLOW_STOP(name)                                                        \
	if (op_##name(&r))                                                     \
		goto leave;                                                    \
	goto *(const void *)r.ip[0];

/* The loop. interp_open calls it once with NULL to get the addresses of the handlers. */
static enum step_end run_loop(struct process *p)
{
	struct regs r = {.p = p, .x = machine.running.x};

	if (!p) {
#define OP(name, source, flow, doc) interp_labels[SPEC_##name] = &&L_##name;
#include "vm/exec/ops.def"
#undef OP
		return STEP_ENDED;
	}
	load(&r);
	goto *(const void *)r.ip[0];
#define OP(name, source, flow, doc) L_##name: FLOW_##flow(name)
#include "vm/exec/ops.def"
#undef OP
leave:
	return r.end;
}

void interp_open(void)
{
	run_loop(NULL);
	interp_normal_exit[0] = (word)interp_labels[SPEC_normal_exit];
	interp_process_end[0] = (word)interp_labels[SPEC_process_end];
	interp_apply_jump[0] = (word)interp_labels[SPEC_apply_mfa];
	interp_apply_jump[1] = 1;
	interp_unsound[0] = (word)interp_labels[SPEC_unsound];
	interp_on_load[0] = (word)interp_labels[SPEC_on_load_done];
	interp_boot_wait[0] = (word)interp_labels[SPEC_boot_wait];
	interp_one_step_return[0] = (word)interp_labels[SPEC_atomic_return];
	interp_trace_return[0] = (word)interp_labels[SPEC_trace_return];
	interp_trace_raise[0] = (word)interp_labels[SPEC_trace_exception];
	interp_trace_raise[1] = (word)interp_labels[SPEC_trace_raise_again];
	interp_boot[0] = (word)interp_labels[SPEC_boot_next];
	interp_boot[1] = (word)interp_labels[SPEC_apply_mfa];
	interp_boot[2] = 0;
	interp_boot[3] = (word)interp_labels[SPEC_boot_done];
	interp_leader[0] = (word)interp_labels[SPEC_leader_take];
	interp_leader[1] = (word)interp_labels[SPEC_apply_mfa];
	interp_leader[2] = 0;
	interp_leader[3] = (word)interp_labels[SPEC_leader_reply];
}

enum step_end interp_run(struct process *p)
{
	if (p->saved_len)
		memcpy(machine.running.x, p->saved_x, p->saved_len * sizeof(term));
	p->saved_len = 0;
	if (p->status == PROCESS_WAITING)
		p->status = PROCESS_RUNNABLE;
	p->is_ready = false;
	p->trace_calls = TURN_CALLS;
	count_calls(p);
	p->fuel = unlikely(p->vm->trace != NULL) && trace_watches(p) ? 1 : TURN_CALLS;
	machine.running.traces_natives = p->vm->trace && p->vm->trace->has_natives;
	if (unlikely(p->trace_live != 0) && trace_resume(p))
		return STEP_VISIBLE;
	return run_loop(p);
}
