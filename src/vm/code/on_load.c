#include "vm/code/on_load.h"

#include "vm/bifs/bif.h"
#include "vm/exec/exception.h"
#include "vm/exec/interp.h"
#include "vm/machine.h"
#include "vm/memory/heap.h"
#include "vm/process/signal.h"
#include "vm/vm.h"

enum { SLOT_CP, SLOT_CATCH, SLOT_MODULE, SLOT_FUNCTION, SLOT_ARGS, FRAME_WORDS };

void on_load_enter(struct process *p, struct module *module, term function, term const *x,
		   unsigned n)
{
	module->is_on_load_pending = false;
	module->on_load_runner = p->pid;
	on_load_enter_code(p, module->current->on_load, module->name, function, x, n);
}

void on_load_enter_code(struct process *p, const word *code, term name, term function,
			term const *x, unsigned n)
{
	term args;

	if ((size_t)(p->e - p->htop) < FRAME_WORDS)
		heap_collect(p, FRAME_WORDS, machine.running.x, n);
	p->e -= FRAME_WORDS;
	p->e[SLOT_CP] = (term)p->cp;
	p->e[SLOT_CATCH] = catch_make(interp_on_load);
	p->e[SLOT_MODULE] = name;
	p->e[SLOT_FUNCTION] = function;
	p->e[SLOT_ARGS] = NIL;
	args = heap_list(p, x, n, NIL);
	p->e[SLOT_ARGS] = args;
	p->cp = interp_on_load;
	p->ip = code;
}

term code_run_on_load(struct process *p, struct module *module)
{
	p->trap_module = module->name;
	p->outcome = OUTCOME_ON_LOAD;
	return TERM_NONE;
}

static void go_on_with_call(struct process *p, term module, term function, term args)
{
	unsigned n = 0;
	struct export *export;

	for (; term_is_cons(args); args = cons_tail(args))
		machine.running.x[n++] = cons_head(args);
	export = export_find(module, function, n);
	if (export && *export_slot(export->number))
		p->ip = *export_slot(export->number);
	else
		exception_undef(p, module, function, n, machine.running.x);
}

/* on_load_enter_code also runs code for modules that have no on_load function. */
static void settle_module(struct vm *vm, term name, bool is_good)
{
	struct module *module = code_find_module(vm, name);

	if (!is_good)
		code_revert(vm, name);
	else if (module && module->current && module->on_load_runner)
		code_make_callable(module);
	if (module)
		module->on_load_runner = 0;
}

void on_load_finish(struct process *p, term result)
{
	term module = p->e[SLOT_MODULE], function = p->e[SLOT_FUNCTION], args = p->e[SLOT_ARGS];

	p->cp = (const word *)p->e[SLOT_CP];
	p->e += FRAME_WORDS;
	settle_module(p->vm, module, result == A_ok);
	if (function != NIL) {
		go_on_with_call(p, module, function, args);
		return;
	}
	machine.running.x[0] = result == A_ok ? heap_tuple2(p, A_module, module)
				 : heap_tuple2(p, A_error, A_on_load_failure);
	p->ip = p->cp;
	p->cp = NULL;
}

/* ---- who runs old code ---- */

static bool is_inside(const struct code_image *image, const word *address)
{
	return address >= image->words && address < image->words + image->words_len;
}

static bool runs_image(const struct process *p, const struct code_image *image)
{
	if (is_inside(image, p->ip) || is_inside(image, p->cp))
		return true;
	for (const term *slot = p->e; slot < p->hend; slot++)
		if (term_is_header(*slot) && is_inside(image, (const word *)*slot))
			return true;
	return false;
}

bool code_runs_old(struct vm *vm, term pid, term name)
{
	struct module *module = code_find_module(vm, name);
	struct process *p = process_find(vm, pid);

	return p && module && module->old && runs_image(p, module->old);
}

bool code_is_old_used(struct vm *vm, term name)
{
	struct module *module = code_find_module(vm, name);

	if (!module || !module->old)
		return false;
	for (struct process *p = vm->first_process; p; p = p->all_next)
		if (runs_image(p, module->old))
			return true;
	return false;
}

bool code_kill_users(struct process *p, term name)
{
	struct module *module = code_find_module(p->vm, name);
	bool killed = false;

	if (!module || !module->old)
		return false;
	for (struct process *of = p->vm->first_process; of; of = of->all_next) {
		if (of == p || !runs_image(of, module->old))
			continue;
		signal_exit(p->vm, p->pid, of->pid, A_kill, false);
		killed = true;
	}
	code_purge(p->vm, name);
	return killed;
}
