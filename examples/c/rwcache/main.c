/* Two readers look up a rate while a third thread throws it out and another rate in. */
#include "cache.h"

#include <assert.h>
#include <stdio.h>

#define READERS 2

static struct cache cache;

static void *read_rate(void *arg)
{
	struct cache_entry *entry = cache_get(&cache, "eur");

	(void)arg;
	if (entry != NULL) {
		assert(entry->value == 100 || entry->value == 110);
		cache_drop(entry);
	}
	return NULL;
}

static void *refresh(void *arg)
{
	(void)arg;
	cache_evict(&cache, "eur");
	return cache_put(&cache, "eur", 110) == 0 ? NULL : arg;
}

int main(void)
{
	pthread_t readers[READERS], refresher;

	cache_init(&cache);
	if (cache_put(&cache, "eur", 100) != 0)
		return 1;
	for (int i = 0; i < READERS; i++)
		if (pthread_create(&readers[i], NULL, read_rate, NULL) != 0)
			return 1;
	if (pthread_create(&refresher, NULL, refresh, NULL) != 0)
		return 1;
	for (int i = 0; i < READERS; i++)
		pthread_join(readers[i], NULL);
	pthread_join(refresher, NULL);
	assert(cache.hits + cache.misses == READERS);
	cache_release(&cache);
	puts("done");
	return 0;
}
