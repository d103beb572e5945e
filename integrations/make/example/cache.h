/* A cache of squares: a table, and a list in the order of use, each with a lock of its own. */
#ifndef CACHE_H
#define CACHE_H

#include <pthread.h>

enum { CACHE_SLOTS = 16 };

struct cache {
	pthread_mutex_t table_lock, order_lock;
	long values[CACHE_SLOTS];  /* 0: not in the cache */
	int order[CACHE_SLOTS];    /* slots, the last used one first */
	int order_len;
};

void cache_init(struct cache *cache);
long cache_get(struct cache *cache, int key);
/* Removes the value that was not used for the longest time. */
void cache_evict(struct cache *cache);
int cache_count(struct cache *cache);

#endif
