/* Functions of the machine for the simulated sockets of src/vm/erlang. */
#include "base/hash.h"
#include "vm/bifs/bif.h"
#include "vm/ets/persistent.h"
#include "vm/process/signal.h"
#include "vm/terms/view.h"
#include "vm/vm.h"

#define SOCKET(module, name, arity, target)                                                      \
	term bif_##module##_##name##_##arity(struct process *p, const term *args)                \
	{                                                                                        \
		return bif_trap(p, atom_from_string(target), atom_from_string(#name), arity,     \
				args);                                                           \
	}
#include "vm/bifs/socket.def"
#undef SOCKET

/* A port whose process is explored like any other. */
term bif_fermata_spawn_port_3(struct process *p, const term *args)
{
	struct process *port = vm_spawn(p->vm, p, args[0], args[1], args[2]);

	port->is_port = true;
	p->vm->relied_on |= RELIED_ON_SOCKETS;
	return process_known_as(port);
}

static struct process *find_port(struct process *p, term port)
{
	return term_is_port(port) ? process_find(p->vm, process_of_port(port)) : NULL;
}

/* Makes two new ports, which no other process knows yet, the two ends of a connection. */
term bif_fermata_join_ports_2(struct process *p, const term *args)
{
	struct process *a = find_port(p, args[0]), *b = find_port(p, args[1]);

	if (!a || !b)
		return bif_badarg(p);
	a->port_peer = b->pid;
	b->port_peer = a->pid;
	return A_true;
}

/* The process of the port at the other end. It never changes. */
term bif_fermata_port_peer_1(struct process *p, const term *args)
{
	struct process *port = find_port(p, args[0]);

	return port && port->port_peer ? port->port_peer : A_undefined;
}

term bif_fermata_port_shut_0(struct process *p, const term *args)
{
	p->is_shut = true;
	return A_true;
}

/* A port number for this port in the range that the kernel takes such numbers from. It depends on
 * the place of the port in the spawn tree only, so that it is the same in every schedule. */
term bif_fermata_port_number_1(struct process *p, const term *args)
{
	enum { FIRST = 32768, COUNT = 28232 };

	if (!term_is_port(args[0]))
		return bif_badarg(p);
	return small_make(FIRST + (int64_t)(hash_combine(pid_value(args[0]), 0) % COUNT));
}

/* claim(Key, Value): puts a persistent term unless the key is there. */
term bif_fermata_claim_2(struct process *p, const term *args)
{
	if (persistent_get(p->vm, args[0]) != TERM_NONE)
		return A_false;
	persistent_put(p->vm, args[0], args[1]);
	return A_true;
}

/* send_open(Pid, Key, Binary): the value of the persistent term is the size of the header that
 * a packet gets. If the key is not there, the socket has been closed. This is one step, because a
 * socket that is closed has sent everything that a send before it has accepted. */
term bif_fermata_send_open_3(struct process *p, const term *args)
{
	term header = persistent_get(p->vm, args[1]);
	struct view view;
	uint8_t *bytes;
	term packet;
	size_t size;

	if (header == TERM_NONE)
		return A_closed;
	if (!view_open(&view, args[2]))
		return bif_badarg(p);
	size = (size_t)small_value(header);
	packet = binary_new(p, size + view.len, &bytes);
	for (size_t i = 0; i < size; i++) /* too long a packet is cut off in the same way by OTP */
		bytes[i] = (uint8_t)(view.len >> 8 * (size - 1 - i));
	memcpy(bytes + size, view.bytes, view.len);
	view_close(&view);
	signal_send(p, args[0], heap_tuple2(p, A_data, packet));
	return A_ok;
}
