#include "beam/boot.h"

#include "base/bug.h"
#include "beam/atom.h"
#include "beam/code.h"
#include "beam/ets.h"
#include "beam/heap.h"
#include "beam/interp.h"

static const char *const boot_names[] = {"application_controller", "kernel_sup", "kernel_safe_sup"};

/* vm->boot: 0 not begun, else one more than the calls made; BOOT_DONE at the end. */
enum { BOOT_DONE = 100 };

static bool is_boot_name(term name)
{
	for (size_t i = 0; i < sizeof(boot_names) / sizeof(*boot_names); i++)
		if (strcmp(atom_text(name), boot_names[i]) == 0)
			return true;
	return false;
}

static void start_boot(struct process *p)
{
	struct vm *vm = p->vm;
	struct process *init = process_find(vm, vm->init_pid);
	struct process *boot = process_spawn(vm, init, A_init, A_boot, NIL);

	boot->is_system = true;
	boot->e -= 1;
	boot->e[0] = (term)interp_normal_exit;
	boot->ip = interp_boot;
	boot->saved_len = 0;
	vm->boot = 1;
	vm_wake(boot);
}

bool boot_must_wait(struct process *p, term name)
{
	if (p->vm->boot == BOOT_DONE || p->is_system || !is_boot_name(name))
		return false;
	if (!p->vm->boot)
		start_boot(p);
	return true;
}

/* {application, kernel, [{vsn, "x"}, {applications, []}, {env, []}]}: a library, so that it counts as
 * started although none of its processes is. */
static term kernel_spec(struct process *p)
{
	term version = heap_tuple2(p, atom_from_string("vsn"), heap_string(p, "0"));
	term applications = heap_tuple2(p, atom_from_string("applications"), NIL);
	term env = heap_tuple2(p, A_env, NIL);
	term keys = heap_cons(p, version, heap_cons(p, applications, heap_cons(p, env, NIL)));

	return heap_tuple3(p, A_application, atom_from_string("kernel"), keys);
}

static void set_call(const char *module, const char *function, term args)
{
	vm_x[0] = atom_from_string(module);
	vm_x[1] = atom_from_string(function);
	vm_x[2] = args;
}

static term list1(struct process *p, term a)
{
	return heap_cons(p, a, NIL);
}

bool boot_next(struct process *p)
{
	term kernel = atom_from_string("kernel"), name;

	if (p->fragments)
		heap_collect(p, 512, vm_x, 0);
	switch (p->vm->boot++) {
	case 1:
		set_call("application_controller", "start", list1(p, kernel_spec(p)));
		return true;
	case 2:
		set_call("application", "start", list1(p, kernel));
		return true;
	case 3:
		set_call("application", "start", list1(p, atom_from_string("stdlib")));
		return true;
	case 4:
		name = heap_tuple2(p, A_local, atom_from_string("kernel_sup"));
		set_call("supervisor", "start_link",
			 heap_cons(p, name, heap_cons(p, kernel, list1(p, A_safe))));
		return true;
	default:
		p->vm->boot = BOOT_DONE;
		return false;
	}
}
