/* Calls of a fun whose code is not there, in a process that has an error_handler of its own, and of a fun
 * whose code is being purged: the purger decides which code will be there. */
#include "vm/code/code.h"
#include "vm/exec/exception.h"
#include "vm/machine.h"
#include "vm/memory/heap.h"
#include "vm/process/suspend.h"
#include "vm/vm.h"

static bool is_pending(const struct process *p, term fun)
{
	return code_is_purging(p->vm, fun_entry_of(fun)->image);
}

static const word *find_fun_handler(struct process *p, term fun)
{
	struct export *handler;

	if (is_pending(p, fun)) {
		handler = export_of(atom_from_string("erts_code_purger"),
				    atom_from_string("pending_purge_lambda"), 3);
		return code_resolve(p->vm, handler);
	}
	if (p->error_handler == A_error_handler ||
	    code_is_current(p->vm, fun_entry_of(fun)->module))
		return NULL;
	handler = export_of(p->error_handler, atom_from_string("undefined_lambda"), 3);
	return code_resolve(p->vm, handler);
}

bool exception_handles_fun(struct process *p, term fun, unsigned n)
{
	return term_is_local_fun(fun) && fun_entry_of(fun)->arity == n && find_fun_handler(p, fun);
}

void exception_handle_fun(struct process *p, term fun, unsigned n, const term *x)
{
	term args = heap_list(p, x, n, NIL);

	machine.running.x[0] = fun_entry_of(fun)->module;
	machine.running.x[1] = fun;
	machine.running.x[2] = args;
	p->ip = find_fun_handler(p, fun);
	if (is_pending(p, fun))
		process_suspend(process_find(p->vm, p->vm->purger), p);
}
