/* on_load.h: the on_load function of a module, which is called when the module is loaded.
 *
 * It is called from a frame of its own (catch, module, the function to call afterwards and its
 * arguments) and returns to one instruction, on_load_done. If it returned `ok`, the module is
 * complete and the call that caused the loading goes on. If it returned anything else or raised,
 * the module is removed again.
 */
#ifndef VM_CODE_ON_LOAD_H
#define VM_CODE_ON_LOAD_H

#include "vm/code/code.h"

/* Goes to the module's on_load function. Afterwards the given function is called with the n
 * arguments in x; or, with function NIL, {module, M} is returned. */
void on_load_enter(struct process *p, struct module *module, term function, term const *x,
		   unsigned n);
/* The same with any code that returns ok, for a module of that name. */
void on_load_enter_code(struct process *p, const word *code, term module, term function,
			term const *x, unsigned n);
void on_load_finish(struct process *p, term result);

#endif
