/* The hash map against a plain array: get, put, order of insertion, clearing by generation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/map.h"
#include "base/rng.h"

enum { KEYS = 3000 };

static void test_empty(void **state)
{
	struct map map = {0};

	assert_null(map_get(&map, 0));
	assert_null(map_get(&map, 7));
	map_clear(&map); /* of nothing */
	assert_null(map_get(&map, 0));
	map_release(&map);
}

/* Keys 0 and UINT64_MAX are keys like any other. */
static void test_keys(void **state)
{
	static const uint64_t keys[] = {0, UINT64_MAX, 1, (uint64_t)1 << 63};
	struct map map = {0};
	bool is_new;

	for (size_t i = 0; i < 4; i++) {
		uint64_t *value = map_put(&map, keys[i], &is_new);

		assert_true(is_new);
		assert_int_equal(*value, 0);
		*value = i + 1;
	}
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(*map_get(&map, keys[i]), i + 1);
		assert_int_equal(*map_put(&map, keys[i], &is_new), i + 1);
		assert_false(is_new);
	}
	assert_int_equal(map.len, 4);
	assert_null(map_get(&map, 2));
	map_release(&map);
}

/* Few distinct keys, so that puts meet old ones; the array is the judge. */
static void test_against_array(void **state)
{
	static uint64_t expected[KEYS];
	static bool known[KEYS];
	struct rng rng = rng_seeded(3);
	struct map map = {0};
	size_t count = 0;

	for (int i = 0; i < 10 * KEYS; i++) {
		uint64_t key = rng_below(&rng, KEYS), value = rng_next(&rng);
		bool is_new;
		uint64_t *place = map_put(&map, key * 64, &is_new); /* equal low bits */

		assert_int_equal(is_new, !known[key]);
		assert_int_equal(*place, known[key] ? expected[key] : 0);
		count += is_new;
		known[key] = true;
		*place = expected[key] = value;
	}
	assert_int_equal(map.len, count);
	for (uint64_t key = 0; key < KEYS; key++) {
		uint64_t *value = map_get(&map, key * 64);

		assert_int_equal(value != NULL, known[key]);
		if (value)
			assert_int_equal(*value, expected[key]);
	}
	map_release(&map);
}

static void test_insertion_order(void **state)
{
	struct map map = {0};

	for (uint64_t i = 0; i < 1000; i++)
		map_put(&map, (i * 7919) % 1009, NULL);
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(map.entries[i].key, (i * 7919) % 1009);
	map_release(&map);
}

/* Nothing of an earlier round shows, also when the generation number comes round to 0. */
static void test_clear(void **state)
{
	struct map map = {0};

	for (uint32_t round = 0; round < 10; round++) {
		for (uint64_t key = 0; key < 20; key++)
			*map_put(&map, key, NULL) = round + 1;
		map_clear(&map);
		assert_int_equal(map.len, 0);
		for (uint64_t key = 0; key < 20; key++)
			assert_null(map_get(&map, key));
		map.generation = round == 5 ? UINT32_MAX : map.generation;
	}
	*map_put(&map, 3, NULL) = 9;
	assert_int_equal(*map_get(&map, 3), 9);
	assert_null(map_get(&map, 4));
	map_release(&map);
	assert_int_equal(map.len, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),         cmocka_unit_test(test_keys),
		cmocka_unit_test(test_against_array), cmocka_unit_test(test_insertion_order),
		cmocka_unit_test(test_clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
