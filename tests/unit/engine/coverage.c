/* Goals over receives and the schedules made for them: the example program of the Bita paper
 * (Listing 1 with two actions) as a trace written by hand, its must-happen-before relation
 * (section IV-C), the three criteria (section III-A), and the schedule of section IV-D. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/object.h"
#include "strategy/generate.h"

/* Actors, then the channels between them. */
enum { MAIN, ACTION1, ACTION2, WRITER, TERMINATOR, CHANNELS };
enum { M_A1 = CHANNELS, M_A2, A1_W, A2_W, A1_T, A2_T, T_W, W_T, ACTORS };
/* The receives in the order of the paper's schedule. */
enum { EX1, W1, EX2, W2, AD1, AD2, FL, FD, RECEIVES };

struct run {
	struct event events[64];
	struct actor actors[ACTORS];
	struct trace trace;
	struct causality causality;
	struct receives receives;
	uint64_t must[RECEIVES];
};

static struct event *add(struct run *run, uint32_t actor, enum event_kind kind, uint32_t mailbox,
			 enum access_mode mode)
{
	struct event *event = &run->events[run->trace.events_len++];

	*event = (struct event){
		.actor = actor, .kind = (uint16_t)kind, .peer = ACTOR_NONE, .access_len = 1,
		.accesses = {{.object = OBJECT(OBJECT_MAILBOX, mailbox + 1), .mode = mode,
			      .announced = mode}},
	};
	for (uint32_t i = 0; i + 1 < run->trace.events_len; i++)
		event->ordinal += run->events[i].actor == actor;
	return event;
}

static uint32_t send(struct run *run, uint32_t from, uint32_t to)
{
	add(run, from, EVENT_SEND, to, ACCESS_SEND);
	return run->trace.events_len - 1;
}

/* A message is delivered through its channel and received at once. */
static void take(struct run *run, uint32_t channel, uint32_t receiver, uint32_t sent)
{
	const struct event *sender = &run->events[sent];
	struct event *delivery = add(run, channel, EVENT_DELIVER, receiver, ACCESS_SEND);
	struct event *receive;

	delivery->peer = sender->actor;
	delivery->peer_ordinal = sender->ordinal;
	receive = add(run, receiver, EVENT_RECEIVE, receiver, ACCESS_RECV);
	receive->peer = channel;
	receive->peer_ordinal = delivery->ordinal;
}

/* ex1 w1 ex2 w2 ad1 ad2 fl fd */
static void build(struct run *run)
{
	uint32_t ex1, ex2, w1, w2, ad1, ad2;

	*run = (struct run){0};
	for (uint32_t a = 0; a < ACTORS; a++)
		run->actors[a] = (struct actor){
			.parent = a ? 0 : ACTOR_NONE, .nth = a,
			.kind = a < CHANNELS ? ACTOR_REAL : ACTOR_CHANNEL};
	run->trace = (struct trace){.actors = run->actors, .actors_len = ACTORS,
				    .events = run->events};
	ex1 = send(run, MAIN, ACTION1);
	ex2 = send(run, MAIN, ACTION2);
	take(run, M_A1, ACTION1, ex1);
	w1 = send(run, ACTION1, WRITER);
	ad1 = send(run, ACTION1, TERMINATOR);
	take(run, A1_W, WRITER, w1);
	take(run, M_A2, ACTION2, ex2);
	w2 = send(run, ACTION2, WRITER);
	ad2 = send(run, ACTION2, TERMINATOR);
	take(run, A2_W, WRITER, w2);
	take(run, A1_T, TERMINATOR, ad1);
	take(run, A2_T, TERMINATOR, ad2);
	take(run, T_W, WRITER, send(run, TERMINATOR, WRITER));
	take(run, W_T, TERMINATOR, send(run, WRITER, TERMINATOR));
	causality_build(&run->causality, &run->trace, CAUSALITY_OBJECTS);
	receives_find(&run->receives, &run->trace, &run->causality);
	assert_int_equal(run->receives.items.len, RECEIVES);
	for (uint32_t j = 0; j < RECEIVES; j++)
		for (uint32_t i = 0; i < j; i++)
			if (causality_before(&run->causality, run->receives.items.items[i].arrival,
					     run->receives.items.items[j].arrival))
				run->must[j] |= (uint64_t)1 << i;
}

static void run_release(struct run *run)
{
	causality_release(&run->causality);
	receives_release(&run->receives);
}

static struct generate_source source_of(const struct run *run)
{
	return (struct generate_source){run->receives.items.items, RECEIVES, run->must};
}

static void must_happen_before(void **state)
{
	static const struct {
		uint32_t first, second;
	} pairs[] = {
		{EX1, W1}, {EX1, AD1}, {EX2, W2}, {EX2, AD2}, {AD1, FL}, {AD2, FL}, {FL, FD},
		{W1, FD}, {W2, FD}, {AD1, FD}, {AD2, FD},
		{EX1, FL}, {EX2, FL}, {EX1, FD}, {EX2, FD}, /* by transitivity */
	};
	uint64_t expected[RECEIVES] = {0};
	struct run run;

	build(&run);
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		expected[pairs[i].second] |= (uint64_t)1 << pairs[i].first;
	for (uint32_t j = 0; j < RECEIVES; j++)
		assert_int_equal(run.must[j], expected[j]);
	run_release(&run);
}

static bool always(void *ctx, const struct receive *first, const struct receive *second)
{
	return true;
}

static const struct receive *receive_of(const struct run *run, uint32_t i)
{
	return &run->receives.items.items[i];
}

/* Section IV-D: w1 and w2 change places; fl comes before w1 on the way; fd is left out. */
static void example_of_the_paper(void **state)
{
	static const uint32_t expected[] = {EX1, EX2, W2, AD1, AD2, FL, W1};
	struct generate_cursor cursor = {0};
	struct receive_list list = {0};
	struct goals reached = {0};
	struct generate_source source;
	struct run run;

	build(&run);
	source = source_of(&run);
	goals_add(&reached, GOAL_PR, source.receives, source.len);
	assert_false(goals_has(&reached, GOAL_PR, receive_of(&run, W2), receive_of(&run, W1)));
	assert_true(generate_next(&source, GOAL_PR, &reached, &cursor, always, NULL, &list));
	assert_int_equal(list.len, sizeof(expected) / sizeof(expected[0]));
	assert_memory_equal(list.items, expected, sizeof(expected));
	generate_reach(&source, GOAL_PR, &list, &reached);
	assert_true(goals_has(&reached, GOAL_PR, receive_of(&run, W2), receive_of(&run, W1)));
	assert_true(goals_has(&reached, GOAL_PR, receive_of(&run, FL), receive_of(&run, W1)));
	vec_release(&list);
	goals_release(&reached);
	run_release(&run);
}

/* Each list holds what must happen before its members, in an order that keeps that, and
 * reaches something new. */
static void check_list(const struct generate_source *source, enum goal_criterion criterion,
		       const struct receive_list *list, const struct goals *before)
{
	struct receive receives[RECEIVES];
	struct goals own = {0};
	uint64_t done = 0;
	bool is_new = false;

	for (size_t k = 0; k < list->len; k++) {
		uint32_t at = list->items[k];

		assert_false(done >> at & 1);
		assert_int_equal(source->must[at] & ~done, 0);
		done |= (uint64_t)1 << at;
		receives[k] = source->receives[at];
	}
	goals_add(&own, criterion, receives, (uint32_t)list->len);
	for (uint32_t i = 0; i < source->len; i++)
		for (uint32_t j = 0; j < source->len; j++)
			is_new = is_new || (goals_has(&own, criterion, &source->receives[i],
						      &source->receives[j]) &&
					    !goals_has(before, criterion, &source->receives[i],
						       &source->receives[j]));
	assert_true(is_new);
	goals_release(&own);
}

static void copy_goals(struct goals *to, const struct goals *from, enum goal_criterion criterion)
{
	const struct map *pairs = &from->pairs[criterion];

	map_clear(&to->pairs[criterion]);
	for (size_t i = 0; i < pairs->len; i++)
		*map_put(&to->pairs[criterion], pairs->entries[i].key, NULL) =
			pairs->entries[i].value;
}

/* All lists of all criteria; PR of the writer needs two schedules in all (section III-A2), the
 * first run among them. */
static void lists_are_feasible_and_new(void **state)
{
	struct receive_list list = {0};
	struct generate_source source;
	struct run run;

	build(&run);
	run.receives.items.items[FL].changes = true;
	source = source_of(&run);
	for (uint32_t criterion = 0; criterion < GOAL_CRITERIA; criterion++) {
		struct goals reached = {0}, before = {0};
		struct generate_cursor cursor = {0};
		uint32_t lists = 0;

		goals_add(&reached, criterion, source.receives, source.len);
		copy_goals(&before, &reached, criterion);
		while (generate_next(&source, criterion, &reached, &cursor, always, NULL, &list)) {
			check_list(&source, criterion, &list, &before);
			generate_reach(&source, criterion, &list, &reached);
			copy_goals(&before, &reached, criterion);
			lists++;
		}
		assert_true(lists > 0 && lists <= 6);
		goals_release(&reached);
		goals_release(&before);
	}
	vec_release(&list);
	run_release(&run);
}

/* Section III-A with one receiver of w1, w2 and fl: six goals of PR and of PCR; PR needs two
 * schedules, PCR four; PBR, if fl changes the behaviour, two. */
static void criteria_of_the_paper(void **state)
{
	static const uint32_t schedules[4][3] = {{0, 1, 2}, {2, 1, 0}, {0, 2, 1}, {2, 0, 1}};
	struct receive r[3] = {{.name = 11, .receiver = 5, .mode = ACCESS_RECV},
			       {.name = 12, .receiver = 5, .mode = ACCESS_RECV},
			       {.name = 13, .receiver = 5, .mode = ACCESS_RECV, .changes = true}};
	struct goals goals = {0};

	for (uint32_t s = 0; s < 4; s++) {
		struct receive run[3] = {r[schedules[s][0]], r[schedules[s][1]],
					 r[schedules[s][2]]};

		for (uint32_t criterion = 0; criterion < GOAL_CRITERIA; criterion++)
			goals_add(&goals, criterion, run, 3);
		if (s == 1) {
			assert_int_equal(goals_count(&goals, GOAL_PR).both, 3);
			assert_int_equal(goals_count(&goals, GOAL_PR).one, 0);
			assert_int_equal(goals_count(&goals, GOAL_PBR).both, 2);
			assert_int_equal(goals_count(&goals, GOAL_PBR).one, 0);
			assert_int_equal(goals_count(&goals, GOAL_PCR).both, 2);
		}
	}
	assert_int_equal(goals_count(&goals, GOAL_PCR).both, 3);
	goals_release(&goals);
}

/* A receive has the same name when what happens elsewhere comes in another order. */
static void names_do_not_depend_on_the_schedule(void **state)
{
	struct event moved[2];
	struct run run, other;

	build(&run);
	build(&other);
	/* ex2 is delivered and received before all that ex1 leads to */
	memcpy(moved, &other.events[8], sizeof(moved));
	memmove(&other.events[4], &other.events[2], 6 * sizeof(struct event));
	memcpy(&other.events[2], moved, sizeof(moved));
	causality_build(&other.causality, &other.trace, CAUSALITY_OBJECTS);
	receives_find(&other.receives, &other.trace, &other.causality);
	for (uint32_t i = 0; i < RECEIVES; i++) {
		bool found = false;

		for (uint32_t j = 0; j < RECEIVES; j++)
			found = found || receive_of(&run, i)->name == receive_of(&other, j)->name;
		assert_true(found);
	}
	run_release(&run);
	run_release(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(must_happen_before),
		cmocka_unit_test(example_of_the_paper),
		cmocka_unit_test(lists_are_feasible_and_new),
		cmocka_unit_test(criteria_of_the_paper),
		cmocka_unit_test(names_do_not_depend_on_the_schedule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
