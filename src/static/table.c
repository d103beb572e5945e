/* table.c: the knowledge about a table, and about the key of an access to it. */
#include "static/analysis.h"

#include <string.h>

enum { MAX_OBJECTS = 8 };

/* Visits the items of a list as far as it is known. Returns what is left: [] when all is. */
#define foreach_item(vs, item, rest)                                                               \
	for (uint32_t item; value_at(vs, rest)->kind == VALUE_CONS &&                              \
	     (item = value_child(vs, rest, 0), true); rest = value_child(vs, rest, 1))

bool table_is_named(struct analysis *a, uint32_t options)
{
	const struct values *vs = &a->p->vs;
	uint32_t rest = options;

	foreach_item(vs, item, rest)
		if (value_is_atom(vs, item, a->atoms.named_table))
			return true;
	return false;
}

static void read_options(struct analysis *a, uint32_t options, struct table_info *info)
{
	const struct values *vs = &a->p->vs;
	uint32_t rest = options;
	bool has_unknown = false, is_open = false, is_closed = false;
	int64_t keypos;

	foreach_item(vs, item, rest) {
		const struct value *n = value_at(vs, item);

		if (n->kind == VALUE_TUPLE && n->len == 2 &&
		    value_is_atom(vs, value_child(vs, item, 0), a->atoms.keypos) &&
		    value_get_int(vs, value_child(vs, item, 1), &keypos) && keypos > 0)
			info->keypos = (uint32_t)keypos;
		else if (n->kind != VALUE_ATOM && n->kind != VALUE_TUPLE)
			has_unknown = true;
		is_open |= value_is_atom(vs, item, a->atoms.public);
		is_closed |= value_is_atom(vs, item, a->atoms.protected) ||
			     value_is_atom(vs, item, a->atoms.private);
	}
	has_unknown |= value_at(vs, rest)->kind != VALUE_NIL;
	info->access = is_open ? TABLE_PUBLIC
		       : is_closed || !has_unknown ? TABLE_CLOSED : TABLE_UNKNOWN;
}

static struct table_info describe_named(struct analysis *a, uint32_t name)
{
	struct table_info best = {.keypos = 1, .is_named = true, .creation = PROGRAM_NONE};
	const uint64_t *head = map_get(&a->create_heads, name);
	bool any = false;

	for (uint32_t c = head ? (uint32_t)*head : 0; c; c = a->create_next.items[c]) {
		struct table_info info = {.keypos = 1, .is_named = true,
					  .creation = a->creates.items[c].site};

		read_options(a, a->creates.items[c].options, &info);
		if (!table_is_named(a, a->creates.items[c].options) && info.access == TABLE_CLOSED)
			continue; /* a table of that name that is not found by it */
		if (!any || info.access == TABLE_PUBLIC ||
		    (best.access == TABLE_CLOSED && info.access == TABLE_UNKNOWN))
			best = info;
		any = true;
	}
	return best;
}

static struct table_info describe_any(struct analysis *a, uint32_t fn, const struct value_set *set)
{
	struct table_info best = {.keypos = 1, .creation = PROGRAM_NONE};

	for (uint32_t i = 0; i < set->len; i++) {
		struct table_info info;

		if (value_alternatives(&a->p->vs, set->items[i]) ||
		    value_is_atom(&a->p->vs, set->items[i], a->atoms.undefined))
			continue;
		info = table_describe(a, fn, set->items[i]);
		if (best.creation == PROGRAM_NONE || info.access == TABLE_PUBLIC)
			best = info;
	}
	return best;
}

/* A table with a name that is not a constant, which the function itself, or a function that it
 * calls, creates:
 *
 *     start(Name) -> ets:new(Name, [named_table, public]), count(Name). */
static void describe_created(struct analysis *a, uint32_t fn, uint32_t table,
			     struct table_info *info)
{
	const struct summary *s = &a->summaries[fn];

	for (size_t i = 0; i < s->creates.len; i++) {
		const struct create *create = &s->creates.items[i];

		if (create->name != table || !table_is_named(a, create->options))
			continue;
		info->is_named = true;
		info->creation = create->site;
		read_options(a, create->options, info);
		return;
	}
}

struct table_info table_describe(struct analysis *a, uint32_t fn, uint32_t table)
{
	const struct values *vs = &a->p->vs;
	const struct value_set *set = value_alternatives(vs, table);
	struct table_info info = {.keypos = 1, .creation = PROGRAM_NONE};

	if (set)
		return describe_any(a, fn, set);
	if (value_at(vs, table)->kind == VALUE_ATOM)
		return describe_named(a, value_at(vs, table)->a);
	if (value_at(vs, table)->kind == VALUE_TABLE) {
		info.creation = value_at(vs, table)->a;
		info.is_confined = !map_get(&a->escaped_tables, info.creation);
		read_options(a, value_child(vs, table, 1), &info);
	} else if (fn != PROGRAM_NONE && table != VALUE_TOP) {
		describe_created(a, fn, table, &info);
	}
	return info;
}

static bool is_wildcard(struct analysis *a, uint32_t key)
{
	const struct value *n = value_at(&a->p->vs, key);

	if (n->kind != VALUE_ATOM)
		return key == VALUE_TOP;
	return n->a == a->atoms.underscore || a->p->atoms.items[n->a].text[0] == '$';
}

uint32_t access_key(struct analysis *a, const struct access *access, uint32_t keypos)
{
	uint32_t key;

	if (!(access->flags & (ACCESS_OBJECT | ACCESS_PATTERN)))
		return access->key;
	if (access->flags & ACCESS_PATTERN && is_wildcard(a, access->key))
		return a->key_all;
	key = value_elem(&a->p->vs, access->key, keypos - 1);
	return access->flags & ACCESS_PATTERN && is_wildcard(a, key) ? a->key_all : key;
}

/* Is key the key element of the object that the read returned? */
static bool is_key_of_result(struct analysis *a, uint32_t key, uint32_t result, uint32_t keypos)
{
	const struct values *vs = &a->p->vs;
	uint32_t object;

	if (value_at(vs, key)->kind != VALUE_ELEM || value_at(vs, key)->a != keypos - 1)
		return false;
	object = value_child(vs, key, 0);
	return value_at(vs, object)->kind == VALUE_HD && value_child(vs, object, 0) == result;
}

static enum value_relation relate_key(struct analysis *a, const struct access *read, uint32_t mine,
				      uint32_t key, uint32_t keypos)
{
	const struct values *vs = &a->p->vs;

	if (mine == a->key_exists || key == a->key_exists)
		return mine == key ? VALUE_EQUAL : VALUE_MAY;
	if (mine == a->key_all)
		return key == mine || value_contains(vs, key, read->result) ? VALUE_EQUAL
									    : VALUE_MAY;
	if (key == a->key_all)
		return VALUE_MAY;
	if (is_key_of_result(a, key, read->result, keypos))
		return VALUE_EQUAL;
	return value_relate(vs, mine, key);
}

enum value_relation access_relate_keys(struct analysis *a, const struct access *read,
				       const struct access *write, uint32_t keypos)
{
	const struct values *vs = &a->p->vs;
	uint32_t mine, rest = write->key;
	enum value_relation best = VALUE_DIFFERENT;
	size_t n = 0;

	if (write->kind == RACE_MNESIA)
		keypos = 2;
	mine = access_key(a, read, keypos);
	if (!(write->flags & ACCESS_OBJECT) || value_at(vs, rest)->kind != VALUE_CONS)
		return relate_key(a, read, mine, access_key(a, write, keypos), keypos);
	for (; value_at(vs, rest)->kind == VALUE_CONS && n < MAX_OBJECTS; n++) { /* several */
		uint32_t key = value_elem(&a->p->vs, value_child(vs, rest, 0), keypos - 1);
		enum value_relation r = relate_key(a, read, mine, key, keypos);

		if (r > best)
			best = r;
		rest = value_child(vs, rest, 1);
	}
	return best;
}
