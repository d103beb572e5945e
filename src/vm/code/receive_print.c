#include "vm/code/receive_print.h"

#include <string.h>

struct printer {
	struct strbuf *out;
	size_t limit; /* of out->len */
};

static void print(struct printer *p, const struct etf_term *t);

static bool has_tag(const struct etf_term *t, const char *tag, uint32_t len)
{
	return t->kind == ETF_TUPLE && t->len == len && etf_is_atom(&t->items[0], tag);
}

static void print_list(struct printer *p, const struct etf_term *list, const char *between)
{
	uint32_t len = list->kind == ETF_LIST ? list->len - 1 : 0; /* without the tail */

	for (uint32_t i = 0; i < len; i++) {
		strbuf_adds(p->out, i ? between : "");
		if (p->out->len > p->limit) {
			strbuf_adds(p->out, "...");
			return;
		}
		print(p, &list->items[i]);
	}
}

static void print_enclosed(struct printer *p, const char *open, const struct etf_term *list,
			   const char *close)
{
	strbuf_adds(p->out, open);
	print_list(p, list, ", ");
	strbuf_adds(p->out, close);
}

/* {cons, _, Head, Tail}, as one list. */
static void print_cons(struct printer *p, const struct etf_term *t)
{
	strbuf_addc(p->out, '[');
	for (;; t = &t->items[3]) {
		print(p, &t->items[2]);
		if (!has_tag(&t->items[3], "cons", 4))
			break;
		strbuf_adds(p->out, ", ");
		if (p->out->len > p->limit) {
			strbuf_adds(p->out, "...]");
			return;
		}
	}
	if (!has_tag(&t->items[3], "nil", 2)) {
		strbuf_adds(p->out, " | ");
		print(p, &t->items[3]);
	}
	strbuf_addc(p->out, ']');
}

static void print_atom(struct printer *p, const struct etf_term *t)
{
	if (t->kind == ETF_ATOM)
		etf_print_atom(p->out, (const char *)t->bytes, t->len);
	else
		strbuf_adds(p->out, "...");
}

/* A variable or an operator: as it is. */
static void print_word(struct printer *p, const struct etf_term *t)
{
	if (t->kind == ETF_ATOM)
		strbuf_add(p->out, (const char *)t->bytes, t->len);
}

static void print_record(struct printer *p, const struct etf_term *t)
{
	strbuf_addc(p->out, '#');
	print_atom(p, &t->items[2]);
	print_enclosed(p, "{", &t->items[3], "}");
}

/* {op, _, Operator, Left, Right} and the like: `between` is a text, or NULL for the operator. */
static void print_pair(struct printer *p, const struct etf_term *t, uint32_t left,
		       const char *between)
{
	print(p, &t->items[left]);
	if (between) {
		strbuf_adds(p->out, between);
	} else {
		strbuf_addc(p->out, ' ');
		print_word(p, &t->items[2]);
		strbuf_addc(p->out, ' ');
	}
	print(p, &t->items[left + 1]);
}

static bool print_literal(struct printer *p, const struct etf_term *t)
{
	if (has_tag(t, "var", 3)) {
		print_word(p, &t->items[2]);
	} else if (has_tag(t, "atom", 3)) {
		print_atom(p, &t->items[2]);
	} else if (has_tag(t, "integer", 3) || has_tag(t, "float", 3)) {
		etf_print(p->out, &t->items[2]);
	} else if (has_tag(t, "char", 3)) {
		strbuf_addf(p->out, "%ld", (long)t->items[2].value);
	} else if (has_tag(t, "string", 3)) {
		strbuf_addc(p->out, '"');
		if (t->items[2].kind == ETF_STRING)
			strbuf_add(p->out, (const char *)t->items[2].bytes, t->items[2].len);
		strbuf_addc(p->out, '"');
	} else if (has_tag(t, "nil", 2)) {
		strbuf_adds(p->out, "[]");
	} else {
		return false;
	}
	return true;
}

static void print(struct printer *p, const struct etf_term *t)
{
	if (print_literal(p, t))
		return;
	if (has_tag(t, "tuple", 3)) {
		print_enclosed(p, "{", &t->items[2], "}");
	} else if (has_tag(t, "map", 3)) {
		print_enclosed(p, "#{", &t->items[2], "}");
	} else if (has_tag(t, "map_field_exact", 4) || has_tag(t, "map_field_assoc", 4)) {
		print_pair(p, t, 2, has_tag(t, "map_field_exact", 4) ? " := " : " => ");
	} else if (has_tag(t, "record", 4)) {
		print_record(p, t);
	} else if (has_tag(t, "record_field", 4)) {
		print_pair(p, t, 2, " = ");
	} else if (has_tag(t, "match", 4)) {
		print_pair(p, t, 2, " = ");
	} else if (has_tag(t, "cons", 4)) {
		print_cons(p, t);
	} else if (has_tag(t, "bin", 3)) {
		strbuf_adds(p->out, "<<...>>");
	} else if (has_tag(t, "op", 5)) {
		print_pair(p, t, 3, NULL);
	} else if (has_tag(t, "op", 4)) {
		print_word(p, &t->items[2]);
		print(p, &t->items[3]);
	} else if (has_tag(t, "call", 4)) {
		print(p, &t->items[2]);
		print_enclosed(p, "(", &t->items[3], ")");
	} else if (has_tag(t, "remote", 4)) {
		print_pair(p, t, 2, ":");
	} else {
		strbuf_adds(p->out, "...");
	}
}

/* A list of alternatives, each a list of tests. */
static void print_guard(struct printer *p, const struct etf_term *guard)
{
	for (uint32_t i = 0; guard->kind == ETF_LIST && i + 1 < guard->len; i++) {
		strbuf_adds(p->out, i ? "; " : " when ");
		print_list(p, &guard->items[i], ", ");
	}
}

void receive_print_clauses(const struct etf_term *clauses, struct strbuf *out, size_t limit)
{
	struct printer p = {out, out->len + limit};

	for (uint32_t i = 0; clauses->kind == ETF_LIST && i + 1 < clauses->len; i++) {
		const struct etf_term *clause = &clauses->items[i];

		strbuf_adds(out, i ? "; " : "");
		if (out->len > p.limit) {
			strbuf_adds(out, "...");
			return;
		}
		if (!has_tag(clause, "clause", 5))
			continue;
		print_list(&p, &clause->items[2], ", ");
		print_guard(&p, &clause->items[3]);
	}
}
