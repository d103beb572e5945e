/* Terms: order, integers of any size, copying, collecting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "vm/machine.h"
#include "vm/memory/heap.h"
#include "vm/terms/atom.h"
#include "vm/terms/big.h"
#include "vm/terms/compare.h"
#include "vm/terms/tmap.h"
#include "vm/vm.h"

static struct process *p;

static int open_vm(void **state)
{
	(void)state;
	if (!vm_open((size_t)64 << 20, NULL))
		return -1;
	p = process_spawn(vm_get(), process_find(vm_get(), vm_get()->init_pid), A_lists, A_init,
			  NIL);
	return 0;
}

static int close_vm(void **state)
{
	(void)state;
	vm_close();
	return 0;
}

static term parse(const char *digits)
{
	return integer_from_text(p, digits, strlen(digits), 10);
}

static void assert_digits(term t, const char *digits)
{
	char *text = integer_to_text(t, 10);

	assert_string_equal(text, digits);
	mem_free(text);
}

static void integers_of_any_size(void **state)
{
	term big = parse("123456789012345678901234567890");

	(void)state;
	assert_digits(big, "123456789012345678901234567890");
	assert_digits(integer_mul(p, big, big),
		      "15241578753238836750495351562536198787501905199875019052100");
	assert_digits(integer_sub(p, big, big), "0");
	assert_digits(integer_div(p, big, parse("-97")), "-1272750402189130710322005854");
	assert_digits(integer_rem(p, big, parse("-97")), "52");
	assert_digits(integer_shift(p, parse("-5"), -1), "-3");
	assert_digits(integer_shift(p, small_make(1), 100), "1267650600228229401496703205376");
	assert_digits(integer_bits(p, parse("-1"), big, INTEGER_AND),
		      "123456789012345678901234567890");
	assert_true(term_is_small(integer_sub(p, parse("576460752303423488"), small_make(1))));
	assert_true(term_is_big(parse("576460752303423488")));
	assert_true(term_is_small(parse("-576460752303423488")));
}

static void integers_and_floats_compare_exactly(void **state)
{
	term big = parse("9007199254740993");

	(void)state;
	assert_true(term_compare(big, heap_float(p, 9007199254740992.0)) > 0);
	assert_true(term_compare(parse("9007199254740992"), heap_float(p, 9007199254740992.0)) ==
		    0);
	assert_false(term_equal(small_make(1), heap_float(p, 1.0)));
	assert_true(term_compare_exact(small_make(5), heap_float(p, 1.0)) < 0);
}

static void kinds_are_ordered(void **state)
{
	term pairs[2] = {A_key, small_make(1)};
	term terms[] = {
		small_make(3), A_ok, process_make_ref(p, 0), p->pid, heap_tuple2(p, NIL, NIL),
		tmap_from_pairs(p, pairs, 1), NIL, heap_cons(p, small_make(1), NIL),
	};

	(void)state;
	for (size_t i = 0; i + 1 < sizeof(terms) / sizeof(*terms); i++)
		assert_true(term_compare(terms[i], terms[i + 1]) < 0);
}

static void maps_of_both_kinds(void **state)
{
	term map = tmap_from_pairs(p, NULL, 0), key, value;
	struct tmap_iter it;
	int64_t sum = 0;

	(void)state;
	for (int64_t i = 0; i < 1000; i++)
		map = tmap_put(p, map, small_make(i), small_make(i * i));
	assert_int_equal(tmap_size(map), 1000);
	for (int64_t i = 0; i < 1000; i++)
		assert_int_equal(tmap_get(map, small_make(i)), small_make(i * i));
	it = tmap_iter(map);
	while (tmap_next(&it, &key, &value))
		sum += small_value(key);
	assert_int_equal(sum, 499500);
	for (int64_t i = 0; i < 990; i++)
		map = tmap_remove(p, map, small_make(i));
	assert_int_equal(tmap_size(map), 10);
	assert_true(term_is_flatmap(map));
}

/* A deep and wide term survives any number of moves. */
static void collecting_keeps_what_is_reachable(void **state)
{
	term list = NIL, copy;

	(void)state;
	for (int64_t i = 0; i < 20000; i++) {
		list = heap_cons(p, heap_tuple2(p, heap_float(p, (double)i), small_make(i)), list);
		if (i % 1000 == 0) {
			machine.running.x[0] = list;
			heap_collect(p, 100, machine.running.x, 1);
			list = machine.running.x[0];
		}
	}
	copy = list;
	for (int64_t i = 19999; i >= 0; i--, copy = cons_tail(copy)) {
		assert_int_equal(small_value(tuple_element(cons_head(copy), 1)), i);
		assert_true(float_value(tuple_element(cons_head(copy), 0)) == (double)i);
	}
	machine.running.x[0] = NIL;
	heap_collect(p, 0, machine.running.x, 1);
	assert_true(p->hend - p->heap < 4096);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_of_any_size),
		cmocka_unit_test(integers_and_floats_compare_exactly),
		cmocka_unit_test(kinds_are_ordered),
		cmocka_unit_test(maps_of_both_kinds),
		cmocka_unit_test(collecting_keeps_what_is_reachable),
	};

	return cmocka_run_group_tests(tests, open_vm, close_vm);
}
