/* A node has a 16-bit bitmap, so a level uses 4 bits of the hash, and 16 levels use all 64. Nodes
 * and head are HASHMAP boxes that contain only terms, so the collector treats them like tuples. */
#include "vm/terms/hashmap.h"

#include "base/bug.h"
#include "base/mem.h"
#include "vm/terms/compare.h"

enum { LEVEL_BITS = 4, LEVELS = 16, FANOUT = 1 << LEVEL_BITS };

static unsigned slot_of(uint64_t hash, unsigned level)
{
	return level < LEVELS ? (unsigned)(hash >> (LEVEL_BITS * level)) & (FANOUT - 1) : 0;
}

static uint64_t node_bitmap(term node) { return (uint64_t)small_value(boxed_ptr(node)[1]); }
static size_t node_len(term node) { return header_words(*boxed_ptr(node)) - 1; }
static term *node_children(term node) { return boxed_ptr(node) + 2; }
static term head_root(term map) { return boxed_ptr(map)[2]; }

static size_t child_index(uint64_t bitmap, unsigned slot)
{
	return (size_t)__builtin_popcountll(bitmap & (((uint64_t)1 << slot) - 1));
}

size_t hashmap_size(term map)
{
	return (size_t)small_value(boxed_ptr(map)[1]);
}

static term make_head(term **hp, size_t count, term root)
{
	term *box = *hp;

	box[0] = header_make(KIND_HASHMAP, 2);
	box[1] = small_make((int64_t)count);
	box[2] = root;
	*hp = box + 3;
	return boxed_make(box);
}

static term get_colliding(term node, term key)
{
	for (size_t i = 0; i < node_len(node); i++)
		if (term_equal(cons_head(node_children(node)[i]), key))
			return cons_tail(node_children(node)[i]);
	return TERM_NONE;
}

term hashmap_get(term map, term key)
{
	uint64_t hash = term_hash(key);
	term node = head_root(map);

	for (unsigned level = 0; level < LEVELS; level++) {
		uint64_t bitmap = node_bitmap(node);
		unsigned slot = slot_of(hash, level);
		term child;

		if (!(bitmap >> slot & 1))
			return TERM_NONE;
		child = node_children(node)[child_index(bitmap, slot)];
		if (term_is_cons(child))
			return term_equal(cons_head(child), key) ? cons_tail(child) : TERM_NONE;
		node = child;
	}
	return get_colliding(node, key);
}

/* ---- changing: copies the path from the root ---- */

static term copy_node(struct process *p, term node, size_t len, uint64_t bitmap)
{
	term *box = heap_alloc(p, 2 + len);

	box[0] = header_make(KIND_HASHMAP, 1 + len);
	box[1] = small_make((int64_t)bitmap);
	if (node != TERM_NONE)
		memcpy(box + 2, node_children(node),
		       (len < node_len(node) ? len : node_len(node)) * sizeof(term));
	return boxed_make(box);
}

static term with_child(struct process *p, term node, size_t at, term child)
{
	term copy = copy_node(p, node, node_len(node), node_bitmap(node));

	node_children(copy)[at] = child;
	return copy;
}

static term with_new_child(struct process *p, term node, size_t at, term child, uint64_t bitmap)
{
	size_t len = node_len(node);
	term copy = copy_node(p, TERM_NONE, len + 1, bitmap);
	term *children = node_children(copy);

	memcpy(children, node_children(node), at * sizeof(term));
	children[at] = child;
	memcpy(children + at + 1, node_children(node) + at, (len - at) * sizeof(term));
	return copy;
}

static term without_child(struct process *p, term node, size_t at, uint64_t bitmap)
{
	size_t len = node_len(node) - 1;
	term copy = copy_node(p, TERM_NONE, len, bitmap);
	term *children = node_children(copy);

	memcpy(children, node_children(node), at * sizeof(term));
	memcpy(children + at, node_children(node) + at + 1, (len - at) * sizeof(term));
	return copy;
}

/* A subtree that holds two cells whose hashes agree on the levels above. */
static term join_cells(struct process *p, term a, term b, unsigned level)
{
	uint64_t hash_a = term_hash(cons_head(a)), hash_b = term_hash(cons_head(b));
	unsigned slot_a, slot_b;
	term node;

	if (level == LEVELS) {
		bool a_first = term_compare_exact(cons_head(a), cons_head(b)) < 0;

		node = copy_node(p, TERM_NONE, 2, 0);
		node_children(node)[0] = a_first ? a : b;
		node_children(node)[1] = a_first ? b : a;
		return node;
	}
	slot_a = slot_of(hash_a, level);
	slot_b = slot_of(hash_b, level);
	if (slot_a == slot_b) {
		term below = join_cells(p, a, b, level + 1);

		node = copy_node(p, TERM_NONE, 1, (uint64_t)1 << slot_a);
		node_children(node)[0] = below;
		return node;
	}
	node = copy_node(p, TERM_NONE, 2, (uint64_t)1 << slot_a | (uint64_t)1 << slot_b);
	node_children(node)[slot_a > slot_b] = a;
	node_children(node)[slot_a < slot_b] = b;
	return node;
}

static term put_colliding(struct process *p, term node, term cell, bool *is_new)
{
	size_t at = 0;

	for (; at < node_len(node); at++) {
		int order = term_compare_exact(cons_head(node_children(node)[at]), cons_head(cell));

		if (order == 0)
			return with_child(p, node, at, cell);
		if (order > 0)
			break;
	}
	*is_new = true;
	return with_new_child(p, node, at, cell, 0);
}

static term put_in(struct process *p, term node, term cell, uint64_t hash, unsigned level,
		   bool *is_new)
{
	uint64_t bitmap = node_bitmap(node);
	unsigned slot = slot_of(hash, level);
	size_t at = child_index(bitmap, slot);
	term child;

	if (level == LEVELS)
		return put_colliding(p, node, cell, is_new);
	if (!(bitmap >> slot & 1)) {
		*is_new = true;
		return with_new_child(p, node, at, cell, bitmap | (uint64_t)1 << slot);
	}
	child = node_children(node)[at];
	if (!term_is_cons(child))
		return with_child(p, node, at, put_in(p, child, cell, hash, level + 1, is_new));
	if (term_equal(cons_head(child), cons_head(cell)))
		return with_child(p, node, at, cell);
	*is_new = true;
	return with_child(p, node, at, join_cells(p, child, cell, level + 1));
}

term hashmap_put(struct process *p, term map, term key, term value)
{
	bool is_new = false;
	term cell, root, *hp;

	if (hashmap_get(map, key) == value)
		return map;
	cell = heap_cons(p, key, value);
	root = put_in(p, head_root(map), cell, term_hash(key), 0, &is_new);
	hp = heap_alloc(p, 3);
	return make_head(&hp, hashmap_size(map) + is_new, root);
}

/* The child that takes the place of a node after a removal below it: a lone cell moves up. */
static term remove_in(struct process *p, term node, term key, uint64_t hash, unsigned level)
{
	uint64_t bitmap = node_bitmap(node);
	unsigned slot = slot_of(hash, level);
	size_t at = level == LEVELS ? 0 : child_index(bitmap, slot);
	term result, child;

	if (level == LEVELS) {
		while (!term_equal(cons_head(node_children(node)[at]), key))
			at++;
		result = without_child(p, node, at, 0);
	} else {
		child = node_children(node)[at];
		if (term_is_cons(child)) {
			result = without_child(p, node, at, bitmap & ~((uint64_t)1 << slot));
		} else {
			child = remove_in(p, child, key, hash, level + 1);
			result = with_child(p, node, at, child);
		}
	}
	if (level > 0 && node_len(result) == 1 && term_is_cons(node_children(result)[0]))
		return node_children(result)[0];
	return result;
}

static term shrink_to_flat(struct process *p, term map)
{
	term pairs[2 * (MAP_FLAT_MAX + 1)];
	struct tmap_iter it = tmap_iter(map);
	size_t n = 0;

	while (tmap_next(&it, &pairs[2 * n], &pairs[2 * n + 1]))
		n++;
	return tmap_from_pairs(p, pairs, n);
}

term hashmap_remove(struct process *p, term map, term key)
{
	term root, result, *hp;

	if (hashmap_get(map, key) == TERM_NONE)
		return map;
	root = remove_in(p, head_root(map), key, term_hash(key), 0);
	hp = heap_alloc(p, 3);
	result = make_head(&hp, hashmap_size(map) - 1, root);
	return hashmap_size(result) <= MAP_FLAT_MAX ? shrink_to_flat(p, result) : result;
}

/* ---- building at once ---- */

struct hashed {
	term key;
	term value;
	uint64_t hash;
};

/* The worst case. Each key takes a cell, and a node at each level where it shares a path. There are
 * fewer nodes with two or more children than keys; chains of nodes with one child come only from
 * equal hash prefixes and are not longer than the number of levels. */
size_t hashmap_words(size_t n)
{
	return 3 + n * (CONS_WORDS + 4) + n * LEVELS / 2 * 3 + 64 * 3;
}

static void sort_by_slot(struct hashed *items, struct hashed *scratch, size_t n, unsigned level,
			 size_t starts[FANOUT + 1])
{
	size_t counts[FANOUT] = {0}, next[FANOUT];

	for (size_t i = 0; i < n; i++)
		counts[slot_of(items[i].hash, level)]++;
	starts[0] = 0;
	for (unsigned s = 0; s < FANOUT; s++) {
		next[s] = starts[s];
		starts[s + 1] = starts[s] + counts[s];
	}
	for (size_t i = 0; i < n; i++)
		scratch[next[slot_of(items[i].hash, level)]++] = items[i];
	memcpy(items, scratch, n * sizeof(*items));
}

static term build_node(term **hp, struct hashed *items, struct hashed *scratch, size_t n,
		       unsigned level)
{
	size_t starts[FANOUT + 1], len = 0;
	term children[FANOUT], *box;
	uint64_t bitmap = 0;

	if (level == LEVELS) { /* equal hashes: cells in key order, as the pairs came */
		box = *hp;
		*hp += 2 + n;
		box[0] = header_make(KIND_HASHMAP, 1 + n);
		box[1] = small_make(0);
		for (size_t i = 0; i < n; i++)
			box[2 + i] = cons_build(hp, items[i].key, items[i].value);
		return boxed_make(box);
	}
	sort_by_slot(items, scratch, n, level, starts);
	for (unsigned s = 0; s < FANOUT; s++) {
		size_t first = starts[s], count = starts[s + 1] - first;

		if (!count)
			continue;
		bitmap |= (uint64_t)1 << s;
		children[len++] = count == 1
			? cons_build(hp, items[first].key, items[first].value)
			: build_node(hp, items + first, scratch + first, count, level + 1);
	}
	box = *hp;
	*hp += 2 + len;
	box[0] = header_make(KIND_HASHMAP, 1 + len);
	box[1] = small_make((int64_t)bitmap);
	memcpy(box + 2, children, len * sizeof(term));
	return boxed_make(box);
}

term hashmap_build(term **hp, const term *pairs, size_t n)
{
	struct hashed *items = mem_alloc(2 * n * sizeof(*items));
	term root;

	for (size_t i = 0; i < n; i++)
		items[i] = (struct hashed){pairs[2 * i], pairs[2 * i + 1], term_hash(pairs[2 * i])};
	root = build_node(hp, items, items + n, n, 0);
	mem_free(items);
	return make_head(hp, n, root);
}

/* ---- iteration ---- */

void hashmap_iter_start(struct tmap_iter *it)
{
	it->depth = 1;
	it->nodes[0] = head_root(it->map);
	it->places[0] = 0;
}

bool hashmap_iter_next(struct tmap_iter *it, term *key, term *value)
{
	while (it->depth > 0) {
		unsigned top = it->depth - 1;
		term node = it->nodes[top], child;

		if (it->places[top] >= node_len(node)) {
			it->depth--;
			continue;
		}
		child = node_children(node)[it->places[top]++];
		if (term_is_cons(child)) {
			*key = cons_head(child);
			*value = cons_tail(child);
			return true;
		}
		it->nodes[it->depth] = child;
		it->places[it->depth++] = 0;
	}
	return false;
}
