#include "static/analysis.h"

#include "base/hash.h"

enum {
	MAX_CANDIDATES_PER_SITES = 64,
	MAX_CANDIDATES_PER_FN = 3, /* of one pair of sites: recursion makes many */
	MAX_DEPTH_OF_UNSURE = 2, /* calls between ends whose keys are not known to be equal */
	MAX_DEPTH_OF_USE = 2,    /* calls between a look for a name and its use */
};

uint32_t path_push(struct analysis *a, uint32_t site, uint32_t next)
{
	*vec_push(&a->paths) = (struct path_node){site, next};
	return (uint32_t)a->paths.len - 1;
}

/* Did the two ends assume different things of the same value? */
static bool facts_conflict(const struct values *vs, const struct access *read,
			   const struct access *write)
{
	for (uint8_t i = 0; i < read->facts_len; i++)
		for (uint8_t k = 0; k < write->facts_len; k++)
			if (read->facts[i].value == write->facts[k].value &&
			    value_relate(vs, read->facts[i].constant,
					 write->facts[k].constant) == VALUE_DIFFERENT)
				return true;
	return false;
}

static void add_candidate(struct analysis *a, uint32_t fn, const struct pair *pair)
{
	uint64_t sites = (uint64_t)pair->read.site << 32 | pair->write.site;
	uint64_t *head = map_put(&a->candidate_heads, sites, NULL);
	size_t count = 0, count_fn = 0;

	for (uint32_t c = (uint32_t)*head; c; c = a->candidates.items[c].next, count++) {
		const struct candidate *old = &a->candidates.items[c];

		if (old->fn == fn && pair_is_same(&old->pair, pair))
			return;
		count_fn += old->fn == fn;
	}
	if (count >= MAX_CANDIDATES_PER_SITES || count_fn >= MAX_CANDIDATES_PER_FN)
		return;
	*vec_push(&a->candidates) = (struct candidate){*pair, fn, (uint32_t)*head};
	*head = a->candidates.len - 1;
}

static bool has_arg(const struct values *vs, const struct pair *pair)
{
	return (value_at(vs, pair->read.table)->has | value_at(vs, pair->write.table)->has |
		value_at(vs, pair->read.key)->has | value_at(vs, pair->write.key)->has) &
	       VALUE_HAS_ARG;
}

/* Is table the first element of the record that this read of Mnesia returned? A record that is
 * changed and written back goes to the table that it was read from:
 *
 *     [R] = mnesia:dirty_read(counter, K), mnesia:dirty_write(R#counter{n = 1}) */
static bool is_tag_of_result(const struct values *vs, const struct access *read, uint32_t table)
{
	const struct value *n = value_at(vs, table);
	uint32_t record;

	if (read->kind != RACE_MNESIA || n->kind != VALUE_ELEM || n->a != 0)
		return false;
	record = value_child(vs, table, 0);
	return value_at(vs, record)->kind == VALUE_HD && value_child(vs, record, 0) == read->result;
}

enum value_relation pair_tables(struct analysis *a, const struct pair *pair)
{
	struct values *vs = &a->p->vs;

	if (pair->is_same_table || is_tag_of_result(vs, &pair->read, pair->write.table))
		return VALUE_EQUAL;
	return value_relate(vs, equal_resolve(vs, pair->same, pair->same_len, pair->read.table),
			    equal_resolve(vs, pair->same, pair->same_len, pair->write.table));
}

enum value_relation pair_keys(struct analysis *a, uint32_t fn, const struct pair *pair)
{
	uint32_t keypos = table_describe(a, fn, pair->write.table).keypos;
	struct access read = pair->read, write = pair->write;
	enum value_relation relation;

	if (pair->is_same_key || pair->same_key_pos == keypos)
		return VALUE_EQUAL;
	relation = access_relate_keys(a, &read, &write, keypos);
	if (relation != VALUE_MAY || !pair->same_len)
		return relation;
	read.key = equal_resolve(&a->p->vs, pair->same, pair->same_len, read.key);
	write.key = equal_resolve(&a->p->vs, pair->same, pair->same_len, write.key);
	return access_relate_keys(a, &read, &write, keypos);
}

/* Keys that depend on the key position of a table not known yet may still turn out wrong. */
static bool is_key_final(struct analysis *a, uint32_t fn, const struct pair *pair)
{
	return !((pair->read.flags | pair->write.flags) & (ACCESS_OBJECT | ACCESS_PATTERN)) ||
	       table_describe(a, fn, pair->write.table).creation != PROGRAM_NONE;
}

/* Is there nothing left for callers to decide? */
static bool is_decided(const struct values *vs, const struct pair *pair, bool is_same)
{
	if (pair->read.flags & ACCESS_ACTIVITY || pair->write.flags & ACCESS_ACTIVITY ||
	    pair->read.facts_len || pair->write.facts_len)
		return false;
	if (is_same && (!race_kind_is_confinable(pair->read.kind) ||
			!(value_at(vs, pair->read.table)->has & VALUE_HAS_ARG)))
		return true;
	return !has_arg(vs, pair);
}

/* Section 4.3 of the paper: accesses to names, tables or keys that cannot be the same do not race.
 * A question that this function does not decide is left to its callers. */
void pair_consider(struct analysis *a, uint32_t fn, struct summary *s, const struct pair *found)
{
	struct pair pair = *found;
	uint32_t depth = (uint32_t)pair.read.depth + pair.write.depth;
	enum value_relation tables, keys;

	if (pair.read.kind != pair.write.kind || facts_conflict(&a->p->vs, &pair.read, &pair.write))
		return;
	tables = pair_tables(a, &pair);
	keys = pair_keys(a, fn, &pair);
	if (tables == VALUE_DIFFERENT || keys == VALUE_DIFFERENT)
		return;
	if (pair.write.role == ROLE_USE && (keys != VALUE_EQUAL || depth > MAX_DEPTH_OF_USE))
		return;
	pair.is_same_table = tables == VALUE_EQUAL;
	pair.is_same_key = keys == VALUE_EQUAL && is_key_final(a, fn, &pair);
	if (keys == VALUE_EQUAL)
		pair.same_key_pos = table_describe(a, fn, pair.write.table).keypos;
	if (!is_decided(&a->p->vs, &pair, tables == VALUE_EQUAL && keys == VALUE_EQUAL))
		summary_add_pair(s, &pair);
	if ((tables == VALUE_EQUAL || depth == 0) &&
	    (keys == VALUE_EQUAL || depth <= MAX_DEPTH_OF_UNSURE))
		add_candidate(a, fn, &pair);
}

/* The atom by which a write is known to others: of the table, or of the key. */
static uint32_t writer_name(const struct values *vs, const struct access *write)
{
	const struct value *table = value_at(vs, write->table), *key = value_at(vs, write->key);

	if (table->kind == VALUE_ATOM)
		return table->a;
	if (table->kind == VALUE_NIL && key->kind == VALUE_ATOM)
		return key->a;
	return 0;
}

void pair_note_write(struct analysis *a, uint32_t fn, const struct access *write)
{
	uint32_t name = writer_name(&a->p->vs, write);
	uint64_t *head;

	if (!name || write->role != ROLE_WRITE || write->flags & (ACCESS_SERVED | ACCESS_SPAWNED))
		return; /* noted where it runs */
	if (write->flags & ACCESS_DOUBTFUL ||
	    (write->facts_len && !program_function(a->p, fn)->exported &&
	     !a->p->fns.items[fn].is_closure))
		return; /* noted in the callers that get there, if any does */
	head = map_put(&a->writer_heads, (uint64_t)write->kind << 32 | name, NULL);
	for (uint32_t w = (uint32_t)*head; w; w = a->writers.items[w].next)
		if (a->writers.items[w].fn == fn && a->writers.items[w].access.key == write->key)
			return;
	*vec_push(&a->writers) = (struct writer){*write, fn, (uint32_t)*head};
	*head = a->writers.len - 1;
}

void pair_note_create(struct analysis *a, uint32_t fn, const struct create *create)
{
	uint64_t *head = map_put(&a->create_heads, value_at(&a->p->vs, create->name)->a, NULL);

	for (uint32_t c = (uint32_t)*head; c; c = a->create_next.items[c])
		if (a->creates.items[c].options == create->options && a->create_fns.items[c] == fn)
			return;
	*vec_push(&a->creates) = *create;
	*vec_push(&a->create_next) = (uint32_t)*head;
	*vec_push(&a->create_fns) = fn;
	*head = a->creates.len - 1;
}
