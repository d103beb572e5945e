/* equal.c: values that are one term because a test on the way to the write found them equal.
 *
 *     case whereis(A) of undefined when A =:= B -> register(B, Pid) ...
 *
 * Value flow alone does not know that A and B are the same name. The state of the interpreter
 * keeps such tests (state.h); a pair of accesses takes along the few that make its ends equal, so
 * that callers can still refuse a pair whose test can never succeed with their arguments.
 */
#include "static/interp.h"

enum { MAX_REPLACED = 8 };

/* The number of replacements is bounded: a chain of equalities is followed, a ring is left. */
static uint32_t replace(const struct fact *same, size_t same_len, uint32_t v)
{
	for (size_t steps = 0, i = 0; i < same_len && steps < MAX_REPLACED; i++)
		if (same[i].value == v && same[i].constant != v) {
			v = same[i].constant;
			i = (size_t)-1;
			steps++;
		}
	return v;
}

uint32_t equal_resolve(struct values *vs, const struct fact *same, size_t same_len, uint32_t v)
{
	uint32_t children[VALUE_MAX_CHILDREN];
	uint32_t replaced = replace(same, same_len, v);
	const struct value *n;
	uint8_t len;

	if (replaced != v || !same_len)
		return replaced;
	n = value_at(vs, v);
	len = n->len;
	if (!len || n->kind == VALUE_OUTER || n->kind == VALUE_TABLE || n->kind == VALUE_FUN ||
	    value_is_constant(vs, v))
		return v;
	for (uint8_t i = 0; i < len; i++)
		children[i] = equal_resolve(vs, same, same_len, value_child(vs, v, i));
	v = value_rebuild(vs, v, children);
	return replace(same, same_len, v);
}

/* A value is made after its parts, so a part has the smaller number. */
static bool has_part(const struct values *vs, uint32_t whole, uint32_t part)
{
	if (whole <= part)
		return whole == part;
	for (uint8_t i = 0; i < value_at(vs, whole)->len; i++)
		if (has_part(vs, value_child(vs, whole, i), part))
			return true;
	return false;
}

static bool is_relevant(const struct values *vs, const struct pair *pair, const struct fact *fact)
{
	const uint32_t ends[] = {pair->read.table, pair->write.table, pair->read.key,
				 pair->write.key};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (has_part(vs, ends[i], fact->value) || has_part(vs, ends[i], fact->constant))
			return true;
	return false;
}

static void take_relevant(const struct values *vs, struct pair *pair, const struct fact *facts,
			  size_t len)
{
	for (size_t i = 0; i < len && pair->same_len < PAIR_MAX_SAME; i++)
		if (is_relevant(vs, pair, &facts[i]))
			pair->same[pair->same_len++] = facts[i];
}

void equal_take(struct interp *in, struct pair *pair)
{
	enum value_relation tables, keys;

	if (pair->read.kind != pair->write.kind)
		return;
	tables = pair_tables(in->a, pair);
	keys = pair_keys(in->a, in->fn, pair);
	if (tables == VALUE_DIFFERENT || keys == VALUE_DIFFERENT ||
	    (tables == VALUE_EQUAL && keys == VALUE_EQUAL))
		return;
	take_relevant(in->vs, pair, in->now.equals, in->now.equals_len);
	take_relevant(in->vs, pair, in->now.facts, in->now.facts_len);
	/* tests that prove nothing new would only cost */
	if (pair_tables(in->a, pair) == tables && pair_keys(in->a, in->fn, pair) == keys)
		pair->same_len = 0;
}

/* The tests of a pair in terms of the caller; false when one of them cannot succeed there. */
bool equal_translate(struct interp *in, struct pair *pair, const uint32_t *args, uint32_t args_len,
		     uint32_t site)
{
	for (uint8_t i = 0; i < pair->same_len; i++) {
		struct fact *fact = &pair->same[i];

		fact->value = value_subst(in->vs, fact->value, args, args_len, site);
		fact->constant = value_subst(in->vs, fact->constant, args, args_len, site);
		if (value_relate(in->vs, fact->value, fact->constant) == VALUE_DIFFERENT)
			return false;
	}
	return true;
}
