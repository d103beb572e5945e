/* Symbolic values: equal structure is the equal number, translation to a caller, relations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "static/value.h"

enum { SITE = 7, CALL = 9, FOO = 1, BAR = 2 };

static struct values vs;

static uint32_t pair_of(uint32_t a, uint32_t b)
{
	return value_make(&vs, VALUE_TUPLE, 0, 0, (uint32_t[]){a, b}, 2);
}

static void test_equal_structure(void **state)
{
	uint32_t foo = value_atom(&vs, FOO), x = value_arg(&vs, 0);

	assert_int_equal(pair_of(foo, x), pair_of(foo, x));
	assert_int_not_equal(pair_of(foo, x), pair_of(x, foo));
	assert_int_equal(value_int(&vs, -1), value_int(&vs, -1));
	assert_true(value_is_constant(&vs, pair_of(foo, foo)));
	assert_false(value_is_constant(&vs, pair_of(foo, x)));
}

static void test_pieces(void **state)
{
	uint32_t foo = value_atom(&vs, FOO), x = value_arg(&vs, 0), t = pair_of(foo, x);
	uint32_t set = value_make(&vs, VALUE_SET, 0, 0, (uint32_t[]){x, foo}, 2);

	assert_int_equal(value_elem(&vs, t, 1), x);
	assert_int_equal(value_elem(&vs, t, 5), VALUE_TOP);
	assert_int_equal(value_elem(&vs, set, 0), foo);
	assert_int_equal(value_elem(&vs, set, 1), value_elem(&vs, x, 1));
	assert_int_equal(value_elem(&vs, foo, 0), VALUE_TOP);
	assert_int_equal(value_head(&vs, value_cons(&vs, foo, x)), foo);
	assert_int_equal(value_tail(&vs, value_cons(&vs, foo, x)), x);
}

static void test_relations(void **state)
{
	uint32_t foo = value_atom(&vs, FOO), bar = value_atom(&vs, BAR), x = value_arg(&vs, 0);

	assert_int_equal(value_relate(&vs, foo, foo), VALUE_EQUAL);
	assert_int_equal(value_relate(&vs, foo, bar), VALUE_DIFFERENT);
	assert_int_equal(value_relate(&vs, foo, x), VALUE_MAY);
	assert_int_equal(value_relate(&vs, VALUE_TOP, VALUE_TOP), VALUE_MAY);
	assert_int_equal(value_relate(&vs, pair_of(foo, x), pair_of(foo, x)), VALUE_EQUAL);
	assert_int_equal(value_relate(&vs, pair_of(foo, x), pair_of(bar, x)), VALUE_DIFFERENT);
	assert_int_equal(value_relate(&vs, pair_of(foo, x), pair_of(foo, bar)), VALUE_MAY);
	assert_int_equal(value_relate(&vs, pair_of(foo, VALUE_TOP), pair_of(foo, VALUE_TOP)),
			 VALUE_MAY);
	assert_int_equal(value_relate(&vs, pair_of(foo, foo), foo), VALUE_DIFFERENT);
}

/* Two alternatives: the sets of atoms meet or do not (the paper's section 4.3). */
static void test_meeting_points(void **state)
{
	uint32_t foo = value_atom(&vs, FOO), bar = value_atom(&vs, BAR);
	uint32_t other = value_atom(&vs, 3);
	uint32_t phi = value_join(&vs, SITE, 0, foo, bar);

	assert_int_equal(value_join(&vs, SITE, 0, phi, foo), phi);
	assert_int_equal(value_alternatives(&vs, phi)->len, 2);
	assert_int_equal(value_relate(&vs, phi, phi), VALUE_EQUAL);
	assert_int_equal(value_relate(&vs, phi, foo), VALUE_MAY);
	assert_int_equal(value_relate(&vs, phi, other), VALUE_DIFFERENT);
	assert_true(value_contains(&vs, phi, bar));
	for (uint32_t atom = 10; atom < 20; atom++)
		value_join(&vs, SITE, 0, phi, value_atom(&vs, atom));
	assert_null(value_alternatives(&vs, phi)); /* too many: could be anything */
	assert_int_equal(value_relate(&vs, phi, other), VALUE_MAY);
}

static void test_translation(void **state)
{
	uint32_t foo = value_atom(&vs, FOO), x = value_arg(&vs, 0), y = value_arg(&vs, 1);
	uint32_t result = value_result(&vs, SITE, 0);
	uint32_t args[] = {foo};

	assert_int_equal(value_subst(&vs, pair_of(x, foo), args, 1, CALL), pair_of(foo, foo));
	assert_int_equal(value_subst(&vs, y, args, 1, CALL), VALUE_TOP);
	assert_int_equal(value_subst(&vs, foo, args, 1, CALL), foo);
	assert_int_not_equal(value_subst(&vs, result, args, 1, CALL), result);
	assert_int_equal(value_subst(&vs, result, args, 1, CALL),
			 value_subst(&vs, result, args, 1, CALL));
	assert_int_not_equal(value_subst(&vs, result, args, 1, CALL),
			     value_subst(&vs, result, args, 1, CALL + 1));
}

/* Translating again and again, as recursion does, comes to an end. */
static void test_depth_is_bounded(void **state)
{
	uint32_t v = value_result(&vs, SITE, 0);
	size_t before;

	for (int i = 0; i < 100; i++)
		v = value_subst(&vs, v, NULL, 0, CALL);
	assert_int_equal(v, VALUE_TOP);
	before = vs.nodes.len;
	for (int i = 0; i < 1000; i++)
		pair_of(value_atom(&vs, FOO), value_atom(&vs, BAR));
	assert_true(vs.nodes.len <= before + 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal_structure), cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_relations),       cmocka_unit_test(test_meeting_points),
		cmocka_unit_test(test_translation),     cmocka_unit_test(test_depth_is_bounded),
	};
	int failed;

	values_init(&vs);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	values_release(&vs);
	return failed;
}
