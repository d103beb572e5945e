#include "static/value.h"

#include <string.h>

#include "base/hash.h"

enum { FIRST_SLOTS = 1 << 16 };

void values_init(struct values *vs)
{
	*vs = (struct values){0};
	vs->slots_len = FIRST_SLOTS;
	vs->slots = mem_zalloc(vs->slots_len * sizeof(*vs->slots));
	*vec_push(&vs->nodes) = (struct value){.kind = VALUE_ANY, .has = VALUE_HAS_TOP};
	*vec_push(&vs->alternative_sets) = (struct value_set){0};
}

void values_release(struct values *vs)
{
	vec_release(&vs->nodes);
	vec_release(&vs->pool);
	vec_release(&vs->alternative_sets);
	map_release(&vs->alternatives);
	mem_free(vs->slots);
	vs->slots = NULL;
}

static uint64_t hash_node(uint8_t kind, uint32_t a, uint32_t b, const uint32_t *children,
			  size_t len)
{
	uint64_t hash = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u + kind;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (hash >> 29) ^ children[i]) * 0xbf58476d1ce4e5b9u;
	return hash ^ (hash >> 32);
}

static uint64_t hash_of(const struct values *vs, uint32_t v)
{
	const struct value *n = value_at(vs, v);

	return hash_node(n->kind, n->a, n->b, vs->pool.items + n->children, n->len);
}

static void grow_slots(struct values *vs)
{
	mem_free(vs->slots);
	vs->slots_len *= 2;
	vs->slots = mem_zalloc(vs->slots_len * sizeof(*vs->slots));
	for (uint32_t v = 1; v < vs->nodes.len; v++) {
		size_t at = hash_of(vs, v) & (vs->slots_len - 1);

		while (vs->slots[at])
			at = (at + 1) & (vs->slots_len - 1);
		vs->slots[at] = v;
	}
}

static bool is_node(const struct values *vs, uint32_t v, const struct value *like,
		    const uint32_t *children)
{
	const struct value *n = value_at(vs, v);

	return n->kind == like->kind && n->a == like->a && n->b == like->b && n->len == like->len &&
	       (!n->len || memcmp(vs->pool.items + n->children, children,
				  n->len * sizeof(*children)) == 0);
}

static uint8_t own_flags(enum value_kind kind)
{
	switch (kind) {
	case VALUE_ARG: return VALUE_HAS_ARG;
	case VALUE_RESULT: case VALUE_PHI: case VALUE_OUTER: return VALUE_HAS_LOCAL;
	case VALUE_TABLE: return VALUE_HAS_TABLE;
	case VALUE_FUN: return VALUE_HAS_FUN;
	default: return 0;
	}
}

/* A tuple that is too deep keeps its shape: only its deepest elements become anything. The first
 * element of {Long, self()} may be lost, but the pid says whose key it is. */
static uint32_t make_pruned(struct values *vs, uint32_t a, uint32_t b, const uint32_t *children,
			    size_t len)
{
	uint32_t pruned[VALUE_MAX_CHILDREN];

	for (size_t i = 0; i < len; i++)
		pruned[i] = value_at(vs, children[i])->depth < VALUE_MAX_DEPTH ? children[i]
										: VALUE_TOP;
	return value_make(vs, VALUE_TUPLE, a, b, pruned, len);
}

uint32_t value_make(struct values *vs, enum value_kind kind, uint32_t a, uint32_t b,
		    const uint32_t *children, size_t len)
{
	struct value n = {.kind = (uint8_t)kind, .a = a, .b = b, .len = (uint8_t)len,
			  .has = own_flags(kind)};
	size_t at;

	if (len > VALUE_MAX_CHILDREN)
		return VALUE_TOP;
	for (size_t i = 0; i < len; i++) {
		const struct value *child = value_at(vs, children[i]);

		n.has |= child->has;
		if (child->depth >= n.depth)
			n.depth = child->depth + 1;
	}
	if (n.depth > VALUE_MAX_DEPTH)
		return kind == VALUE_TUPLE ? make_pruned(vs, a, b, children, len) : VALUE_TOP;
	at = hash_node(n.kind, a, b, children, len) & (vs->slots_len - 1);
	for (; vs->slots[at]; at = (at + 1) & (vs->slots_len - 1))
		if (is_node(vs, vs->slots[at], &n, children))
			return vs->slots[at];
	n.children = (uint32_t)vs->pool.len;
	vec_append(&vs->pool, children, len);
	vs->slots[at] = (uint32_t)vs->nodes.len;
	*vec_push(&vs->nodes) = n;
	at = vs->nodes.len - 1;
	if (vs->nodes.len * 2 > vs->slots_len)
		grow_slots(vs);
	return (uint32_t)at;
}

uint32_t value_atom(struct values *vs, uint32_t atom)
{
	return value_make(vs, VALUE_ATOM, atom, 0, NULL, 0);
}

uint32_t value_int(struct values *vs, int64_t number)
{
	return value_make(vs, VALUE_INT, (uint32_t)number, (uint32_t)((uint64_t)number >> 32),
			  NULL, 0);
}

uint32_t value_opaque(struct values *vs, uint64_t hash)
{
	return value_make(vs, VALUE_LIT, (uint32_t)hash, (uint32_t)(hash >> 32), NULL, 0);
}

uint32_t value_arg(struct values *vs, uint32_t number)
{
	return value_make(vs, VALUE_ARG, number, 0, NULL, 0);
}

uint32_t value_result(struct values *vs, uint32_t site, uint32_t which)
{
	return value_make(vs, VALUE_RESULT, site, which, NULL, 0);
}

uint32_t value_cons(struct values *vs, uint32_t head, uint32_t tail)
{
	return value_make(vs, VALUE_CONS, 0, 0, (uint32_t[]){head, tail}, 2);
}

static bool is_container(uint8_t kind)
{
	return kind == VALUE_TUPLE || kind == VALUE_CONS;
}

/* A kind of which we know what the term looks like. */
static bool is_shaped(uint8_t kind)
{
	return is_container(kind) || kind == VALUE_ATOM || kind == VALUE_INT || kind == VALUE_NIL ||
	       kind == VALUE_FUN || kind == VALUE_PID;
}

uint32_t value_elem(struct values *vs, uint32_t tuple, uint32_t position)
{
	while (value_at(vs, tuple)->kind == VALUE_SET) {
		if (value_at(vs, tuple)->a == position)
			return value_child(vs, tuple, 1);
		tuple = value_child(vs, tuple, 0);
	}
	if (value_at(vs, tuple)->kind == VALUE_TUPLE)
		return position < value_at(vs, tuple)->len ? value_child(vs, tuple, position)
							   : VALUE_TOP;
	if (tuple == VALUE_TOP || is_shaped(value_at(vs, tuple)->kind))
		return VALUE_TOP;
	return value_make(vs, VALUE_ELEM, position, 0, &tuple, 1);
}

static uint32_t get_end(struct values *vs, uint32_t list, enum value_kind kind)
{
	if (value_at(vs, list)->kind == VALUE_CONS)
		return value_child(vs, list, kind == VALUE_TL);
	if (list == VALUE_TOP)
		return VALUE_TOP;
	return value_make(vs, kind, 0, 0, &list, 1);
}

uint32_t value_head(struct values *vs, uint32_t list)
{
	return get_end(vs, list, VALUE_HD);
}

uint32_t value_tail(struct values *vs, uint32_t list)
{
	return get_end(vs, list, VALUE_TL);
}

bool value_is_atom(const struct values *vs, uint32_t v, uint32_t atom)
{
	return value_at(vs, v)->kind == VALUE_ATOM && value_at(vs, v)->a == atom;
}

bool value_get_int(const struct values *vs, uint32_t v, int64_t *out)
{
	const struct value *n = value_at(vs, v);

	if (n->kind != VALUE_INT)
		return false;
	*out = (int64_t)((uint64_t)n->b << 32 | n->a);
	return true;
}

const struct value_set *value_alternatives(const struct values *vs, uint32_t v)
{
	const uint64_t *index = map_get(&vs->alternatives, v);

	if (!index || vs->alternative_sets.items[*index].len > VALUE_MAX_ALTERNATIVES)
		return NULL;
	return &vs->alternative_sets.items[*index];
}

/* Alternatives nest when joins follow joins; deeper than this is not looked at. */
enum { MAX_NESTED_JOINS = 3 };

static bool contains(const struct values *vs, uint32_t whole, uint32_t part, int joins)
{
	const struct value_set *set;

	if (whole == part)
		return whole != VALUE_TOP;
	for (uint32_t i = 0; i < value_at(vs, whole)->len; i++)
		if (contains(vs, value_child(vs, whole, i), part, joins))
			return true;
	set = joins ? value_alternatives(vs, whole) : NULL;
	for (uint32_t i = 0; set && i < set->len; i++)
		if (contains(vs, set->items[i], part, joins - 1))
			return true;
	return false;
}

bool value_contains(const struct values *vs, uint32_t whole, uint32_t part)
{
	return contains(vs, whole, part, MAX_NESTED_JOINS);
}

bool value_is_unique(const struct values *vs, uint32_t v)
{
	const struct value *n = value_at(vs, v);
	bool is_whole = is_container(n->kind) || n->kind == VALUE_OUTER;

	if (n->kind == VALUE_RESULT)
		return n->b == VALUE_UNIQUE;
	for (uint8_t i = 0; is_whole && i < n->len; i++)
		if (value_is_unique(vs, value_child(vs, v, i)))
			return true;
	return false;
}

static struct value_set *set_of(struct values *vs, uint32_t phi)
{
	bool is_new;
	uint64_t *index = map_put(&vs->alternatives, phi, &is_new);

	if (is_new) {
		*index = vs->alternative_sets.len;
		*vec_push(&vs->alternative_sets) = (struct value_set){0};
	}
	return &vs->alternative_sets.items[*index];
}

static void add_alternative(struct values *vs, uint32_t phi, uint32_t v)
{
	struct value_set *set = set_of(vs, phi);

	for (uint32_t i = 0; i < set->len && i < VALUE_MAX_ALTERNATIVES; i++)
		if (set->items[i] == v)
			return;
	if (set->len < VALUE_MAX_ALTERNATIVES)
		set->items[set->len++] = v;
	else
		set->len = VALUE_MAX_ALTERNATIVES + 1;
}

uint32_t value_join(struct values *vs, uint32_t site, uint32_t reg, uint32_t old, uint32_t new)
{
	uint32_t phi;

	if (old == new)
		return old;
	phi = value_make(vs, VALUE_PHI, site, reg, NULL, 0);
	if (old != phi)
		add_alternative(vs, phi, old);
	if (new != phi)
		add_alternative(vs, phi, new);
	return phi;
}

static uint32_t rebuild(struct values *vs, const struct value *n, const uint32_t *children)
{
	switch ((enum value_kind)n->kind) {
	case VALUE_ELEM: return value_elem(vs, children[0], n->a);
	case VALUE_HD: return value_head(vs, children[0]);
	case VALUE_TL: return value_tail(vs, children[0]);
	default: return value_make(vs, n->kind, n->a, n->b, children, n->len);
	}
}

uint32_t value_rebuild(struct values *vs, uint32_t v, const uint32_t *children)
{
	struct value n = *value_at(vs, v);

	return rebuild(vs, &n, children);
}

/* A call: the actual arguments and its site. */
struct call {
	const uint32_t *args;
	size_t args_len;
	uint32_t site;
};

/* Adds the alternatives of a meeting point of the callee. Those of one that is among them are
 * added in its place; deeper nesting is not followed, as a loop has no end. */
static void add_substituted(struct values *vs, uint32_t outer, uint32_t phi,
			    const struct call *call, bool is_nested)
{
	const struct value_set *found = value_alternatives(vs, phi);
	struct value_set set = found ? *found : (struct value_set){0};

	if (!found)
		set_of(vs, outer)->len = VALUE_MAX_ALTERNATIVES + 1;
	for (uint32_t i = 0; i < set.len; i++) {
		uint32_t one = set.items[i];

		if (value_at(vs, one)->kind != VALUE_PHI)
			add_alternative(vs, outer,
					value_subst(vs, one, call->args, call->args_len,
						    call->site));
		else if (is_nested)
			set_of(vs, outer)->len = VALUE_MAX_ALTERNATIVES + 1;
		else
			add_substituted(vs, outer, one, call, true);
	}
}

/* A value that is local to the callee, as seen from the call, with its alternatives. A call in a
 * loop is looked at more than once; if its arguments have changed, the value may be anything. */
static uint32_t wrap_local(struct values *vs, uint32_t v, const uint32_t *args, size_t args_len,
			   uint32_t call_site)
{
	uint32_t outer = value_make(vs, VALUE_OUTER, call_site, 0, &v, 1);
	uint32_t hash = (uint32_t)hash_bytes(args, args_len * sizeof(*args));
	struct call call = {args, args_len, call_site};
	struct value_set *set;

	if (outer == VALUE_TOP || !value_alternatives(vs, v))
		return outer;
	if (!map_get(&vs->alternatives, outer)) {
		set_of(vs, outer)->args_hash = hash;
		add_substituted(vs, outer, v, &call, false);
		return outer;
	}
	set = set_of(vs, outer);
	if (set->args_hash != hash)
		set->len = VALUE_MAX_ALTERNATIVES + 1;
	return outer;
}

uint32_t value_subst(struct values *vs, uint32_t v, const uint32_t *args, size_t args_len,
		     uint32_t call_site)
{
	struct value n = *value_at(vs, v);
	uint32_t children[VALUE_MAX_CHILDREN];

	if (!(n.has & (VALUE_HAS_ARG | VALUE_HAS_LOCAL)))
		return v;
	if (n.kind == VALUE_ARG)
		return n.a < args_len ? args[n.a] : VALUE_TOP;
	if (n.kind == VALUE_RESULT || n.kind == VALUE_PHI || n.kind == VALUE_OUTER)
		return wrap_local(vs, v, args, args_len, call_site);
	for (uint32_t i = 0; i < n.len; i++)
		children[i] = value_subst(vs, vs->pool.items[n.children + i], args, args_len,
					  call_site);
	return rebuild(vs, &n, children);
}

static enum value_relation relate(const struct values *vs, uint32_t a, uint32_t b, int joins);

static enum value_relation relate_parts(const struct values *vs, uint32_t a, uint32_t b, int joins)
{
	enum value_relation worst = VALUE_EQUAL;

	if (value_at(vs, a)->len != value_at(vs, b)->len)
		return VALUE_DIFFERENT;
	for (uint32_t i = 0; i < value_at(vs, a)->len && worst != VALUE_DIFFERENT; i++) {
		enum value_relation r = relate(vs, value_child(vs, a, i), value_child(vs, b, i),
					       joins);

		if (r < worst)
			worst = r;
	}
	return worst;
}

/* Different only if every alternative is; never equal, since only one of them holds. */
static enum value_relation relate_set(const struct values *vs, const struct value_set *set,
				      uint32_t b, int joins)
{
	for (uint32_t i = 0; i < set->len; i++)
		if (relate(vs, set->items[i], b, joins - 1) != VALUE_DIFFERENT)
			return VALUE_MAY;
	return VALUE_DIFFERENT;
}

static enum value_relation relate(const struct values *vs, uint32_t a, uint32_t b, int joins)
{
	uint8_t kind_a = value_at(vs, a)->kind, kind_b = value_at(vs, b)->kind;
	const struct value_set *set;

	if (a == VALUE_TOP || b == VALUE_TOP)
		return VALUE_MAY;
	if (a == b)
		return value_at(vs, a)->has & VALUE_HAS_TOP ? VALUE_MAY : VALUE_EQUAL;
	if (joins && (set = value_alternatives(vs, a)))
		return relate_set(vs, set, b, joins);
	if (joins && (set = value_alternatives(vs, b)))
		return relate_set(vs, set, a, joins);
	if (kind_a == kind_b && is_container(kind_a))
		return relate_parts(vs, a, b, joins);
	if (kind_a == VALUE_LIT && kind_b == VALUE_LIT)
		return VALUE_DIFFERENT;
	if (kind_a == VALUE_PID && kind_b == VALUE_PID)
		return VALUE_MAY;
	if (is_shaped(kind_a) && is_shaped(kind_b))
		return VALUE_DIFFERENT;
	return VALUE_MAY;
}

enum value_relation value_relate(const struct values *vs, uint32_t a, uint32_t b)
{
	return relate(vs, a, b, MAX_NESTED_JOINS);
}
