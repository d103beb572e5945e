/* Running out of memory: the handler runs, at the allocation that was to fail and not before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/vec.h"

static jmp_buf out;

static void leave(void)
{
	longjmp(out, 1);
}

/* Pushes until the n-th allocation of the vector fails; returns how many items it then has. */
static size_t fill_until(uint64_t n)
{
	static VEC(long) items;

	vec_release(&items);
	mem_fail_at(n);
	if (setjmp(out) == 0)
		while (items.len < 1000000)
			*vec_push(&items) = 1;
	mem_fail_at(0);
	return items.len;
}

static void test_nth_allocation_fails(void **state)
{
	size_t before = 0;

	mem_set_oom_handler(leave);
	assert_int_equal(fill_until(1), 0);
	for (uint64_t n = 2; n < 10; n++) {
		size_t len = fill_until(n);

		assert_true(len > before);
		before = len;
	}
	assert_int_equal(fill_until(0), 1000000);
	mem_set_oom_handler(NULL);
	(void)state;
}

static void test_arena_after_failure(void **state)
{
	static struct arena arena;
	volatile bool failed = false;
	char *text;

	mem_set_oom_handler(leave);
	mem_fail_at(1);
	if (setjmp(out) == 0)
		arena_alloc(&arena, 100);
	else
		failed = true;
	mem_fail_at(0);
	mem_set_oom_handler(NULL);
	assert_true(failed);
	text = arena_strdup(&arena, "still usable");
	assert_string_equal(text, "still usable");
	arena_release(&arena);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nth_allocation_fails),
		cmocka_unit_test(test_arena_after_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
