/* Sending, links, monitors. */
#include "vm/bifs/bif.h"
#include "vm/bifs/monitor_options.h"
#include "vm/code/code.h"
#include "vm/exec/interp.h"
#include "vm/process/heap_limit.h"
#include "vm/process/boot.h"
#include "vm/process/leader.h"
#include "vm/process/mailbox.h"
#include "vm/process/registry.h"
#include "vm/process/signal.h"
#include "vm/process/trace.h"
#include "vm/terms/remote.h"
#include "vm/vm.h"

/* ---- sending ---- */

term bif_erlang_send_2(struct process *p, const term *args)
{
	return signal_send(p, args[0], args[1]) ? args[1] : bif_badarg(p);
}

term bif_erlang_bang_2(struct process *p, const term *args)
{
	return bif_erlang_send_2(p, args);
}

/* A pid, a reference or {name, node} of another node, with which there is never a connection. */
static bool is_elsewhere(term t)
{
	if (term_is_tuple_of(t, 2))
		return term_is_atom(tuple_element(t, 0)) && term_is_atom(tuple_element(t, 1)) &&
		       tuple_element(t, 1) != A_nohost;
	return term_is_remote(t) && !term_is_any_port(t) && remote_node(t) != A_nohost;
}

/* Why there is no process behind a pid of another node; an earlier start of this node is over. */
static term reason_of_absence(term pid)
{
	return remote_node(pid) == A_nohost ? (term)A_noproc : (term)A_noconnection;
}

term bif_erlang_send_3(struct process *p, const term *args)
{
	term options = args[2];

	bool has_priority = false, must_connect = true;

	for (; term_is_cons(options); options = cons_tail(options)) {
		if (cons_head(options) == A_priority && code_otp_release() >= 28)
			has_priority = true;
		else if (cons_head(options) == A_noconnect)
			must_connect = false;
		else if (cons_head(options) != A_nosuspend)
			return bif_badarg(p);
	}
	if (options != NIL || !signal_send_as(p, args[0], args[1], has_priority))
		return bif_badarg(p);
	return must_connect || !is_elsewhere(args[0]) ? A_ok : A_noconnect;
}

/* [] or [priority], of OTP 28. */
static bool read_priority(term options, bool *has_priority)
{
	for (; term_is_cons(options); options = cons_tail(options)) {
		if (cons_head(options) != A_priority)
			return false;
		*has_priority = true;
	}
	return options == NIL;
}

struct process *bif_find_port(struct process *p, term port)
{
	struct process *of = process_find(p->vm, process_of_port(port));

	return of && of->is_port && of->status != PROCESS_EXITING ? of : NULL;
}

/* Whether it is a socket: its process is explored, and lives longer than the socket. */
static bool is_socket(struct process *p, term t)
{
	const struct process *of = term_is_port(t) ? bif_find_port(p, t) : NULL;

	return of && !of->is_system;
}

/* is_taken: a signal to oneself is taken before the call returns. */
static term send_exit(struct process *p, const term *args, bool has_priority, bool is_taken)
{
	bool is_own = args[0] == p->pid;

	if (is_socket(p, args[0]))
		return bif_unsupported(p, "an exit signal to a socket");
	if (args[0] == PORT_OF_NODE)
		return bif_unsupported(p, "an exit signal to the node's own port");
	if (term_is_port(args[0])) {
		if (bif_find_port(p, args[0]))
			signal_exit(p->vm, p->pid, process_of_port(args[0]), args[1], false);
		return A_true;
	}
	if (term_is_ref(args[0]) && code_otp_release() >= 28) {
		is_own = ref_pid_value(args[0]) == pid_value(p->pid);
		signal_exit_alias(p, args[0], args[1], has_priority);
	} else if (term_is_kind(args[0], KIND_REMOTE_PID)) {
		return A_true; /* lost: no node is connected */
	} else if (term_is_pid(args[0])) {
		signal_exit(p->vm, p->pid, args[0], args[1], false);
	} else {
		return bif_badarg(p);
	}
	if (is_own && is_taken) {
		signals_take(p);
		if (p->ip == interp_process_end) {
			p->outcome = OUTCOME_EXITED;
			return TERM_NONE;
		}
	}
	return A_true;
}

term bif_erlang_exit_2(struct process *p, const term *args)
{
	return send_exit(p, args, false, true);
}

term bif_erlang_exit_3(struct process *p, const term *args)
{
	bool has_priority = false;

	return read_priority(args[2], &has_priority) ? send_exit(p, args, has_priority, true)
						     : bif_badarg(p);
}

term bif_erlang_exit_signal_2(struct process *p, const term *args)
{
	return send_exit(p, args, false, false);
}

term bif_erlang_exit_signal_3(struct process *p, const term *args)
{
	bool has_priority = false;

	return read_priority(args[2], &has_priority) ? send_exit(p, args, has_priority, false)
						     : bif_badarg(p);
}

/* ---- links ---- */

/* The exit signal comes at once. */
static term link_elsewhere(struct process *p, term pid)
{
	term elements[3] = {A_EXIT, pid, reason_of_absence(pid)};

	if (!p->trap_exit || p->vm->is_explored)
		return bif_unsupported(p, "a link to a process of another node");
	signal_message(p, heap_tuple(p, 3, elements), p->pid);
	return A_true;
}

term bif_erlang_link_1(struct process *p, const term *args)
{
	if (term_is_kind(args[0], KIND_REMOTE_PID))
		return link_elsewhere(p, args[0]);
	if (!term_is_pid(args[0]) && !term_is_port(args[0]))
		return bif_badarg(p);
	if (is_socket(p, args[0]))
		return bif_unsupported(p, "a link to a socket");
	if (args[0] == PORT_OF_NODE)
		return bif_unsupported(p, "a link to the node's own port");
	if (signal_link(p, term_is_port(args[0]) ? process_of_port(args[0]) : args[0])) {
		trace_link(p, args[0]);
		return A_true;
	}
	if (!p->trap_exit)
		return bif_error(p, A_noproc);
	signal_refuse_link(p, args[0]);
	signals_take(p);
	return A_true;
}

term bif_erlang_link_2(struct process *p, const term *args)
{
	bool has_priority = false;
	term result;

	if (!read_priority(args[1], &has_priority))
		return bif_badarg(p);
	result = bif_erlang_link_1(p, args);
	if (result != TERM_NONE)
		signal_prioritise_link(p, args[0], has_priority);
	return result;
}

term bif_erlang_unlink_1(struct process *p, const term *args)
{
	if (term_is_kind(args[0], KIND_REMOTE_PID))
		return A_true;
	if (!term_is_pid(args[0]) && !term_is_port(args[0]))
		return bif_badarg(p);
	signal_unlink(p, term_is_port(args[0]) ? process_of_port(args[0]) : args[0]);
	trace_tie(p, args[0], A_unlink, A_getting_unlinked);
	return A_true;
}

/* ---- monitors and aliases ---- */

/* Turns a pid, a name, or {name, this node} into the argument of signal_monitor; else TERM_NONE. */
static term monitor_target(term t)
{
	if (term_is_pid(t) || term_is_atom(t))
		return t;
	if (term_is_tuple_of(t, 2) && term_is_atom(tuple_element(t, 0)) &&
	    tuple_element(t, 1) == A_nohost)
		return tuple_element(t, 0);
	return TERM_NONE;
}

static struct process *find_target(struct vm *vm, term target)
{
	term pid = term_is_atom(target) ? registry_find(vm, target) : target;

	return pid == TERM_NONE ? NULL : process_find(vm, pid);
}

/* {Tag, Ref, Type, Object, Reason} comes at once. An alias stays if it does not end with the monitor. */
static term refuse_at_once(struct process *p, term tag, term down[3], unsigned alias)
{
	bool stays = alias && !(alias & (ALIAS_DEMONITOR | ALIAS_REPLY_DEMONITOR));
	term ref = stays ? signal_alias(p, alias) : process_make_ref(p, 0);
	term elements[5] = {tag, ref, down[0], down[1], down[2]};

	signal_message(p, heap_tuple(p, 5, elements), p->pid);
	return ref;
}

/* The port is closed. */
static term refuse_port(struct process *p, term port, term tag, unsigned alias)
{
	term object = term_is_atom(port) ? heap_tuple2(p, port, A_nohost) : port;

	return refuse_at_once(p, tag, (term[]){A_port, object, A_noproc}, alias);
}

/* A pid of another node, or a port of an earlier start of this one. */
static term monitor_elsewhere(struct process *p, term item, term tag, unsigned alias)
{
	term type;

	if (p->vm->is_explored)
		return bif_unsupported(p, "a monitor of a process or port of another node in a test "
					  "that is explored");
	type = term_is_any_pid(item) ? A_process : A_port;
	return refuse_at_once(p, tag, (term[]){type, item, reason_of_absence(item)}, alias);
}

static term start_monitor(struct process *p, term type, term item, term tag, unsigned alias)
{
	term target = monitor_target(item);

	if (type == A_time_offset)
		return item == atom_from_string("clock_service") ? process_make_ref(p, 0)
								 : bif_badarg(p);
	if (type == A_port && is_socket(p, item))
		return bif_unsupported(p, "a monitor of a socket");
	if (type == A_port && item == PORT_OF_NODE)
		return bif_unsupported(p, "a monitor of the node's own port");
	if (type == A_port && term_is_port(item) && bif_find_port(p, item))
		return signal_monitor(p, process_of_port(item), tag, alias);
	if (type == A_port && (term_is_port(item) || (target != TERM_NONE && !term_is_pid(item))))
		return refuse_port(p, term_is_port(item) ? item : target, tag, alias);
	if ((type == A_process && term_is_kind(item, KIND_REMOTE_PID)) ||
	    (type == A_port && term_is_kind(item, KIND_REMOTE_PORT) && remote_node(item) == A_nohost))
		return monitor_elsewhere(p, item, tag, alias);
	if (type != A_process || target == TERM_NONE)
		return bif_badarg(p);
	if (term_is_atom(target) && registry_find(p->vm, target) == TERM_NONE &&
	    boot_must_wait(p, target))
		return bif_wait(p);
	if (signal_must_settle(p, find_target(p->vm, target)))
		return bif_retry(p);
	if (term_is_atom(target) && !find_target(p->vm, target))
		boot_need(p, target);
	return signal_monitor(p, target, tag, alias);
}

/* Flags of an alias option: explicit_unalias, demonitor, reply_demonitor. */
static bool read_alias(term kind, unsigned *flags)
{
	if (kind == A_explicit_unalias)
		*flags = ALIAS_ACTIVE;
	else if (kind == A_demonitor)
		*flags = ALIAS_ACTIVE | ALIAS_DEMONITOR;
	else if (kind == A_reply_demonitor)
		*flags = ALIAS_ACTIVE | ALIAS_REPLY_DEMONITOR;
	else
		return false;
	return true;
}

bool monitor_options_read(term options, struct monitor_options *out)
{
	for (; term_is_cons(options); options = cons_tail(options)) {
		term option = cons_head(options);

		if (option == A_priority && code_otp_release() >= 28) {
			out->has_priority = true;
			continue;
		}
		if (!term_is_tuple_of(option, 2))
			return false;
		if (tuple_element(option, 0) == A_tag)
			out->tag = tuple_element(option, 1);
		else if (tuple_element(option, 0) != A_alias ||
			 !read_alias(tuple_element(option, 1), &out->alias))
			return false;
	}
	return options == NIL;
}

term bif_erlang_monitor_2(struct process *p, const term *args)
{
	return start_monitor(p, args[0], args[1], A_DOWN, 0);
}

term bif_erlang_monitor_3(struct process *p, const term *args)
{
	struct monitor_options options = {.tag = A_DOWN};
	term ref;

	if (!monitor_options_read(args[2], &options))
		return bif_badarg(p);
	ref = start_monitor(p, args[0], args[1], options.tag, options.alias);
	if (ref != TERM_NONE && options.has_priority)
		signal_prioritise_monitor(p, ref);
	return ref;
}

term bif_erlang_demonitor_1(struct process *p, const term *args)
{
	if (!term_is_ref(args[0]))
		return bif_badarg(p);
	signal_demonitor(p, args[0], true);
	return A_true;
}

/* Removes the DOWN message of ref from the mailbox. */
static bool flush_down(struct process *p, term ref)
{
	struct message *m = p->mailbox.first;

	if (p->signals.first)
		signals_take(p);
	for (; m; m = m->next) {
		term t = m->content;

		if (term_is_tuple_of(t, 5) && term_is_ref(tuple_element(t, 1)) &&
		    refs_are_equal(tuple_element(t, 1), ref) &&
		    (tuple_element(t, 2) == A_process || tuple_element(t, 2) == A_port))
			break;
	}
	if (!m)
		return false;
	if (p->mailbox.save == m)
		p->mailbox.save = m->next;
	mailbox_remove(p, m);
	return true;
}

term bif_erlang_demonitor_2(struct process *p, const term *args)
{
	bool flush = false, info = false, found;
	term options = args[1];

	for (; term_is_cons(options); options = cons_tail(options)) {
		if (cons_head(options) == A_flush)
			flush = true;
		else if (cons_head(options) == A_info)
			info = true;
		else
			return bif_badarg(p);
	}
	if (!term_is_ref(args[0]) || options != NIL)
		return bif_badarg(p);
	found = signal_demonitor(p, args[0], info || !flush);
	if (!found && flush)
		flush_down(p, args[0]);
	return info ? atom_from_bool(found) : (term)A_true;
}

term bif_erlang_alias_0(struct process *p, const term *args)
{
	return signal_alias(p, ALIAS_ACTIVE);
}

term bif_erlang_alias_1(struct process *p, const term *args)
{
	unsigned flags = ALIAS_ACTIVE;
	term options = args[0];

	for (; term_is_cons(options); options = cons_tail(options)) {
		if (cons_head(options) == A_reply)
			flags |= ALIAS_REPLY;
		else if (cons_head(options) == A_explicit_unalias)
			flags &= ~(unsigned)ALIAS_REPLY;
		else if (cons_head(options) == A_priority && code_otp_release() >= 28)
			flags |= ALIAS_PRIORITY;
		else
			return bif_badarg(p);
	}
	return options == NIL ? signal_alias(p, flags) : bif_badarg(p);
}

term bif_erlang_unalias_1(struct process *p, const term *args)
{
	if (!term_is_ref(args[0]))
		return term_is_any_ref(args[0]) ? (term)A_false : bif_badarg(p);
	return atom_from_bool(signal_unalias(p, args[0]));
}
