/* Waiting sets, tokens and held locks: the parts of the runtime that are only state. The
 * state has a fixed address, so it is mapped there; nobody is scheduled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "runtime/calls/sync.h"

enum { COND = 7, OTHER = 8 };

static struct channel channel;
static struct event events[1];

void rt_notice(uint32_t kind, uint64_t site, uint64_t object, uint64_t other_site, const char *format, ...)
{
}

void rt_lost(const char *format, ...)
{
	abort();
}

uint64_t rt_name_in_module(const void *thing)
{
	return (uint64_t)thing;
}

static int set_up(void **state)
{
	void *at = mmap(RT, sizeof(*RT), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	if (at != (void *)RT)
		return -1;
	RT->phase = RT_RUNNING;
	RT->channel = &channel;
	RT->events = events;
	channel.events_len = 1;
	channel.enabled_words = 1;
	RT->actors_high = 4;
	for (uint32_t i = 0; i < 4; i++) {
		RT->actors[i].index = i;
		RT->actors[i].state = RT_ANNOUNCED;
	}
	return 0;
}

static int tear_down(void **state)
{
	return munmap((void *)RT, sizeof(*RT));
}

static struct rt_actor *actor(uint32_t i)
{
	return &RT->actors[i];
}

static void test_signal_wakes_one_of_all(void **state)
{
	rt_wait_enter(actor(1), COND);
	rt_wait_enter(actor(2), COND);
	assert_false(rt_wait_has_token(actor(1)));
	assert_int_equal(rt_wait_signal(COND, 1), 1);
	assert_true(rt_wait_has_token(actor(1)));
	assert_true(rt_wait_has_token(actor(2)));
	rt_wait_leave(actor(2));
	assert_false(rt_wait_has_token(actor(1)));
	assert_int_equal(rt_wait_unsignalled(COND), 1);
}

static void test_no_more_tokens_than_waiters(void **state)
{
	assert_int_equal(rt_wait_signal(COND, 1), 0);
	rt_wait_enter(actor(1), COND);
	rt_wait_enter(actor(2), OTHER);
	assert_int_equal(rt_wait_signal(COND, 1), 1);
	assert_int_equal(rt_wait_signal(COND, 1), 0);
	assert_int_equal(rt_wait_signal(OTHER, UINT32_MAX), 1);
}

static void test_latecomers_get_no_old_token(void **state)
{
	rt_wait_enter(actor(1), COND);
	rt_wait_signal(COND, 1);
	rt_wait_enter(actor(2), COND);
	assert_false(rt_wait_has_token(actor(2)));
	rt_wait_signal(COND, 1);
	assert_true(rt_wait_has_token(actor(2)));
	rt_wait_leave(actor(1)); /* takes the old one, which the other could not */
	assert_true(rt_wait_has_token(actor(2)));
}

static void test_who_comes_back_waits_again(void **state)
{
	rt_wait_enter(actor(1), COND);
	rt_wait_enter(actor(2), COND);
	rt_wait_signal(COND, UINT32_MAX);
	rt_wait_leave(actor(1));
	rt_wait_enter(actor(1), COND);
	assert_false(rt_wait_has_token(actor(1)));
	assert_true(rt_wait_has_token(actor(2)));
}

static void test_signal_is_not_lost_to_a_timeout(void **state)
{
	rt_wait_enter(actor(1), COND);
	assert_true(rt_wait_may_expire(actor(1)));
	rt_wait_signal(COND, 1);
	assert_false(rt_wait_may_expire(actor(1)));
	rt_wait_enter(actor(2), COND); /* came too late for that token */
	assert_false(rt_wait_may_expire(actor(1)));
	rt_wait_enter(actor(3), COND);
	assert_true(rt_wait_may_expire(actor(3)));
}

static void test_timeout_leaves_the_token_to_another(void **state)
{
	rt_wait_enter(actor(1), COND);
	rt_wait_enter(actor(2), COND);
	rt_wait_signal(COND, 1);
	assert_true(rt_wait_may_expire(actor(1)));
	rt_wait_expire(actor(1));
	assert_false(rt_wait_may_expire(actor(2)));
	assert_true(rt_wait_has_token(actor(2)));
}

static void test_leaving_names_the_signal(void **state)
{
	rt_wait_enter(actor(1), COND);
	RT->current = 3;
	actor(3)->ordinal = 5;
	rt_wait_signal(COND, 1);
	rt_wait_leave(actor(1));
	assert_int_equal(events[0].peer, 3);
	assert_int_equal(events[0].peer_ordinal, 4);
}

static void test_held_counts(void **state)
{
	int locks[RT_MAX_HELD + 1];

	rt_held_add(actor(1), &locks[0], ACCESS_SHARE, 11);
	rt_held_add(actor(1), &locks[1], ACCESS_ACQUIRE, 12);
	rt_held_add(actor(1), &locks[0], ACCESS_SHARE, 13);
	rt_held_remove(actor(1), &locks[0]);
	assert_non_null(rt_held_find(actor(1), &locks[0]));
	rt_held_remove(actor(1), &locks[0]);
	assert_true(rt_held_surely_not(actor(1), &locks[0]));
	assert_int_equal(rt_held_find(actor(1), &locks[1])->site, 12);
	for (int i = 0; i <= RT_MAX_HELD; i++)
		rt_held_add(actor(1), &locks[i], ACCESS_ACQUIRE, 14);
	assert_false(rt_held_surely_not(actor(1), &locks[RT_MAX_HELD]));
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(signal_wakes_one_of_all),
		TEST(no_more_tokens_than_waiters),
		TEST(latecomers_get_no_old_token),
		TEST(who_comes_back_waits_again),
		TEST(signal_is_not_lost_to_a_timeout),
		TEST(timeout_leaves_the_token_to_another),
		TEST(leaving_names_the_signal),
		TEST(held_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
