/* map.h: a hash map from uint64_t to uint64_t, open addressing, no deletion.
 *
 * For interning and for per-run tables: map_clear is O(1) (a generation number),
 * so one map serves a million runs. Iteration is in insertion order (entries are
 * kept in an array), so nothing that is printed depends on the hash.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_entry {
	uint64_t key;
	uint64_t value;
};

struct map {
	struct map_entry *entries; /* in order of insertion */
	size_t len;
	size_t cap;
	uint64_t *slots; /* generation << 32 | entry index */
	size_t slots_len;
	uint32_t generation;
};

/* The value of key, or NULL. The pointer is valid until the next map_put. */
uint64_t *map_get(const struct map *map, uint64_t key);

/* The place of key's value; a new one holds 0 and *is_new (may be NULL) is set. */
uint64_t *map_put(struct map *map, uint64_t key, bool *is_new);

/* Where in `entries` the value is that map_put returned. */
static inline uint32_t map_index(const struct map *map, const uint64_t *value)
{
	return (uint32_t)(((const char *)value - (const char *)&map->entries[0].value) /
			  (ptrdiff_t)sizeof(*map->entries));
}

void map_clear(struct map *map);
void map_release(struct map *map);

#endif
