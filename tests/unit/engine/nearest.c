/* The nearest passing run, on programs whose bug is one pair of steps in the wrong order: the run
 * that is found passes when it is replayed strictly, and has the pair in the other order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "detect/detect.h"
#include "explore/nearest.h"
#include "explore/spare.h"
#include "unit/engine/checked_fake.h"

static void add(struct fake_program *p, uint32_t t, int op, int object, int value)
{
	p->steps[t][p->lens[t]++] = (struct fake_step){(uint8_t)op, (uint8_t)object, (int8_t)value};
}

/* Two threads take two locks in opposite orders. */
static struct fake_program abba(void)
{
	struct fake_program p = {.threads_len = 2};

	for (uint32_t t = 0; t < 2; t++) {
		add(&p, t, FAKE_LOCK, (int)t, 0);
		add(&p, t, FAKE_LOCK, 1 - (int)t, 0);
		add(&p, t, FAKE_UNLOCK, 1 - (int)t, 0);
		add(&p, t, FAKE_UNLOCK, (int)t, 0);
	}
	return p;
}

/* The reader fails if it comes between the two writes. */
static struct fake_program torn(void)
{
	struct fake_program p = {.threads_len = 2};

	add(&p, 0, FAKE_WRITE, 0, 1);
	add(&p, 0, FAKE_WRITE, 0, 0);
	add(&p, 1, FAKE_READ, 0, 0);
	add(&p, 1, FAKE_ASSERT_ZERO, 0, 0);
	return p;
}

enum { CHECK_LEN = 3 }; /* steps of the check of check_then_act() */

/* Two buyers look whether there is something left, and take it under the same lock, but later. */
static struct fake_program check_then_act(void)
{
	struct fake_program p = {.threads_len = 3};

	for (uint32_t t = 0; t < 2; t++) {
		add(&p, t, FAKE_LOCK, 0, 0);
		add(&p, t, FAKE_READ, 1, 0);
		add(&p, t, FAKE_UNLOCK, 0, 0);
		add(&p, t, FAKE_SKIP_IF_ZERO, 0, 6);
		add(&p, t, FAKE_LOCK, 0, 0);
		add(&p, t, FAKE_READ, 2, 0);
		add(&p, t, FAKE_ASSERT_ZERO, 0, 0);
		add(&p, t, FAKE_WRITE, 2, 1);
		add(&p, t, FAKE_WRITE, 1, 0);
		add(&p, t, FAKE_UNLOCK, 0, 0);
	}
	add(&p, 2, FAKE_LOCK, 0, 0);
	add(&p, 2, FAKE_WRITE, 1, 1);
	add(&p, 2, FAKE_UNLOCK, 0, 0);
	return p;
}

/* Fails in every schedule. */
static struct fake_program hopeless(void)
{
	struct fake_program p = {.threads_len = 2};

	add(&p, 0, FAKE_WRITE, 0, 1);
	add(&p, 0, FAKE_READ, 0, 0);
	add(&p, 0, FAKE_ASSERT_ZERO, 0, 0);
	add(&p, 1, FAKE_READ, 1, 0);
	return p;
}

static bool find(struct target *target, uint64_t seed, struct found *found)
{
	struct schedule schedule = {.tail = TAIL_RANDOM, .seed = seed};
	struct detectors *detectors = detectors_new();
	struct finding_vec findings = {0};
	struct trace trace;

	assert_true(target->ops->run(target, &schedule, &trace, NULL));
	detectors_look(detectors, &trace, &findings);
	detectors_free(detectors);
	for (size_t i = 0; i < findings.len && !found->trace; i++)
		if (findings.items[i].kind != FINDING_RACE)
			*found = found_of(&findings.items[i], &trace, NULL);
	vec_release(&findings);
	return found->trace != NULL;
}

static uint32_t place_of(const struct trace *trace, uint32_t actor, uint32_t ordinal)
{
	uint32_t i = 0;

	while (i < trace->events_len && (trace->events[i].actor != actor ||
					 trace->events[i].ordinal != ordinal))
		i++;
	return i;
}

/* The step of `second`: taken in the failing run, or announced and never taken. */
static const struct event *second_of(const struct found *found)
{
	const struct trace *t = found->trace;

	if (found->reversed.second < t->events_len)
		return &t->events[found->reversed.second];
	for (uint32_t i = 0; i < t->pending_len; i++)
		if (t->pending[i].actor == found->reversed.actor)
			return &t->pending[i];
	return NULL;
}

static void check(struct target *target, const struct found *found)
{
	struct schedule schedule = {.decisions = found->passing,
				    .decisions_len = found->passing_len, .tail = TAIL_STOP};
	const struct event *first = &found->trace->events[found->reversed.first];
	const struct event *second = second_of(found);
	struct finding finding = found->finding;
	struct trace trace;

	assert_non_null(second);
	assert_true(target->ops->run(target, &schedule, &trace, NULL));
	assert_int_equal(trace.end, END_DONE);
	assert_false(trace_shows(&trace, &finding));
	assert_true(place_of(&trace, second->actor, second->ordinal) <
		    place_of(&trace, first->actor, first->ordinal));
}

/* The act of one buyer must come before the check of the other one, whichever run is looked at. */
static void check_act(const struct found *found)
{
	const struct event *first = &found->trace->events[found->reversed.first];
	const struct event *second = second_of(found);

	assert_true(first->ordinal < CHECK_LEN && second->ordinal >= CHECK_LEN);
	assert_true(first->actor != second->actor);
}

static uint32_t try_program(struct fake_program program, bool has_passing,
			    void (*check_pair)(const struct found *found))
{
	struct target *target = checked_fake_create(&program);
	uint32_t tried = 0;

	for (uint64_t seed = 1; seed <= 50; seed++) {
		struct spare spare = {.model = target};
		struct found found = {0};
		uint64_t runs = 0;

		if (!find(target, seed, &found))
			continue;
		nearest_find(&spare, &found,
			     &(struct shrink_budget){.seconds = 60, .runs = 100}, &runs);
		spare_release(&spare);
		assert_true(runs <= 100);
		assert_int_equal(found.passing != NULL, has_passing);
		if (found.passing)
			check(target, &found);
		if (found.passing && check_pair)
			check_pair(&found);
		found_release(&found);
		tried++;
	}
	target->ops->free(target);
	return tried;
}

static void test_deadlock(void **state)
{
	assert_true(try_program(abba(), true, NULL) > 0);
}

static void test_torn(void **state)
{
	assert_true(try_program(torn(), true, NULL) > 0);
}

static void test_check_then_act(void **state)
{
	assert_true(try_program(check_then_act(), true, check_act) > 0);
}

static void test_always(void **state)
{
	assert_int_equal(try_program(hopeless(), false, NULL), 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deadlock),
		cmocka_unit_test(test_torn),
		cmocka_unit_test(test_check_then_act),
		cmocka_unit_test(test_always),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
