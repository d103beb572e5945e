/* The test symbolises itself: its own globals, functions and inlined calls. */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "native/symbols.h"

struct node {
	int key;
	struct node *next;
};

struct queue {
	pthread_mutex_t lock;
	struct {
		int head, tail;
	};
	struct node slots[4];
	union {
		long whole;
		char bytes[8];
	} tag;
};

struct queue queue_under_test;
int counter_under_test;
static short grid[3][5];

static int add_module(struct dl_phdr_info *info, size_t size, void *symbols)
{
	char exe[4096];
	ssize_t len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	exe[len > 0 ? len : 0] = '\0';
	if (info->dlpi_name[0] == '\0')
		symbols_add_module(symbols, exe, info->dlpi_addr);
	else if (info->dlpi_name[0] == '/')
		symbols_add_module(symbols, info->dlpi_name, info->dlpi_addr);
	return 0;
}

static int set_up(void **state)
{
	struct symbols *symbols = symbols_new();

	dl_iterate_phdr(add_module, symbols);
	*state = symbols;
	return 0;
}

static int tear_down(void **state)
{
	symbols_free(*state);
	return 0;
}

static void expect_data(struct symbols *symbols, const void *thing, const char *name)
{
	struct strbuf out = {0};

	assert_true(symbols_data(symbols, (uintptr_t)thing, &out, NULL));
	assert_string_equal(strbuf_text(&out), name);
	strbuf_release(&out);
}

static void test_globals(void **state)
{
	static long kept_between_calls;

	kept_between_calls++;
	expect_data(*state, &counter_under_test, "counter_under_test");
	expect_data(*state, (char *)&counter_under_test + 2, "counter_under_test+2");
	expect_data(*state, &kept_between_calls, "kept_between_calls");
	expect_data(*state, &grid[2][3], "grid[2][3]");
	expect_data(*state, (char *)&grid[0][0] + 1, "grid[0][0]+1");
}

static void test_members(void **state)
{
	expect_data(*state, &queue_under_test, "queue_under_test.lock");
	expect_data(*state, (char *)&queue_under_test + 4, "queue_under_test.lock+4");
	expect_data(*state, &queue_under_test.tail, "queue_under_test.tail");
	expect_data(*state, &queue_under_test.slots[3].next, "queue_under_test.slots[3].next");
	expect_data(*state, (char *)&queue_under_test.slots[1].key + 5,
		    "queue_under_test.slots[1]+5");
	expect_data(*state, &queue_under_test.tag, "queue_under_test.tag.whole");
}

static void test_no_global(void **state)
{
	struct strbuf out = {0};
	int local = 0;

	assert_false(symbols_data(*state, (uintptr_t)&local, &out, NULL));
	assert_false(symbols_data(*state, 0, &out, NULL));
	assert_false(symbols_data(*state, (uintptr_t)test_no_global, &out, NULL));
	assert_int_equal(out.len, 0);
}

static uint64_t site_line;

static inline __attribute__((always_inline)) uint64_t innermost(void)
{
	uint64_t address;

	site_line = __LINE__ + 1;
	__asm__ volatile("1: nop; nop; lea 1b(%%rip), %0" : "=r"(address));
	return address;
}

static __attribute__((noinline)) uint64_t around(void)
{
	return innermost() + 0;
}

static void test_inlined(void **state)
{
	struct symbols_frame frames[8];
	uint64_t address = around();
	uint32_t len = symbols_code(*state, address, false, frames, 8);

	assert_int_equal(len, 2);
	assert_string_equal(frames[0].function, "innermost");
	assert_true(frames[0].is_inlined);
	assert_non_null(strstr(frames[0].file, "symbols.c"));
	assert_int_equal(frames[0].line, site_line);
	assert_string_equal(frames[1].function, "around");
	assert_false(frames[1].is_inlined);
	assert_true(frames[1].line > frames[0].line);
	assert_int_equal(symbols_code(*state, address, false, frames, 1), 1);
}

static void test_function_edge(void **state)
{
	struct symbols_frame frame;

	assert_int_equal(symbols_code(*state, (uintptr_t)tear_down, false, &frame, 1), 1);
	assert_string_equal(frame.function, "tear_down");
	/* A return address at the very start of a function belongs to the one before. */
	if (symbols_code(*state, (uintptr_t)tear_down, true, &frame, 1) && frame.function)
		assert_string_not_equal(frame.function, "tear_down");
	assert_int_equal(symbols_code(*state, 16, false, &frame, 1), 0);
}

static void test_library_without_debug(void **state)
{
	struct symbols_frame frame;
	void *function = dlsym(RTLD_DEFAULT, "gnu_get_libc_version");

	assert_int_equal(symbols_code(*state, (uintptr_t)function, false, &frame, 1), 1);
	assert_non_null(frame.function);
	assert_non_null(strstr(frame.module, "libc"));
}

static void test_unreadable_module(void **state)
{
	struct symbols *symbols = symbols_new();
	struct symbols_frame frame;

	assert_false(symbols_add_module(symbols, "/nonexistent", 0));
	assert_false(symbols_add_module(symbols, "/etc/passwd", 0));
	assert_int_equal(symbols_code(symbols, 0x1000, true, &frame, 1), 0);
	symbols_free(symbols);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_globals),
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_no_global),
		cmocka_unit_test(test_inlined),
		cmocka_unit_test(test_function_edge),
		cmocka_unit_test(test_library_without_debug),
		cmocka_unit_test(test_unreadable_module),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
