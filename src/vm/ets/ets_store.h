/* ets_store.h: the objects of one table: finding, putting, removing, walking.
 *
 * One set of functions for two kinds of store: a hash table for set, bag and duplicate_bag
 * (ets_hash.c) and a balanced tree for ordered_set (ets_tree.c). Both are walked in a total order
 * of keys: the tree in term order (1 and 1.0 are one key), the hash table by (hash, exact order).
 * The hash table picks buckets by the *high* bits of the hash and sorts chains, so its order
 * depends on the keys alone, and not on its size. Objects of one key are neighbours, the newest
 * first.
 *
 * A cursor walks in that order. It stays valid only while the table is not changed.
 */
#ifndef VM_ETS_ETS_STORE_H
#define VM_ETS_ETS_STORE_H

#include "vm/ets/ets.h"
#include "vm/terms/compare.h"

static inline term ets_key(const struct ets_table *table, const struct ets_object *object)
{
	return object->words[table->keypos];
}

static inline bool ets_is_tree(const struct ets_table *table)
{
	return table->type == ETS_ORDERED_SET;
}

static inline bool ets_is_bag(const struct ets_table *table)
{
	return table->type == ETS_BAG || table->type == ETS_DUPLICATE_BAG;
}

/* Whether two keys are the same key for this table; and their order in it. */
bool ets_same_key(const struct ets_table *table, term a, term b);
int ets_compare_keys(const struct ets_table *table, term a, term b);

/* A program sees that one of the keys comes before the other. On the real machine that depends on the
 * numbers of pids and references in them: the verdict names it. */
void ets_show_order(const struct ets_table *table, term first, term second);

/* The newest object with this key, and the next older one of the same key; NULL. */
struct ets_object *ets_find(const struct ets_table *table, term key);
struct ets_object *ets_find_older(const struct ets_table *table, const struct ets_object *object);
/* Whether the table has the key, or (hash stores) had it when it was fixed. */
bool ets_knows_key(const struct ets_table *table, term key);

/* Stores a copy of the tuple, which must have a key; the type of the table decides what happens to
 * objects of the same key. */
void ets_put(struct ets_table *table, term tuple);
/* Replaces the object by a copy of the tuple, which must have the same key. Frees the object. */
struct ets_object *ets_replace(struct ets_table *table, struct ets_object *object, term tuple);
void ets_remove(struct ets_table *table, struct ets_object *object);
void ets_remove_all(struct ets_table *table);
/* Frees all tombstones, after the last unfix. */
void ets_remove_tombstones(struct ets_table *table);

#define ETS_TREE_HEIGHT 64u

struct ets_cursor {
	const struct ets_table *table;
	bool is_backward; /* trees only */
	uint8_t depth;
	size_t bucket;
	struct ets_object *at; /* hash: the object that ets_cursor_next returns next */
	struct ets_object *path[ETS_TREE_HEIGHT];
};

/* From the first (or, backward, the last) object. */
void ets_cursor_start(struct ets_cursor *cursor, const struct ets_table *table, bool is_backward);
/* From the first object whose key comes after key in the cursor's direction; with is_included also
 * from those of the key itself. */
void ets_cursor_after(struct ets_cursor *cursor, const struct ets_table *table, bool is_backward,
		      term key, bool is_included);
/* An ordered_set from the first object whose key may match a key pattern (match_compare_prefix). */
void ets_cursor_at_prefix(struct ets_cursor *cursor, const struct ets_table *table,
			  bool is_backward, term pattern);
struct ets_object *ets_cursor_next(struct ets_cursor *cursor);

/* ---- the two kinds; only ets_store.c calls these ---- */

struct ets_object *ets_hash_find(const struct ets_table *table, term key);
void ets_hash_put(struct ets_table *table, term tuple);
void ets_hash_replace(struct ets_table *table, struct ets_object *old, struct ets_object *fresh);
void ets_hash_remove(struct ets_table *table, struct ets_object *object);
void ets_hash_clear(struct ets_table *table);
void ets_hash_cursor_after(struct ets_cursor *cursor, term key, bool is_included);
struct ets_object *ets_hash_cursor_next(struct ets_cursor *cursor);

struct ets_object *ets_tree_find(const struct ets_table *table, term key);
void ets_tree_put(struct ets_table *table, struct ets_object *fresh);
void ets_tree_remove(struct ets_table *table, struct ets_object *object);
void ets_tree_clear(struct ets_table *table);
void ets_tree_cursor_start(struct ets_cursor *cursor);
void ets_tree_cursor_after(struct ets_cursor *cursor, term key, bool is_included);
void ets_tree_cursor_at_prefix(struct ets_cursor *cursor, term pattern);
struct ets_object *ets_tree_cursor_next(struct ets_cursor *cursor);

#endif
