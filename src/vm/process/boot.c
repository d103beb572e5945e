#include "vm/process/boot.h"

#include "base/bug.h"
#include "vm/code/code.h"
#include "vm/code/on_load.h"
#include "vm/exec/exception.h"
#include "vm/exec/interp.h"
#include "vm/machine.h"
#include "vm/memory/heap.h"
#include "vm/process/signal.h"
#include "vm/terms/atom.h"

static const char *const boot_names[] = {"application_controller", "kernel_sup", "kernel_safe_sup",
					"file_server_2", "global_name_server", "logger",
					"logger_sup", "logger_handler_watcher",
					"logger_proxy", "rex"};
/* Fewer programs need these, so they are started by themselves. */
static const char *const later_names[] = {"init", "code_server", "erl_signal_server",
					 "kernel_refc", "global_group", "erts_code_purger"};

/* vm->boot: 0 not begun, else one more than the calls made; BOOT_DONE when the first group of
 * processes has started, BOOT_ALL when both have. */
enum { BOOT_DONE = 100, BOOT_ALL = 200 };

static bool is_boot_name(term name)
{
	for (size_t i = 0; i < sizeof(boot_names) / sizeof(*boot_names); i++)
		if (strcmp(atom_text(name), boot_names[i]) == 0)
			return true;
	return false;
}

static bool is_later_name(term name)
{
	for (size_t i = 0; i < sizeof(later_names) / sizeof(*later_names); i++)
		if (strcmp(atom_text(name), later_names[i]) == 0)
			return true;
	return false;
}

uint32_t boot_number(term name)
{
	enum { FIRST = sizeof(boot_names) / sizeof(*boot_names),
	       LATER = sizeof(later_names) / sizeof(*later_names) };

	_Static_assert(FIRST + LATER < BOOT_NAMES, "room for all names and one more");
	for (uint32_t i = 0; name != TERM_NONE && i < FIRST + LATER; i++)
		if (strcmp(atom_text(name), i < FIRST ? boot_names[i]
						      : later_names[i - FIRST]) == 0)
			return i;
	return BOOT_NAMES - 1;
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
	vm->boot++;
	vm->boot_pid = boot->pid;
	vm_wake(boot);
}

void boot_note_absence(struct process *p, term name)
{
	static const char *const absent[] = {
		"erl_prim_loader", "erts_code_purger", "error_logger", "inet_db",
		"logger_std_h_default", "socket_registry", "standard_error",
		"standard_error_sup", "user", "user_drv",
		"net_kernel", "net_sup", "auth", "timer_server"};

	for (size_t i = 0; i < sizeof(absent) / sizeof(*absent); i++)
		if (strcmp(atom_text(name), absent[i]) == 0)
			p->vm->relied_on |= RELIED_ON_ABSENCE;
}

void boot_need(struct process *p, term name)
{
	static const char *const of_every_node[] = {
		"erl_prim_loader", "erts_code_purger", "inet_db", "logger_std_h_default",
		"socket_registry", "standard_error_sup"};

	boot_note_absence(p, name);
	for (size_t i = 0; i < sizeof(of_every_node) / sizeof(*of_every_node) && !p->is_system; i++)
		if (strcmp(atom_text(name), of_every_node[i]) == 0)
			vm_unsupported(p->vm, "not supported: the system process %s",
				       of_every_node[i]);
}

bool boot_begins_with(const struct process *p, term name)
{
	if (p->is_system || p->vm->boot == BOOT_ALL)
		return false;
	if (p->vm->is_explored && strcmp(atom_text(name), "erts_code_purger") == 0)
		return false; /* it suspends processes between two steps */
	return is_later_name(name) || (p->vm->boot != BOOT_DONE && is_boot_name(name));
}

/* Starts the system processes if this is the name of one that has not been started. */
static bool start_for(struct process *p, term name)
{
	if (!boot_begins_with(p, name))
		return false;
	p->vm->boots_later = p->vm->boots_later || is_later_name(name);
	if (!p->vm->boot || p->vm->boot == BOOT_DONE)
		start_boot(p);
	return true;
}

bool boot_must_wait(struct process *p, term name)
{
	p->waits_for_boot = start_for(p, name);
	return p->waits_for_boot;
}

/* The message waits in the mailbox of the process that starts the others. */
bool boot_send(struct process *p, term name, term content)
{
	struct process *boot;

	if (!start_for(p, name))
		return false;
	boot = process_find(p->vm, p->vm->boot_pid);
	signal_message(boot, heap_tuple3(p, A_boot, name, content), p->pid);
	return true;
}

bool boot_is_needed_for(struct vm *vm, term module)
{
	return !boot_is_done(vm) && strcmp(atom_text(module), "global") == 0;
}

void boot_enter(struct process *p, term module, term function, const term *x, unsigned n)
{
	const word *code = interp_boot_wait;

	if (p->is_system) { /* p belongs to the start itself */
		struct export *export = export_of(module, function, n);

		code_load_module(p->vm, module, NULL);
		if (*export_slot(export->number))
			p->ip = *export_slot(export->number);
		else
			exception_undef(p, module, function, n, x);
		return;
	}
	code_load_module(p->vm, module, NULL);
	if (!p->vm->boot)
		start_boot(p);
	p->waits_for_boot = true;
	on_load_enter_code(p, code, module, function, x, n);
}

bool boot_is_done(const struct vm *vm)
{
	return vm->boot == BOOT_DONE || vm->boot == BOOT_ALL;
}

static void wake_waiters(struct vm *vm)
{
	for (struct process *p = vm->first_process; p; p = p->all_next) {
		if (!p->waits_for_boot)
			continue;
		p->waits_for_boot = false;
		vm_wake(p);
	}
}

/* {application, kernel, [{vsn, "x"}, {applications, []}, {env, []}]}: a library, which
 * counts as started although it has no processes. */
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
	machine.running.x[0] = atom_from_string(module);
	machine.running.x[1] = atom_from_string(function);
	machine.running.x[2] = args;
}

static term list1(struct process *p, term a)
{
	return heap_cons(p, a, NIL);
}

/* A supervisor without children. */
static void set_supervisor(struct process *p, const char *name)
{
	term local = heap_tuple2(p, A_local, atom_from_string(name));

	set_call("supervisor", "start_link",
		 heap_cons(p, local, heap_cons(p, atom_from_string("kernel"), list1(p, A_safe))));
}

static void pass_messages_on(struct process *p)
{
	for (struct message *m = p->mailbox.first; m; m = m->next)
		if (term_is_tuple_of(m->content, 3) && tuple_element(m->content, 0) == A_boot)
			signal_send(p, tuple_element(m->content, 1), tuple_element(m->content, 2));
}

/* True: the calls for the second group follow. */
static bool end_stage(struct process *p)
{
	struct vm *vm = p->vm;

	if (vm->boot <= BOOT_DONE && vm->boots_later) {
		vm->boot = BOOT_DONE + 1;
		return boot_next(p);
	}
	vm->boot = vm->boot <= BOOT_DONE ? BOOT_DONE : BOOT_ALL;
	pass_messages_on(p);
	wake_waiters(vm);
	return false;
}

/* The processes that start only when a program asks for one of them. */
static bool boot_later(struct process *p)
{
	switch (p->vm->boot - 1) {
	case BOOT_DONE + 1:
		set_call("fermata_system", "start", list1(p, A_init));
		return true;
	case BOOT_DONE + 2:
		set_call("fermata_system", "start", list1(p, atom_from_string("code_server")));
		return true;
	case BOOT_DONE + 3:
		set_call("fermata_system", "start_signals", NIL);
		return true;
	case BOOT_DONE + 4:
		set_call("kernel_refc", "start_link", NIL);
		return true;
	case BOOT_DONE + 5:
		set_call("global_group", "start_link", NIL);
		return true;
	case BOOT_DONE + 6:
		if (p->vm->is_explored)
			return end_stage(p);
		set_call("fermata_system", "start_purger", NIL);
		return true;
	default:
		return end_stage(p);
	}
}

bool boot_next(struct process *p)
{
	term kernel = atom_from_string("kernel");

	if (p->fragments)
		heap_collect(p, 512, machine.running.x, 0);
	switch (p->vm->boot++) {
	case 1: /* the controller makes this table itself */
		set_call("ets", "delete", list1(p, A_ac_tab));
		return true;
	case 2:
		set_call("application_controller", "start", list1(p, kernel_spec(p)));
		return true;
	case 3:
		set_call("application", "start", list1(p, kernel));
		return true;
	case 4:
		set_call("application", "start", list1(p, atom_from_string("stdlib")));
		return true;
	case 5:
		set_supervisor(p, "kernel_sup");
		return true;
	case 6:
		set_call("file_server", "start_link", NIL);
		return true;
	case 7:
		set_call("global", "start_link", NIL);
		return true;
	case 8: /* the logger makes this table itself */
		set_call("ets", "delete", list1(p, A_logger));
		return true;
	case 9:
		set_call("logger_server", "start_link", NIL);
		return true;
	case 10:
		set_call("logger", "remove_handler", list1(p, atom_from_string("simple")));
		return true;
	case 11:
		set_call("fermata_logger", "start", NIL);
		return true;
	case 12:
		set_supervisor(p, "kernel_safe_sup");
		return true;
	case 13:
		set_call("rpc", "start_link", NIL);
		return true;
	case 14: /* also the parent of the handlers that a program adds */
		set_call("logger_sup", "start_link", NIL);
		return true;
	default:
		return boot_later(p);
	}
}
