/* erts_debug:get_internal_state/1: its answers about one process. OTP's own tests look at both ends
 * of links and monitors with it. Never in a search: it looks at a process in the middle of a step.
 */
#include "vm/bifs/bif.h"
#include "vm/bifs/erts_state.h"
#include "vm/process/relation.h"
#include "vm/process/signal.h"
#include "vm/vm.h"

/* {erl_link, process, Pid, linked, Number}; the number is an address on the real VM. */
static term show_links(struct process *p, const struct process *of)
{
	term list = NIL;

	for (const struct relation *r = of->relations; r; r = r->next) {
		term items[5] = {atom_from_string("erl_link"), A_process, r->other,
				 atom_from_string("linked"),
				 heap_unsigned(p, (pid_value(of->pid) ^ pid_value(r->other)) & 0xffffffff)};

		if (relation_is_link(r))
			list = heap_cons(p, heap_tuple(p, 5, items), list);
	}
	return list;
}

static term make_ref(struct process *p, const struct relation *r)
{
	term *box = heap_alloc(p, REF_WORDS);

	box[0] = header_make(KIND_REF, REF_WORDS - 1);
	box[1] = r->ref_pid;
	box[2] = r->ref_counter;
	box[3] = r->ref_flags;
	return boxed_make(box);
}

/* {erl_monitor, process, origin | target, Ref, Pid, Name | []} */
static term show_monitors(struct process *p, const struct process *of)
{
	term list = NIL;

	for (const struct relation *r = of->relations; r; r = r->next) {
		bool is_mine = r->kind == RELATION_MONITOR;
		term items[6] = {atom_from_string("erl_monitor"), A_process,
				 atom_from_string(is_mine ? "origin" : "target"), TERM_NONE, r->other,
				 r->name == TERM_NONE ? (term)NIL : r->name};

		if ((!is_mine && r->kind != RELATION_MONITORED) || r->is_let_go ||
		    r->other == of->pid) /* of itself: the real VM makes nothing */
			continue;
		items[3] = make_ref(p, r);
		list = heap_cons(p, heap_tuple(p, 6, items), list);
	}
	return list;
}

static term show_status(struct process *p, const struct process *of)
{
	term args[2] = {of->pid, A_status}, pair;

	if (of->status == PROCESS_EXITING)
		return A_exiting;
	pair = bif_erlang_process_info_2(p, args);
	return term_is_tuple(pair) ? tuple_element(pair, 1) : pair;
}

term process_state(struct process *p, const char *item, term pid)
{
	struct process *of;

	if (term_is_port(pid))
		return bif_unsupported(p, "erts_debug:get_internal_state of a port");
	if (!term_is_pid(pid))
		return bif_badarg(p);
	of = process_find(p->vm, pid);
	if (!of)
		return A_undefined;
	if (strcmp(item, "process_status") == 0)
		return show_status(p, of);
	if (of->suspend_count || of->suspensions)
		return bif_unsupported(p, "erts_debug:get_internal_state of a suspended process");
	return strcmp(item, "link_list") == 0 ? show_links(p, of) : show_monitors(p, of);
}
