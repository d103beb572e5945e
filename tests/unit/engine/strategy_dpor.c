/* dpor against dfs on generated programs: the same classes, each exactly once, the
 * same outcomes; and the exact counts of programs whose number of classes is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/map.h"
#include "base/rng.h"
#include "core/order.h"
#include "strategy/strategy.h"
#include "unit/engine/checked_fake.h"
#include "unit/engine/programs.h"

struct explored {
	struct map classes;  /* class hash -> runs */
	struct map outcomes; /* outcome hash -> runs */
	uint64_t runs, blocked, diverged;
};

static void explored_release(struct explored *e)
{
	map_release(&e->classes);
	map_release(&e->outcomes);
}

/* Makes some of the later runs already, as the explorer does, and the asked one again. */
static void run_ahead(struct strategy *strategy, struct target *target,
		      const struct schedule *schedule, struct trace *trace)
{
	struct schedule later[4];
	uint32_t len = strategy->ops->ahead ? strategy->ops->ahead(strategy, later, 4) : 0;

	for (uint32_t i = 0; i < len; i++) {
		assert_true(target->ops->run(target, &later[i], trace, NULL));
		strategy->ops->offer(strategy, i, trace);
	}
	if (len)
		assert_true(target->ops->run(target, schedule, trace, NULL));
}

/* Returns false when the limit was reached. */
static bool explore(const char *name, const struct fake_program *program, uint64_t limit,
		    struct explored *e)
{
	struct strategy_params params = {.seed = 1, .bound = UINT32_MAX, .depth = 3};
	struct strategy *strategy = strategy_create(name, &params);
	struct target *target = checked_fake_create(program);
	struct order order = {0};
	struct schedule schedule;
	const struct trace *known;
	struct trace trace;

	memset(e, 0, sizeof(*e));
	while (e->runs < limit && strategy->ops->next(strategy, &schedule, &known)) {
		if (known)
			trace = *known;
		else
			assert_true(target->ops->run(target, &schedule, &trace, NULL));
		if (!known)
			run_ahead(strategy, target, &schedule, &trace);
		e->runs++;
		e->blocked += trace.end == END_ASLEEP;
		e->diverged += trace.end == END_DIVERGED;
		if (trace.end != END_ASLEEP && trace.end != END_DIVERGED) {
			order_build(&order, &trace, 0);
			++*map_put(&e->classes, order_class_hash(&order), NULL);
			++*map_put(&e->outcomes, trace_outcome_hash(&trace), NULL);
		}
		strategy->ops->learn(strategy, &trace);
	}
	order_release(&order);
	target->ops->free(target);
	strategy->ops->free(strategy);
	return e->runs < limit;
}

static uint64_t count_dpor(const struct fake_program *p)
{
	struct explored e;

	assert_true(explore("dpor", p, 1000000, &e));
	assert_int_equal(e.blocked, 0);
	assert_int_equal(e.diverged, 0);
	assert_int_equal(e.classes.len, e.runs);
	explored_release(&e);
	return e.runs;
}

static void counts_readers_and_writers(void **state)
{
	struct fake_program readers = {.threads_len = 5};
	struct fake_program writers = {.threads_len = 5};

	add(&readers, 0, FAKE_WRITE, 0, 1);
	for (uint32_t t = 1; t < 5; t++)
		add(&readers, t, FAKE_READ, 0, 0);
	assert_int_equal(count_dpor(&readers), 16);
	add(&writers, 0, FAKE_READ, 0, 0);
	for (uint32_t t = 1; t < 5; t++)
		add(&writers, t, FAKE_WRITE, 0, (int)t);
	assert_int_equal(count_dpor(&writers), 120);
}

static void counts_locks(void **state)
{
	struct fake_program p = {.threads_len = 3};

	for (uint32_t t = 0; t < 3; t++)
		for (int i = 0; i < 3; i++) {
			add(&p, t, FAKE_LOCK, 0, 0);
			add(&p, t, FAKE_UNLOCK, 0, 0);
		}
	assert_int_equal(count_dpor(&p), 1680);
}

static void counts_lastzero(void **state)
{
	struct fake_program p = {.threads_len = 6};

	/* thread 0 goes down from a[5] to the first zero: after reading a[i], if it is 0,
	 * skip everything that is left */
	for (int i = 5; i > 0; i--) {
		add(&p, 0, FAKE_READ, i, 0);
		add(&p, 0, FAKE_SKIP_IF_ZERO, 0, 2 * (i - 1) + 1);
	}
	add(&p, 0, FAKE_READ, 0, 0);
	for (uint32_t t = 1; t < 6; t++) {
		add(&p, t, FAKE_READ, (int)t - 1, 0);
		add(&p, t, FAKE_COPY, (int)t, 0);
	}
	assert_int_equal(count_dpor(&p), 64);
}

/* Steps behind the second event of a race may wake who sleeps, so that the reversal is not
 * covered by what was explored before. */
static void counts_what_wakes_sleepers(void **state)
{
	struct fake_program p = {.threads_len = 4};

	add(&p, 0, FAKE_READ, 2, 0);
	add(&p, 1, FAKE_READ, 2, 0);
	add(&p, 1, FAKE_LOCK, 1, 0);
	add(&p, 1, FAKE_READ, 2, 0);
	add(&p, 1, FAKE_READ, 0, 0);
	add(&p, 1, FAKE_COND_SIGNAL, 0, 0);
	add(&p, 1, FAKE_COND_WAIT, 1, 1);
	add(&p, 1, FAKE_UNLOCK, 1, 0);
	add(&p, 2, FAKE_WRITE, 2, 2);
	add(&p, 3, FAKE_COND_SIGNAL, 1, 0);
	add(&p, 3, FAKE_TRYLOCK, 1, 2);
	add(&p, 3, FAKE_READ, 2, 0);
	add(&p, 3, FAKE_UNLOCK, 1, 0);
	assert_int_equal(count_dpor(&p), 46);
}

/* A branch made of less than the whole reversal is taken for one that covers more. */
static void counts_whole_reversals(void **state)
{
	struct fake_program p = {.threads_len = 4};

	add(&p, 0, FAKE_READ, 2, 0);
	add(&p, 1, FAKE_COND_SIGNAL, 1, 0);
	add(&p, 2, FAKE_READ, 2, 0);
	add(&p, 2, FAKE_WRITE, 2, 1);
	add(&p, 3, FAKE_LOCK, 1, 0);
	add(&p, 3, FAKE_READ, 2, 0);
	add(&p, 3, FAKE_COND_WAIT, 1, 1);
	add(&p, 3, FAKE_READ, 2, 0);
	assert_int_equal(count_dpor(&p), 10);
}

/* A reversal that another actor's sleeping step covers in one run is not covered in a run that
 * begins alike and then has a step which depends on the sleeper. */
static void counts_runs_that_go_on_otherwise(void **state)
{
	struct fake_program p = {.threads_len = 4};

	add(&p, 0, FAKE_WRITE, 1, 2);
	add(&p, 1, FAKE_READ, 0, 0);
	add(&p, 1, FAKE_READ, 0, 0);
	add(&p, 1, FAKE_WRITE, 2, 1);
	add(&p, 1, FAKE_LOCK, 0, 0);
	add(&p, 1, FAKE_UNLOCK, 0, 0);
	add(&p, 2, FAKE_WRITE, 2, 2);
	add(&p, 2, FAKE_WRITE, 0, 2);
	add(&p, 3, FAKE_READ, 0, 0);
	add(&p, 3, FAKE_LOCK, 0, 0);
	add(&p, 3, FAKE_UNLOCK, 0, 0);
	add(&p, 3, FAKE_READ, 1, 0);
	add(&p, 3, FAKE_WRITE, 0, 1);
	assert_int_equal(count_dpor(&p), 66);
}

/* Any set of the others' steps may come before the end. */
static void counts_ends(void **state)
{
	struct fake_program p = {.threads_len = 4};

	add(&p, 0, FAKE_EXIT, 0, 0);
	add(&p, 1, FAKE_COND_SIGNAL, 1, 0);
	add(&p, 2, FAKE_COND_SIGNAL, 1, 0);
	add(&p, 3, FAKE_WRITE, 1, 1);
	assert_int_equal(count_dpor(&p), 8);
}

/* A failed assertion ends the run. Steps that were added below the end of a run made ahead, while
 * it waited for its turn, are not runs: there were 158 for these 154 classes. */
static void counts_no_steps_behind_an_end(void **state)
{
	struct fake_program p = {.threads_len = 3};

	add(&p, 0, FAKE_WRITE, 1, 2);
	add(&p, 0, FAKE_READ, 1, 0);
	add(&p, 0, FAKE_ASSERT_ZERO, 0, 0);
	add(&p, 0, FAKE_WRITE, 2, 0);
	add(&p, 1, FAKE_COPY, 1, 0);
	add(&p, 1, FAKE_READ, 1, 0);
	add(&p, 1, FAKE_ASSERT_ZERO, 0, 0);
	add(&p, 2, FAKE_COND_SIGNAL, 1, 0);
	add(&p, 2, FAKE_LOCK, 1, 0);
	add(&p, 2, FAKE_READ, 3, 0);
	add(&p, 2, FAKE_UNLOCK, 1, 0);
	add(&p, 2, FAKE_READ, 1, 0);
	add(&p, 2, FAKE_ASSERT_ZERO, 0, 0);
	assert_int_equal(count_dpor(&p), 154);
}

/* ---- generated programs ---- */

static bool same_keys(const struct map *a, const struct map *b)
{
	if (a->len != b->len)
		return false;
	for (size_t i = 0; i < a->len; i++)
		if (!map_get(b, a->entries[i].key))
			return false;
	return true;
}

static void agrees_with_dfs(void **state)
{
	const char *programs = getenv("FERMATA_TEST_PROGRAMS");
	uint64_t count = programs ? strtoull(programs, NULL, 10) : 1000;
	struct rng rng = rng_seeded(7);
	uint64_t compared = 0;

	for (uint64_t i = 0; i < count; i++) {
		struct fake_program p;
		struct explored dfs, dpor;

		generate(&p, &rng);
		if (!explore("dfs", &p, 20000, &dfs)) {
			explored_release(&dfs);
			continue;
		}
		compared++;
		assert_true(explore("dpor", &p, 20000, &dpor));
		if (!same_keys(&dfs.classes, &dpor.classes) ||
		    !same_keys(&dfs.outcomes, &dpor.outcomes) || dpor.blocked || dpor.diverged ||
		    dpor.runs != dpor.classes.len) {
			print_program(&p);
			fail_msg("program %lu: dfs %zu classes %zu outcomes; dpor %lu runs %zu "
				 "classes %zu outcomes %lu blocked %lu diverged",
				 i, dfs.classes.len, dfs.outcomes.len, dpor.runs, dpor.classes.len,
				 dpor.outcomes.len, dpor.blocked, dpor.diverged);
		}
		explored_release(&dfs);
		explored_release(&dpor);
	}
	assert_true(compared > count / 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_readers_and_writers),
		cmocka_unit_test(counts_locks),
		cmocka_unit_test(counts_lastzero),
		cmocka_unit_test(counts_what_wakes_sleepers),
		cmocka_unit_test(counts_whole_reversals),
		cmocka_unit_test(counts_runs_that_go_on_otherwise),
		cmocka_unit_test(counts_ends),
		cmocka_unit_test(counts_no_steps_behind_an_end),
		cmocka_unit_test(agrees_with_dfs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
