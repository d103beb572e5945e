#include "cache.h"

#include <assert.h>
#include <string.h>

static struct cache cache;

static void *get(void *unused)
{
	assert(cache_get(&cache, 3) == 9);
	return unused;
}

static void *evict(void *unused)
{
	cache_evict(&cache);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	cache_init(&cache);
	cache_get(&cache, 2);
	pthread_create(&a, NULL, get, NULL);
	pthread_create(&b, NULL, argc > 1 && strcmp(argv[1], "evict") == 0 ? evict : get, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(cache_count(&cache) >= 1);
	return 0;
}
