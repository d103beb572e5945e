/* The order of use: a doubly linked list of entries. The caller holds order_lock. */
#ifndef ORDER_H
#define ORDER_H

#include "cache.h"

void order_add(struct cache *cache, struct entry *entry);
void order_remove(struct cache *cache, struct entry *entry);

/* Makes it the newest one. */
void order_touch(struct cache *cache, struct entry *entry);

#endif
