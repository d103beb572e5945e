/* erts_debug:dirty_cpu/2, dirty_io/2, dirty/3: OTP's own tests keep a scheduler busy with them.
 * There is one scheduler here, so only the name of the scheduler that was asked for differs. */
#include "vm/bifs/bif.h"
#include "vm/process/signal.h"
#include "vm/vm.h"

/* So many turns end in an error, which is a test of its own. */
enum { RESCHEDULE_FAILS = 1001 };

static bool is_word(term t, const char *text)
{
	return term_is_atom(t) && strcmp(atom_text(t), text) == 0;
}

static term fail_as_asked(struct process *p, term reason)
{
	switch (reason) {
	case A_notsup:
	case A_undef:
	case A_badarith:
	case A_noproc:
	case A_system_limit:
		return bif_error(p, reason);
	default:
		return bif_badarg(p);
	}
}

struct place {
	const char *function;
	uint32_t arity;
};

/* The process cannot receive while it waits, and others see it running. Not in a search, in which a
 * process that sleeps is one that waits. */
static term wait_ms(struct process *p, term ms, struct place at)
{
	if (!term_is_small(ms))
		return bif_badarg(p);
	if (p->vm->is_explored)
		return bif_unsupported(p, "erts_debug:dirty_io(wait, _) in a search");
	if (small_value(ms) <= 0)
		return A_ok;
	p->busy_until_ns = p->vm->now_ns + (uint64_t)small_value(ms) * 1000000;
	p->busy_function = atom_from_string(at.function);
	p->busy_arity = at.arity;
	return bif_trap(p, A_timer, A_sleep, 1, &ms);
}

/* It sends {alive, Pid} and stays until a signal ends the process. */
static term wait_for_end(struct process *p, term to, struct place at)
{
	term forever = A_infinity;

	if (p->vm->is_explored)
		return bif_unsupported(p, "erts_debug:dirty_io(alive_waitexiting, _) in a search");
	if (!term_is_pid(to))
		return bif_badarg(p);
	signal_send(p, to, heap_tuple2(p, atom_from_string("alive"), p->pid));
	p->busy_until_ns = UINT64_MAX;
	p->busy_function = atom_from_string(at.function);
	p->busy_arity = at.arity;
	return bif_trap(p, A_timer, A_sleep, 1, &forever);
}

static term act(struct process *p, struct place at, const char *scheduler, const term *args)
{
	term action = args[0], argument = args[1];

	if (action == A_scheduler && argument == A_type)
		return atom_from_string(scheduler);
	if (action == A_error)
		return fail_as_asked(p, argument);
	if (is_word(action, "reschedule"))
		return term_is_small(argument) && small_value(argument) >= 0 &&
				       small_value(argument) != RESCHEDULE_FAILS
			       ? (term)A_ok
			       : bif_badarg(p);
	if (is_word(action, "wait"))
		return wait_ms(p, argument, at);
	if (is_word(action, "alive_waitexiting"))
		return wait_for_end(p, argument, at);
	if (is_word(action, "ready_wait6_done") ||
	    is_word(action, "copy"))
		return bif_unsupported(p, "erts_debug:dirty(_, %s, _)", atom_text(action));
	return bif_badarg(p);
}

term bif_erts_debug_dirty_cpu_2(struct process *p, const term *args)
{
	return act(p, (struct place){"dirty_cpu", 2}, "dirty_cpu", args);
}

term bif_erts_debug_dirty_io_2(struct process *p, const term *args)
{
	return act(p, (struct place){"dirty_io", 2}, "dirty_io", args);
}

term bif_erts_debug_dirty_3(struct process *p, const term *args)
{
	if (args[0] != A_normal && !is_word(args[0], "dirty_cpu") && !is_word(args[0], "dirty_io"))
		return bif_badarg(p);
	return act(p, (struct place){"dirty", 3}, atom_text(args[0]), args + 1);
}
