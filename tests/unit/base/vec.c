/* The growable array: pushing across many growths, appending, popping, clearing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"

static void test_push_and_pop(void **state)
{
	VEC(uint32_t) v = {0};

	for (uint32_t i = 0; i < 100000; i++) {
		*vec_push(&v) = i * 3;
		assert_true(v.cap >= v.len);
		assert_int_equal(*vec_last(&v), i * 3);
	}
	for (uint32_t i = 0; i < 100000; i++)
		assert_int_equal(v.items[i], i * 3);
	for (uint32_t i = 100000; i-- > 0;)
		assert_int_equal(vec_pop(&v), i * 3);
	assert_int_equal(v.len, 0);
	vec_release(&v);
	assert_null(v.items);
	assert_int_equal(v.cap, 0);
}

static void test_append(void **state)
{
	VEC(char) v = {0};

	vec_append(&v, "", 0);
	assert_int_equal(v.len, 0);
	vec_append(&v, "abc", 3);
	vec_append(&v, "defghijklmnopqrstuvwxyz", 24);
	assert_int_equal(v.len, 27);
	assert_string_equal(v.items, "abcdefghijklmnopqrstuvwxyz");
	vec_release(&v);
}

/* Room that is reserved is not given back by clearing, and pushing into it does not move. */
static void test_reserve(void **state)
{
	VEC(uint64_t) v = {0};
	uint64_t *items;

	vec_reserve(&v, 500);
	assert_true(v.cap >= 500);
	assert_int_equal(v.len, 0);
	items = v.items;
	for (uint64_t i = 0; i < 500; i++)
		*vec_push(&v) = i;
	assert_ptr_equal(v.items, items);
	vec_clear(&v);
	assert_int_equal(v.len, 0);
	assert_true(v.cap >= 500);
	vec_reserve(&v, 1);
	assert_ptr_equal(v.items, items);
	vec_release(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_push_and_pop),
		cmocka_unit_test(test_append),
		cmocka_unit_test(test_reserve),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
