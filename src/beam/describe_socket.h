/* describe_socket.h: steps of simulated sockets in words.
 *
 * The processes of sockets and the functions of gen_tcp and gen_udp share persistent terms
 * (vm/erlang/fermata_inet.erl), which a program that calls them does not know:
 *
 *	persistent_term:erase({fermata_socket,send,#Port<0.354>})      #Port<0.354> cannot send any more
 *	fermata:claim({fermata_socket,udp,5353}, #Port<0.354>)         take port 5353 of udp
 */
#ifndef BEAM_DESCRIBE_SOCKET_H
#define BEAM_DESCRIBE_SOCKET_H

#include "beam/describe.h"
#include "vm/bifs/bif.h"
#include "vm/process/process.h"

enum socket_step {
	SOCKET_NONE,    /* not a step of sockets */
	SOCKET_SENDING, /* about a socket that can send */
	SOCKET_NUMBER,  /* about the socket that has a port number */
};

/* Adds the words for the step that the process has announced, unless it is SOCKET_NONE. */
enum socket_step describe_socket(struct conductor *c, const struct process *p, const struct bif *bif,
				 struct strbuf *out);

/* Adds the result, if the step is a question. */
void describe_socket_result(struct conductor *c, enum socket_step step, const struct bif *bif,
			    term result, struct strbuf *out);

/* Is it {call, From, Reference, Request}? The processes of sockets get such requests; a server of the program
 * that gets one is called in the same way. */
bool describe_is_socket_call(term message);

#endif
