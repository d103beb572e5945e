#include "beam/describe_registry.h"

#include <string.h>

#include "beam/conduct_parts.h"
#include "beam/describe_term.h"
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/ets/ets.h"
#include "vm/terms/atom.h"

enum { TERM_LIMIT = 60 };

/* and its processes: Elixir.Registry.Partition */
static bool is_registry(const char *module)
{
	static const char registry[] = "Elixir.Registry";

	return strncmp(module, registry, strlen(registry)) == 0;
}

/* The name of the table that is the first argument. */
static const char *name_of_table(struct conductor *c, const struct process *p)
{
	term table = p->announced.args_len ? p->announced.args[0] : NIL;
	const struct ets_table *shape = term_is_ref(table) ? ets_find_shape(c->vm, table) : NULL;

	table = shape ? shape->name : table;
	return term_is_atom(table) ? atom_text(table) : "";
}

static enum registry_call call_of(const struct bif *bif)
{
	static const struct {
		const char *name;
		enum registry_call call;
	} calls[] = {
		{"lookup", REGISTRY_LOOKUP},
		{"lookup_element", REGISTRY_LOOKUP},
		{"insert", REGISTRY_REGISTER},
		{"insert_new", REGISTRY_REGISTER},
		{"delete", REGISTRY_UNREGISTER},
		{"match_delete", REGISTRY_UNREGISTER},
		{"internal_select_delete", REGISTRY_UNREGISTER},
		{"delete_object", REGISTRY_UNREGISTER},
	};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strcmp(bif->name, calls[i].name) == 0)
			return calls[i].call;
	return REGISTRY_OWN;
}

static void add(struct conductor *c, const char *before, term t, struct strbuf *out)
{
	strbuf_adds(out, before);
	describe_add_term(c, t, TERM_LIMIT, out);
}

/* The key of a row {Key, {Pid, Value}}, of a pattern of one, of a match specification with one, or of a call that has only the key. */
static term key_of(term argument)
{
	if (term_is_cons(argument) && term_is_tuple_of(cons_head(argument), 3))
		argument = tuple_element(cons_head(argument), 0); /* [{Pattern, Guards, Body}] */
	return term_is_tuple_of(argument, 2) ? tuple_element(argument, 0) : argument;
}

enum registry_call describe_registry(struct conductor *c, const struct process *p,
				     const struct bif *bif, struct strbuf *out)
{
	static const char *const words[] = {
		[REGISTRY_LOOKUP] = "lookup",
		[REGISTRY_REGISTER] = "register",
		[REGISTRY_UNREGISTER] = "unregister",
	};
	term row = p->announced.args_len > 1 ? p->announced.args[1] : TERM_NONE;
	enum registry_call call = strcmp(bif->module, "ets") == 0 ? call_of(bif) : REGISTRY_OWN;
	const char *name, *keys;

	if (!site_is_called_by_program(p, is_registry))
		return REGISTRY_NONE;
	name = name_of_table(c, p);
	keys = strstr(name, ".KeyPartition"); /* Elixir.Rooms.KeyPartition0 */
	if (!keys || row == TERM_NONE || call == REGISTRY_OWN)
		return REGISTRY_OWN;
	strbuf_addf(out, "Registry.%s(", words[call]);
	describe_elixir_atom(atom_from_text(name, (size_t)(keys - name)), out);
	add(c, ", ", key_of(row), out);
	if (call == REGISTRY_REGISTER && term_is_tuple_of(row, 2) &&
	    term_is_tuple_of(tuple_element(row, 1), 2))
		add(c, ", ", tuple_element(tuple_element(row, 1), 1), out);
	strbuf_addc(out, ')');
	return call;
}

void describe_registry_result(struct conductor *c, enum registry_call call, const struct bif *bif,
			      term result, struct strbuf *out)
{
	if (call == REGISTRY_REGISTER && result == A_false) {
		strbuf_adds(out, " → {:error, :already_registered}");
	} else if (call == REGISTRY_LOOKUP && result == TERM_NONE) {
		strbuf_adds(out, " → []");
	} else if (call == REGISTRY_LOOKUP && strcmp(bif->name, "lookup_element") == 0 &&
		   !term_is_list(result)) {
		add(c, " → [", result, out);
		strbuf_addc(out, ']');
	} else if (call == REGISTRY_LOOKUP) {
		add(c, " → ", result, out);
	}
}
