#include "vm/process/system.h"

#include "vm/ets/ets.h"
#include "vm/process/boot.h"
#include "vm/process/registry.h"
#include "vm/process/signal.h"
#include "vm/terms/atom.h"
#include "vm/vm.h"

static bool is_of_interest(const struct process *p)
{
	return !p->is_port && !p->is_aside && boot_is_done(p->vm) &&
	       p->pid != p->vm->group_leader;
}

void system_begin(struct process *p)
{
	struct vm *vm = p->vm;

	if (!is_of_interest(p))
		return;
	if (!vm->system_work)
		vm->system_first = p->registered_name;
	vm->system_work |= SYSTEM_RAN;
}

/* A process of the program, alive or not, that does not take this step. */
static bool is_another(struct vm *vm, term pid)
{
	const struct process *of;

	if (pid == TERM_NONE || !term_is_pid(pid) || pid == vm->stepper)
		return false;
	of = process_find(vm, pid);
	return !of || !(of->is_system || !of->actor); /* without: it is made in this step */
}

/* Does a term that names a process name one of the program? */
static bool names_another(struct vm *vm, term to)
{
	if (term_is_tuple_of(to, 2))
		to = tuple_element(to, 0);
	if (term_is_atom(to))
		to = registry_find(vm, to);
	else if (term_is_ref(to))
		to = pid_make(ref_pid_value(to));
	return is_another(vm, to);
}

static bool is_own_table(struct vm *vm, term id)
{
	const struct ets_table *table = ets_find_table(vm, id);
	const struct process *owner = table ? process_find(vm, table->owner) : NULL;

	return owner && owner->is_system;
}

/* An effect that is not listed reaches others. */
static bool is_within_system(struct process *p, enum effect effect, const term *args, unsigned n)
{
	switch (effect) {
	case EFFECT_NONE: case EFFECT_RECEIVE: case EFFECT_TIMEOUT: case EFFECT_TAKE_SIGNAL:
	case EFFECT_ALIAS: case EFFECT_FLAG_OWN: case EFFECT_IO:
	case EFFECT_CODE_READ: case EFFECT_CODE_ENSURE: case EFFECT_PTERM_READ:
	case EFFECT_TIMER_START: case EFFECT_TIMER_CANCEL: /* its timers do not fire */
	case EFFECT_SPAWN: /* the driver sees the new process */
		return true;
	case EFFECT_DEMONITOR:
		return !n || !is_another(p->vm, signal_monitored(p, args[0]));
	case EFFECT_MONITOR:
		return n < 2 || !names_another(p->vm, args[1]);
	case EFFECT_GROUP_LEADER:
		return n < 2 || !is_another(p->vm, args[1]);
	case EFFECT_SYSTEM_INFO:
		return n && args[0] != A_process_count;
	case EFFECT_SEND: case EFFECT_LINK: case EFFECT_UNLINK: case EFFECT_EXIT_SIGNAL:
	case EFFECT_READ_ALIVE: case EFFECT_INSPECT: case EFFECT_FLAG_OTHER:
		return n && !names_another(p->vm, args[0]);
	case EFFECT_READ_REGISTRY:
		return n && term_is_atom(args[0]) && registry_find(p->vm, args[0]) != TERM_NONE &&
		       !names_another(p->vm, args[0]);
	case EFFECT_ETS_READ_KEY: case EFFECT_ETS_WRITE_KEY: case EFFECT_ETS_DELETE_KEY:
	case EFFECT_ETS_WRITE_OBJECT: case EFFECT_ETS_STORE_OBJECT: case EFFECT_ETS_NEW_OBJECT:
	case EFFECT_ETS_READ_TABLE: case EFFECT_ETS_WRITE_TABLE:
	case EFFECT_ETS_READ_MATCHING: case EFFECT_ETS_WRITE_MATCHING:
	case EFFECT_ETS_READ_PATTERN:
		return n && is_own_table(p->vm, args[0]);
	default:
		return false;
	}
}

/* The real VM ends with such a process, or starts it again. */
static void refuse_end(const struct process *p)
{
	if (p->exit_name != TERM_NONE)
		vm_unsupported(p->vm, "not supported: the end of the system process %s",
			       atom_text(p->exit_name));
}

void system_note(struct process *p, enum effect effect, const term *args, unsigned args_len)
{
	if (!is_of_interest(p))
		return;
	if (effect == EFFECT_EXIT_STEP)
		refuse_end(p);
	if (!is_within_system(p, effect, args, args_len))
		p->vm->system_work |= SYSTEM_REACHED;
}
