/* The strategy `suspects` on traces made by hand: what does it try once it has seen a pair? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "core/object.h"
#include "strategy/strategy.h"

enum { KEY = 7, OTHER_KEY = 8, FIRST_RUNS = 10, LIMIT = 1000 };

static struct event make(uint32_t actor, uint32_t ordinal, bool is_write, uint64_t key,
			 uint8_t watched)
{
	uint16_t mode = is_write ? ACCESS_WRITE : ACCESS_READ;

	return (struct event){
		.actor = actor,
		.ordinal = ordinal,
		.kind = is_write ? EVENT_ETS_WRITE : EVENT_ETS_READ,
		.access_len = 1,
		.peer = ACTOR_NONE,
		.watched = watched,
		.accesses = {{.object = OBJECT(OBJECT_KEY, key), .mode = mode, .announced = mode}},
	};
}

static struct trace trace_of(const struct event *events, uint32_t len)
{
	static const struct actor actors[2];
	static const uint64_t enabled[16] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};

	return (struct trace){.actors = actors, .actors_len = 2, .enabled_words = 1,
			      .events = events, .events_len = len, .enabled = enabled,
			      .end = END_DONE};
}

struct seen {
	uint32_t holds;  /* schedules in which actor 0 sleeps before its write */
	uint32_t delays; /* relaxed schedules: something was put off */
	uint32_t order[8]; /* actors of the last relaxed schedule */
	uint32_t order_len;
	uint32_t runs;
};

/* Answers every schedule of the burst with the same trace. */
static struct seen explore(const struct trace *trace)
{
	struct strategy_params params = {.seed = 1};
	struct strategy *s = strategy_create("suspects", &params);
	struct schedule schedule;
	const struct trace *known;
	struct seen seen = {0};

	while (s->ops->next(s, &schedule, &known) && s->ops->is_burst(s) && seen.runs < LIMIT) {
		seen.runs++;
		if (schedule.sleepers_len) {
			assert_int_equal(schedule.sleepers[0].actor, 0);
			assert_int_equal(schedule.sleep_from, schedule.decisions_len);
			assert_false(schedule.relaxed);
			seen.holds++;
		} else if (schedule.relaxed) {
			seen.delays++;
			seen.order_len = schedule.decisions_len;
			for (uint32_t i = 0; i < schedule.decisions_len; i++)
				seen.order[i] = schedule.decisions[i].actor;
		}
		s->ops->learn(s, trace);
	}
	s->ops->free(s);
	return seen;
}

static void puts_off_the_write(void **state)
{
	struct event events[] = {
		make(0, 0, false, KEY, EVENT_WATCHED_READ),
		make(0, 1, true, KEY, EVENT_WATCHED_WRITE),
		make(1, 0, true, KEY, 0),
	};
	struct trace trace = trace_of(events, 3);
	struct seen seen = explore(&trace);

	assert_true(seen.holds > 0);
	assert_int_equal(seen.delays, 1);
	assert_int_equal(seen.order_len, 3);
	assert_int_equal(seen.order[1], 1); /* the other's write comes in between */
	assert_int_equal(seen.order[2], 0);
}

static void puts_off_a_write_that_came_too_early(void **state)
{
	struct event events[] = {
		make(1, 0, true, KEY, 0),
		make(0, 0, false, KEY, EVENT_WATCHED_READ),
		make(0, 1, true, KEY, EVENT_WATCHED_WRITE),
	};
	struct trace trace = trace_of(events, 3);
	struct seen seen = explore(&trace);

	assert_int_equal(seen.delays, 1);
	assert_int_equal(seen.order[0], 0);
	assert_int_equal(seen.order[1], 1);
}

static void leaves_other_keys_alone(void **state)
{
	struct event events[] = {
		make(0, 0, false, KEY, EVENT_WATCHED_READ),
		make(0, 1, true, KEY, EVENT_WATCHED_WRITE),
		make(1, 0, true, OTHER_KEY, 0),
	};
	struct trace trace = trace_of(events, 3);

	assert_int_equal(explore(&trace).delays, 0);
}

static void goes_on_to_dpor_without_marks(void **state)
{
	struct event events[] = {
		make(0, 0, false, KEY, 0),
		make(0, 1, true, KEY, 0),
		make(1, 0, true, KEY, 0),
	};
	struct trace trace = trace_of(events, 3);
	struct seen seen = explore(&trace);

	assert_int_equal(seen.runs, FIRST_RUNS);
	assert_int_equal(seen.holds + seen.delays, 0);
	assert_true(strategy_is_exhaustive("suspects"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(puts_off_the_write),
		cmocka_unit_test(puts_off_a_write_that_came_too_early),
		cmocka_unit_test(leaves_other_keys_alone),
		cmocka_unit_test(goes_on_to_dpor_without_marks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
