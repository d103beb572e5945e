#include "order.h"

void order_add(struct cache *cache, struct entry *entry)
{
	entry->newer = NULL;
	entry->older = cache->newest;
	if (cache->newest)
		cache->newest->newer = entry;
	else
		cache->oldest = entry;
	cache->newest = entry;
	cache->count++;
}

void order_remove(struct cache *cache, struct entry *entry)
{
	if (entry->newer)
		entry->newer->older = entry->older;
	else
		cache->newest = entry->older;
	if (entry->older)
		entry->older->newer = entry->newer;
	else
		cache->oldest = entry->newer;
	cache->count--;
}

void order_touch(struct cache *cache, struct entry *entry)
{
	order_remove(cache, entry);
	order_add(cache, entry);
}
