#include "beam/describe_term.h"

#include <ctype.h>
#include <string.h>

#include "beam/describe_name.h"
#include "vm/code/code.h"
#include "vm/terms/atom.h"
#include "vm/terms/binary.h"
#include "vm/terms/print.h"
#include "vm/terms/tmap.h"

enum { DEPTH_MAX = 12 };

struct printer {
	struct strbuf *out;
	size_t end; /* length of `out` at which the text is cut */
	bool is_cut; /* "..." is there */
};

static const char MODULE[] = "Elixir.";

static bool is_over(const struct printer *p)
{
	return p->out->len > p->end;
}

/* ---- atoms ---- */

static bool is_module(term atom)
{
	return strncmp(atom_text(atom), MODULE, strlen(MODULE)) == 0;
}

static bool is_plain_name(const char *text)
{
	size_t len = strlen(text);

	if (!len || !(isalpha((unsigned char)text[0]) || text[0] == '_'))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && text[i] != '_' && text[i] != '@' &&
		    !(i + 1 == len && (text[i] == '?' || text[i] == '!')))
			return false;
	return true;
}

static void add_quoted(struct strbuf *out, const char *text, size_t len)
{
	strbuf_addc(out, '"');
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\n') {
			strbuf_adds(out, "\\n");
			continue;
		}
		if (text[i] == '"' || text[i] == '\\')
			strbuf_addc(out, '\\');
		strbuf_addc(out, text[i]);
	}
	strbuf_addc(out, '"');
}

void describe_elixir_atom(term atom, struct strbuf *out)
{
	const char *text = atom_text(atom);

	if (strcmp(text, "nil") == 0 || strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
		strbuf_adds(out, text);
	} else if (is_module(atom)) {
		strbuf_adds(out, text + strlen(MODULE));
	} else {
		strbuf_addc(out, ':');
		if (is_plain_name(text))
			strbuf_adds(out, text);
		else
			add_quoted(out, text, strlen(text));
	}
}

/* ---- the rest ---- */

static void print(struct printer *p, term t, int depth);

/* "..." for the elements that are left out, once. */
static bool leaves_out(struct printer *p, const char *before)
{
	const char *text = strbuf_text(p->out);

	/* A number or a binary that was cut says so itself. */
	if (is_over(p) && !p->is_cut && strcmp(text + p->out->len - strlen("..."), "...") != 0)
		strbuf_addf(p->out, "%s...", before);
	p->is_cut |= is_over(p);
	return is_over(p);
}

/* An atom as the key of a keyword list or map: "name: ". */
static bool is_key(term t)
{
	return term_is_atom(t) && !is_module(t) && is_plain_name(atom_text(t));
}

static bool is_keyword(term list)
{
	for (; term_is_cons(list); list = cons_tail(list))
		if (!term_is_tuple_of(cons_head(list), 2) ||
		    !is_key(tuple_element(cons_head(list), 0)))
			return false;
	return list == NIL;
}

static void print_list(struct printer *p, term list, int depth)
{
	bool by_key = is_keyword(list);
	const char *before = "[";

	for (; term_is_cons(list) && !leaves_out(p, before); list = cons_tail(list), before = ", ") {
		term head = cons_head(list);

		strbuf_adds(p->out, before);
		if (by_key)
			strbuf_addf(p->out, "%s: ", atom_text(tuple_element(head, 0)));
		print(p, by_key ? tuple_element(head, 1) : head, depth + 1);
	}
	if (!is_over(p) && list != NIL) {
		strbuf_adds(p->out, " | ");
		print(p, list, depth + 1);
	}
	strbuf_addc(p->out, ']');
}

static void print_tuple(struct printer *p, term t, int depth)
{
	strbuf_addc(p->out, '{');
	for (size_t i = 0; i < tuple_size(t) && !leaves_out(p, i ? ", " : ""); i++) {
		strbuf_adds(p->out, i ? ", " : "");
		print(p, tuple_element(t, i), depth + 1);
	}
	strbuf_addc(p->out, '}');
}

static void print_map(struct printer *p, term map, int depth)
{
	term struct_key = atom_from_string("__struct__");
	term name = tmap_get(map, struct_key), key, value;
	struct tmap_iter it = tmap_iter(map);
	const char *before = "";

	strbuf_addc(p->out, '%');
	if (name != TERM_NONE && term_is_atom(name))
		describe_elixir_atom(name, p->out);
	strbuf_addc(p->out, '{');
	while (tmap_next(&it, &key, &value)) {
		if (key == struct_key)
			continue;
		if (leaves_out(p, before))
			break;
		strbuf_adds(p->out, before);
		before = ", ";
		if (is_key(key)) {
			strbuf_addf(p->out, "%s: ", atom_text(key));
		} else {
			print(p, key, depth + 1);
			strbuf_adds(p->out, " => ");
		}
		print(p, value, depth + 1);
	}
	strbuf_addc(p->out, '}');
}

static bool is_text(const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((bytes[i] < 0x20 && bytes[i] != '\n' && bytes[i] != '\t') || bytes[i] >= 0x7f)
			return false;
	return true;
}

static void print_bits(struct printer *p, term t)
{
	struct bits bits = bits_of(t);

	if (bits_are_bytes(bits) && is_text(bits_start(bits), bits.size / 8)) {
		size_t len = bits.size / 8, room = p->end + 1 - p->out->len;

		add_quoted(p->out, (const char *)bits_start(bits), len < room ? len : room);
		return;
	}
	print_term_limited(t, p->out, p->end - p->out->len);
}

static bool is_charlist(term list)
{
	for (; term_is_cons(list); list = cons_tail(list))
		if (!term_is_small(cons_head(list)) || small_value(cons_head(list)) < 32 ||
		    small_value(cons_head(list)) >= 127)
			return false;
	return list == NIL;
}

/* "#Reference<0.1.2.3>" of "#Ref<0.1.2.3>" */
static void print_ref(struct printer *p, term t)
{
	struct strbuf text = {0};

	print_term(t, &text);
	strbuf_addf(p->out, "#Reference%s", strbuf_text(&text) + strcspn(strbuf_text(&text), "<"));
	strbuf_release(&text);
}

/* "&Counter.add/2" */
static void print_export(struct printer *p, term t)
{
	const struct export *export = export_of_fun(t);

	strbuf_addc(p->out, '&');
	describe_elixir_atom(export->module, p->out);
	strbuf_addf(p->out, ".%s/%u", atom_text(export->function), export->arity);
}

static void print(struct printer *p, term t, int depth)
{
	if (leaves_out(p, ""))
		return;
	if (depth > DEPTH_MAX)
		strbuf_adds(p->out, "...");
	else if (term_is_atom(t))
		describe_elixir_atom(t, p->out);
	else if (term_is_cons(t) && !is_charlist(t))
		print_list(p, t, depth);
	else if (term_is_tuple(t))
		print_tuple(p, t, depth);
	else if (term_is_map(t))
		print_map(p, t, depth);
	else if (term_is_bitstring(t))
		print_bits(p, t);
	else if (term_is_ref(t))
		print_ref(p, t);
	else if (term_is_export_fun(t))
		print_export(p, t);
	else if (term_is_local_fun(t)) {
		strbuf_adds(p->out, "#fn<");
		describe_fun_origin(t, p->out);
		strbuf_addc(p->out, '>');
	} else if (term_is_cons(t)) {
		strbuf_adds(p->out, "~c");
		print_term_limited(t, p->out, p->end - p->out->len);
	} else {
		print_term_limited(t, p->out, p->end - p->out->len);
	}
}

void describe_elixir_term(term t, struct strbuf *out, size_t limit)
{
	struct printer p = {.out = out, .end = out->len + limit};

	print(&p, t, 0);
	if (is_over(&p) && !p.is_cut)
		strbuf_adds(out, "...");
}

void describe_elixir_names(struct strbuf *text)
{
	static const char prefix[] = "'Elixir.";
	struct strbuf out = {0};
	const char *at = strbuf_text(text), *name, *end;

	while ((name = strstr(at, prefix)) && (end = strchr(name + 1, '\''))) {
		strbuf_add(&out, at, (size_t)(name - at));
		name += strlen(prefix);
		strbuf_add(&out, name, (size_t)(end - name));
		at = end + 1;
	}
	strbuf_adds(&out, at);
	strbuf_clear(text);
	strbuf_adds(text, strbuf_text(&out));
	strbuf_release(&out);
}
