/* smaller.c: candidates of shrinking, schedules reused for them, and the picture. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "prop/candidates.h"
#include "prop/linear.h"
#include "prop/reuse.h"
#include "register.h"

static struct prop_test make_test(void)
{
	struct prop_test test = {0};

	register_add(&test, 0, REGISTER_ADD, 2);
	register_add(&test, 1, REGISTER_TAKE, 2);
	register_add(&test, 1, REGISTER_GET, 0);
	register_add(&test, 2, REGISTER_ADD, 1);
	return test;
}

static bool is_among(const struct candidate_vec *candidates, const struct prop_test *test)
{
	for (size_t i = 0; i < candidates->len; i++)
		if (memcmp(&candidates->items[i].test, test, sizeof(*test)) == 0)
			return true;
	return false;
}

static void every_candidate_is_allowed_and_new(void **state)
{
	struct register_model m = register_model();
	struct prop_test test = make_test();
	struct candidate_vec candidates = {0};
	size_t fewer_len;

	assert_true(candidates_of(&m.base, &test, &candidates, &fewer_len, NULL));
	assert_true(fewer_len > 5 && fewer_len < candidates.len);
	assert_false(is_among(&candidates, &test));
	for (size_t i = 0; i < candidates.len; i++) {
		const struct candidate *c = &candidates.items[i];

		assert_int_equal(linear_allow(&m.base, &c->test, 1000, NULL), LINEAR_YES);
		for (size_t j = 0; j < i; j++)
			assert_memory_not_equal(&c->test, &candidates.items[j].test,
						sizeof(c->test));
		for (uint32_t k = 0; k < c->test.len && i < fewer_len; k++)
			assert_int_equal(c->test.calls[k].handle, test.calls[c->from[k]].handle);
	}
	vec_release(&candidates);
}

/* take(2) needs add(2): they can only go together. */
static void pairs_go_together(void **state)
{
	struct register_model m = register_model();
	struct prop_test test = make_test(), alone = {0}, together = {0};
	struct candidate_vec candidates = {0};
	size_t fewer_len;

	register_add(&alone, 1, REGISTER_TAKE, 2);
	register_add(&alone, 1, REGISTER_GET, 0);
	register_add(&alone, 2, REGISTER_ADD, 1);
	register_add(&together, 1, REGISTER_GET, 0);
	register_add(&together, 2, REGISTER_ADD, 1);
	assert_true(candidates_of(&m.base, &test, &candidates, &fewer_len, NULL));
	assert_false(is_among(&candidates, &alone));
	assert_true(is_among(&candidates, &together));
	vec_release(&candidates);
}

static void a_call_moves_to_the_prefix(void **state)
{
	struct register_model m = register_model();
	struct prop_test test = make_test(), moved = {0};
	struct candidate_vec candidates = {0};
	size_t fewer_len;

	register_add(&moved, 0, REGISTER_ADD, 2);
	register_add(&moved, 0, REGISTER_ADD, 1);
	register_add(&moved, 1, REGISTER_TAKE, 2);
	register_add(&moved, 1, REGISTER_GET, 0);
	assert_true(candidates_of(&m.base, &test, &candidates, &fewer_len, NULL));
	assert_true(is_among(&candidates, &moved));
	vec_release(&candidates);
}

/* ---- schedules ---- */

enum { STEPS = 9 };

/* P1 makes the prefix's call (step 0) and the threads; 1 and 2 interleave: 1 2 1 2 1. */
static void make_run(struct event *events, struct prop_outcome *outcomes)
{
	static const uint32_t actors[STEPS] = {0, 0, 0, 1, 2, 1, 2, 1, 0};

	for (uint32_t i = 0; i < STEPS; i++)
		events[i] = (struct event){.kind = EVENT_STORE, .actor = actors[i],
					   .peer = ACTOR_NONE, .ordinal = i};
	events[1].kind = events[2].kind = EVENT_CREATE;
	events[1].peer = 1;
	events[2].peer = 2;
	events[8].kind = EVENT_JOIN;
	events[8].peer = 2;
	outcomes[0] = (struct prop_outcome){PROP_RETURNED, 1, 0, 0, 1};
	outcomes[1] = (struct prop_outcome){PROP_RETURNED, 1, 1, 3, 6};
	outcomes[2] = (struct prop_outcome){PROP_RETURNED, 1, 1, 6, 8};
	outcomes[3] = (struct prop_outcome){PROP_RETURNED, 1, 2, 3, 8};
}

/* The actors that go, as text: the reused schedule for one candidate. */
static const char *reused(const struct prop_test *smaller)
{
	static char text[STEPS + 1];
	struct register_model m = register_model();
	struct prop_test test = make_test();
	struct candidate_vec candidates = {0};
	struct decision_vec decisions = {0};
	struct event events[STEPS];
	struct prop_outcome outcomes[PROP_CALLS_MAX];
	struct trace trace = {.events = events, .events_len = STEPS};
	size_t fewer_len;

	make_run(events, outcomes);
	assert_true(candidates_of(&m.base, &test, &candidates, &fewer_len, NULL));
	strcpy(text, "none");
	for (size_t i = 0; i < candidates.len; i++) {
		if (memcmp(&candidates.items[i].test, smaller, sizeof(*smaller)) != 0)
			continue;
		reuse_decisions(&test, outcomes, &trace, &candidates.items[i], REUSE_ACTORS,
				&decisions);
		assert_true(decisions.len <= STEPS);
		for (size_t d = 0; d < decisions.len && d < STEPS; d++)
			text[d] = (char)('0' + decisions.items[d].actor);
		text[decisions.len < STEPS ? decisions.len : STEPS] = '\0';
	}
	vec_release(&candidates);
	vec_release(&decisions);
	return text;
}

static void steps_of_a_call_that_is_gone_are_gone(void **state)
{
	struct prop_test smaller = {0};

	register_add(&smaller, 0, REGISTER_ADD, 2);
	register_add(&smaller, 1, REGISTER_TAKE, 2);
	register_add(&smaller, 2, REGISTER_ADD, 1);
	assert_string_equal(reused(&smaller), "00012120");
}

static void branches_are_renamed(void **state)
{
	struct prop_test smaller = {0};

	register_add(&smaller, 0, REGISTER_ADD, 2);
	register_add(&smaller, 1, REGISTER_ADD, 1);
	assert_string_equal(reused(&smaller), "00110");
}

static void steps_of_a_moved_call_come_first(void **state)
{
	struct prop_test smaller = {0};

	register_add(&smaller, 0, REGISTER_ADD, 2);
	register_add(&smaller, 0, REGISTER_TAKE, 2);
	register_add(&smaller, 1, REGISTER_GET, 0);
	register_add(&smaller, 2, REGISTER_ADD, 1);
	assert_string_equal(reused(&smaller), "000002210");
}

/* ---- the picture ---- */

static void the_picture(void **state)
{
	struct register_model m = register_model();
	struct prop_test test = make_test();
	struct prop_outcome outcomes[] = {
		{.progress = PROP_RETURNED, .value = REGISTER_ZERO + 2},
		{.progress = PROP_RETURNED, .value = REGISTER_ZERO},
		{.progress = PROP_NOT_BEGUN},
		{.progress = PROP_BEGUN},
	};
	struct strbuf text = {0};

	prop_print_picture(&m.base, &test, outcomes, &text);
	assert_string_equal(strbuf_text(&text),
			    "  prefix\n"
			    "  add(2) = 2\n"
			    "  branch 1             branch 2\n"
			    "  take(2) = 0          add(1)  never returned\n"
			    "  get(0)  not called\n");
	strbuf_release(&text);
}

static void the_reasons(void **state)
{
	struct register_model m = register_model();
	struct prop_test test = {0};
	struct prop_outcome outcomes[] = {
		{.progress = PROP_RETURNED, .value = REGISTER_ZERO + 1},
		{.progress = PROP_RETURNED, .value = REGISTER_ZERO + 1},
	};
	struct strbuf text = {0};

	register_add(&test, 1, REGISTER_ADD, 1);
	register_add(&test, 2, REGISTER_ADD, 1);
	prop_print_reasons(&m.base, &test, outcomes, &text);
	assert_string_equal(strbuf_text(&text), "  add(1), then add(1) = 1 cannot be\n"
						"  add(1), then add(1) = 1 cannot be\n");
	strbuf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_candidate_is_allowed_and_new),
		cmocka_unit_test(pairs_go_together),
		cmocka_unit_test(a_call_moves_to_the_prefix),
		cmocka_unit_test(steps_of_a_call_that_is_gone_are_gone),
		cmocka_unit_test(branches_are_renamed),
		cmocka_unit_test(steps_of_a_moved_call_come_first),
		cmocka_unit_test(the_picture),
		cmocka_unit_test(the_reasons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
