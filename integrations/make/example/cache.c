#include "cache.h"

#include <string.h>

void cache_init(struct cache *cache)
{
	memset(cache, 0, sizeof(*cache));
	pthread_mutex_init(&cache->table_lock, NULL);
	pthread_mutex_init(&cache->order_lock, NULL);
}

/* Moves the slot to the front, or adds it there. The caller holds order_lock. */
static void touch(struct cache *cache, int slot)
{
	int at = 0;

	while (at < cache->order_len && cache->order[at] != slot)
		at++;
	cache->order_len += at == cache->order_len;
	memmove(&cache->order[1], &cache->order[0], (size_t)at * sizeof(int));
	cache->order[0] = slot;
}

long cache_get(struct cache *cache, int key)
{
	int slot = key % CACHE_SLOTS;
	long value;

	pthread_mutex_lock(&cache->table_lock);
	if (!cache->values[slot])
		cache->values[slot] = (long)key * key;
	value = cache->values[slot];
	pthread_mutex_lock(&cache->order_lock);
	touch(cache, slot);
	pthread_mutex_unlock(&cache->order_lock);
	pthread_mutex_unlock(&cache->table_lock);
	return value;
}

void cache_evict(struct cache *cache)
{
	pthread_mutex_lock(&cache->order_lock);
	if (cache->order_len) {
		int slot = cache->order[--cache->order_len];

		pthread_mutex_lock(&cache->table_lock);
		cache->values[slot] = 0;
		pthread_mutex_unlock(&cache->table_lock);
	}
	pthread_mutex_unlock(&cache->order_lock);
}

int cache_count(struct cache *cache)
{
	int count;

	pthread_mutex_lock(&cache->order_lock);
	count = cache->order_len;
	pthread_mutex_unlock(&cache->order_lock);
	return count;
}
