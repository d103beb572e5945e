/*
 * A cache of named values with a read-write lock and reference counts.
 *
 * Lookups take the lock for reading and give the caller a reference, so that an entry can
 * be used without the lock and evicted meanwhile: it goes away when the last reference is
 * dropped. The table itself holds one reference to each of its entries.
 */
#ifndef CACHE_H
#define CACHE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { CACHE_SLOTS = 8, CACHE_NAME_MAX = 16 };

struct cache_entry {
	char name[CACHE_NAME_MAX];
	int value;
	atomic_int refs;
	struct cache_entry *next;
};

struct cache {
	pthread_rwlock_t lock;
	struct cache_entry *slots[CACHE_SLOTS];
	atomic_int hits;
	atomic_int misses;
};

void cache_init(struct cache *cache);

/* Drops the table's references; entries still in use live on. */
void cache_release(struct cache *cache);

/* Returns 0, or -1 without memory. An entry of that name is replaced. */
int cache_put(struct cache *cache, const char *name, int value);

/* Returns a new reference for cache_drop(), or NULL. */
struct cache_entry *cache_get(struct cache *cache, const char *name);

void cache_drop(struct cache_entry *entry);

/* Returns 1 if there was such an entry, else 0. */
int cache_evict(struct cache *cache, const char *name);

#endif
