/* Two machines in one process: each has its own region, atoms, code, search path, settings and
 * checkpoint, and neither sees anything of the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "vm/bifs/open_file.h"
#include "vm/machine.h"

enum { MACHINES = 2 };

static bool has_otp;
static struct parked_machine *parked[MACHINES];
static char output[MACHINES][64]; /* text that each machine wrote */

static void keep_output(void *ctx, int stream, const char *text, size_t len)
{
	char *to = ctx;

	(void)stream;
	snprintf(to + strlen(to), 64 - strlen(to), "%.*s", (int)len, text);
}

static struct process *root(void)
{
	return process_find(vm_get(), vm_get()->init_pid);
}

static struct vm *run(const char *module, const char *function, term args)
{
	struct vm *vm = vm_get();

	vm->end = VM_RUNNING;
	vm->test = vm_spawn(vm, root(), atom_from_string(module), atom_from_string(function), args);
	assert_int_equal(vm_run(vm), VM_DONE);
	return vm;
}

static term call(const char *module, const char *function, term args)
{
	struct vm *vm = run(module, function, args);

	assert_int_equal(vm->result_class, A_ok);
	return vm->result;
}

/* Parses and evaluates an Erlang text on the entered machine. */
static term evaluate(const char *text)
{
	struct process *p = root();
	term tokens = call("erl_scan", "string", heap_cons(p, heap_string(p, text), NIL));
	term exprs = call("erl_parse", "parse_exprs", heap_cons(p, tuple_element(tokens, 1), NIL));
	term args = heap_cons(p, heap_import(p, tuple_element(exprs, 1)), heap_cons(p, NIL, NIL));

	return tuple_element(call("erl_eval", "exprs", args), 1);
}

static bool knows_atom(const char *text)
{
	return atom_find_existing(text, strlen(text)) != TERM_NONE;
}

/* ---- entering and leaving ---- */

static void enter(unsigned i)
{
	machine_enter(parked[i]);
	parked[i] = NULL;
}

static void leave(unsigned i)
{
	parked[i] = machine_leave(NULL);
	assert_non_null(parked[i]);
	assert_false(machine.region.is_open);
}

static void open_machine(unsigned i)
{
	output[i][0] = 0;
	leader_set_output(keep_output, output[i]);
	has_otp = code_path_add_otp(NULL, NULL);
	assert_true(vm_open((size_t)256 << 20, NULL));
	leave(i);
}

static int open_both(void **state)
{
	(void)state;
	for (unsigned i = 0; i < MACHINES; i++)
		open_machine(i);
	return 0;
}

static int close_both(void **state)
{
	(void)state;
	for (unsigned i = 0; i < MACHINES; i++) {
		enter(i);
		vm_close();
	}
	return 0;
}

/* ---- the tests ---- */

static void atoms_are_apart(void **state)
{
	static const char *const own[MACHINES] = {"only_in_the_first", "only_in_the_second"};
	term atoms[MACHINES];

	(void)state;
	for (unsigned i = 0; i < MACHINES; i++) {
		enter(i);
		atoms[i] = atom_from_string(own[i]);
		leave(i);
	}
	/* The next free number was the same in both, so one number has two meanings. */
	assert_int_equal(atoms[0], atoms[1]);
	for (unsigned i = 0; i < MACHINES; i++) {
		enter(i);
		assert_string_equal(atom_text(atoms[i]), own[i]);
		assert_true(knows_atom(own[i]));
		assert_false(knows_atom(own[!i]));
		leave(i);
	}
}

static void settings_and_paths_are_apart(void **state)
{
	(void)state;
	enter(0);
	code_path_add("/only/in/the/first");
	open_file_allow_writing(true);
	compare_set_zeros_differ(true);
	leave(0);
	enter(1);
	for (size_t i = 0; i < code_path_len(); i++)
		assert_string_not_equal(code_path_dir(i), "/only/in/the/first");
	assert_false(open_file_may_write());
	assert_false(machine.compare.zeros_differ);
	leave(1);
	enter(0);
	assert_string_equal(code_path_dir(0), "/only/in/the/first");
	assert_true(open_file_may_write());
	leave(0);
}

/* State that runs make: names, tables, process dictionary, output. */
static void runs_alternate(void **state)
{
	char text[200];

	(void)state;
	if (!has_otp)
		skip();
	for (unsigned i = 0; i < MACHINES; i++) {
		enter(i);
		evaluate("P = spawn(fun() -> T = ets:new(kept, [named_table, public]),"
			 "ets:insert(T, {n, 0}), receive stop -> ok end end),"
			 "register(keeper, P), erlang:yield(), P.");
		leave(i);
	}
	for (int round = 1; round <= 20; round++) {
		for (unsigned i = 0; i < MACHINES; i++) {
			enter(i);
			snprintf(text, sizeof(text), "ets:update_counter(kept, n, %u).", i + 1);
			assert_int_equal(small_value(evaluate(text)), round * (int)(i + 1));
			leave(i);
		}
	}
	enter(1);
	evaluate("keeper ! stop, erlang:yield(), io:put_chars(\"two\").");
	assert_int_equal(evaluate("whereis(keeper)."), A_undefined);
	leave(1);
	enter(0);
	assert_true(term_is_pid(evaluate("whereis(keeper).")));
	leave(0);
	assert_string_equal(output[0], "");
	assert_string_equal(output[1], "two");
}

/* Writes the module m with f() -> value into a new folder, compiled on the entered machine. */
static void write_module(char *dir, int value)
{
	char text[700];

	assert_non_null(mkdtemp(dir));
	open_file_allow_writing(true);
	snprintf(text, sizeof(text),
		 "{ok, m, B} = compile:forms([{attribute,1,module,m},{attribute,1,export,[{f,0}]},"
		 "{function,1,f,0,[{clause,1,[],[],[{integer,1,%d}]}]}]), file:write_file("
		 "\"%s/m.beam\", B).", value, dir);
	assert_int_equal(evaluate(text), A_ok);
	code_path_add(dir);
}

static void remove_module(const char *dir)
{
	char path[100];

	snprintf(path, sizeof(path), "%s/m.beam", dir);
	unlink(path);
	rmdir(dir);
}

static void code_is_apart(void **state)
{
	char dirs[MACHINES][40] = {"/tmp/fermata-first-XXXXXX", "/tmp/fermata-second-XXXXXX"};
	struct vm *vm;

	(void)state;
	if (!has_otp)
		skip();
	enter(0);
	write_module(dirs[0], 11);
	assert_int_equal(small_value(call("m", "f", NIL)), 11);
	leave(0);
	enter(1);
	vm = run("m", "f", NIL);
	assert_int_equal(vm->result_class, A_error); /* undef: not on this machine's path */
	assert_null(code_find_module(vm, atom_from_string("m")));
	write_module(dirs[1], 22);
	for (int round = 0; round < 3; round++) {
		assert_int_equal(small_value(call("m", "f", NIL)), 22);
		leave(1);
		enter(0);
		assert_int_equal(small_value(call("m", "f", NIL)), 11);
		leave(0);
		enter(1);
	}
	leave(1);
	for (unsigned i = 0; i < MACHINES; i++)
		remove_module(dirs[i]);
}

/* A machine that is left keeps its checkpoint: protected pages, saved pages and fault handler. */
static void checkpoints_are_apart(void **state)
{
	char *blocks[MACHINES];

	(void)state;
	for (unsigned i = 0; i < MACHINES; i++) {
		enter(i);
		blocks[i] = region_alloc(100000);
		memset(blocks[i], 'a' + (int)i, 100000);
		region_checkpoint();
		blocks[i][50000] = '!';
		leave(i);
	}
	for (int round = 0; round < 3; round++) {
		for (unsigned i = 0; i < MACHINES; i++) {
			enter(i);
			assert_int_equal(blocks[i][50000], '!');
			blocks[i][round * 20000] = '?'; /* a page that was not written before */
			region_restore();
			for (size_t at = 0; at < 100000; at++)
				assert_int_equal(blocks[i][at], 'a' + (int)i);
			blocks[i][50000] = '!';
			leave(i);
		}
	}
	for (unsigned i = 0; i < MACHINES; i++) {
		enter(i);
		region_forget_checkpoint(); /* cmocka has a fault handler of its own */
		leave(i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(atoms_are_apart, open_both, close_both),
		cmocka_unit_test_setup_teardown(settings_and_paths_are_apart, open_both,
						close_both),
		cmocka_unit_test_setup_teardown(runs_alternate, open_both, close_both),
		cmocka_unit_test_setup_teardown(code_is_apart, open_both, close_both),
		cmocka_unit_test_setup_teardown(checkpoints_are_apart, open_both, close_both),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
