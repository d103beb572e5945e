/* apart.c: writes of two processes that never have the same key.
 *
 * The two writes are in different functions and speak of different arguments, so a relation of
 * their values says little. Three things keep them apart all the same:
 *
 *   - constants, as everywhere;
 *   - tests on the way: {{T, l, N}, T} and {{T, g, N}, T} differ if one function was entered with
 *     `{_, l, _} = Key` and the other with `{_, g, _} = Key`;
 *   - the process itself: {Key, self()} of one process is not {Key, self()} of another.
 */
#include "static/analysis.h"

struct side {
	uint32_t value;
	const struct fact *facts;
	uint8_t facts_len;
};

static bool is_self(const struct values *vs, uint32_t v)
{
	return value_at(vs, v)->kind == VALUE_PID && value_at(vs, v)->a == 1;
}

static struct side part_of(struct values *vs, const struct side *whole, uint32_t position)
{
	uint32_t part = value_elem(vs, whole->value, position);

	part = equal_resolve(vs, whole->facts, whole->facts_len, part);
	return (struct side){part, whole->facts, whole->facts_len};
}

static bool are_apart(struct values *vs, const struct side *x, const struct side *y);

/* Does a test of a part of x contradict the same part of y? */
static bool tests_differ(struct values *vs, const struct side *x, const struct side *y)
{
	for (uint8_t i = 0; i < x->facts_len; i++) {
		const struct value *n = value_at(vs, x->facts[i].value);
		struct side tested = {x->facts[i].constant, x->facts, x->facts_len};
		struct side other;

		if (n->kind != VALUE_ELEM || value_child(vs, x->facts[i].value, 0) != x->value)
			continue;
		other = part_of(vs, y, n->a);
		if (are_apart(vs, &tested, &other))
			return true;
	}
	return false;
}

/* A piece of a value that is known to equal another value is that value's piece. */
static uint32_t resolve_inside(struct values *vs, const struct fact *equals, uint8_t len,
			       uint32_t v)
{
	uint32_t whole;

	if (value_at(vs, v)->kind != VALUE_ELEM)
		return v;
	whole = equal_resolve(vs, equals, len, value_child(vs, v, 0));
	return value_elem(vs, whole, value_at(vs, v)->a);
}

/* If the two tuples were equal, so were their parts: what the parts are on one side is known of the
 * other side, too. {X, element 1 of X} is not {{p, l, N}, self()}: X would be {p, l, N}, its first
 * element p, and p is not a pid. */
static bool are_tuples_apart(struct values *vs, const struct side *x, const struct side *y,
			     uint8_t len)
{
	struct fact equals[VALUE_MAX_CHILDREN];
	uint8_t equals_len = 0;

	for (uint8_t i = 0; i < len; i++) {
		struct side first = part_of(vs, x, i), second = part_of(vs, y, i);
		bool is_first_known = value_at(vs, first.value)->kind == VALUE_TUPLE;

		if (are_apart(vs, &first, &second))
			return true;
		if (first.value != VALUE_TOP && second.value != VALUE_TOP)
			equals[equals_len++] =
				is_first_known ? (struct fact){second.value, first.value}
					       : (struct fact){first.value, second.value};
	}
	for (uint8_t i = 0; i < len; i++) {
		uint32_t first = value_child(vs, x->value, i);
		uint32_t second = value_child(vs, y->value, i);

		first = resolve_inside(vs, equals, equals_len, first);
		second = resolve_inside(vs, equals, equals_len, second);
		if (value_relate(vs, first, second) == VALUE_DIFFERENT)
			return true;
	}
	return false;
}

/* An element of the part is taken, or tested, on this side: the part is a tuple. */
static bool is_used_as_tuple(const struct values *vs, const struct side *x, uint32_t part)
{
	for (uint8_t i = 0; i < value_at(vs, x->value)->len; i++) {
		uint32_t sibling = value_child(vs, x->value, i);

		if (value_at(vs, sibling)->kind == VALUE_ELEM &&
		    value_child(vs, sibling, 0) == part)
			return true;
	}
	for (uint8_t i = 0; i < x->facts_len; i++)
		if (value_at(vs, x->facts[i].value)->kind == VALUE_ELEM &&
		    value_child(vs, x->facts[i].value, 0) == part)
			return true;
	return false;
}

/* {Key, element(1, Key)} is not {self(), Key}: a pid has no elements. */
static bool has_pid_for_tuple(const struct values *vs, const struct side *x, const struct side *y)
{
	for (uint8_t i = 0; i < value_at(vs, x->value)->len; i++)
		if (value_at(vs, value_child(vs, y->value, i))->kind == VALUE_PID &&
		    is_used_as_tuple(vs, x, value_child(vs, x->value, i)))
			return true;
	return false;
}

static bool are_apart(struct values *vs, const struct side *x, const struct side *y)
{
	const struct value *a = value_at(vs, x->value), *b = value_at(vs, y->value);
	uint8_t len = a->len;

	if (is_self(vs, x->value) && is_self(vs, y->value))
		return true;
	if (value_relate(vs, x->value, y->value) == VALUE_DIFFERENT)
		return true;
	if (a->kind == VALUE_TUPLE && b->kind == VALUE_TUPLE && len == b->len)
		return has_pid_for_tuple(vs, x, y) || has_pid_for_tuple(vs, y, x) ||
		       are_tuples_apart(vs, x, y, len);
	return tests_differ(vs, x, y) || tests_differ(vs, y, x);
}

static bool has_several(const struct values *vs, const struct access *access)
{
	return access->flags & ACCESS_OBJECT && value_at(vs, access->key)->kind == VALUE_CONS;
}

bool access_are_apart(struct analysis *a, const struct access *mine, const struct access *theirs,
		      uint32_t keypos)
{
	struct values *vs = &a->p->vs;
	struct side x = {VALUE_TOP, mine->facts, mine->facts_len};
	struct side y = {VALUE_TOP, theirs->facts, theirs->facts_len};

	if (access_relate_keys(a, mine, theirs, keypos) == VALUE_DIFFERENT)
		return true;
	if (has_several(vs, mine) || has_several(vs, theirs))
		return false;
	if (mine->kind == RACE_MNESIA)
		keypos = 2;
	x.value = access_key(a, mine, keypos);
	y.value = access_key(a, theirs, keypos);
	if (x.value == a->key_all || y.value == a->key_all || x.value == a->key_exists ||
	    y.value == a->key_exists)
		return false;
	x.value = equal_resolve(vs, x.facts, x.facts_len, x.value);
	y.value = equal_resolve(vs, y.facts, y.facts_len, y.value);
	return are_apart(vs, &x, &y);
}

static bool holds_self(const struct values *vs, uint32_t v)
{
	if (is_self(vs, v))
		return true;
	for (uint8_t i = 0; value_at(vs, v)->kind == VALUE_TUPLE && i < value_at(vs, v)->len; i++)
		if (holds_self(vs, value_child(vs, v, i)))
			return true;
	return false;
}

bool access_is_new(struct analysis *a, const struct access *access, uint32_t keypos)
{
	return !has_several(&a->p->vs, access) &&
	       value_is_unique(&a->p->vs, access_key(a, access, keypos));
}

bool access_is_own(struct analysis *a, const struct access *access, uint32_t keypos)
{
	return !has_several(&a->p->vs, access) &&
	       holds_self(&a->p->vs, access_key(a, access, keypos));
}
