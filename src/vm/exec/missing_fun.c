/* Calls of a fun whose code is not there, in a process that has an error_handler of its own. */
#include "vm/code/code.h"
#include "vm/exec/exception.h"
#include "vm/machine.h"
#include "vm/memory/heap.h"

static const word *find_fun_handler(struct process *p)
{
	struct export *handler;

	if (p->error_handler == A_error_handler)
		return NULL;
	handler = export_of(p->error_handler, atom_from_string("undefined_lambda"), 3);
	return code_resolve(p->vm, handler);
}

bool exception_handles_fun(struct process *p, term fun, unsigned n)
{
	return term_is_local_fun(fun) && fun_entry_of(fun)->arity == n && find_fun_handler(p);
}

void exception_handle_fun(struct process *p, term fun, unsigned n, const term *x)
{
	term args = heap_list(p, x, n, NIL);

	machine.running.x[0] = fun_entry_of(fun)->module;
	machine.running.x[1] = fun;
	machine.running.x[2] = args;
	p->ip = find_fun_handler(p);
}
