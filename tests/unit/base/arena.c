/* The arena: blocks do not overlap, are aligned, survive growth, and are reused after a reset. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/rng.h"

enum { BLOCKS = 2000 };

/* Each block is filled with its own byte; if two overlapped, one would show another's. */
static void test_no_overlap(void **state)
{
	static unsigned char *blocks[BLOCKS];
	static size_t sizes[BLOCKS];
	struct rng rng = rng_seeded(11);
	struct arena arena = {0};

	for (size_t i = 0; i < BLOCKS; i++) {
		sizes[i] = rng_below(&rng, i % 50 ? 100 : 20000);
		blocks[i] = arena_alloc(&arena, sizes[i]);
		assert_non_null(blocks[i]);
		assert_int_equal((uintptr_t)blocks[i] % 16, 0);
		memset(blocks[i], (int)(i % 251), sizes[i]);
	}
	for (size_t i = 0; i < BLOCKS; i++)
		for (size_t b = 0; b < sizes[i]; b++)
			assert_int_equal(blocks[i][b], i % 251);
	arena_release(&arena);
	assert_null(arena.blocks);
}

static void test_zalloc(void **state)
{
	struct arena arena = {0};

	for (int round = 0; round < 3; round++) {
		unsigned char *block = arena_zalloc(&arena, 3000);

		for (size_t b = 0; b < 3000; b++)
			assert_int_equal(block[b], 0);
		memset(block, 0xff, 3000); /* the next round must clear it again */
		arena_reset(&arena);
	}
	arena_release(&arena);
}

static void test_texts(void **state)
{
	struct arena arena = {0};
	char long_text[5000];
	char *copy;

	memset(long_text, 'x', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
	assert_string_equal(arena_strdup(&arena, ""), "");
	assert_string_equal(arena_strndup(&arena, "fermata", 3), "fer");
	assert_string_equal(arena_printf(&arena, "%s-%d", "a", 42), "a-42");
	copy = arena_printf(&arena, "<%s>", long_text);
	assert_int_equal(strlen(copy), sizeof(long_text) + 1);
	assert_memory_equal(copy + 1, long_text, sizeof(long_text) - 1);
	arena_release(&arena);
}

/* After a reset the same requests fit into the block that is there. */
static void test_reset_reuses(void **state)
{
	struct arena arena = {0};
	void *first;

	arena_alloc(&arena, 100000);
	arena_reset(&arena);
	first = arena_alloc(&arena, 50000);
	for (int round = 0; round < 100; round++) {
		arena_reset(&arena);
		assert_ptr_equal(arena_alloc(&arena, 50000), first);
	}
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_overlap),
		cmocka_unit_test(test_zalloc),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_reset_reuses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
