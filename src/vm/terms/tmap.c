#include "vm/terms/tmap.h"

#include <stdlib.h>

#include "base/mem.h"
#include "vm/terms/atom.h"
#include "vm/terms/compare.h"
#include "vm/terms/hashmap.h"

size_t tmap_size(term map)
{
	return term_is_flatmap(map) ? flatmap_size(map) : hashmap_size(map);
}

int tmap_compare_keys(term a, term b)
{
	if (term_is_atom(a) && term_is_atom(b))
		return atom_compare_places(a, b);
	return term_compare_exact(a, b);
}

/* Where key is in the sorted keys, or where it would go. */
static bool find_key(term map, term key, size_t *at)
{
	const term *keys = tuple_elements(flatmap_keys(map));
	size_t n = flatmap_size(map), low = 0, high = n;

	if (term_is_immediate(key)) {
		for (size_t i = 0; i < n; i++) {
			if (keys[i] == key) {
				*at = i;
				return true;
			}
		}
	}
	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = tmap_compare_keys(keys[middle], key);

		if (order == 0) {
			*at = middle;
			return true;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*at = low;
	return false;
}

term tmap_get(term map, term key)
{
	const term *keys;
	size_t n, at;

	if (term_is_hashmap(map))
		return hashmap_get(map, key);
	if (!term_is_immediate(key))
		return find_key(map, key, &at) ? flatmap_values(map)[at] : TERM_NONE;
	keys = tuple_elements(flatmap_keys(map));
	n = flatmap_size(map);
	for (size_t i = 0; i < n; i++)
		if (keys[i] == key)
			return flatmap_values(map)[i];
	return TERM_NONE;
}

/* A flat map of n values with the given tuple of keys; the values are still to be written. */
static term *start_flatmap(term **hp, term keys, size_t n, term *map)
{
	term *box = *hp;

	box[0] = header_make(KIND_FLATMAP, 1 + n);
	box[1] = keys;
	*hp = box + 2 + n;
	*map = boxed_make(box);
	return box + 2;
}

static term replace_value(struct process *p, term map, size_t at, term value)
{
	size_t n = flatmap_size(map);
	term *hp, *values, result;

	if (flatmap_values(map)[at] == value)
		return map;
	hp = heap_alloc(p, 2 + n);
	values = start_flatmap(&hp, flatmap_keys(map), n, &result);
	memcpy(values, flatmap_values(map), n * sizeof(term));
	values[at] = value;
	return result;
}

static term insert_key(struct process *p, term map, size_t at, term key, term value)
{
	size_t n = flatmap_size(map);
	const term *old_keys = tuple_elements(flatmap_keys(map)), *old = flatmap_values(map);
	term *hp = heap_alloc(p, TUPLE_WORDS(n + 1) + 2 + n + 1);
	term *keys = hp, *values, result;

	keys[0] = header_make(KIND_TUPLE, n + 1);
	memcpy(keys + 1, old_keys, at * sizeof(term));
	keys[1 + at] = key;
	memcpy(keys + 2 + at, old_keys + at, (n - at) * sizeof(term));
	hp += TUPLE_WORDS(n + 1);
	values = start_flatmap(&hp, boxed_make(keys), n + 1, &result);
	memcpy(values, old, at * sizeof(term));
	values[at] = value;
	memcpy(values + at + 1, old + at, (n - at) * sizeof(term));
	return result;
}

static term grow_to_hashmap(struct process *p, term map, term key, term value)
{
	term pairs[2 * (MAP_FLAT_MAX + 1)];
	size_t n = flatmap_size(map);

	for (size_t i = 0; i < n; i++) {
		pairs[2 * i] = tuple_element(flatmap_keys(map), i);
		pairs[2 * i + 1] = flatmap_values(map)[i];
	}
	pairs[2 * n] = key;
	pairs[2 * n + 1] = value;
	return tmap_from_pairs(p, pairs, n + 1);
}

term tmap_put(struct process *p, term map, term key, term value)
{
	size_t at;

	if (term_is_hashmap(map))
		return hashmap_put(p, map, key, value);
	if (find_key(map, key, &at))
		return replace_value(p, map, at, value);
	if (flatmap_size(map) == MAP_FLAT_MAX)
		return grow_to_hashmap(p, map, key, value);
	return insert_key(p, map, at, key, value);
}

term tmap_remove(struct process *p, term map, term key)
{
	size_t at, n;
	const term *old_keys;
	term *hp, *keys, *values, result;

	if (term_is_hashmap(map))
		return hashmap_remove(p, map, key);
	if (!find_key(map, key, &at))
		return map;
	n = flatmap_size(map) - 1;
	old_keys = tuple_elements(flatmap_keys(map));
	hp = heap_alloc(p, TUPLE_WORDS(n) + 2 + n);
	keys = hp;
	keys[0] = header_make(KIND_TUPLE, n);
	memcpy(keys + 1, old_keys, at * sizeof(term));
	memcpy(keys + 1 + at, old_keys + at + 1, (n - at) * sizeof(term));
	hp += TUPLE_WORDS(n);
	values = start_flatmap(&hp, boxed_make(keys), n, &result);
	memcpy(values, flatmap_values(map), at * sizeof(term));
	memcpy(values + at, flatmap_values(map) + at + 1, (n - at) * sizeof(term));
	return result;
}

/* ---- building ---- */

struct indexed_pair {
	term key;
	term value;
	size_t index;
};

static int compare_pairs(const void *a, const void *b)
{
	const struct indexed_pair *left = a, *right = b;
	int order = tmap_compare_keys(left->key, right->key);

	return order ? order : (left->index > right->index) - (left->index < right->index);
}

/* Sorts the pairs by key and keeps the last of equal keys; returns how many are left. */
static size_t sort_pairs(term *pairs, size_t len)
{
	struct indexed_pair *sorted = mem_alloc((len + 1) * sizeof(*sorted));
	size_t kept = 0;

	for (size_t i = 0; i < len; i++)
		sorted[i] = (struct indexed_pair){pairs[2 * i], pairs[2 * i + 1], i};
	qsort(sorted, len, sizeof(*sorted), compare_pairs);
	for (size_t i = 0; i < len; i++) {
		if (i + 1 < len && term_equal(sorted[i].key, sorted[i + 1].key))
			continue;
		pairs[2 * kept] = sorted[i].key;
		pairs[2 * kept + 1] = sorted[i].value;
		kept++;
	}
	mem_free(sorted);
	return kept;
}

size_t tmap_pairs_words(size_t len)
{
	return len <= MAP_FLAT_MAX ? TUPLE_WORDS(len) + 2 + len : hashmap_words(len);
}

term tmap_build(term **hp, term *pairs, size_t len)
{
	size_t n = sort_pairs(pairs, len);
	term *keys = *hp, *values, result;

	if (n > MAP_FLAT_MAX)
		return hashmap_build(hp, pairs, n);
	keys[0] = header_make(KIND_TUPLE, n);
	*hp += TUPLE_WORDS(n);
	values = start_flatmap(hp, boxed_make(keys), n, &result);
	for (size_t i = 0; i < n; i++) {
		keys[1 + i] = pairs[2 * i];
		values[i] = pairs[2 * i + 1];
	}
	return result;
}

term tmap_from_pairs(struct process *p, term *pairs, size_t len)
{
	size_t n = sort_pairs(pairs, len);
	size_t words = tmap_pairs_words(n);
	term *start = heap_alloc(p, words), *hp = start;
	term map = tmap_build(&hp, pairs, n);

	if (p->htop == start + words)
		p->htop = hp; /* gives back the words that the estimate had too many */
	return map;
}

/* ---- iteration ---- */

struct tmap_iter tmap_iter(term map)
{
	struct tmap_iter it = {.map = map};

	if (term_is_hashmap(map))
		hashmap_iter_start(&it);
	return it;
}

bool tmap_next(struct tmap_iter *it, term *key, term *value)
{
	if (term_is_hashmap(it->map))
		return hashmap_iter_next(it, key, value);
	if (it->index >= flatmap_size(it->map))
		return false;
	*key = tuple_element(flatmap_keys(it->map), it->index);
	*value = flatmap_values(it->map)[it->index++];
	return true;
}
