/* literal.c: constants of a module as values. Tuples and lists are taken apart, up to the
 * bounds of values; the rest is known by its bytes only. */
#include "static/program.h"

#include <string.h>

#include "base/hash.h"
#include "beamfile/etf.h"

enum { MAX_LIST = 64 };

static uint32_t convert(struct program *p, const struct etf_term *term, uint64_t hash);

static uint32_t convert_tuple(struct program *p, const struct etf_term *term, uint64_t hash)
{
	uint32_t children[VALUE_MAX_CHILDREN];

	if (term->len > VALUE_MAX_CHILDREN)
		return value_opaque(&p->vs, hash);
	for (uint32_t i = 0; i < term->len; i++)
		children[i] = convert(p, &term->items[i], hash_combine(hash, i));
	return value_make(&p->vs, VALUE_TUPLE, 0, 0, children, term->len);
}

/* A long list keeps its first items only as deep as values go: then it is opaque. */
static uint32_t convert_list(struct program *p, const struct etf_term *term, uint64_t hash)
{
	uint32_t list;

	if (term->len > MAX_LIST || term->len > VALUE_MAX_DEPTH)
		return value_opaque(&p->vs, hash);
	list = convert(p, &term->items[term->len - 1], hash_combine(hash, term->len));
	for (uint32_t i = term->len - 1; i-- > 0;)
		list = value_cons(&p->vs, convert(p, &term->items[i], hash_combine(hash, i)), list);
	return list == VALUE_TOP ? value_opaque(&p->vs, hash) : list;
}

static uint32_t convert_export(struct program *p, const struct etf_term *term, uint64_t hash)
{
	const struct etf_term *m = &term->items[0], *f = &term->items[1], *a = &term->items[2];
	uint32_t fn;

	if (m->kind != ETF_ATOM || f->kind != ETF_ATOM || a->kind != ETF_INT)
		return value_opaque(&p->vs, hash);
	fn = program_find_fn(p, program_atom(p, (const char *)m->bytes, m->len),
			     program_atom(p, (const char *)f->bytes, f->len), (uint32_t)a->value);
	return fn == PROGRAM_NONE ? value_opaque(&p->vs, hash)
				  : value_make(&p->vs, VALUE_FUN, fn, 0, NULL, 0);
}

static uint32_t convert(struct program *p, const struct etf_term *term, uint64_t hash)
{
	switch (term->kind) {
	case ETF_INT: return value_int(&p->vs, term->value);
	case ETF_ATOM:
		return value_atom(&p->vs, program_atom(p, (const char *)term->bytes, term->len));
	case ETF_NIL: return value_make(&p->vs, VALUE_NIL, 0, 0, NULL, 0);
	case ETF_TUPLE: return convert_tuple(p, term, hash);
	case ETF_LIST: return convert_list(p, term, hash);
	case ETF_EXPORT: return convert_export(p, term, hash);
	case ETF_STRING: case ETF_BINARY: case ETF_BIG:
		return value_opaque(&p->vs, hash_combine(hash_bytes(term->bytes, term->len),
							 term->kind));
	default: return value_opaque(&p->vs, hash);
	}
}

uint32_t program_literal(struct program *p, struct module *m, uint32_t index)
{
	const struct beam_bytes *literal = &m->bf.literals[index];
	struct arena arena = {0};
	struct etf_term term;

	if (m->literals[index])
		return m->literals[index] - 1;
	m->literals[index] = VALUE_TOP + 1;
	if (etf_read(&arena, literal->bytes, literal->len, &term, NULL))
		m->literals[index] = 1 + convert(p, &term,
						 hash_bytes(literal->bytes, literal->len));
	arena_release(&arena);
	return m->literals[index] - 1;
}
