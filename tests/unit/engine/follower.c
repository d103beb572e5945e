/* The follower without a target: each kind of following, each tail policy, and the sleep set, on
 * hand-made announcements. The contract check of all other tests trusts it, so it is tested here by
 * itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/follower.h"
#include "core/object.h"
#include "core/trace.h"

enum { ACTORS = 4 };

static const struct actor actors[ACTORS] = {
	{ACTOR_NONE, ACTOR_REAL, 1}, {0, ACTOR_REAL, 1}, {0, ACTOR_REAL, 2}, {0, ACTOR_TIMER, 1}};
static struct event announced[ACTORS];
static uint64_t enabled;
static struct follower_view view = {.enabled = &enabled, .words = 1, .actors_len = ACTORS,
				    .announced = (const char *)announced,
				    .stride = sizeof(struct event), .actors = actors};

/* Everybody is about to write a variable of its own. */
static int set_up(void **state)
{
	for (uint32_t a = 0; a < ACTORS; a++)
		announced[a] = (struct event){
			.actor = a, .kind = EVENT_STORE, .peer = ACTOR_NONE, .access_len = 1,
			.accesses = {{.object = OBJECT(OBJECT_MEMORY, a + 1),
				      .mode = ACCESS_WRITE}}};
	enabled = 0x7;
	return 0;
}

static struct decision choose(uint32_t actor, uint32_t ordinal)
{
	return (struct decision){.actor = actor, .ordinal = ordinal, .kind = EVENT_STORE,
				 .object = OBJECT(OBJECT_MEMORY, actor + 1)};
}

/* Picks, takes the step, announces the actor's next one; the pick. */
static int step(struct follower *f)
{
	int pick = follower_pick(f, &view);

	if (pick >= 0) {
		struct event did = announced[pick];

		announced[pick].ordinal++;
		follower_took(f, &view, &did);
	}
	return pick;
}

static void test_strict(void **state)
{
	struct decision decisions[] = {choose(2, 0), choose(0, 0), choose(0, 1), choose(1, 5)};
	struct schedule schedule = {.decisions = decisions, .decisions_len = 4};
	struct follower f;

	follower_start(&f, &schedule);
	assert_int_equal(step(&f), 2);
	assert_int_equal(step(&f), 0);
	assert_int_equal(step(&f), 0);
	assert_int_equal(step(&f), -1); /* it is the first event of P1.1, not the sixth */
	assert_int_equal(f.end, END_DIVERGED);
	assert_int_equal(f.dropped, 0);
}

static void test_strict_needs_enabled(void **state)
{
	struct decision decisions[] = {choose(1, 0)};
	struct schedule schedule = {.decisions = decisions, .decisions_len = 1};
	struct follower f;

	enabled = 0x5;
	follower_start(&f, &schedule);
	assert_int_equal(step(&f), -1);
	assert_int_equal(f.end, END_DIVERGED);
}

/* Kind and object are part of a decision, but for DECISION_ANY and the accesses of tables. */
static void test_matching(void **state)
{
	struct decision other_kind = choose(0, 0), other_object = choose(0, 0), any = choose(0, 9);

	other_kind.kind = EVENT_LOAD;
	other_object.object++;
	any.kind = DECISION_ANY;
	assert_false(decision_matches(&other_kind, &announced[0]));
	assert_false(decision_matches(&other_object, &announced[0]));
	assert_true(decision_matches(&any, &announced[0]));
	announced[0].kind = other_object.kind = EVENT_ETS_WRITE;
	assert_true(decision_matches(&other_object, &announced[0]));
}

static void test_relaxed(void **state)
{
	struct decision decisions[] = {choose(1, 3), choose(2, 0), choose(3, 0), choose(1, 0)};
	struct schedule schedule = {.decisions = decisions, .decisions_len = 4,
				    .relaxed = FOLLOW_RELAXED, .tail = TAIL_STOP};
	struct follower f;

	follower_start(&f, &schedule);
	assert_int_equal(step(&f), 2); /* the first one is not possible */
	assert_int_equal(f.dropped, 1);
	assert_int_equal(step(&f), 1); /* actor 3 is not enabled */
	assert_int_equal(f.dropped, 2);
	assert_int_equal(step(&f), -1);
	assert_int_equal(f.end, END_STOPPED);
}

static void test_loose(void **state)
{
	struct decision decisions[] = {choose(1, 3), choose(2, 7)};
	struct schedule schedule = {.decisions = decisions, .decisions_len = 2,
				    .relaxed = FOLLOW_LOOSE};
	struct follower f;

	decisions[0].creates = 1 + 2; /* actor 2 is the second child of its parent */
	follower_start(&f, &schedule);
	assert_int_equal(step(&f), 1); /* ordinals do not count */
	assert_int_equal(follower_child(&f, 0), 2);
	assert_int_equal(follower_child(&f, 2), 3); /* taken: the next */
	assert_int_equal(step(&f), 2);
	assert_int_equal(follower_child(&f, 0), 1);
	assert_int_equal(f.dropped, 0);
}

static void test_first(void **state)
{
	struct schedule schedule = {.tail = TAIL_FIRST};
	struct follower f;

	enabled = 0xe;
	follower_start(&f, &schedule);
	assert_int_equal(step(&f), 1);
	enabled = 0xf;
	assert_int_equal(step(&f), 1); /* goes on with the last one */
	enabled = 0x8;
	assert_int_equal(step(&f), 3); /* a timer, which is not remembered as the last */
	enabled = 0x6;
	assert_int_equal(step(&f), 1);
	enabled = 0x5;
	assert_int_equal(step(&f), 0);
}

/* How often each actor is first under 3000 seeds. */
static void count_first(uint32_t tail, uint32_t counts[ACTORS])
{
	for (uint64_t seed = 0; seed < 3000; seed++) {
		struct schedule schedule = {.tail = tail, .seed = seed, .depth = 2,
					    .steps_estimate = 10};
		struct follower f, again;
		int pick;

		follower_start(&f, &schedule);
		follower_start(&again, &schedule);
		pick = follower_pick(&f, &view);
		assert_int_equal(pick, follower_pick(&again, &view)); /* one seed, one pick */
		assert_in_range(pick, 0, 2);
		counts[pick]++;
	}
}

static void test_samplers_are_even(void **state)
{
	static const uint32_t tails[] = {TAIL_RANDOM, TAIL_PCT, TAIL_POS, TAIL_SURW};

	for (size_t t = 0; t < sizeof(tails) / sizeof(tails[0]); t++) {
		uint32_t counts[ACTORS] = {0};

		count_first(tails[t], counts);
		for (uint32_t a = 0; a < 3; a++)
			assert_in_range(counts[a], 850, 1150);
	}
}

/* PCT of depth 1 has no change point: who goes first goes on as long as it is enabled. */
static void test_pct_keeps_priorities(void **state)
{
	for (uint64_t seed = 0; seed < 50; seed++) {
		struct schedule schedule = {.tail = TAIL_PCT, .seed = seed, .depth = 1,
					    .steps_estimate = 10};
		struct follower f;
		int first, second;

		set_up(NULL);
		follower_start(&f, &schedule);
		first = step(&f);
		for (int i = 0; i < 5; i++)
			assert_int_equal(step(&f), first);
		enabled = 0x7 & ~(1u << first);
		second = step(&f);
		assert_int_not_equal(second, first);
		enabled = 0x7;
		assert_int_equal(step(&f), first);
	}
}

/* A sleeper is not chosen until a step conflicts with the step it sleeps on. */
static void test_sleep(void **state)
{
	struct event sleepers[] = {announced[0], announced[1]};
	struct schedule schedule = {.sleepers = sleepers, .sleepers_len = 2};
	struct follower f;

	follower_start(&f, &schedule);
	assert_int_equal(step(&f), 2);
	announced[2].accesses[0].object = OBJECT(OBJECT_MEMORY, 2); /* the variable of actor 1 */
	assert_int_equal(step(&f), 2);
	enabled = 0x3;
	assert_int_equal(step(&f), 1); /* woken */
	enabled = 0x1;
	assert_int_equal(step(&f), -1); /* still asleep, and nobody else is there */
	assert_int_equal(f.end, END_ASLEEP);
}

/* The sleep set holds from a step on; decisions are followed although their actor sleeps. */
static void test_sleep_from(void **state)
{
	struct decision decisions[] = {choose(0, 0), choose(1, 0)};
	struct event sleepers[] = {announced[0]};
	struct schedule schedule = {.decisions = decisions, .decisions_len = 2,
				    .sleepers = sleepers, .sleepers_len = 1, .sleep_from = 1};
	struct follower f;

	follower_start(&f, &schedule);
	assert_int_equal(step(&f), 0);
	assert_int_equal(step(&f), 1);
	enabled = 0x5;
	assert_int_equal(step(&f), 2);
}

/* PULSE's grain: an actor goes on up to its next inward step. */
static void test_pulse(void **state)
{
	struct schedule schedule = {.tail = TAIL_RANDOM, .grain = GRAIN_PULSE};

	for (uint64_t seed = 0; seed < 100; seed++) {
		struct follower f;
		int first;

		set_up(NULL);
		schedule.seed = seed;
		follower_start(&f, &schedule);
		first = step(&f);
		for (int i = 0; i < 5; i++)
			assert_int_equal(step(&f), first); /* a store is not inward */
		enabled &= ~((uint64_t)1 << first);
		assert_int_not_equal(step(&f), first);
	}
}

/* Actor 0 counts turns of a loop that looks at a variable, actor 1 writes another variable. */
static void look_at(uint32_t actor, uint64_t variable)
{
	announced[actor].kind = EVENT_LOAD;
	announced[actor].accesses[0] = (struct access){
		.object = OBJECT(OBJECT_MEMORY, variable), .mode = ACCESS_READ};
}

/* The last actor goes on until it has looked four times; the writer of the variable wakes it. */
static void test_spinner_dozes(void **state)
{
	struct schedule schedule = {.tail = TAIL_FIRST, .resumes = true};
	struct follower f;

	look_at(0, 3); /* which actor 2 writes */
	enabled = 0x3;
	follower_start(&f, &schedule);
	for (int i = 0; i < 4; i++)
		assert_int_equal(step(&f), 0);
	for (int i = 0; i < 4; i++)
		assert_int_equal(step(&f), 1);
	enabled = 0x1; /* nobody else can go */
	assert_int_equal(step(&f), 0);
	enabled = 0x5;
	assert_int_equal(step(&f), 2);
	enabled = 0x3;
	assert_int_equal(step(&f), 0);
}

/* Two looks that alternate are a loop, too; looks at ever new variables are not. */
static void test_spinner_with_two_looks(void **state)
{
	struct schedule schedule = {.tail = TAIL_FIRST, .resumes = true};
	struct follower f;

	enabled = 0x3;
	follower_start(&f, &schedule);
	for (uint64_t i = 0; i < 40; i++) {
		look_at(0, 100 + i);
		assert_int_equal(step(&f), 0);
	}
	announced[0].kind = EVENT_STORE;
	announced[0].accesses[0].mode = ACCESS_WRITE;
	assert_int_equal(step(&f), 0);
	for (uint64_t i = 0; i < 7; i++) {
		look_at(0, 3 + i % 2);
		assert_int_equal(step(&f), 0);
	}
	assert_int_equal(step(&f), 1);
}

/* An exhaustive search asks for every schedule itself. */
static void test_spinner_goes_on(void **state)
{
	struct schedule schedule = {.tail = TAIL_FIRST};
	struct follower f;

	look_at(0, 3);
	enabled = 0x3;
	follower_start(&f, &schedule);
	for (int i = 0; i < 20; i++)
		assert_int_equal(step(&f), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_strict, set_up),
		cmocka_unit_test_setup(test_strict_needs_enabled, set_up),
		cmocka_unit_test_setup(test_matching, set_up),
		cmocka_unit_test_setup(test_relaxed, set_up),
		cmocka_unit_test_setup(test_loose, set_up),
		cmocka_unit_test_setup(test_first, set_up),
		cmocka_unit_test_setup(test_spinner_dozes, set_up),
		cmocka_unit_test_setup(test_spinner_with_two_looks, set_up),
		cmocka_unit_test_setup(test_spinner_goes_on, set_up),
		cmocka_unit_test_setup(test_samplers_are_even, set_up),
		cmocka_unit_test_setup(test_pct_keeps_priorities, set_up),
		cmocka_unit_test_setup(test_sleep, set_up),
		cmocka_unit_test_setup(test_sleep_from, set_up),
		cmocka_unit_test_setup(test_pulse, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
