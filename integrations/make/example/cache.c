#include "cache.h"

#include <string.h>

#include "order.h"
#include "table.h"

void cache_init(struct cache *cache, size_t limit, cache_load load, void *context)
{
	memset(cache, 0, sizeof(*cache));
	cache->limit = limit;
	cache->load = load;
	cache->context = context;
	pthread_mutex_init(&cache->table_lock, NULL);
	pthread_mutex_init(&cache->order_lock, NULL);
}

void cache_release(struct cache *cache)
{
	while (cache_evict(cache)) {
	}
	pthread_mutex_destroy(&cache->table_lock);
	pthread_mutex_destroy(&cache->order_lock);
}

/* Both locks are held. */
static void remove_oldest(struct cache *cache)
{
	struct entry *entry = cache->oldest;

	order_remove(cache, entry);
	table_remove(cache, entry);
}

long cache_get(struct cache *cache, int key)
{
	struct entry *entry;
	long value;

	pthread_mutex_lock(&cache->table_lock);
	entry = table_find(cache, key);
	pthread_mutex_lock(&cache->order_lock);
	if (entry) {
		order_touch(cache, entry);
	} else {
		if (cache->count == cache->limit)
			remove_oldest(cache);
		entry = table_add(cache, key, cache->load(key, cache->context));
		order_add(cache, entry);
	}
	value = entry->value;
	pthread_mutex_unlock(&cache->order_lock);
	pthread_mutex_unlock(&cache->table_lock);
	return value;
}

bool cache_peek(struct cache *cache, int key, long *value)
{
	struct entry *entry;

	pthread_mutex_lock(&cache->table_lock);
	entry = table_find(cache, key);
	if (entry)
		*value = entry->value;
	pthread_mutex_unlock(&cache->table_lock);
	return entry != NULL;
}

bool cache_evict(struct cache *cache)
{
	bool is_filled;

	pthread_mutex_lock(&cache->order_lock);
	is_filled = cache->oldest != NULL;
	if (is_filled) {
		pthread_mutex_lock(&cache->table_lock);
		remove_oldest(cache);
		pthread_mutex_unlock(&cache->table_lock);
	}
	pthread_mutex_unlock(&cache->order_lock);
	return is_filled;
}

size_t cache_count(struct cache *cache)
{
	size_t count;

	pthread_mutex_lock(&cache->order_lock);
	count = cache->count;
	pthread_mutex_unlock(&cache->order_lock);
	return count;
}
