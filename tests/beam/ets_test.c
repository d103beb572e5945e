/* The stores of ETS tables: they hold what was put, in an order that depends on the keys alone, and
 * go back with the region. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "vm/ets/ets_store.h"
#include "vm/ets/match_compiled.h"
#include "vm/ets/persistent.h"
#include "vm/memory/region.h"
#include "vm/terms/atom.h"
#include "vm/vm.h"

enum { KEYS = 500 };

static struct process *p;

static int open_vm(void **state)
{
	(void)state;
	if (!vm_open((size_t)256 << 20, NULL))
		return -1;
	p = process_find(vm_get(), vm_get()->init_pid);
	p = process_spawn(vm_get(), p, A_lists, A_init, NIL);
	return 0;
}

static int close_vm(void **state)
{
	(void)state;
	vm_close();
	return 0;
}

static struct ets_table *create(enum ets_type type)
{
	struct ets_options options = {
		.keypos = 1, .type = (uint8_t)type, .protection = ETS_PUBLIC, .heir = A_none};

	return ets_create(p, A_lists, &options);
}

/* Keys of several kinds: integers, floats, tuples. */
static term make_key(uint64_t n)
{
	if (n % 3 == 0)
		return small_make((int64_t)n);
	if (n % 3 == 1)
		return heap_float(p, (double)n);
	return heap_tuple2(p, A_ok, small_make((int64_t)n));
}

static void put(struct ets_table *table, uint64_t key, int64_t value)
{
	ets_put(table, heap_tuple2(p, make_key(key), small_make(value)));
}

static void take(struct ets_table *table, uint64_t key)
{
	struct ets_object *object = ets_find(table, make_key(key));

	if (object)
		ets_remove(table, object);
}

static void assert_same(const struct ets_table *a, const struct ets_table *b)
{
	struct ets_cursor left, right;
	struct ets_object *object;
	size_t len = 0;

	assert_int_equal(a->len, b->len);
	ets_cursor_start(&left, a, false);
	ets_cursor_start(&right, b, false);
	while ((object = ets_cursor_next(&left))) {
		struct ets_object *other = ets_cursor_next(&right);

		assert_non_null(other);
		assert_true(term_equal(ets_object_tuple(object), ets_object_tuple(other)));
		len++;
	}
	assert_null(ets_cursor_next(&right));
	assert_int_equal(len, a->len);
}

/* The same keys put in another order, with others that come and go, give the same table. */
static void order_is_of_keys(enum ets_type type)
{
	struct ets_table *a = create(type), *b = create(type);
	struct rng rng = rng_seeded(7);

	for (uint64_t i = 0; i < KEYS; i++)
		put(a, i, 1);
	for (uint64_t i = 0; i < 4 * KEYS; i++)
		put(b, KEYS + i, 2);
	for (uint64_t i = KEYS; i-- > 0;)
		put(b, i, 1);
	for (uint64_t i = 0; i < 4 * KEYS; i++)
		take(b, KEYS + i);
	assert_same(a, b);
	for (unsigned i = 0; i < 3 * KEYS; i++) {
		uint64_t key = rng_below(&rng, KEYS);

		take(a, key);
		take(b, key);
	}
	assert_same(a, b);
	ets_delete(a);
	ets_delete(b);
}

static void test_order_is_of_keys(void **state)
{
	(void)state;
	order_is_of_keys(ETS_SET);
	order_is_of_keys(ETS_ORDERED_SET);
	order_is_of_keys(ETS_DUPLICATE_BAG);
}

static unsigned check_height(const struct ets_object *node)
{
	unsigned left, right;

	if (!node)
		return 0;
	left = check_height(node->left);
	right = check_height(node->right);
	assert_true(left <= right + 1 && right <= left + 1);
	assert_int_equal(node->height, (left > right ? left : right) + 1);
	return node->height;
}

static void test_tree_is_balanced(void **state)
{
	struct ets_table *table = create(ETS_ORDERED_SET);
	struct rng rng = rng_seeded(1);

	for (unsigned i = 0; i < 20000; i++) {
		uint64_t key = rng_below(&rng, 2000);

		if (rng_below(&rng, 2))
			put(table, key, i);
		else
			take(table, key);
		if (i % 1000 == 0)
			check_height(table->root);
	}
	check_height(table->root);
	ets_delete(table);
	(void)state;
}

/* Both directions, from any key, agree with the order of the whole walk. */
static void test_cursor_after(void **state)
{
	struct ets_table *table = create(ETS_ORDERED_SET);

	for (int64_t i = 0; i < 100; i++)
		ets_put(table, heap_tuple2(p, small_make(2 * i), small_make(i)));
	for (int64_t key = -1; key < 200; key++) {
		struct ets_cursor cursor;
		struct ets_object *object;

		ets_cursor_after(&cursor, table, false, small_make(key), false);
		object = ets_cursor_next(&cursor);
		if (key < 198)
			assert_int_equal(small_value(ets_key(table, object)), key + 2 - (key & 1));
		else
			assert_null(object);
		ets_cursor_after(&cursor, table, true, small_make(key), true);
		object = ets_cursor_next(&cursor);
		if (key >= 0)
			assert_int_equal(small_value(ets_key(table, object)), key - (key & 1));
		else
			assert_null(object);
	}
	ets_delete(table);
	(void)state;
}

/* A deleted object of a fixed table keeps its place until the table is free again. */
static void test_tombstones(void **state)
{
	struct ets_table *table = create(ETS_SET);
	struct ets_cursor cursor;
	size_t left = 0;

	for (uint64_t i = 0; i < 50; i++)
		put(table, i, 0);
	ets_fix(table, p);
	for (uint64_t i = 0; i < 50; i += 2)
		take(table, i);
	assert_int_equal(table->len, 25);
	assert_int_equal(table->tombstones, 25);
	assert_true(ets_knows_key(table, make_key(0)));
	assert_null(ets_find(table, make_key(0)));
	put(table, 0, 1);
	assert_int_equal(table->tombstones, 24);
	ets_cursor_start(&cursor, table, false);
	while (ets_cursor_next(&cursor))
		left++;
	assert_int_equal(left, 26);
	ets_unfix(table, p);
	assert_int_equal(table->tombstones, 0);
	assert_false(ets_knows_key(table, make_key(2)));
	ets_delete(table);
	(void)state;
}

static void test_memory_is_given_back(void **state)
{
	size_t before = region_used();

	for (enum ets_type type = ETS_SET; type <= ETS_DUPLICATE_BAG; type++) {
		struct ets_table *table = create(type);

		for (uint64_t i = 0; i < 1000; i++)
			put(table, i % 700, (int64_t)i);
		ets_delete(table);
	}
	/* The keys were built on p's heap, whose fragments are still there. */
	heap_collect(p, 0, NULL, 0);
	assert_true(region_used() <= before + 4096);
	(void)state;
}

static void test_restore(void **state)
{
	struct ets_table *set = create(ETS_SET), *ordered = create(ETS_ORDERED_SET);

	for (uint64_t i = 0; i < 100; i++) {
		put(set, i, 1);
		put(ordered, i, 1);
	}
	persistent_put(vm_get(), A_ok, small_make(1));
	region_checkpoint();
	for (unsigned round = 0; round < 3; round++) {
		for (uint64_t i = 0; i < 1000; i++) {
			put(set, i, 2);
			take(ordered, i);
		}
		ets_rename(set, A_ok);
		persistent_put(vm_get(), A_ok, small_make(2));
		ets_delete(ordered);
		region_restore();
		assert_int_equal(set->len, 100);
		assert_int_equal(ordered->len, 100);
		assert_int_equal(set->name, A_lists);
		assert_int_equal(persistent_get(vm_get(), A_ok), small_make(1));
		assert_same(set, set);
		assert_int_equal(tuple_element(ets_object_tuple(ets_find(set, make_key(7))), 1),
				 small_make(1));
	}
	(void)state;
}

/* The reference of a compiled spec is of its contents. */
static void test_compiled_reference(void **state)
{
	term clause = heap_tuple3(p, A_underscore, NIL, heap_cons(p, A_true, NIL));
	term spec = heap_cons(p, clause, NIL), other = heap_cons(p, clause, spec);
	term ref = match_compiled_reference(p, spec);

	assert_true(term_equal(ref, match_compiled_reference(p, heap_cons(p, clause, NIL))));
	assert_false(term_equal(ref, match_compiled_reference(p, other)));
	assert_true(term_equal(match_compiled_spec(vm_get(), ref), spec));
	assert_int_equal(match_compiled_spec(vm_get(), process_make_ref(p, 0)), TERM_NONE);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_order_is_of_keys, open_vm, close_vm),
		cmocka_unit_test_setup_teardown(test_tree_is_balanced, open_vm, close_vm),
		cmocka_unit_test_setup_teardown(test_cursor_after, open_vm, close_vm),
		cmocka_unit_test_setup_teardown(test_tombstones, open_vm, close_vm),
		cmocka_unit_test_setup_teardown(test_memory_is_given_back, open_vm, close_vm),
		cmocka_unit_test_setup_teardown(test_restore, open_vm, close_vm),
		cmocka_unit_test_setup_teardown(test_compiled_reference, open_vm, close_vm),
	};

	return cmocka_run_group_tests_name("ets", tests, NULL, NULL);
}
