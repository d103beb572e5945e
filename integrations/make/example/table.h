/* The hash table of a cache. The caller holds table_lock. */
#ifndef TABLE_H
#define TABLE_H

#include "cache.h"

/* NULL if the key is not there. */
struct entry *table_find(struct cache *cache, int key);

/* A new entry in the table. */
struct entry *table_add(struct cache *cache, int key, long value);

/* Takes the entry out of the table and frees it. */
void table_remove(struct cache *cache, struct entry *entry);

#endif
