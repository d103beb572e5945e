#include "cache.h"

#include <stdlib.h>
#include <string.h>

/*
 * The bug: cache_get() takes its reference after it has given up the lock. An eviction in
 * between drops the last one, and the reader counts up in freed memory. Natively such
 * memory mostly still looks as it did. -DFIXED: the reference is taken under the lock.
 */

static size_t slot_of(const char *name)
{
	size_t hash = 5381;

	for (; *name != '\0'; name++)
		hash = hash * 33 + (unsigned char)*name;
	return hash % CACHE_SLOTS;
}

void cache_init(struct cache *cache)
{
	memset(cache->slots, 0, sizeof(cache->slots));
	atomic_init(&cache->hits, 0);
	atomic_init(&cache->misses, 0);
	pthread_rwlock_init(&cache->lock, NULL);
}

void cache_release(struct cache *cache)
{
	for (size_t i = 0; i < CACHE_SLOTS; i++) {
		while (cache->slots[i] != NULL) {
			struct cache_entry *entry = cache->slots[i];

			cache->slots[i] = entry->next;
			cache_drop(entry);
		}
	}
	pthread_rwlock_destroy(&cache->lock);
}

static struct cache_entry *new_entry(const char *name, int value)
{
	struct cache_entry *entry = calloc(1, sizeof(*entry));

	if (entry == NULL)
		return NULL;
	strncpy(entry->name, name, CACHE_NAME_MAX - 1);
	entry->value = value;
	atomic_init(&entry->refs, 1);
	return entry;
}

/* Returns the link that points to the entry of that name, or to the end of its slot. */
static struct cache_entry **find_link(struct cache *cache, const char *name)
{
	struct cache_entry **link = &cache->slots[slot_of(name)];

	while (*link != NULL && strcmp((*link)->name, name) != 0)
		link = &(*link)->next;
	return link;
}

int cache_put(struct cache *cache, const char *name, int value)
{
	struct cache_entry *entry = new_entry(name, value), *old;
	struct cache_entry **link;

	if (entry == NULL)
		return -1;
	pthread_rwlock_wrlock(&cache->lock);
	link = find_link(cache, name);
	old = *link;
	entry->next = old != NULL ? old->next : NULL;
	*link = entry;
	pthread_rwlock_unlock(&cache->lock);
	if (old != NULL)
		cache_drop(old);
	return 0;
}

struct cache_entry *cache_get(struct cache *cache, const char *name)
{
	struct cache_entry *entry;

	pthread_rwlock_rdlock(&cache->lock);
	entry = *find_link(cache, name);
#ifdef FIXED
	if (entry != NULL)
		atomic_fetch_add(&entry->refs, 1);
	pthread_rwlock_unlock(&cache->lock);
#else
	pthread_rwlock_unlock(&cache->lock);
	if (entry != NULL)
		atomic_fetch_add(&entry->refs, 1);
#endif
	atomic_fetch_add_explicit(entry != NULL ? &cache->hits : &cache->misses, 1,
				  memory_order_relaxed);
	return entry;
}

void cache_drop(struct cache_entry *entry)
{
	if (atomic_fetch_sub(&entry->refs, 1) == 1)
		free(entry);
}

int cache_evict(struct cache *cache, const char *name)
{
	struct cache_entry **link, *entry;

	pthread_rwlock_wrlock(&cache->lock);
	link = find_link(cache, name);
	entry = *link;
	if (entry != NULL)
		*link = entry->next;
	pthread_rwlock_unlock(&cache->lock);
	if (entry == NULL)
		return 0;
	cache_drop(entry);
	return 1;
}
