/* tmap.h: Erlang maps, whose two representations have one set of functions. (base/map.h is for the
 * VM's own tables.)
 *
 * Up to MAP_FLAT_MAX keys: FLATMAP, keys in a tuple in exact term order, but
 * atoms in the order of atom_compare_places (shared by maps that
 * differ only in values). More: HASHMAP, a hash trie over term_hash; it becomes flat again
 * when it shrinks to MAP_FLAT_MAX. Both are immutable; an updated map shares parts of the old one.
 *
 * HASHMAP words, all terms: the head is [count as small, root node]; a node is a HASHMAP box too:
 * [bitmap as small, child...] with a child for each bit set, in order; a child is a cons cell
 * [Key|Value] or a node box; at the last level (64 bits of hash used up) a node has bitmap 0
 * and its children are the colliding cells in exact term order.
 */
#ifndef VM_TERMS_TMAP_H
#define VM_TERMS_TMAP_H

#include "vm/memory/heap.h"

#define MAP_FLAT_MAX 32u

static inline term flatmap_keys(term map) { return boxed_ptr(map)[1]; }
static inline term *flatmap_values(term map) { return boxed_ptr(map) + 2; }
static inline size_t flatmap_size(term map) { return header_words(*boxed_ptr(map)) - 1; }

/* The order of keys in a flat map. */
int tmap_compare_keys(term a, term b);
size_t tmap_size(term map);
/* The value of key, or TERM_NONE. */
term tmap_get(term map, term key);
term tmap_put(struct process *p, term map, term key, term value);
/* Returns map itself when it does not have the key. */
term tmap_remove(struct process *p, term map, term key);
/* From pairs key, value, key, value ...; of equal keys the last wins. Sorts pairs in place. */
term tmap_from_pairs(struct process *p, term *pairs, size_t len);
/* The same in words that the caller gives (for literals); needs tmap_pairs_words(len) words. */
term tmap_build(term **hp, term *pairs, size_t len);
size_t tmap_pairs_words(size_t len);

/* Iteration: flat maps in key order, large ones in hash order.
 *     struct tmap_iter it = tmap_iter(map);
 *     while (tmap_next(&it, &key, &value)) ... */
struct tmap_iter {
	term map;
	size_t index;
	unsigned depth;
	term nodes[17];
	uint32_t places[17];
};
struct tmap_iter tmap_iter(term map);
bool tmap_next(struct tmap_iter *it, term *key, term *value);

#endif
