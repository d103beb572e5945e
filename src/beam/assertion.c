#include "beam/assertion.h"

#include <string.h>

#include "beam/describe_term.h"
#include "vm/terms/atom.h"
#include "vm/terms/print.h"
#include "vm/terms/text.h"
#include "vm/terms/tmap.h"

enum { VALUE_LIMIT = 60 };

static bool is_eunit(term error)
{
	return term_is_tuple_of(error, 2) && term_is_atom(tuple_element(error, 0)) &&
	       strncmp(atom_text(tuple_element(error, 0)), "assert", 6) == 0 &&
	       term_is_cons(tuple_element(error, 1));
}

/* The name of an Elixir exception's module; or NULL. */
static const char *elixir_name(term error)
{
	term name = term_is_map(error) ? tmap_get(error, atom_from_string("__struct__"))
				       : TERM_NONE;

	if (name == TERM_NONE || !term_is_atom(name) ||
	    tmap_get(error, atom_from_string("__exception__")) != A_true)
		return NULL;
	return strncmp(atom_text(name), "Elixir.", 7) == 0 ? atom_text(name) + 7 : atom_text(name);
}

bool assertion_is(term error)
{
	const char *name = elixir_name(error);

	return is_eunit(error) || (name && strcmp(name, "ExUnit.AssertionError") == 0);
}

static term find(term list, const char *key)
{
	for (; term_is_cons(list); list = cons_tail(list))
		if (term_is_tuple_of(cons_head(list), 2) &&
		    tuple_element(cons_head(list), 0) == atom_from_string(key))
			return tuple_element(cons_head(list), 1);
	return TERM_NONE;
}

/* Characters as they are, anything else as a term. */
static void print_text(term t, struct strbuf *out)
{
	struct bytes bytes = {0};

	if ((term_is_cons(t) || term_is_boxed(t)) && text_flatten_utf8(t, &bytes))
		strbuf_add(out, (const char *)bytes.items, bytes.len);
	else
		print_term_limited(t, out, VALUE_LIMIT);
	bytes_release(&bytes);
}

static void print_part(struct strbuf *out, const char *before, term value, bool is_text)
{
	if (value == TERM_NONE)
		return;
	strbuf_adds(out, before);
	if (is_text)
		print_text(value, out);
	else
		print_term_limited(value, out, VALUE_LIMIT);
}

static void print_eunit(term error, struct strbuf *out)
{
	term info = tuple_element(error, 1);

	strbuf_addf(out, "%s fails: ", atom_text(tuple_element(error, 0)));
	print_text(find(info, "expression"), out);
	print_part(out, " is ", find(info, "value"), false);
	print_part(out, " raises ", find(info, "unexpected_exception"), false);
	print_part(out, " gives ", find(info, "unexpected_success"), false);
	print_part(out, ", expected ", find(info, "expected"), false);
	print_part(out, ", expected ", find(info, "pattern"), true);
	print_part(out, " (", find(info, "comment"), true);
	if (find(info, "comment") != TERM_NONE)
		strbuf_addc(out, ')');
}

static term side(term error, const char *key)
{
	term value = tmap_get(error, atom_from_string(key));

	return value == atom_from_string("ex_unit_no_meaningful_value") ? TERM_NONE : value;
}

static void print_side(struct strbuf *out, const char *before, term value)
{
	if (value == TERM_NONE)
		return;
	strbuf_adds(out, before);
	describe_elixir_term(value, out, VALUE_LIMIT);
}

static void print_elixir(term error, const char *name, struct strbuf *out)
{
	strbuf_addf(out, "(%s) ", name);
	print_part(out, "", tmap_get(error, A_message), true);
	print_side(out, "; left ", side(error, "left"));
	print_side(out, ", right ", side(error, "right"));
}

bool assertion_print(term error, struct strbuf *out)
{
	const char *name = elixir_name(error);

	if (is_eunit(error))
		print_eunit(error, out);
	else if (name)
		print_elixir(error, name, out);
	return name || is_eunit(error);
}
