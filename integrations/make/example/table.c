#include "table.h"

#include <stdlib.h>

static struct entry **bucket_of(struct cache *cache, int key)
{
	return &cache->buckets[(unsigned)key * 2654435761u % CACHE_BUCKETS];
}

struct entry *table_find(struct cache *cache, int key)
{
	struct entry *entry = *bucket_of(cache, key);

	while (entry && entry->key != key)
		entry = entry->next;
	return entry;
}

struct entry *table_add(struct cache *cache, int key, long value)
{
	struct entry **bucket = bucket_of(cache, key);
	struct entry *entry = calloc(1, sizeof(*entry));

	if (!entry)
		abort();
	entry->key = key;
	entry->value = value;
	entry->next = *bucket;
	*bucket = entry;
	return entry;
}

void table_remove(struct cache *cache, struct entry *entry)
{
	struct entry **at = bucket_of(cache, entry->key);

	while (*at != entry)
		at = &(*at)->next;
	*at = entry->next;
	free(entry);
}
