/* The samplers and procrastination on small programs whose odds are known, and what holds
 * for all of them: the same seed gives the same runs; and following that bends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/bitset.h"
#include "base/hash.h"
#include "core/dependence.h"
#include "core/follower.h"
#include "strategy/conflicts.h"
#include "strategy/strategy.h"
#include "unit/engine/checked_fake.h"

static void add(struct fake_program *p, uint32_t t, int op, int object, int value)
{
	p->steps[t][p->lens[t]++] = (struct fake_step){(uint8_t)op, (uint8_t)object, (int8_t)value};
}

/* "World hello" with threads: the reader's only step must be put off until a token has gone
 * to and fro ten times. */
static struct fake_program far_away(void)
{
	struct fake_program p = {.threads_len = 3};

	add(&p, 0, FAKE_READ, 0, 0);
	add(&p, 0, FAKE_ASSERT_ZERO, 0, 0);
	for (int i = 0; i < 10; i++) {
		add(&p, 1, FAKE_POST, 1, 0);
		add(&p, 1, FAKE_WAIT, 2, 0);
		add(&p, 2, FAKE_WAIT, 1, 0);
		add(&p, 2, FAKE_POST, 2, 0);
	}
	add(&p, 1, FAKE_WRITE, 0, 1);
	return p;
}

/* Setters write a, then b; the checker, after some steps of its own, fails if it sees a and
 * not b. */
static struct fake_program reorder(uint32_t setters, int steps)
{
	struct fake_program p = {.threads_len = setters + 1};

	for (uint32_t t = 0; t < setters; t++) {
		add(&p, t, FAKE_WRITE, 0, 1);
		add(&p, t, FAKE_WRITE, 1, 1);
	}
	for (int i = 0; i < steps; i++)
		add(&p, setters, FAKE_WRITE, 2, i);
	add(&p, setters, FAKE_READ, 0, 0);
	add(&p, setters, FAKE_SKIP_IF_ZERO, 0, 4);
	add(&p, setters, FAKE_READ, 1, 0);
	add(&p, setters, FAKE_SKIP_IF_ZERO, 0, 1);
	add(&p, setters, FAKE_EXIT, 0, 0);
	add(&p, setters, FAKE_READ, 0, 0);
	add(&p, setters, FAKE_ASSERT_ZERO, 0, 0);
	return p;
}

struct sampled {
	uint64_t runs_to_bug; /* 0: none found */
	uint64_t hash;        /* of all runs in their order */
};

static struct sampled sample(const char *name, const struct strategy_params *params,
			     const struct fake_program *program, uint64_t runs)
{
	struct strategy *strategy = strategy_create(name, params);
	struct target *target = checked_fake_create(program);
	struct sampled s = {0};

	for (uint64_t i = 1; i <= runs; i++) {
		struct schedule schedule;
		const struct trace *known;
		struct trace trace;

		assert_true(strategy->ops->next(strategy, &schedule, &known));
		assert_null(known);
		assert_true(target->ops->run(target, &schedule, &trace, NULL));
		s.hash = hash_combine(s.hash, trace_exact_hash(&trace));
		if (trace.end == END_ABORT && !s.runs_to_bug)
			s.runs_to_bug = i;
		strategy->ops->learn(strategy, &trace);
	}
	target->ops->free(target);
	strategy->ops->free(strategy);
	return s;
}

static void procrastination_goes_far(void **state)
{
	struct fake_program p = far_away();
	struct strategy_params params = {.depth = 3};

	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct sampled random, procrastinate;

		params.seed = seed;
		random = sample("random", &params, &p, 1000);
		procrastinate = sample("procrastinate", &params, &p, 60);
		assert_int_equal(random.runs_to_bug, 0);
		assert_in_range(procrastinate.runs_to_bug, 1, 60);
	}
}

static void steering_finds_reorder(void **state)
{
	struct fake_program p = reorder(5, 12);
	uint64_t rff = 0, random = 0;

	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct strategy_params params = {.seed = seed, .depth = 3};
		struct sampled with = sample("rff", &params, &p, 300);
		struct sampled without = sample("random", &params, &p, 300);

		assert_int_not_equal(with.runs_to_bug, 0);
		rff += with.runs_to_bug;
		random += without.runs_to_bug ? without.runs_to_bug : 300;
	}
	assert_true(rff * 4 < random);
}

/* One read among five writes: each place of it shall be about equally likely. */
static void surw_is_even(void **state)
{
	struct fake_program p = {.threads_len = 2};
	struct strategy_params params = {.seed = 7, .depth = 3};
	struct strategy *strategy = strategy_create("surw", &params);
	struct target *target;
	uint32_t places[6] = {0};

	add(&p, 0, FAKE_READ, 0, 0);
	for (int i = 0; i < 5; i++)
		add(&p, 1, FAKE_WRITE, 0, i);
	target = checked_fake_create(&p);
	for (int i = 0; i < 3000; i++) {
		struct schedule schedule;
		const struct trace *known;
		struct trace trace;
		uint32_t at = 0;

		strategy->ops->next(strategy, &schedule, &known);
		assert_true(target->ops->run(target, &schedule, &trace, NULL));
		while (at < 5 && trace.events[at].actor != 0)
			at++;
		places[at]++;
		strategy->ops->learn(strategy, &trace);
	}
	for (int i = 0; i < 6; i++)
		assert_in_range(places[i], 400, 600);
	target->ops->free(target);
	strategy->ops->free(strategy);
}

static void same_seed_same_runs(void **state)
{
	static const char *const names[] = {"random", "pct", "pos", "surw", "rff", "procrastinate"};
	struct fake_program p = reorder(4, 0);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (uint32_t grain = GRAIN_EVENT; grain <= GRAIN_PULSE; grain++) {
			struct strategy_params params = {.seed = 3, .depth = 3, .grain = grain,
							 .levels = 2, .limits = {5, 2}};
			uint64_t first = sample(names[i], &params, &p, 200).hash;

			assert_int_equal(first, sample(names[i], &params, &p, 200).hash);
			params.seed = 4;
			assert_int_not_equal(first, sample(names[i], &params, &p, 200).hash);
		}
}

static uint32_t next_of(const struct trace *trace, uint32_t i)
{
	uint32_t next = i + 1;

	while (next < trace->events_len && trace->events[next].actor != trace->events[i].actor)
		next++;
	return next;
}

/* At PULSE's grain nobody comes between a step and the outward ones after it. */
static void pulse_stops_at_inward_steps(void **state)
{
	struct fake_program p = reorder(5, 0);
	struct target *target = checked_fake_create(&p);

	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct schedule schedule = {
			.tail = TAIL_RANDOM, .seed = seed, .grain = GRAIN_PULSE};
		struct trace trace;

		assert_true(target->ops->run(target, &schedule, &trace, NULL));
		for (uint32_t i = 0; i < trace.events_len; i++) {
			uint32_t next = next_of(&trace, i);

			if (next < trace.events_len &&
			    !(event_kind_flags(trace.events[next].kind) & EVENT_KIND_INWARD))
				assert_int_equal(next, i + 1);
		}
	}
	target->ops->free(target);
}

/* Every event that is moved behind a conflicting one is there, or was not feasible. */
static void delays_are_what_they_say(void **state)
{
	struct fake_program p = reorder(4, 0);
	struct target *target = checked_fake_create(&p);
	struct schedule schedule = {.tail = TAIL_RANDOM, .seed = 5};
	struct conflicts conflicts = {0};
	struct decision_vec decisions = {0};
	struct index_vec seconds = {0}, passed = {0};
	struct trace trace, *base;
	uint32_t feasible = 0;

	assert_true(target->ops->run(target, &schedule, &trace, NULL));
	base = trace_copy(&trace);
	conflicts_build(&conflicts, base, GRAIN_EVENT);
	for (uint32_t i = 0; i < base->events_len; i++) {
		uint32_t last = conflicts_last(&conflicts, i);
		struct schedule moved = {.tail = TAIL_FIRST, .relaxed = FOLLOW_RELAXED};

		conflicts_all(&conflicts, i, &seconds);
		assert_int_equal(last, seconds.len ? *vec_last(&seconds) : CONFLICT_NONE);
		if (last == CONFLICT_NONE)
			continue;
		for (size_t s = 0; s < seconds.len; s++) {
			const struct event *second = &base->events[seconds.items[s]];

			assert_int_not_equal(second->actor, base->events[i].actor);
			assert_true(event_conflict(&base->events[i], second));
		}
		delay_decisions(base, i, last, &decisions);
		assert_int_equal(decisions.len, base->events_len);
		moved.decisions = decisions.items;
		moved.decisions_len = (uint32_t)decisions.len;
		assert_true(target->ops->run(target, &moved, &trace, NULL));
		delay_passed(&conflicts, i, &trace, &passed);
		assert_true(passed.len <= seconds.len);
		feasible += passed.len != 0;
	}
	assert_true(feasible > 0);
	mem_free(base);
	conflicts_release(&conflicts);
	vec_release(&decisions);
	vec_release(&seconds);
	vec_release(&passed);
	target->ops->free(target);
}

/* ---- following ---- */

/* P1, its children P1.1 and P1.2, of which nobody but P1 has started. */
static const struct actor family[] = {{ACTOR_NONE, ACTOR_REAL, 1}, {0, ACTOR_REAL, 1},
				      {0, ACTOR_REAL, 2}};

static struct follower_view view_of(const struct event *announced, const uint64_t *enabled)
{
	return (struct follower_view){.enabled = enabled, .words = 1, .actors_len = 1,
				      .announced = (const char *)announced,
				      .stride = sizeof(*announced), .actors = family,
				      .known_len = 3};
}

/* P1 spawned P1.1 and P1.2; the changed test spawns only the second, as its first step. */
static const struct decision recorded[] = {
	{.actor = 0, .ordinal = 0, .kind = EVENT_ETS_READ, .object = 7},
	{.actor = 0, .ordinal = 5, .kind = EVENT_SPAWN, .creates = 3},
};

static void loose_takes_names_from_the_schedule(void **state)
{
	static struct follower f;
	const struct event announced = {.actor = 0, .ordinal = 0, .kind = EVENT_SPAWN};
	const uint64_t enabled = 1;
	struct follower_view view = view_of(&announced, &enabled);
	struct schedule schedule = {.decisions = recorded, .decisions_len = 2,
				    .tail = TAIL_STOP, .relaxed = FOLLOW_LOOSE};

	follower_start(&f, &schedule);
	assert_int_equal(follower_pick(&f, &view), 0);
	assert_int_equal(f.dropped, 1);
	assert_int_equal(follower_child(&f, 0), 2);
	assert_int_equal(follower_child(&f, 2), 3); /* taken: the next one */
	follower_took(&f, &view, &announced);
	assert_int_equal(follower_pick(&f, &view), -1);
	assert_int_equal(follower_child(&f, 0), 1);
}

/* Relaxed, ordinals count: both decisions are dropped. */
static void relaxed_drops_what_is_not_possible(void **state)
{
	static struct follower f;
	const struct event announced = {.actor = 0, .ordinal = 0, .kind = EVENT_SPAWN};
	const uint64_t enabled = 1;
	struct follower_view view = view_of(&announced, &enabled);
	struct schedule schedule = {.decisions = recorded, .decisions_len = 2,
				    .tail = TAIL_FIRST, .relaxed = FOLLOW_RELAXED};

	follower_start(&f, &schedule);
	assert_int_equal(follower_pick(&f, &view), 0); /* the tail's choice */
	assert_int_equal(f.dropped, 2);
	assert_int_equal(follower_child(&f, 0), 1);
	schedule.relaxed = FOLLOW_STRICT;
	follower_start(&f, &schedule);
	assert_int_equal(follower_pick(&f, &view), -1);
	assert_int_equal(f.end, END_DIVERGED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(procrastination_goes_far),
		cmocka_unit_test(steering_finds_reorder),
		cmocka_unit_test(surw_is_even),
		cmocka_unit_test(same_seed_same_runs),
		cmocka_unit_test(pulse_stops_at_inward_steps),
		cmocka_unit_test(delays_are_what_they_say),
		cmocka_unit_test(loose_takes_names_from_the_schedule),
		cmocka_unit_test(relaxed_drops_what_is_not_possible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
