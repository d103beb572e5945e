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

static bool has_fact(const struct state *s, const struct fact *fact)
{
	for (uint8_t i = 0; i < s->facts_len; i++)
		if (s->facts[i].value == fact->value && s->facts[i].constant == fact->constant)
			return true;
	return false;
}

static bool join_facts(struct state *s, const struct state *other)
{
	uint8_t kept = 0;
	bool changed;

	for (uint8_t i = 0; i < s->facts_len; i++)
		if (has_fact(other, &s->facts[i]))
			s->facts[kept++] = s->facts[i];
	changed = kept != s->facts_len;
	s->facts_len = kept;
	return changed;
}

bool state_join(struct state *s, struct values *vs, const struct state *other, uint32_t site)
{
	bool changed = join_registers(s->x, vs, other->x, site, 0);

	changed |= join_registers(s->y, vs, other->y, site, STATE_MAX_REGISTERS);
	changed |= join_facts(s, other);
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

bool state_assume(struct state *s, const struct values *vs, uint32_t v, uint32_t constant)
{
	uint32_t known = state_known(s, vs, v);

	if (value_relate(vs, known, constant) == VALUE_DIFFERENT)
		return false;
	if (known != constant && v != VALUE_TOP && value_is_constant(vs, constant) &&
	    s->facts_len < STATE_MAX_FACTS)
		s->facts[s->facts_len++] = (struct fact){v, constant};
	return true;
}
