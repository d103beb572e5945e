/* Shortening of schedules on programs whose shortest failing run is known: never worse than the
 * start, within its budget, still failing when replayed strictly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "detect/detect.h"
#include "explore/explore.h"
#include "explore/spare.h"
#include "unit/engine/checked_fake.h"

static void add(struct fake_program *p, uint32_t t, int op, int object, int value)
{
	p->steps[t][p->lens[t]++] = (struct fake_step){(uint8_t)op, (uint8_t)object, (int8_t)value};
}

/* Fails when the reader comes between a setter's writes: one preemption. The others only make
 * runs longer. */
static struct fake_program torn(void)
{
	struct fake_program p = {.threads_len = 5};

	for (int i = 0; i < 3; i++) { /* up, then down again */
		add(&p, 0, FAKE_WRITE, 0, 1);
		add(&p, 0, FAKE_WRITE, 0, 0);
	}
	add(&p, 1, FAKE_READ, 0, 0);
	add(&p, 1, FAKE_ASSERT_ZERO, 0, 0);
	for (uint32_t t = 2; t < 5; t++)
		for (int i = 0; i < 8; i++)
			add(&p, t, i % 2 ? FAKE_UNLOCK : FAKE_LOCK, 1, 0);
	return p;
}

/* A failing run under a random schedule; false if that seed gives none. */
static bool find(struct target *target, uint64_t seed, struct found *found)
{
	struct schedule schedule = {.tail = TAIL_RANDOM, .seed = seed};
	struct detectors *detectors = detectors_new();
	struct finding_vec findings = {0};
	struct trace trace;

	assert_true(target->ops->run(target, &schedule, &trace, NULL));
	detectors_look(detectors, &trace, &findings);
	detectors_free(detectors);
	if (findings.len)
		*found = found_of(&findings.items[0], &trace, NULL);
	vec_release(&findings);
	return found->trace != NULL;
}

static uint32_t shrink_seed(struct target *target, uint64_t seed, uint32_t budget,
			    uint32_t *preemptions, uint32_t *events)
{
	struct spare spare = {.model = target};
	struct found found = {0};
	uint32_t preemptions_before, events_before;
	uint64_t runs = 0;
	struct trace trace;
	struct err err;

	if (!find(target, seed, &found))
		return 0;
	preemptions_before = found.preemptions;
	events_before = found.trace->events_len;
	shrink(&spare, &found, &(struct shrink_budget){.seconds = 60, .runs = budget}, &runs);
	spare_release(&spare);
	assert_true(runs <= budget);
	assert_true(found.preemptions < preemptions_before ||
		    (found.preemptions == preemptions_before &&
		     found.trace->events_len <= events_before));
	assert_true(found_confirm(target, &found, &trace, &err));
	assert_int_equal(trace.events_len, found.trace->events_len);
	assert_int_equal(trace_preemptions(&trace), found.preemptions);
	*preemptions = found.preemptions;
	*events = found.trace->events_len;
	found_release(&found);
	return 1;
}

static void reaches_the_shortest(void **state)
{
	struct fake_program p = torn();
	struct target *target = checked_fake_create(&p);
	uint32_t found = 0, preemptions, events;

	for (uint64_t seed = 1; seed <= 300; seed++)
		if (shrink_seed(target, seed, 500, &preemptions, &events)) {
			assert_true(preemptions <= 1);
			assert_true(events <= 4); /* a write, the read, the abort; one to spare */
			found++;
		}
	assert_true(found > 20);
	target->ops->free(target);
}

static void keeps_to_its_budget(void **state)
{
	struct fake_program p = torn();
	struct target *target = checked_fake_create(&p);
	uint32_t preemptions, events;

	for (uint32_t budget = 0; budget < 12; budget++)
		for (uint64_t seed = 1; seed <= 40; seed++)
			shrink_seed(target, seed, budget, &preemptions, &events);
	target->ops->free(target);
}

static void heeds_a_stop(void **state)
{
	struct fake_program p = torn();
	struct target *target = checked_fake_create(&p);
	volatile sig_atomic_t stop = 1;
	struct spare spare = {.model = target};
	struct found found = {0};
	uint64_t seed = 1, runs = 0;
	struct trace trace;
	struct err err;

	while (!find(target, seed, &found))
		seed++;
	shrink(&spare, &found, &(struct shrink_budget){.seconds = 60, .runs = 500, .stop = &stop}, &runs);
	spare_release(&spare);
	assert_int_equal(runs, 0);
	assert_true(found_confirm(target, &found, &trace, &err));
	found_release(&found);
	target->ops->free(target);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reaches_the_shortest),
		cmocka_unit_test(keeps_to_its_budget),
		cmocka_unit_test(heeds_a_stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
