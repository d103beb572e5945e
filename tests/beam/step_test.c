/* Driving the VM step by step, as the explorer does: every process stops before each visible
 * operation, whatever the order of the steps, and a restore brings all of it back. The programs are
 * Erlang texts, evaluated on the VM by OTP's own erl_eval; skipped without an installed OTP. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "vm/code/code.h"
#include "vm/memory/heap.h"
#include "vm/memory/region.h"
#include "vm/process/timer.h"
#include "vm/terms/atom.h"
#include "vm/vm.h"

static bool has_otp;

static struct process *root(void)
{
	return process_find(vm_get(), vm_get()->init_pid);
}

static term call(const char *module, const char *function, term args)
{
	struct vm *vm = vm_get();

	vm->end = VM_RUNNING;
	vm->is_explored = false;
	vm->test = vm_spawn(vm, root(), atom_from_string(module), atom_from_string(function), args);
	assert_int_equal(vm_run(vm), VM_DONE);
	assert_int_equal(vm->result_class, A_ok);
	return vm->result;
}

/* The arguments of erl_eval:exprs for a text. */
static term parse_program(const char *text)
{
	struct process *p = root();
	term tokens = call("erl_scan", "string", heap_cons(p, heap_string(p, text), NIL));
	term exprs = call("erl_parse", "parse_exprs", heap_cons(p, tuple_element(tokens, 1), NIL));

	return heap_cons(p, heap_import(p, tuple_element(exprs, 1)), heap_cons(p, NIL, NIL));
}

static struct process *pick(struct vm *vm, struct rng *rng)
{
	struct process *ready[64];
	size_t n = 0;

	for (struct process *p = vm->run_first; p && n < 64; p = p->queue_next)
		ready[n++] = p;
	return n ? ready[rng_below(rng, n)] : NULL;
}

/* Runs a program under a random schedule; returns how many steps it took. */
static size_t run_steps(term args, uint64_t seed)
{
	struct vm *vm = vm_get();
	struct rng rng = rng_seeded(seed);
	size_t steps = 0;

	vm->end = VM_RUNNING;
	vm->is_explored = true;
	vm->test = vm_spawn(vm, root(), atom_from_string("erl_eval"), atom_from_string("exprs"),
			    args);
	while (vm->end == VM_RUNNING) {
		struct process *p = pick(vm, &rng);
		enum step_end end;

		if (!p) {
			assert_non_null(timer_first(vm));
			timer_fire(vm, timer_first(vm));
			continue;
		}
		end = vm_step(vm, p);
		if (end == STEP_VISIBLE || end == STEP_YIELDED)
			vm_wake(p);
		assert_true(++steps < 100000);
	}
	assert_int_equal(vm->end, VM_DONE);
	assert_int_equal(vm->result_class, A_ok);
	return steps;
}

static void check_program(const char *text, int64_t expected)
{
	term args;
	size_t first;

	if (!has_otp)
		skip();
	args = parse_program(text);
	run_steps(args, 1); /* loads all code */
	region_checkpoint();
	first = run_steps(args, 7);
	for (uint64_t seed = 0; seed < 50; seed++) {
		region_restore();
		run_steps(args, seed);
		assert_int_equal(small_value(tuple_element(vm_get()->result, 1)), expected);
	}
	region_restore();
	assert_int_equal(run_steps(args, 7), first);
	region_forget_checkpoint(); /* cmocka has a fault handler of its own */
	vm_get()->is_explored = false;
}

static void messages_in_any_order(void **state)
{
	(void)state;
	check_program("S = self(), [spawn(fun() -> S ! X end) || X <- [1,2,3,4]],"
		      "lists:sum([receive Y -> Y end || _ <- [1,2,3,4]]).", 10);
}

static void exits_monitors_and_timeouts(void **state)
{
	(void)state;
	check_program("process_flag(trap_exit, true),"
		      "P = spawn_link(fun() -> exit(4) end),"
		      "{Q, M} = spawn_monitor(fun() -> exit(5) end),"
		      "A = receive {'EXIT', P, X} -> X end,"
		      "B = receive {'DOWN', M, process, Q, Y} -> Y end,"
		      "C = receive nothing -> 0 after 1000 -> 1 end, A + B + C.", 10);
}

static void output_belongs_to_the_step(void **state)
{
	(void)state;
	check_program("{_, M} = spawn_monitor(fun() -> io:put_chars(\"\") end),"
		      "receive {'DOWN', M, _, _, normal} -> 1 end.", 1);
}

static int open_vm(void **state)
{
	(void)state;
	has_otp = code_path_add_otp(NULL, NULL);
	return vm_open((size_t)256 << 20, NULL) ? 0 : -1;
}

static int close_vm(void **state)
{
	(void)state;
	vm_close();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_in_any_order),
		cmocka_unit_test(exits_monitors_and_timeouts),
		cmocka_unit_test(output_belongs_to_the_step),
	};

	return cmocka_run_group_tests(tests, open_vm, close_vm);
}
