/* Registered names. */
#include "vm/bifs/bif.h"
#include "vm/process/boot.h"
#include "vm/process/registry.h"
#include "vm/process/trace.h"
#include "vm/vm.h"

term bif_erlang_register_2(struct process *p, const term *args)
{
	struct process *of = process_find(p->vm, args[1]);

	if (term_is_port(args[1]) && bif_find_port(p, args[1]))
		return bif_unsupported(p, "erlang:register/2 of a port");
	if (!term_is_atom(args[0]) || args[0] == A_undefined || !of ||
	    of->status == PROCESS_EXITING || of->is_known_dead ||
	    of->registered_name != TERM_NONE ||
	    !registry_add(p->vm, args[0], args[1]))
		return bif_badarg(p);
	of->registered_name = args[0];
	if (p->vm->trace)
		trace_about(p, of, A_register, args[0]);
	return A_true;
}

term bif_erlang_unregister_1(struct process *p, const term *args)
{
	struct process *of;
	term pid = term_is_atom(args[0]) ? registry_find(p->vm, args[0]) : TERM_NONE;

	if (pid == TERM_NONE)
		return bif_badarg(p);
	of = process_find(p->vm, pid);
	registry_remove(p->vm, args[0]);
	if (of)
		of->registered_name = TERM_NONE;
	if (p->vm->trace)
		trace_about(p, of, A_unregister, args[0]);
	return A_true;
}

term bif_erlang_whereis_1(struct process *p, const term *args)
{
	term pid;

	if (!term_is_atom(args[0]))
		return bif_badarg(p);
	pid = registry_find(p->vm, args[0]);
	if (pid == TERM_NONE && boot_must_wait(p, args[0]))
		return bif_wait(p);
	if (pid == TERM_NONE)
		boot_note_absence(p, args[0]);
	return pid == TERM_NONE ? (term)A_undefined : pid;
}

term bif_erlang_registered_0(struct process *p, const term *args)
{
	return registry_names(p);
}
