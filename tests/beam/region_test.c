/* The region: blocks, checkpoint, restore. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "vm/memory/region.h"

static int open_region(void **state)
{
	(void)state;
	return region_open((size_t)64 << 20, NULL) ? 0 : -1;
}

static int close_region(void **state)
{
	(void)state;
	region_close();
	return 0;
}

static void blocks_do_not_overlap(void **state)
{
	uint8_t *blocks[200];

	(void)state;
	for (size_t i = 0; i < 200; i++) {
		blocks[i] = region_alloc(i * 7 + 1);
		memset(blocks[i], (int)i, i * 7 + 1);
	}
	for (size_t i = 0; i < 200; i++)
		for (size_t b = 0; b < i * 7 + 1; b++)
			assert_int_equal(blocks[i][b], (uint8_t)i);
	for (size_t i = 0; i < 200; i++)
		region_free(blocks[i], i * 7 + 1);
}

static void freed_blocks_come_back(void **state)
{
	void *first = region_alloc(100), *second;

	(void)state;
	region_free(first, 100);
	second = region_alloc(100);
	assert_ptr_equal(first, second);
	region_free(second, 100);
}

/* Whether the middle of a block is in memory. */
static bool has_pages(void *block, size_t size)
{
	uintptr_t middle = ((uintptr_t)block + size / 2) & ~(uintptr_t)(REGION_PAGE - 1);
	unsigned char is_there = 0;

	assert_int_equal(mincore((void *)middle, REGION_PAGE, &is_there), 0);
	return is_there & 1;
}

static void *alloc_written(size_t size)
{
	return memset(region_alloc(size), 1, size);
}

/* Heaps of the same size come and go, and their pages with them only if that helps somebody. */
static void a_large_free_block_keeps_its_pages(void **state)
{
	size_t size = (size_t)16 << 20;
	void *first = alloc_written(size), *second;

	(void)state;
	region_free(first, size);
	assert_true(has_pages(first, size));
	second = alloc_written(size * 2); /* used and idle bytes together would pass the limit */
	region_free(second, size * 2);
	assert_true(has_pages(second, size * 2));
	first = alloc_written(size);
	region_free(alloc_written(size * 2 + size / 4), size * 2 + size / 4);
	assert_false(has_pages(second, size * 2));
	region_free(first, size);
}

static void growing_keeps_the_contents(void **state)
{
	char *block = region_alloc(10);

	(void)state;
	memcpy(block, "123456789", 10);
	block = region_grow(block, 10, 5000);
	assert_string_equal(block, "123456789");
	region_free(block, 5000);
}

static void restore_brings_back_what_was_written(void **state)
{
	char *old = region_alloc(9000), *young;
	size_t used;

	(void)state;
	memset(old, 'a', 9000);
	region_checkpoint();
	used = region_used();
	for (int round = 0; round < 3; round++) {
		memset(old, 'b', 9000);
		young = region_alloc(100000);
		memset(young, 'c', 100000);
		region_restore();
		for (size_t i = 0; i < 9000; i++)
			assert_int_equal(old[i], 'a');
		assert_int_equal(region_used(), used);
	}
}

static void restore_costs_what_was_written(void **state)
{
	char *big = region_alloc(4 << 20);
	size_t pages;

	(void)state;
	memset(big, 1, 4 << 20);
	region_checkpoint();
	big[0] = 2;
	big[2 << 20] = 2;
	pages = region_dirty_pages();
	region_restore();
	assert_int_equal(big[0], 1);
	assert_in_range(pages, 1, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(blocks_do_not_overlap, open_region, close_region),
		cmocka_unit_test_setup_teardown(freed_blocks_come_back, open_region, close_region),
		cmocka_unit_test_setup_teardown(a_large_free_block_keeps_its_pages, open_region,
						close_region),
		cmocka_unit_test_setup_teardown(growing_keeps_the_contents, open_region,
						close_region),
		cmocka_unit_test_setup_teardown(restore_brings_back_what_was_written, open_region,
						close_region),
		cmocka_unit_test_setup_teardown(restore_costs_what_was_written, open_region,
						close_region),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
