#include "vm/code/receive_elixir.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- quoted expressions ---- */

static uint32_t list_len(const struct etf_term *t)
{
	return t->kind == ETF_LIST ? t->len - 1 : 0; /* without the tail */
}

/* {Head, Meta, Arguments or Context} */
static bool is_node(const struct etf_term *t)
{
	return t->kind == ETF_TUPLE && t->len == 3 &&
	       (t->items[1].kind == ETF_LIST || t->items[1].kind == ETF_NIL);
}

static bool is_call(const struct etf_term *t, const char *name, uint32_t arguments)
{
	return is_node(t) && etf_is_atom(&t->items[0], name) && list_len(&t->items[2]) == arguments;
}

static const struct etf_term *argument(const struct etf_term *call, uint32_t i)
{
	return &call->items[2].items[i];
}

static bool is_variable(const struct etf_term *t)
{
	return is_node(t) && t->items[0].kind == ETF_ATOM && t->items[2].kind == ETF_ATOM;
}

/* The value of a key in a keyword list; NULL if it has none. */
static const struct etf_term *find_key(const struct etf_term *list, const char *key)
{
	for (uint32_t i = 0; i < list_len(list); i++)
		if (list->items[i].kind == ETF_TUPLE && list->items[i].len == 2 &&
		    etf_is_atom(&list->items[i].items[0], key))
			return &list->items[i].items[1];
	return NULL;
}

/* ---- patterns ---- */

struct printer {
	struct strbuf *out;
	size_t limit; /* of out->len */
};

static void print(struct printer *p, const struct etf_term *t);

static bool is_plain_name(const struct etf_term *atom)
{
	for (uint32_t i = 0; i < atom->len; i++)
		if (!isalnum(atom->bytes[i]) && atom->bytes[i] != '_' &&
		    !(i && (atom->bytes[i] == '?' || atom->bytes[i] == '!')))
			return false;
	return atom->len && !isdigit(atom->bytes[0]);
}

static void print_atom(struct printer *p, const struct etf_term *t)
{
	static const char module[] = "Elixir.";
	size_t len = strlen(module);

	if (t->len > len && memcmp(t->bytes, module, len) == 0)
		strbuf_add(p->out, (const char *)t->bytes + len, t->len - len);
	else if (etf_is_atom(t, "nil") || etf_is_atom(t, "true") || etf_is_atom(t, "false"))
		strbuf_add(p->out, (const char *)t->bytes, t->len);
	else
		strbuf_addf(p->out, is_plain_name(t) ? ":%.*s" : ":\"%.*s\"", (int)t->len,
			    (const char *)t->bytes);
}

static void print_items(struct printer *p, const struct etf_term *items, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++) {
		strbuf_adds(p->out, i ? ", " : "");
		if (p->out->len > p->limit) {
			strbuf_adds(p->out, "...");
			return;
		}
		print(p, &items[i]);
	}
}

static void print_enclosed(struct printer *p, const char *open, const struct etf_term *list,
			   const char *close)
{
	strbuf_adds(p->out, open);
	print_items(p, list->items, list_len(list));
	strbuf_adds(p->out, close);
}

/* "%{key: value, 1 => value}", and of a struct "%Name{key: value}" */
static void print_map(struct printer *p, const struct etf_term *fields)
{
	for (uint32_t i = 0; i < list_len(fields); i++) {
		const struct etf_term *field = &fields->items[i];

		strbuf_adds(p->out, i ? ", " : "");
		if (field->kind != ETF_TUPLE || field->len != 2) {
			strbuf_adds(p->out, "...");
			continue;
		}
		if (field->items[0].kind == ETF_ATOM && is_plain_name(&field->items[0])) {
			strbuf_addf(p->out, "%.*s: ", (int)field->items[0].len,
				    (const char *)field->items[0].bytes);
		} else {
			print(p, &field->items[0]);
			strbuf_adds(p->out, " => ");
		}
		print(p, &field->items[1]);
	}
	strbuf_addc(p->out, '}');
}

static void print_pair(struct printer *p, const struct etf_term *call, const char *operator)
{
	print(p, argument(call, 0));
	strbuf_addf(p->out, " %s ", operator);
	print(p, argument(call, 1));
}

/* The operator of Elixir for a function of Erlang; NULL if it is not an operator. */
static const char *operator_of(const struct etf_term *function)
{
	static const char *const names[][2] = {
		{"andalso", "and"}, {"orelse", "or"}, {"=:=", "==="}, {"=/=", "!=="}, {"==", "=="},
		{"/=", "!="}, {"<", "<"}, {">", ">"}, {"=<", "<="}, {">=", ">="}, {"+", "+"},
		{"-", "-"}, {"*", "*"}, {"/", "/"}, {"and", "and"}, {"or", "or"},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (etf_is_atom(function, names[i][0]))
			return names[i][1];
	return NULL;
}

/* {{:., _, [:erlang, :is_pid]}, _, Arguments}: a test of a guard. */
static void print_remote(struct printer *p, const struct etf_term *t)
{
	const struct etf_term *module = argument(&t->items[0], 0);
	const struct etf_term *function = argument(&t->items[0], 1);
	const char *operator = operator_of(function);

	if (operator && list_len(&t->items[2]) == 2) {
		print_pair(p, t, operator);
		return;
	}
	if (!etf_is_atom(module, "erlang")) {
		print(p, module);
		strbuf_addc(p->out, '.');
	}
	if (function->kind == ETF_ATOM)
		strbuf_add(p->out, (const char *)function->bytes, function->len);
	print_enclosed(p, "(", &t->items[2], ")");
}

static void print_node(struct printer *p, const struct etf_term *t)
{
	if (is_variable(t)) {
		strbuf_add(p->out, (const char *)t->items[0].bytes, t->items[0].len);
	} else if (etf_is_atom(&t->items[0], "{}")) {
		print_enclosed(p, "{", &t->items[2], "}");
	} else if (etf_is_atom(&t->items[0], "%{}")) {
		strbuf_adds(p->out, "%{");
		print_map(p, &t->items[2]);
	} else if (is_call(t, "%", 2) && is_node(argument(t, 1))) {
		strbuf_addc(p->out, '%');
		print(p, argument(t, 0));
		strbuf_addc(p->out, '{');
		print_map(p, &argument(t, 1)->items[2]);
	} else if (is_call(t, "^", 1)) {
		strbuf_addc(p->out, '^');
		print(p, argument(t, 0));
	} else if (is_call(t, "when", 2)) {
		print_pair(p, t, "when");
	} else if (is_call(t, "=", 2)) {
		print_pair(p, t, "=");
	} else if (is_call(t, "|", 2)) {
		print_pair(p, t, "|");
	} else if (is_call(&t->items[0], ".", 2)) {
		print_remote(p, t);
	} else {
		strbuf_adds(p->out, "...");
	}
}

static void print(struct printer *p, const struct etf_term *t)
{
	if (is_node(t))
		print_node(p, t);
	else if (t->kind == ETF_ATOM)
		print_atom(p, t);
	else if (t->kind == ETF_LIST)
		print_enclosed(p, "[", t, "]");
	else if (t->kind == ETF_TUPLE) {
		strbuf_addc(p->out, '{');
		print_items(p, t->items, t->len);
		strbuf_addc(p->out, '}');
	} else if (t->kind == ETF_BINARY) {
		strbuf_addf(p->out, "\"%.*s\"", (int)t->len, (const char *)t->bytes);
	} else {
		etf_print(p->out, t);
	}
}

static void print_clauses(const struct etf_term *clauses, struct strbuf *out)
{
	struct printer p = {out, out->len + RECEIVE_PATTERNS_LIMIT};

	for (uint32_t i = 0; i < list_len(clauses) && out->len <= p.limit; i++) {
		const struct etf_term *clause = &clauses->items[i];

		strbuf_adds(out, i ? "; " : "");
		if (is_call(clause, "->", 2))
			print_items(&p, argument(clause, 0)->items, list_len(argument(clause, 0)));
	}
	if (out->len > p.limit)
		strbuf_adds(out, "...");
}

/* ---- literals ---- */

static void add_literals(struct literal_vec *set, const struct etf_term *t)
{
	uint32_t from = 0;

	if (t->kind == ETF_ATOM)
		literals_add(set, literal_of_atom((const char *)t->bytes, t->len));
	else if (t->kind == ETF_INT)
		literals_add(set, literal_of_integer(t->value));
	if (is_variable(t) || (t->kind != ETF_TUPLE && t->kind != ETF_LIST))
		return;
	if (is_node(t)) {
		if (etf_is_atom(&t->items[0], "{}"))
			literals_add(set, literal_of_size(list_len(&t->items[2])));
		from = 2;
	} else if (t->kind == ETF_TUPLE) {
		literals_add(set, literal_of_size(t->len));
	}
	for (uint32_t i = from; i < t->len; i++)
		add_literals(set, &t->items[i]);
}

/* ---- the receives of a function ---- */

struct walk {
	struct receive_sources *sources;
	const char *outer;
	uint32_t inner; /* how many funs and comprehensions the walk is in */
};

static void add_receive(struct walk *w, const struct etf_term *t)
{
	const struct etf_term *clauses = find_key(argument(t, 0), "do");
	const struct etf_term *line = find_key(&t->items[1], "line");
	struct receive_source *source = vec_push(&w->sources->items);
	struct strbuf text = {0};

	*source = (struct receive_source){
		.function = w->inner ? NULL : w->outer, .outer = w->outer, .is_inner = w->inner > 0,
		.line = line && line->kind == ETF_INT ? (uint32_t)line->value : 0};
	if (clauses) {
		print_clauses(clauses, &text);
		for (uint32_t i = 0; i < list_len(clauses); i++)
			if (is_call(&clauses->items[i], "->", 2))
				add_literals(&source->literals, argument(&clauses->items[i], 0));
	}
	source->patterns = arena_strdup(&w->sources->arena, strbuf_text(&text));
	strbuf_release(&text);
}

static void walk_term(struct walk *w, const struct etf_term *t)
{
	bool is_inner = is_node(t) && (etf_is_atom(&t->items[0], "fn") ||
				       etf_is_atom(&t->items[0], "for"));

	if (t->kind != ETF_TUPLE && t->kind != ETF_LIST)
		return;
	if (is_call(t, "receive", 1))
		add_receive(w, t);
	w->inner += is_inner;
	for (uint32_t i = 0; i < t->len; i++)
		walk_term(w, &t->items[i]);
	w->inner -= is_inner;
}

/* {{name, Arity}, Kind, Meta, Clauses} */
static void walk_definition(struct receive_sources *sources, const struct etf_term *t)
{
	const struct etf_term *name = t->kind == ETF_TUPLE && t->len == 4 ? &t->items[0] : NULL;
	struct walk w = {.sources = sources};

	if (!name || name->kind != ETF_TUPLE || name->len != 2 || name->items[0].kind != ETF_ATOM)
		return;
	w.outer = arena_printf(&sources->arena, "%.*s/%ld", (int)name->items[0].len,
			       (const char *)name->items[0].bytes, (long)name->items[1].value);
	walk_term(&w, &t->items[3]);
}

void receive_elixir_read(struct receive_sources *sources, const struct etf_term *map)
{
	for (uint32_t i = 0; map->kind == ETF_MAP && i + 1 < map->len; i += 2)
		if (etf_is_atom(&map->items[i], "definitions"))
			for (uint32_t d = 0; d < list_len(&map->items[i + 1]); d++)
				walk_definition(sources, &map->items[i + 1].items[d]);
}
