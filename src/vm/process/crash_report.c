/* The message that the real VM sends to the process `logger` when a process ends with an error. */
#include "vm/process/crash_report.h"

#include "vm/ets/persistent.h"
#include "vm/memory/heap.h"
#include "vm/process/registry.h"
#include "vm/process/signal.h"
#include "vm/terms/atom.h"
#include "vm/terms/tmap.h"
#include "vm/vm.h"

/* Whether a handler other than the quiet one was added (fermata_logger.erl). */
static bool is_logging(struct process *p)
{
	term key = heap_tuple2(p, atom_from_string("logger_config"), A_dollar_primary_config);
	term level = persistent_get(p->vm, key);

	return level != TERM_NONE && term_is_small(level) && small_value(level) >= 0 &&
	       registry_find(p->vm, A_logger) != TERM_NONE;
}

term system_logger(struct vm *vm)
{
	return vm->system_logger ? vm->system_logger : (term)A_logger;
}

/* A process that the program itself has chosen, or TERM_NONE. One that has ended is forgotten now. */
static term find_own_logger(struct process *p)
{
	term pid = system_logger(p->vm);
	const struct process *of = term_is_pid(pid) ? process_find(p->vm, pid) : NULL;

	if (term_is_pid(pid) && !of)
		p->vm->system_logger = A_logger;
	return of && !of->is_system ? pid : TERM_NONE;
}

static term metadata(struct process *p)
{
	term kind[] = {atom_from_string("emulator"), A_true, atom_from_string("tag"), A_error};
	term pairs[] = {A_error_logger, tmap_from_pairs(p, kind, 2),
			atom_from_string("gl"), p->group_leader,
			atom_from_string("pid"), p->pid,
			A_time, heap_integer(p, VM_EPOCH_SECONDS * INT64_C(1000000) +
						       (int64_t)(p->vm->now_ns / 1000))};

	return tmap_from_pairs(p, pairs, 4);
}

void crash_report_log(struct process *p, const char *format, term args)
{
	term parts[5], own = find_own_logger(p);

	if (p->is_system || system_logger(p->vm) == A_undefined ||
	    (own == TERM_NONE && !is_logging(p)))
		return;
	if (p->vm->is_explored) {
		p->vm->relied_on |= RELIED_ON_ABSENCE;
		return;
	}
	parts[0] = atom_from_string("log");
	parts[1] = A_error;
	parts[2] = heap_string(p, format);
	parts[3] = args;
	parts[4] = metadata(p);
	signal_send(p, own == TERM_NONE ? (term)A_logger : own, heap_tuple(p, 5, parts));
}

void crash_report_send(struct process *p, term reason)
{
	crash_report_log(p, "Error in process ~p with exit value:~n~p~n",
			 heap_cons(p, p->pid, heap_cons(p, reason, NIL)));
}
