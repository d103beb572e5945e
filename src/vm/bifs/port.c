/* Ports are processes of src/vm/erlang: see process.h, is_port. */
#include "vm/bifs/bif.h"
#include "vm/bifs/open_file.h"
#include "vm/process/signal.h"
#include "vm/terms/view.h"
#include "vm/terms/remote.h"
#include "vm/vm.h"

#define GOES_ON_IN_ERLANG(name, arity)                                                           \
	term bif_erlang_port_##name##_##arity(struct process *p, const term *args)              \
	{                                                                                        \
		return bif_trap(p, atom_from_string("fermata_port"), atom_from_string(#name),    \
				arity, args);                                                    \
	}

GOES_ON_IN_ERLANG(close, 1)
GOES_ON_IN_ERLANG(command, 2)
GOES_ON_IN_ERLANG(command, 3)
GOES_ON_IN_ERLANG(connect, 2)
GOES_ON_IN_ERLANG(info, 1)
GOES_ON_IN_ERLANG(info, 2)
GOES_ON_IN_ERLANG(set_data, 2)
GOES_ON_IN_ERLANG(get_data, 1)

/* {spawn, "ram_file_drv"}: not a program outside, but a file in memory (fermata_ram.erl). */
static bool is_ram_file(term name)
{
	static const char driver[] = "ram_file_drv";
	term list = term_is_tuple_of(name, 2) ? tuple_element(name, 1) : (term)NIL;
	size_t i = 0;

	for (; term_is_cons(list) && driver[i] && cons_head(list) == small_make(driver[i]); i++)
		list = cons_tail(list);
	return list == NIL && !driver[i];
}

term bif_erlang_open_port_2(struct process *p, const term *args)
{
	if (!is_ram_file(args[0]) && !open_file_may_write())
		return bif_unsupported(p, "erlang:open_port/2 without --allow-io");
	return bif_trap(p, atom_from_string("fermata_port"), atom_from_string("open"), 2, args);
}

/* A port whose process belongs to the system. The caller is linked to it. */
term bif_fermata_start_port_3(struct process *p, const term *args)
{
	struct process *port = vm_spawn(p->vm, p, args[0], args[1], args[2]);

	port->is_port = port->is_system = true;
	signal_link_child(p, port);
	return process_known_as(port);
}

term bif_fermata_own_port_0(struct process *p, const term *args)
{
	return process_known_as(p);
}

term bif_fermata_port_process_1(struct process *p, const term *args)
{
	return term_is_port(args[0]) ? process_of_port(args[0]) : bif_badarg(p);
}

/* node, child, socket, or undefined: it is closed, or it is not a port. */
term bif_fermata_port_kind_1(struct process *p, const term *args)
{
	struct process *port = term_is_port(args[0])
				       ? process_find(p->vm, process_of_port(args[0])) : NULL;

	if (args[0] == PORT_OF_NODE)
		return A_node;
	if (term_is_remote(args[0]))
		return bif_badarg(p);
	if (!port || !port->is_port || port->status == PROCESS_EXITING)
		return A_undefined;
	return port->is_system ? A_child : A_socket;
}

term bif_erlang_ports_0(struct process *p, const term *args)
{
	term list = NIL;

	for (struct process *port = p->vm->last_process; port; port = port->all_prev)
		if (port->is_port && port->status != PROCESS_EXITING && !port->is_shut)
			list = heap_cons(p, process_known_as(port), list);
	p->vm->relied_on |= RELIED_ON_ABSENCE; /* of the other ports that every node has */
	return heap_cons(p, PORT_OF_NODE, list);
}

/* Ends the run as not supported, with this text. */
term bif_fermata_refuse_1(struct process *p, const term *args)
{
	struct view view;
	term result;

	if (!view_open_iolist(&view, args[0]))
		return bif_badarg(p);
	result = bif_unsupported(p, "%.*s", (int)view.len, (const char *)view.bytes);
	view_close(&view);
	return result;
}

/* The caller turns the atom badarg into an exception. */
term bif_erts_internal_port_control_3(struct process *p, const term *args)
{
	if (term_is_port(args[0]) || term_is_atom(args[0]))
		return bif_unsupported(p, "erlang:port_control/3");
	return A_badarg;
}
