/* A cache of computed values: a hash table, and a list of its entries in the order of use. The
 * table and the list have a lock each, so that a look-up and a count do not wait for each other. */
#ifndef CACHE_H
#define CACHE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { CACHE_BUCKETS = 16 };

/* Computes the value of a key that is not in the cache. */
typedef long (*cache_load)(int key, void *context);

struct entry {
	int key;
	long value;
	struct entry *next;           /* in its bucket */
	struct entry *newer, *older;  /* in the order of use */
};

struct cache {
	pthread_mutex_t table_lock, order_lock;
	struct entry *buckets[CACHE_BUCKETS]; /* table_lock */
	struct entry *newest, *oldest;        /* order_lock, these three */
	size_t count, limit;
	cache_load load;
	void *context;
};

void cache_init(struct cache *cache, size_t limit, cache_load load, void *context);
void cache_release(struct cache *cache);

/* The value of the key, loaded if it is not there. If the cache is full, the entry that was not used
 * for the longest time goes. */
long cache_get(struct cache *cache, int key);

/* True and the value, if the key is there; does not count as a use. */
bool cache_peek(struct cache *cache, int key, long *value);

/* Removes the entry that was not used for the longest time. False if the cache is empty. */
bool cache_evict(struct cache *cache);

size_t cache_count(struct cache *cache);

#endif
