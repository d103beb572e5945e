/* Which ends of processes are bugs (core/ends.h), and how they are reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "detect/detect.h"

static const struct actor actors[] = {{.kind = ACTOR_REAL, .parent = ACTOR_NONE, .nth = 1},
				      {.kind = ACTOR_REAL, .parent = 0, .nth = 1},
				      {.kind = ACTOR_REAL, .parent = 0, .nth = 2}};

static struct trace trace_of(const struct waiter *waiters, uint32_t len, const struct wait *waits,
			     uint32_t waits_len)
{
	return (struct trace){.actors = actors, .actors_len = 3, .waiters = waiters,
			      .waiters_len = len, .waits = waits, .waits_len = waits_len};
}

/* The kinds found, as bits; *first gets the first message. */
static uint32_t look(const struct trace *trace, char *first, size_t size)
{
	struct detectors *detectors = detectors_new();
	struct finding_vec findings = {0};
	uint32_t kinds = 0;

	detectors_look(detectors, trace, &findings);
	for (size_t i = 0; i < findings.len; i++)
		kinds |= 1u << findings.items[i].kind;
	snprintf(first, size, "%s", findings.len ? findings.items[0].message : "");
	assert_int_equal(findings.len > 0, ends_are_bad(trace));
	vec_release(&findings);
	detectors_free(detectors);
	return kinds;
}

static void test_waiting(void **state)
{
	const struct waiter server = {.actor = 1, .flags = WAITER_RECEIVES | WAITER_TAKES_ALL};
	const struct waiter back = {.actor = 1, .flags = WAITER_RECEIVES | WAITER_RETURNED};
	const struct waiter timed = {.actor = 1, .flags = WAITER_RECEIVES | WAITER_TIMED};
	const struct waiter particular = {.actor = 1, .flags = WAITER_RECEIVES};
	const struct {
		const struct waiter *waiter;
		bool is_stuck[3]; /* by enum stuck_rule */
	} rows[] = {{&server, {false, true, false}},
		    {&back, {false, true, false}},
		    {&timed, {false, false, false}},
		    {&particular, {true, true, false}}};
	char text[512];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		for (uint32_t rule = 0; rule < 3; rule++) {
			struct trace trace = trace_of(rows[i].waiter, 1, NULL, 0);

			trace.stuck = rule;
			assert_int_equal(look(&trace, text, sizeof(text)),
					 rows[i].is_stuck[rule] ? 1u << FINDING_STUCK : 0);
		}
}

static void test_circle(void **state)
{
	struct waiter waiters[] = {{.actor = 0, .flags = WAITER_RECEIVES},
				   {.actor = 1, .flags = WAITER_RECEIVES},
				   {.actor = 2, .flags = WAITER_RECEIVES}};
	const struct wait waits[] = {{0, 1, false}, {1, 2, false}, {2, 1, false}};
	struct trace trace = trace_of(waiters, 3, waits, 3);
	char text[512];

	assert_int_equal(look(&trace, text, sizeof(text)), 1u << FINDING_DEADLOCK);
	assert_string_equal(text, "P1.1: waits for P1.2, which waits for P1.1");
	waiters[1].flags |= WAITER_TAKES_ALL; /* two linked servers are not a deadlock */
	waiters[2].flags |= WAITER_TAKES_ALL;
	assert_int_equal(look(&trace, text, sizeof(text)), 1u << FINDING_STUCK);
	trace.waits_len = 2; /* a chain is not a circle */
	assert_int_equal(look(&trace, text, sizeof(text)), 1u << FINDING_STUCK);
}

static void test_deaths(void **state)
{
	struct death deaths[] = {{.actor = 1, .text = "exits with reason oops"},
				 {.actor = 0, .flags = DEATH_BY_SIGNAL, .text = "exits"}};
	struct trace trace = trace_of(NULL, 0, NULL, 0);
	char text[512];

	trace.deaths = deaths;
	trace.deaths_len = 2;
	assert_int_equal(look(&trace, text, sizeof(text)), 1u << FINDING_EXIT);
	assert_string_equal(text, "P1.1: exits with reason oops");
	deaths[0].flags = DEATH_LINKED; /* handled: the test's own death is left */
	assert_int_equal(look(&trace, text, sizeof(text)), 1u << FINDING_EXIT);
	assert_string_equal(text, "P1: exits");
	trace.deaths_len = 1;
	assert_int_equal(look(&trace, text, sizeof(text)), 0);
	trace.exits_any = true;
	deaths[0].flags |= DEATH_ASSERTION;
	assert_int_equal(look(&trace, text, sizeof(text)), 1u << FINDING_ASSERTION);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_waiting),
					   cmocka_unit_test(test_circle),
					   cmocka_unit_test(test_deaths)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
