#include "base/map.h"

#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"

static size_t find_slot(const struct map *map, uint64_t key, bool *found)
{
	size_t mask = map->slots_len - 1;
	size_t i = (size_t)rng_mix(key) & mask;

	for (;; i = (i + 1) & mask) {
		uint64_t slot = map->slots[i];

		if (slot >> 32 != map->generation) {
			*found = false;
			return i;
		}
		if (map->entries[(uint32_t)slot].key == key) {
			*found = true;
			return i;
		}
	}
}

static void rehash(struct map *map, size_t slots_len)
{
	mem_free(map->slots);
	map->slots = mem_zalloc(slots_len * sizeof(*map->slots));
	map->slots_len = slots_len;
	map->generation = 1;
	for (size_t e = 0; e < map->len; e++) {
		bool found;
		size_t i = find_slot(map, map->entries[e].key, &found);
		map->slots[i] = (uint64_t)map->generation << 32 | e;
	}
}

uint64_t *map_get(const struct map *map, uint64_t key)
{
	bool found;
	size_t i;

	if (!map->len)
		return NULL;
	i = find_slot(map, key, &found);
	return found ? &map->entries[(uint32_t)map->slots[i]].value : NULL;
}

uint64_t *map_put(struct map *map, uint64_t key, bool *is_new)
{
	bool found;
	size_t i;

	if ((map->len + 1) * 2 > map->slots_len)
		rehash(map, map->slots_len ? map->slots_len * 2 : 16);
	i = find_slot(map, key, &found);
	if (is_new)
		*is_new = !found;
	if (!found) {
		if (map->len == map->cap)
			map->entries = vec_grow(map->entries, &map->cap, map->len + 1,
						sizeof(*map->entries));
		map->entries[map->len] = (struct map_entry){key, 0};
		map->slots[i] = (uint64_t)map->generation << 32 | map->len++;
	}
	return &map->entries[(uint32_t)map->slots[i]].value;
}

void map_clear(struct map *map)
{
	map->len = 0;
	if (map->slots && ++map->generation == 0) {
		memset(map->slots, 0, map->slots_len * sizeof(*map->slots));
		map->generation = 1;
	}
}

void map_release(struct map *map)
{
	mem_free(map->entries);
	mem_free(map->slots);
	*map = (struct map){0};
}
