/* Each test is a run of the program of its own: cache_test NAME. */
#include "cache.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static struct cache cache;
static atomic_int loads;

static long square(int key, void *context)
{
	(void)context;
	atomic_fetch_add(&loads, 1);
	return (long)key * key;
}

static void *get_three(void *unused)
{
	assert(cache_get(&cache, 3) == 9);
	return unused;
}

static void *get_four(void *unused)
{
	assert(cache_get(&cache, 4) == 16);
	return unused;
}

static void *evict(void *unused)
{
	cache_evict(&cache);
	return unused;
}

static void *peek(void *unused)
{
	long value;

	if (cache_peek(&cache, 3, &value))
		assert(value == 9);
	return unused;
}

static void together(void *(*one)(void *), void *(*other)(void *))
{
	pthread_t a, b;

	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, other, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}

/* A value is loaded once, although two threads ask for it. */
static void test_get(void)
{
	together(get_three, get_three);
	assert(atomic_load(&loads) == 1 && cache_count(&cache) == 1);
}

static void test_evict(void)
{
	cache_get(&cache, 2);
	together(get_three, evict);
	assert(cache_count(&cache) == 1);
}

/* There is never more in the cache than its limit. */
static void test_limit(void)
{
	cache_get(&cache, 1);
	cache_get(&cache, 2);
	together(get_three, get_four);
	assert(cache_count(&cache) == 2);
}

static void test_peek(void)
{
	together(get_three, peek);
	assert(cache_count(&cache) == 1);
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {{"get", test_get}, {"evict", test_evict}, {"limit", test_limit}, {"peek", test_peek}};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof(tests) / sizeof(tests[0]); i++)
		if (strcmp(tests[i].name, argv[1]) == 0) {
			cache_init(&cache, 2, square, NULL);
			tests[i].run();
			cache_release(&cache);
			return 0;
		}
	fprintf(stderr, "usage: cache_test get|evict|limit|peek\n");
	return 2;
}
