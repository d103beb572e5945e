/* The store of set, bag and duplicate_bag: chains sorted by (hash, key), doubling in size. */
#include "vm/ets/ets_store.h"
#include "vm/memory/region.h"

enum { BUCKETS_LOG_FIRST = 3, BUCKETS_LOG_MAX = 40 };

static size_t buckets_bytes(unsigned log)
{
	return sizeof(struct ets_object *) << log;
}

static size_t bucket_of(const struct ets_table *table, uint64_t hash)
{
	return hash >> (64 - table->buckets_log);
}

static int compare_place(const struct ets_table *table, uint64_t hash, term key,
			 const struct ets_object *object)
{
	if (hash != object->hash)
		return hash < object->hash ? -1 : 1;
	if (term_equal(key, ets_key(table, object)))
		return 0;
	return term_compare_exact(key, ets_key(table, object));
}

/* The link to the first object whose place is not before (hash, key). *is_same: it has the key. */
static struct ets_object **find_link(const struct ets_table *table, uint64_t hash, term key,
				     bool *is_same)
{
	struct ets_object **link = &table->buckets[bucket_of(table, hash)];
	int order = 1;

	for (; *link; link = &(*link)->next) {
		order = compare_place(table, hash, key, *link);
		if (order <= 0)
			break;
	}
	*is_same = *link && order == 0;
	return link;
}

static bool is_next_same(const struct ets_table *table, const struct ets_object *object)
{
	const struct ets_object *next = object->next;

	return next && next->hash == object->hash &&
	       term_equal(ets_key(table, next), ets_key(table, object));
}

static struct ets_object *skip_tombstones_of_key(const struct ets_table *table,
					     struct ets_object *object)
{
	while (object && object->is_tombstone)
		object = is_next_same(table, object) ? object->next : NULL;
	return object;
}

struct ets_object *ets_hash_find(const struct ets_table *table, term key)
{
	struct ets_object *object;
	bool is_same;

	if (!table->buckets)
		return NULL;
	object = *find_link(table, term_hash(key), key, &is_same);
	return is_same ? skip_tombstones_of_key(table, object) : NULL;
}

struct ets_object *ets_find_older(const struct ets_table *table, const struct ets_object *object)
{
	if (ets_is_tree(table) || !is_next_same(table, object))
		return NULL;
	return skip_tombstones_of_key(table, object->next);
}

bool ets_knows_key(const struct ets_table *table, term key)
{
	bool is_same;

	if (ets_is_tree(table) || !table->buckets)
		return false;
	find_link(table, term_hash(key), key, &is_same);
	return is_same;
}

/* Every chain is sorted by hash, so it is split in two by cutting it once. */
static void grow(struct ets_table *table)
{
	unsigned old_log = table->buckets_log;
	struct ets_object **old = table->buckets;

	table->buckets_log = old ? old_log + 1 : BUCKETS_LOG_FIRST;
	table->buckets = region_zalloc(buckets_bytes(table->buckets_log));
	if (!old)
		return;
	for (size_t i = 0; i < (size_t)1 << old_log; i++) {
		struct ets_object **link = &old[i];

		while (*link && bucket_of(table, (*link)->hash) == 2 * i)
			link = &(*link)->next;
		table->buckets[2 * i + 1] = *link;
		*link = NULL;
		table->buckets[2 * i] = old[i];
	}
	region_free(old, buckets_bytes(old_log));
}

static void make_room(struct ets_table *table)
{
	if (!table->buckets || (table->len + table->tombstones >= (size_t)1 << table->buckets_log &&
				table->buckets_log < BUCKETS_LOG_MAX))
		grow(table);
}

static void unlink_object(struct ets_table *table, struct ets_object **link)
{
	struct ets_object *object = *link;

	if (object->is_tombstone)
		table->tombstones--;
	else
		table->len--;
	table->words -= object->words_len;
	*link = object->next;
	ets_object_free(object);
}

static void link_object(struct ets_table *table, struct ets_object **link,
			struct ets_object *object)
{
	object->next = *link;
	*link = object;
	table->len++;
	table->words += object->words_len;
}

/* A bag holds an object once. A tombstone of the same object is removed, so that the new one counts
 * as the newest. */
static bool drop_equal(struct ets_table *table, struct ets_object **link, term tuple)
{
	struct ets_object *object = *link;

	for (;;) {
		bool has_more = is_next_same(table, object);

		if (term_equal(ets_object_tuple(object), tuple)) {
			if (!object->is_tombstone)
				return false;
			unlink_object(table, link);
			return true;
		}
		if (!has_more)
			return true;
		link = &object->next;
		object = *link;
	}
}

void ets_hash_put(struct ets_table *table, term tuple)
{
	term key = tuple_element(tuple, table->keypos - 1);
	uint64_t hash = term_hash(key);
	struct ets_object **link, *object;
	bool is_same;

	make_room(table);
	link = find_link(table, hash, key, &is_same);
	if (is_same && table->type == ETS_BAG && !drop_equal(table, link, tuple))
		return;
	if (is_same && table->type == ETS_SET)
		unlink_object(table, link);
	object = ets_object_new(tuple);
	object->hash = hash;
	link_object(table, link, object);
}

static struct ets_object **link_to(const struct ets_table *table, const struct ets_object *object)
{
	struct ets_object **link = &table->buckets[bucket_of(table, object->hash)];

	while (*link != object)
		link = &(*link)->next;
	return link;
}

void ets_hash_replace(struct ets_table *table, struct ets_object *old, struct ets_object *fresh)
{
	struct ets_object **link = link_to(table, old);

	fresh->hash = old->hash;
	unlink_object(table, link);
	link_object(table, link, fresh);
}

void ets_hash_remove(struct ets_table *table, struct ets_object *object)
{
	if (!table->fixes) {
		unlink_object(table, link_to(table, object));
		return;
	}
	object->is_tombstone = true;
	table->len--;
	table->tombstones++;
}

void ets_remove_tombstones(struct ets_table *table)
{
	for (size_t i = 0; table->tombstones && i < (size_t)1 << table->buckets_log; i++) {
		struct ets_object **link = &table->buckets[i];

		while (*link) {
			if ((*link)->is_tombstone)
				unlink_object(table, link);
			else
				link = &(*link)->next;
		}
	}
}

static void bury_all(struct ets_table *table)
{
	for (size_t i = 0; i < (size_t)1 << table->buckets_log; i++)
		for (struct ets_object *object = table->buckets[i]; object; object = object->next)
			if (!object->is_tombstone)
				ets_hash_remove(table, object);
}

void ets_hash_clear(struct ets_table *table)
{
	if (!table->buckets)
		return;
	if (table->fixes) {
		bury_all(table);
		return;
	}
	for (size_t i = 0; i < (size_t)1 << table->buckets_log; i++)
		while (table->buckets[i])
			unlink_object(table, &table->buckets[i]);
	region_free(table->buckets, buckets_bytes(table->buckets_log));
	table->buckets = NULL;
	table->buckets_log = 0;
}

/* ---- walking ---- */

void ets_hash_cursor_after(struct ets_cursor *cursor, term key, bool is_included)
{
	const struct ets_table *table = cursor->table;
	uint64_t hash = term_hash(key);
	struct ets_object *object;
	bool is_same;

	if (!table->buckets)
		return;
	object = *find_link(table, hash, key, &is_same);
	if (is_same && !is_included) {
		while (is_next_same(table, object))
			object = object->next;
		object = object->next;
	}
	cursor->at = object;
	cursor->bucket = bucket_of(table, hash) + 1;
}

struct ets_object *ets_hash_cursor_next(struct ets_cursor *cursor)
{
	const struct ets_table *table = cursor->table;
	size_t end = table->buckets ? (size_t)1 << table->buckets_log : 0;

	for (;;) {
		struct ets_object *object = cursor->at;

		if (object) {
			cursor->at = object->next;
			if (!object->is_tombstone)
				return object;
		} else if (cursor->bucket < end) {
			cursor->at = table->buckets[cursor->bucket++];
		} else {
			return NULL;
		}
	}
}
