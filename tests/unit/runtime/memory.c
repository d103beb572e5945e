/* The heap and the naming of bytes: addresses, freed blocks, the filter, learning where
 * accesses cut a granule. Steps and ends of runs are noted, not taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "core/finding.h"
#include "runtime/calls/effects.h"
#include "runtime/heap.h"
#include "runtime/memory.h"
#include "runtime/origin.h"
#include "runtime/sched.h"
#include "runtime/seen.h"

enum { SITE = 0x1234, FREE_SITE = 0x5678, PLAINS = 64 };

static struct {
	struct channel channel;
	struct channel_fact facts[CHANNEL_FACTS];
} shared;
static struct plain plains[PLAINS];
static struct event taken;
static uint32_t steps, relearned, notices;
static uint64_t other_site;
static jmp_buf ended;

void *__libc_stack_end;
const char rt_raw_returned[1];

/* ---- what the rest of the runtime would do ---- */

void rt_lost(const char *format, ...)
{
	abort();
}

void rt_warn(const char *format, ...)
{
	fail_msg("%s", format);
}

void rt_note_unknown(const char *name, uint64_t site)
{
	fail_msg("%s", name);
}

void rt_warn_uncontrolled(const char *call)
{
}

void rt_relearn(void)
{
	relearned++;
	longjmp(ended, 1);
}

void rt_end_now(enum trace_end end, uint32_t actor)
{
	abort();
}

void rt_notice(uint32_t kind, uint64_t site, uint64_t object, uint64_t other, const char *format,
	       ...)
{
	assert_int_equal(kind, FINDING_MEMORY);
	notices++;
	other_site = other;
}

void rt_stack_keep_made(const void *start, uint64_t site)
{
}

const char *rt_stack_of_program(const struct rt_actor *actor, uint64_t site)
{
	return NULL;
}

void rt_stack_keep(uint32_t key, uint64_t site)
{
}

struct event *rt_step(const struct event *event, rt_can *can, void *thing)
{
	taken = *event;
	steps++;
	return &taken;
}

uint64_t rt_name_in_module(const void *thing)
{
	return (uint64_t)thing;
}

enum rt_origin rt_origin_of(uint64_t site)
{
	return RT_OF_PROGRAM;
}

void rt_look_for_loop(struct rt_actor *self, const void *address, size_t size, bool is_write, uint64_t site)
{
}

bool rt_present = true;

static int set_up(void **state)
{
	void *at = mmap(RT, sizeof(*RT), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	if (at != (void *)RT)
		return -1;
	memset(&shared, 0, sizeof(shared));
	shared.channel.facts = offsetof(__typeof__(shared), facts);
	shared.channel.max_plains = PLAINS;
	RT->phase = RT_RUNNING;
	RT->channel = &shared.channel;
	RT->plains = plains;
	RT->main = &RT->actors[0];
	RT->actors_high = 2;
	RT->actors[1].index = 1;
	RT->actors[0].state = RT->actors[1].state = RT_ANNOUNCED;
	rt_seen_begin();
	steps = relearned = notices = 0;
	return 0;
}

static int tear_down(void **state)
{
	if (RT->heap.mapped)
		munmap((void *)RT_HEAP_BASE, RT_HEAP_PART);
	if (RT->heap.mapped)
		munmap(rt_heap_shadow((void *)RT_HEAP_BASE), RT_HEAP_PART / 16);
	return munmap((void *)RT, sizeof(*RT));
}

/* ---- the heap ---- */

static void test_address_is_of_actor_and_history(void **state)
{
	char *first = rt_heap_alloc(10, 0, SITE), *of_other, *second;

	RT->current = 1;
	of_other = rt_heap_alloc(10, 0, SITE);
	RT->current = 0;
	second = rt_heap_alloc(10, 0, SITE);
	assert_int_equal(of_other - first, 1ul << 32);
	assert_int_equal(second - first, 64);
	assert_int_equal(rt_heap_size(second), 10);
}

static void test_alignment(void **state)
{
	for (size_t align = 1; align <= 65536; align *= 2) {
		rt_heap_alloc(1, 0, SITE);
		assert_int_equal((uint64_t)rt_heap_alloc(7, align, SITE) & (align - 1), 0);
	}
}

static void test_nothing_is_used_twice(void **state)
{
	char *block = rt_heap_alloc(100, 0, SITE);

	rt_heap_free(block, FREE_SITE);
	assert_ptr_not_equal(rt_heap_alloc(100, 0, SITE), block);
	assert_true(rt_heap_is_freed(block));
	assert_true(rt_heap_is_freed(block + 99));
	assert_int_equal(rt_heap_freed_at(block + 50), FREE_SITE);
}

static void test_alone_blocks_are_used_again(void **state)
{
	char *block;

	RT->phase = RT_ALONE;
	block = rt_heap_alloc(100, 0, SITE);
	rt_heap_free(block, FREE_SITE);
	assert_ptr_equal(rt_heap_alloc(97, 0, SITE), block);
	assert_false(rt_heap_is_freed(block));
}

static void test_double_free(void **state)
{
	char *block = rt_heap_alloc(8, 0, SITE);

	rt_heap_free(block, FREE_SITE);
	rt_heap_free(block, SITE);
	assert_int_equal(notices, 1);
	assert_int_equal(other_site, FREE_SITE);
	rt_heap_free(block + 32, SITE);
	assert_int_equal(notices, 2);
}

static void test_use_after_free(void **state)
{
	char *block = rt_heap_alloc(8, 0, SITE);

	rt_plain(block, 4, true, SITE);
	rt_heap_free(block, FREE_SITE);
	rt_plain(block, 4, true, SITE); /* repeated, and yet not the same any more */
	assert_int_equal(notices, 1);
	assert_int_equal(other_site, FREE_SITE);
}

static uint32_t live_blocks;
static size_t live_bytes;

static void count_live(uint64_t site, size_t size)
{
	live_blocks++;
	live_bytes += size;
}

static void test_live_blocks(void **state)
{
	char *block = rt_heap_alloc(5, 0, SITE);

	rt_heap_alloc(7, 4096, SITE);
	rt_heap_free(block, SITE);
	RT->current = 1;
	rt_heap_alloc(11, 0, SITE);
	live_blocks = 0;
	live_bytes = 0;
	rt_heap_live(count_live);
	assert_int_equal(live_blocks, 2);
	assert_int_equal(live_bytes, 18);
}

static void test_clear_makes_it_new(void **state)
{
	char *block = rt_heap_alloc(64, 0, SITE);

	memset(block, 1, 64);
	rt_heap_free(block, SITE);
	rt_heap_clear();
	RT->actors[0].heap_next = 0;
	assert_false(rt_heap_is_freed(block));
	assert_ptr_equal(rt_heap_alloc(64, 0, SITE), block);
	assert_int_equal(block[0], 0);
}

/* ---- plain accesses ---- */

static _Alignas(8) char bytes[64];
static _Alignas(16) char wide[64];

static void test_repetition_is_dropped(void **state)
{
	rt_plain(bytes, 4, false, SITE);
	rt_plain(bytes, 4, false, SITE);
	assert_int_equal(shared.channel.plains_len, 1);
	rt_plain(bytes, 4, true, SITE);
	rt_plain(bytes, 4, false, SITE); /* covered by the write */
	assert_int_equal(shared.channel.plains_len, 2);
	rt_seen_begin();
	rt_plain(bytes, 4, false, SITE);
	assert_int_equal(shared.channel.plains_len, 3);
}

/* As a hook does it. */
static bool passes(const void *at, size_t size, bool is_write)
{
	if (rt_seen_passes_unaligned(at, size, is_write))
		return true;
	rt_plain_noted(at, size, is_write, SITE);
	return false;
}

static void test_parts_of_what_was_seen_pass(void **state)
{
	assert_false(passes(wide + 8, 16, false));
	assert_true(passes(wide + 8, 16, false));
	assert_true(passes(wide + 13, 8, false));
	assert_true(passes(wide + 23, 1, false));
	assert_false(passes(wide + 7, 2, false));
	assert_false(passes(wide + 20, 8, false));
	assert_false(passes(wide + 8, 1, true));
	rt_seen_begin();
	assert_false(passes(wide + 8, 16, false));
}

/* Until the turn is known to have written something, each write is looked at. */
static void test_writes_pass_after_a_change(void **state)
{
	shared.channel.modules[0].start = (uint64_t)wide;
	shared.channel.modules[0].end = (uint64_t)wide + sizeof(wide);
	assert_false(passes(wide, 4, true));
	assert_false(passes(wide, 4, true));
	rt_turn_wrote();
	assert_false(passes(wide, 4, true));
	assert_true(passes(wide, 4, true));
	assert_int_equal(shared.channel.plains_len, 1);
}

static void test_nothing_passes_a_closed_stretch(void **state)
{
	passes(wide, 4, false);
	rt_seen_close();
	assert_false(passes(wide, 4, false));
	RT->actors[0].ignore_writes = 1;
	rt_seen_close();
	assert_false(passes(wide, 4, false));
	assert_false(passes(wide, 4, false));
}

/* Of two stretches whose numbers are far apart the later one knows nothing of the earlier. */
static void test_numbers_of_stretches_run_out(void **state)
{
	RT->memory.stretch = -((uint64_t)1 << RT_SEEN_SHIFT);
	passes(wide, 4, false);
	rt_seen_begin();
	assert_true(RT->memory.stretch >> RT_SEEN_SHIFT == 1);
	assert_false(passes(wide, 4, false));
}

static void test_what_is_freed_is_not_passed_over(void **state)
{
	char *block = rt_heap_alloc(32, 0, SITE), *large = rt_heap_alloc(1 << 20, 0, SITE);

	passes(block + 8, 8, false);
	passes(large + 100, 4, false);
	rt_heap_free(block, FREE_SITE);
	assert_false(passes(block + 8, 8, false));
	assert_int_equal(notices, 1);
	rt_heap_free(large, FREE_SITE);
	assert_false(passes(large + 100, 4, false));
	assert_int_equal(notices, 2);
}

static void test_new_memory_is_not_passed_over(void **state)
{
	passes(wide, 4, false);
	assert_true(passes(wide, 4, false));
	rt_mem_record(wide, sizeof(wide), PLAIN_MAPPED, SITE);
	assert_false(passes(wide, 4, false));
	assert_int_equal(shared.channel.plains_len, 3);
}

/* A loop through memory is one access, as long as all come from one place and nothing is given back. */
static void test_neighbours_are_one_access(void **state)
{
	for (int i = 0; i < 8; i++)
		rt_plain(wide + 4 * i, 4, false, SITE);
	assert_int_equal(shared.channel.plains_len, 1);
	assert_int_equal(plains[0].size, 32);
	rt_plain(wide + 32, 4, false, SITE + 1);
	rt_plain(wide + 36, 4, true, SITE + 1);
	assert_int_equal(shared.channel.plains_len, 3);
	rt_mem_record(bytes, 8, PLAIN_FREED, SITE);
	rt_plain(wide + 40, 4, true, SITE + 1);
	assert_int_equal(shared.channel.plains_len, 5);
}

static void test_own_stack_is_private(void **state)
{
	RT->actors[0].stack_low = bytes;
	RT->actors[0].stack_high = bytes + 32;
	rt_plain(bytes, 4, true, SITE);
	assert_int_equal(shared.channel.plains_len, 0);
	RT->current = 1;
	rt_seen_begin();
	if (!setjmp(ended))
		rt_plain(bytes, 4, false, SITE);
	assert_int_equal(relearned, 1);
	assert_int_equal(shared.channel.stack_shared[0], 1);
	RT->current = 0;
	rt_seen_begin();
	rt_plain(bytes, 4, true, SITE);
	assert_int_equal(shared.channel.plains_len, 1);
}

static void test_racy_bytes_are_steps(void **state)
{
	assert_true(channel_mark_racy(&shared.channel, (uint64_t)bytes, 4));
	assert_false(channel_mark_racy(&shared.channel, (uint64_t)bytes, 4));
	rt_plain(bytes, 4, true, SITE);
	assert_int_equal(steps, 1);
	assert_int_equal(taken.kind, EVENT_PLAIN_WRITE);
	rt_plain(bytes + 8, 4, true, SITE);
	assert_int_equal(steps, 1);
}

/* ---- names ---- */

static struct event accessed(uint32_t offset, uint32_t size)
{
	struct event event = rt_event(EVENT_LOAD, SITE);

	rt_mem_access(&event, bytes + offset, size, ACCESS_READ);
	return event;
}

static void test_neighbours_have_names_of_their_own(void **state)
{
	struct event event = accessed(0, 1);

	assert_int_equal(event.access_len, 1);
	event = accessed(4, 4);
	assert_int_equal(event.access_len, 1);
	assert_int_equal(access_bytes(&event.accesses[0]), 4);
	assert_int_equal(relearned, 0);
}

static void test_a_cut_through_a_name_is_learned(void **state)
{
	struct event event;

	accessed(0, 8);
	if (!setjmp(ended))
		accessed(4, 4);
	assert_int_equal(relearned, 1);
	event = accessed(0, 8);
	assert_int_equal(event.access_len, 2);
	assert_int_equal(event.accesses[1].object, accessed(4, 4).accesses[0].object);
}

static void test_too_many_pieces_are_one(void **state)
{
	struct event event;

	for (uint32_t i = 0; i < 8; i++)
		accessed(i, 1);
	if (!setjmp(ended))
		accessed(0, 8);
	assert_int_equal(relearned, 1);
	event = accessed(0, 8);
	assert_int_equal(event.access_len, 1);
	assert_int_equal(event.accesses[0].object, accessed(5, 1).accesses[0].object);
}

static void test_wide_access_fits(void **state)
{
	struct event event = accessed(3, 16);

	assert_in_range(event.access_len, 1, EVENT_ACCESSES);
	assert_int_equal(event.access_len, 3);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_address_is_of_actor_and_history),
		TEST(test_alignment),
		TEST(test_nothing_is_used_twice),
		TEST(test_alone_blocks_are_used_again),
		TEST(test_double_free),
		TEST(test_use_after_free),
		TEST(test_live_blocks),
		TEST(test_clear_makes_it_new),
		TEST(test_repetition_is_dropped),
		TEST(test_parts_of_what_was_seen_pass),
		TEST(test_writes_pass_after_a_change),
		TEST(test_nothing_passes_a_closed_stretch),
		TEST(test_numbers_of_stretches_run_out),
		TEST(test_what_is_freed_is_not_passed_over),
		TEST(test_new_memory_is_not_passed_over),
		TEST(test_neighbours_are_one_access),
		TEST(test_own_stack_is_private),
		TEST(test_racy_bytes_are_steps),
		TEST(test_neighbours_have_names_of_their_own),
		TEST(test_a_cut_through_a_name_is_learned),
		TEST(test_too_many_pieces_are_one),
		TEST(test_wide_access_fits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
