#include "beam/describe_global.h"

#include <string.h>

#include "beam/conduct_parts.h"
#include "beam/describe_name.h"
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/terms/atom.h"

enum { TERM_LIMIT = 60 };

static bool is_global(const char *module)
{
	return strcmp(module, "global") == 0;
}

static void add_prefix(const struct conductor *c, struct strbuf *out)
{
	strbuf_adds(out, c->descriptions.is_elixir ? ":global." : "global:");
}

static bool is_native(const struct bif *bif, const char *module, const char *name)
{
	return strcmp(bif->module, module) == 0 && strcmp(bif->name, name) == 0;
}

/* Functions that look for a name: global:where/1, which the others call. */
bool describe_global(struct conductor *c, const struct process *p, const struct bif *bif,
		     struct strbuf *out)
{
	bool is_alive = is_native(bif, "erlang", "is_process_alive");
	struct code_place place;

	if (!(is_alive || is_native(bif, "ets", "lookup")) ||
	    !site_is_called_by_program(p, is_global) ||
	    !site_find_library_call(p, is_global, &place))
		return false;
	add_prefix(c, out);
	if (strcmp(atom_text(place.function), "where") == 0) /* a tail call of whereis_name */
		strbuf_adds(out, "whereis_name");
	else
		strbuf_adds(out, atom_text(place.function));
	strbuf_adds(out, is_alive ? ": is_process_alive(" : "(");
	describe_add_term(c, p->announced.args[is_alive ? 0 : 1], TERM_LIMIT, out);
	strbuf_adds(out, place.arity > 1 && !is_alive ? ", ...)" : ")");
	return true;
}

void describe_global_result(struct conductor *c, const struct bif *bif, term result,
			    struct strbuf *out)
{
	term row = term_is_cons(result) ? cons_head(result)
					: NIL; /* {Name, Pid, Method, Reference} */

	strbuf_adds(out, " → ");
	if (is_native(bif, "ets", "lookup"))
		result = term_is_tuple_of(row, 4) ? tuple_element(row, 1) : A_undefined;
	describe_add_term(c, result, TERM_LIMIT, out);
}

/* The name and the process in the environment of the fun, which may also have the method that resolves conflicts. */
static bool find_named(term fun, term *name, term *pid)
{
	size_t names = 0;

	*pid = TERM_NONE;
	for (size_t i = 0; i < fun_free_len(fun); i++) {
		term one = fun_free(fun)[i];

		if (term_is_pid(one) && *pid == TERM_NONE) {
			*pid = one;
		} else if (!term_is_fun(one)) {
			*name = one;
			names++;
		}
	}
	return names == 1;
}

bool describe_global_call(struct conductor *c, term message, struct strbuf *out)
{
	term request = term_is_tuple_of(message, 3) ? tuple_element(message, 2)
						    : NIL; /* {'$gen_call', From, Request} */
	term fun = term_is_tuple_of(request, 2) ? tuple_element(request, 1) : NIL, name = NIL, pid;
	const struct fun_entry *entry = term_is_fun(fun) && !term_is_export_fun(fun)
						? fun_entry_of(fun)
						: NULL;
	struct strbuf origin = {0};

	if (!entry || tuple_element(request, 0) != atom_from_string("registrar") ||
	    strcmp(atom_text(entry->module), "global") != 0)
		return false;
	describe_fun_origin(fun, &origin); /* register_name/3 */
	add_prefix(c, out);
	strbuf_addf(out, "%.*s(", (int)strcspn(strbuf_text(&origin), "/"), strbuf_text(&origin));
	strbuf_release(&origin);
	if (!find_named(fun, &name, &pid)) {
		strbuf_adds(out, "...)");
		return true;
	}
	describe_add_term(c, name, TERM_LIMIT, out);
	if (pid != TERM_NONE) {
		strbuf_adds(out, ", ");
		describe_add_process(c, pid, out);
	}
	strbuf_addc(out, ')');
	return true;
}
