#include "static/state.h"

#include <string.h>

void state_start(struct state *s, struct values *vs, uint32_t arity)
{
	memset(s, 0, sizeof(*s)); /* VALUE_TOP is 0 */
	for (uint32_t i = 0; i < arity && i < STATE_MAX_REGISTERS; i++)
		s->x[i] = value_arg(vs, i);
}

void state_clobber(struct state *s)
{
	memset(s->x, 0, sizeof(s->x));
}

void state_trim(struct state *s, uint32_t n)
{
	for (uint32_t i = 0; i < STATE_MAX_REGISTERS; i++)
		s->y[i] = n < STATE_MAX_REGISTERS - i ? s->y[i + n] : VALUE_TOP;
}

static bool join_registers(uint32_t *mine, struct values *vs, const uint32_t *other, uint32_t site,
			   uint32_t bank)
{
	bool changed = false;

	for (uint32_t i = 0; i < STATE_MAX_REGISTERS; i++) {
		uint32_t joined;

		if (mine[i] == other[i] || mine[i] == VALUE_TOP)
			continue;
		joined = other[i] == VALUE_TOP ? VALUE_TOP
					       : value_join(vs, site, bank + i, mine[i], other[i]);
		changed |= joined != mine[i];
		mine[i] = joined;
	}
	return changed;
}

static bool has_fact(const struct fact *facts, uint8_t len, const struct fact *fact)
{
	for (uint8_t i = 0; i < len; i++)
		if (facts[i].value == fact->value && facts[i].constant == fact->constant)
			return true;
	return false;
}

/* Keeps the facts that the other state has, too. */
static bool keep_common(struct fact *facts, uint8_t *len, const struct fact *others,
			uint8_t others_len)
{
	uint8_t kept = 0;
	bool changed;

	for (uint8_t i = 0; i < *len; i++)
		if (has_fact(others, others_len, &facts[i]))
			facts[kept++] = facts[i];
	changed = kept != *len;
	*len = kept;
	return changed;
}

static uint32_t alternatives_len(const struct values *vs, uint32_t v)
{
	const struct value_set *set = value_alternatives(vs, v);

	return set ? set->len : 0;
}

/* One fact on one path and one on the other: `when T == n; T == a` leaves "T is n or a". */
static bool join_fact(struct fact *mine, struct values *vs, const struct state *other,
		      uint32_t site, bool *is_kept)
{
	struct fact old = *mine;
	uint32_t len = alternatives_len(vs, old.constant);
	uint32_t known = VALUE_TOP;

	for (uint8_t i = 0; i < other->facts_len; i++)
		if (other->facts[i].value == mine->value)
			known = other->facts[i].constant;
	*is_kept = known != VALUE_TOP;
	if (!*is_kept || known == mine->constant)
		return !*is_kept;
	mine->constant = value_join(vs, site, STATE_FACT_REGISTER + mine->value, mine->constant,
				    known);
	return mine->constant != old.constant || alternatives_len(vs, mine->constant) != len;
}

static bool join_facts(struct state *s, struct values *vs, const struct state *other,
		       uint32_t site)
{
	uint8_t kept = 0;
	bool changed = false, is_kept;

	for (uint8_t i = 0; i < s->facts_len; i++) {
		struct fact fact = s->facts[i];

		changed |= join_fact(&fact, vs, other, site, &is_kept);
		if (is_kept)
			s->facts[kept++] = fact;
	}
	s->facts_len = kept;
	return changed;
}

bool state_join(struct state *s, struct values *vs, const struct state *other, uint32_t site)
{
	bool changed = join_registers(s->x, vs, other->x, site, 0);

	changed |= join_registers(s->y, vs, other->y, site, STATE_MAX_REGISTERS);
	changed |= join_facts(s, vs, other, site);
	changed |= keep_common(s->equals, &s->equals_len, other->equals, other->equals_len);
	changed |= keep_common(s->nots, &s->nots_len, other->nots, other->nots_len);
	for (size_t w = 0; w < BITSET_WORDS(STATE_MAX_READS); w++) {
		changed |= (other->reads[w] & ~s->reads[w]) != 0;
		s->reads[w] |= other->reads[w];
	}
	return changed;
}

uint32_t state_known(const struct state *s, const struct values *vs, uint32_t v)
{
	if (value_is_constant(vs, v))
		return v;
	for (uint8_t i = 0; i < s->facts_len; i++)
		if (s->facts[i].value == v)
			return s->facts[i].constant;
	return v;
}

/* Two values that are not constants: the one with the greater number stands first, so that
 * replacing the first by the second comes to an end. */
static void note_equal(struct state *s, uint32_t a, uint32_t b)
{
	struct fact fact = {a > b ? a : b, a > b ? b : a};

	if (a == b || a == VALUE_TOP || b == VALUE_TOP || s->equals_len == STATE_MAX_EQUALS ||
	    has_fact(s->equals, s->equals_len, &fact))
		return;
	s->equals[s->equals_len++] = fact;
}

/* Returns false if the table is full. */
static bool put_fact(struct state *s, uint32_t v, uint32_t constant)
{
	for (uint8_t i = 0; i < s->facts_len; i++)
		if (s->facts[i].value == v) { /* one of several until now */
			s->facts[i].constant = constant;
			return true;
		}
	if (s->facts_len == STATE_MAX_FACTS)
		return false;
	s->facts[s->facts_len++] = (struct fact){v, constant};
	return true;
}

void state_exclude(struct state *s, const struct values *vs, uint32_t v, uint32_t constant)
{
	struct fact fact = {v, constant};

	if (s->nots_len == STATE_MAX_NOTS || v == VALUE_TOP || value_is_constant(vs, v) ||
	    !value_is_constant(vs, constant) || has_fact(s->nots, s->nots_len, &fact))
		return;
	s->nots[s->nots_len++] = fact;
}

bool state_excludes(const struct state *s, const struct values *vs, uint32_t v, uint32_t constant)
{
	const struct value_set *set = value_alternatives(vs, constant);
	struct fact fact = {v, constant};

	if (!set)
		return has_fact(s->nots, s->nots_len, &fact);
	for (uint32_t i = 0; i < set->len; i++) {
		fact.constant = set->items[i];
		if (!has_fact(s->nots, s->nots_len, &fact))
			return false;
	}
	return set->len > 0;
}

bool state_assume(struct state *s, const struct values *vs, uint32_t v, uint32_t constant,
		  uint32_t truth)
{
	uint32_t known = state_known(s, vs, v);
	const struct value *n = value_at(vs, v);

	if (value_relate(vs, known, constant) == VALUE_DIFFERENT ||
	    state_excludes(s, vs, v, constant))
		return false;
	if (n->kind == VALUE_SAME && value_is_atom(vs, constant, truth) == !n->a &&
	    !state_assume_equal(s, vs, value_child(vs, v, 0), value_child(vs, v, 1), truth))
		return false;
	if (known == constant || v == VALUE_TOP || !value_is_constant(vs, constant) ||
	    !put_fact(s, v, constant))
		return true;
	for (uint8_t i = 0; i < s->equals_len; i++) {
		const struct fact *e = &s->equals[i];

		if ((e->value == v || e->constant == v) &&
		    !state_assume(s, vs, e->value == v ? e->constant : e->value, constant, truth))
			return false;
	}
	return true;
}

bool state_assume_equal(struct state *s, const struct values *vs, uint32_t a, uint32_t b,
			uint32_t truth)
{
	const struct value *first = value_at(vs, a), *second = value_at(vs, b);
	uint32_t known;

	if (value_is_constant(vs, b))
		return state_assume(s, vs, a, b, truth);
	if (value_is_constant(vs, a))
		return state_assume(s, vs, b, a, truth);
	if (value_relate(vs, a, b) == VALUE_DIFFERENT)
		return false;
	if (first->kind == second->kind && first->len == second->len &&
	    (first->kind == VALUE_TUPLE || first->kind == VALUE_CONS)) {
		for (uint32_t i = 0; i < first->len; i++)
			if (!state_assume_equal(s, vs, value_child(vs, a, i),
						value_child(vs, b, i), truth))
				return false;
		return true;
	}
	note_equal(s, a, b);
	known = state_known(s, vs, a);
	if (known != a)
		return state_assume(s, vs, b, known, truth);
	known = state_known(s, vs, b);
	return known == b || state_assume(s, vs, a, known, truth);
}
