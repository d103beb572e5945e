/* on_load.h: the function a module wants run when it is loaded.
 *
 * It is called from a frame of its own (catch, module, what to call afterwards and its
 * arguments) and returns to one instruction, on_load_done: with `ok` the load is complete and the
 * call that caused it goes on; anything else, or an exception, takes the module away again.
 */
#ifndef VM_CODE_ON_LOAD_H
#define VM_CODE_ON_LOAD_H

#include "vm/code/code.h"

/* Goes to the module's on_load function; afterwards to function with the n arguments in x, or
 * (function NIL) returns {module, M}. */
void on_load_enter(struct process *p, struct module *module, term function, term const *x,
		   unsigned n);
/* The same with any code that returns ok, for a module of that name. */
void on_load_enter_code(struct process *p, const word *code, term module, term function,
			term const *x, unsigned n);
void on_load_finish(struct process *p, term result);

#endif
