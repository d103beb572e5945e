/* remote.h: pids, ports and references of other nodes.
 *
 * This machine is one node without a name, and never connects to another one. A program can hold
 * such terms all the same: binary_to_term makes them. They compare, print, hash and are written as
 * on the real machine, and signals to them are lost, as on a node that is not alive.
 *
 * The words behind the header are raw: the node's name (an atom), the number of the start of the node
 * (its creation), and then
 *   KIND_REMOTE_PID   number in the lower half, serial in the upper half
 *   KIND_REMOTE_PORT  number
 *   KIND_REMOTE_REF   how many 32-bit numbers it has, and five of them, two in a word; those that it
 *                     does not have are zero, so that references compare without their length
 *
 * term_is_pid, term_is_port and term_is_ref of term.h return false for them, because nearly all
 * callers look for an object of this machine; term_is_any_pid and its kin, below, are the guards of
 * Erlang.
 */
#ifndef VM_TERMS_REMOTE_H
#define VM_TERMS_REMOTE_H

#include "base/strbuf.h"
#include "vm/terms/term.h"

#define REMOTE_REF_NUMBERS 5u

struct remote {
	enum term_kind kind;
	term node;
	uint32_t creation;
	uint64_t value; /* a pid's number and serial, a port's number */
	size_t numbers_len;
	uint32_t numbers[REMOTE_REF_NUMBERS];
};

static inline bool term_is_remote(term t)
{
	return term_is_boxed(t) && header_kind(*boxed_ptr(t)) >= KIND_REMOTE_PID &&
	       header_kind(*boxed_ptr(t)) <= KIND_REMOTE_REF;
}
static inline bool term_is_any_pid(term t)
{
	return term_is_pid(t) || term_is_kind(t, KIND_REMOTE_PID);
}
static inline bool term_is_any_port(term t)
{
	return term_is_port(t) || term_is_kind(t, KIND_REMOTE_PORT);
}
static inline bool term_is_any_ref(term t)
{
	return term_is_ref(t) || term_is_kind(t, KIND_REMOTE_REF);
}

static inline term remote_node(term t) { return boxed_ptr(t)[1]; }

/* Words of a remote term of this kind, and building one at *hp, which moves behind it. */
size_t remote_words(enum term_kind kind);
term remote_build(term **hp, const struct remote *parts);
struct remote remote_read(term t);

/* Two pids, ports or references of which at least one is remote. */
int remote_compare(term a, term b);
uint64_t remote_hash(term t);

/* The number that phash and phash2 are made from. */
uint64_t remote_number(term t);

/* As erlang:pid_to_list/1 and its kin write it. The real machine writes a number for the node that
 * differs from run to run; here it is derived from the node's name. */
void remote_print(term t, struct strbuf *out);

#endif
