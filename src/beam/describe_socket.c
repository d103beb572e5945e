#include "beam/describe_socket.h"

#include <string.h>

#include "beam/conduct_parts.h"
#include "vm/terms/atom.h"

enum { TERM_LIMIT = 60 };

static bool is_atom_named(term t, const char *name)
{
	return term_is_atom(t) && strcmp(atom_text(t), name) == 0;
}

/* The key {fermata_socket, send | tcp | udp, Socket or Number}; TERM_NONE if the call has none. */
static term find_key(const struct process *p)
{
	for (uint32_t i = 0; i < p->announced.args_len; i++) {
		term key = p->announced.args[i];

		if (term_is_tuple_of(key, 3) && is_atom_named(tuple_element(key, 0), "fermata_socket"))
			return key;
	}
	return TERM_NONE;
}

static void add_about_sending(struct conductor *c, const struct process *p, const struct bif *bif,
			      term socket, struct strbuf *out)
{
	if (strcmp(bif->name, "send_open") == 0) {
		strbuf_adds(out, "send ");
		describe_add_term(c, p->announced.args[2], TERM_LIMIT, out);
		strbuf_adds(out, " on ");
		describe_add_term(c, socket, TERM_LIMIT, out);
		return;
	}
	if (strcmp(bif->name, "get") == 0)
		strbuf_adds(out, "look whether ");
	describe_add_term(c, socket, TERM_LIMIT, out);
	strbuf_adds(out, strcmp(bif->name, "erase") == 0 ? " cannot send any more" : " can send");
}

static void add_about_number(struct conductor *c, const struct bif *bif, term key,
			     struct strbuf *out)
{
	strbuf_adds(out, strcmp(bif->name, "get") == 0	   ? "look which socket has port "
			 : strcmp(bif->name, "erase") == 0 ? "give back port "
							   : "take port ");
	describe_add_term(c, tuple_element(key, 2), TERM_LIMIT, out);
	strbuf_addf(out, " of %s", atom_text(tuple_element(key, 1)));
}

enum socket_step describe_socket(struct conductor *c, const struct process *p,
				 const struct bif *bif, struct strbuf *out)
{
	term key = find_key(p);

	if (key == TERM_NONE || !term_is_atom(tuple_element(key, 1)))
		return SOCKET_NONE;
	if (is_atom_named(tuple_element(key, 1), "send")) {
		add_about_sending(c, p, bif, tuple_element(key, 2), out);
		return SOCKET_SENDING;
	}
	add_about_number(c, bif, key, out);
	return SOCKET_NUMBER;
}

void describe_socket_result(struct conductor *c, enum socket_step step, const struct bif *bif,
			    term result, struct strbuf *out)
{
	if (result == TERM_NONE)
		return;
	if (strcmp(bif->name, "send_open") == 0 && is_atom_named(result, "closed"))
		strbuf_adds(out, " → closed");
	if (strcmp(bif->name, "get") != 0)
		return;
	strbuf_adds(out, " → ");
	if (step == SOCKET_SENDING)
		strbuf_adds(out, is_atom_named(result, "none") ? "no" : "yes");
	else
		describe_add_term(c, result, TERM_LIMIT, out);
}

bool describe_is_socket_call(term message)
{
	return term_is_tuple_of(message, 4) && is_atom_named(tuple_element(message, 0), "call") &&
	       term_is_pid(tuple_element(message, 1)) && term_is_ref(tuple_element(message, 2));
}
