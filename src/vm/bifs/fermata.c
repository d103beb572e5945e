/* The module fermata: native functions for the modules of src/vm/erlang, and annotations. */
#include "vm/bifs/bif.h"
#include "vm/vm.h"

/* The ancestors of the test only wait for its end, so they are not explored. */
static void set_ancestors_aside(struct process *p)
{
	struct process *above = process_find(p->vm, p->parent);

	for (; above && above->pid != p->vm->init_pid; above = process_find(p->vm, above->parent))
		above->is_system = above->is_aside = true;
}

/* The set-up is over and the calling process is the test: the machine stops right here, and
 * goes on behind this call when it is run again. args[0]: whether anything was set up. */
term bif_fermata_begin_test_1(struct process *p, const term *args)
{
	struct vm *vm = p->vm;

	if (vm->is_explored)
		return A_true;
	if (vm->test)
		vm->test->is_test = false;
	vm->test = p;
	vm->result = args[0];
	p->is_test = true;
	set_ancestors_aside(p);
	vm->end = VM_AT_TEST;
	return bif_yield(p);
}

/* The body of the test has returned. */
term bif_fermata_end_test_0(struct process *p, const term *args)
{
	p->is_test = false;
	return A_true;
}

/* The caller keeps its tables and links, but does not take part in the test any more. */
term bif_fermata_end_setup_0(struct process *p, const term *args)
{
	struct vm *vm = p->vm;

	if (vm->is_explored)
		return A_true;
	p->is_system = p->is_aside = true;
	p->is_test = false;
	vm->test = NULL;
	vm->end = VM_AT_TEST;
	return bif_yield(p);
}

/* Whether the function is native here. erlang:is_builtin/3 says whether it is on the real machine. */
term bif_fermata_is_native_3(struct process *p, const term *args)
{
	if (!term_is_atom(args[0]) || !term_is_atom(args[1]) || !term_is_small(args[2]))
		return bif_badarg(p);
	return atom_from_bool(small_value(args[2]) >= 0 && small_value(args[2]) <= 255 &&
			      bif_find(args[0], args[1], (unsigned)small_value(args[2])) != NULL);
}

/* Whether the program is being explored. */
term bif_fermata_is_explored_0(struct process *p, const term *args)
{
	return atom_from_bool(p->vm->is_explored);
}
