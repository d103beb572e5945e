/* bounded (with reduction) against bounded-plain on generated programs: with each bound it finds
 * every class and every outcome that the plain search finds, and the exact counts of programs whose
 * number of classes is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/map.h"
#include "base/rng.h"
#include "core/class.h"
#include "strategy/strategy.h"
#include "unit/engine/checked_fake.h"
#include "unit/engine/programs.h"

struct explored {
	struct map classes;  /* class hash -> runs */
	struct map outcomes; /* outcome hash -> runs */
	uint64_t runs, blocked;
	bool cut; /* runs beyond the bound are left */
};

static void explored_release(struct explored *e)
{
	map_release(&e->classes);
	map_release(&e->outcomes);
}

/* Returns false when the limit was reached. */
static bool explore(const char *name, const struct fake_program *program, enum bound_kind kind,
		    uint32_t bound, uint64_t limit, struct explored *e)
{
	struct strategy_params params = {.seed = 1, .bound = bound, .bound_kind = kind};
	struct strategy *strategy = strategy_create(name, &params);
	struct target *target = checked_fake_create(program);
	struct schedule schedule;
	const struct trace *known;
	struct trace trace;

	memset(e, 0, sizeof(*e));
	while (e->runs < limit && strategy->ops->next(strategy, &schedule, &known)) {
		assert_true(target->ops->run(target, &schedule, &trace, NULL));
		assert_int_not_equal(trace.end, END_DIVERGED);
		e->runs++;
		e->blocked += trace.end == END_ASLEEP;
		if (trace.end != END_ASLEEP) {
			++*map_put(&e->classes, class_hash(&trace), NULL);
			++*map_put(&e->outcomes, trace_outcome_hash(&trace), NULL);
		}
		strategy->ops->learn(strategy, &trace);
	}
	e->cut = strategy->ops->left_out(strategy) != NULL;
	target->ops->free(target);
	strategy->ops->free(strategy);
	return e->runs < limit;
}

/* Six writers of different values: a class is an order of the writes, a delay is an inversion. */
static void counts_inversions(void **state)
{
	const uint64_t delays[] = {1, 6, 20, 49, 98, 169, 259, 360};
	struct fake_program p = {.threads_len = 6};
	struct explored e;

	for (uint32_t t = 0; t < 6; t++)
		add(&p, t, FAKE_WRITE, 0, (int)t + 1);
	for (uint32_t bound = 0; bound < 8; bound++) {
		assert_true(explore("bounded", &p, BOUND_DELAYS, bound, 100000, &e));
		assert_int_equal(e.runs, delays[bound]);
		assert_true(e.cut);
		explored_release(&e);
	}
	assert_true(explore("bounded", &p, BOUND_PREEMPTIONS, 0, 100000, &e));
	assert_int_equal(e.runs, 720);
	assert_false(e.cut);
	explored_release(&e);
}

/* Two threads that write a variable three times each. The number of preemptions of a class is the
 * number of times that a thread is left before its last write. */
static void counts_preemptions(void **state)
{
	const uint64_t counts[] = {2, 6, 14, 18, 20};
	struct fake_program p = {.threads_len = 2};
	struct explored e;

	for (uint32_t i = 0; i < 6; i++)
		add(&p, i % 2, FAKE_WRITE, 0, (int)i + 1);
	for (uint32_t bound = 0; bound < 5; bound++) {
		assert_true(explore("bounded", &p, BOUND_PREEMPTIONS, bound, 100000, &e));
		assert_int_equal(e.runs, counts[bound]);
		assert_int_equal(e.cut, bound < 4);
		explored_release(&e);
	}
}

/* Six threads that read a variable and write it. The reads commute, so that many of them sleep: a
 * beginning in which a sleeper is passed over costs that, too, and few runs are made beyond the
 * bound. */
static void counts_passed_sleepers(void **state)
{
	const uint64_t classes[] = {1, 11, 60}, counts[] = {1, 11, 64};
	struct fake_program p = {.threads_len = 6};
	struct explored plain, reduced;

	for (uint32_t t = 0; t < 6; t++) {
		add(&p, t, FAKE_READ, 0, 0);
		add(&p, t, FAKE_WRITE, 0, (int)t + 1);
	}
	for (uint32_t bound = 0; bound < 3; bound++) {
		assert_true(explore("bounded-plain", &p, BOUND_DELAYS, bound, 100000, &plain));
		assert_true(explore("bounded", &p, BOUND_DELAYS, bound, 100000, &reduced));
		assert_int_equal(plain.classes.len, classes[bound]);
		assert_int_equal(reduced.runs, counts[bound]);
		explored_release(&plain);
		explored_release(&reduced);
	}
}

/* ---- generated programs ---- */

static bool has_keys(const struct map *a, const struct map *b)
{
	for (size_t i = 0; i < b->len; i++)
		if (!map_get(a, b->entries[i].key))
			return false;
	return true;
}

/* Returns whether plain came to its end; then the other one must have found as much. */
static bool compare(const struct fake_program *p, uint64_t number, enum bound_kind kind,
		    uint32_t bound, uint64_t runs[2])
{
	struct explored plain, reduced;

	if (!explore("bounded-plain", p, kind, bound, 20000, &plain)) {
		explored_release(&plain);
		return false;
	}
	assert_true(explore("bounded", p, kind, bound, 20000, &reduced));
	if (!has_keys(&reduced.classes, &plain.classes) ||
	    !has_keys(&reduced.outcomes, &plain.outcomes) || (!plain.cut && reduced.cut)) {
		print_program(p);
		fail_msg("program %lu, kind %d, bound %u: plain %lu runs %zu classes %zu outcomes; "
			 "reduced %lu runs %zu classes %zu outcomes %lu blocked",
			 number, kind, bound, plain.runs, plain.classes.len, plain.outcomes.len,
			 reduced.runs, reduced.classes.len, reduced.outcomes.len, reduced.blocked);
	}
	runs[0] += plain.runs;
	runs[1] += reduced.runs;
	explored_release(&plain);
	explored_release(&reduced);
	return true;
}

static void agrees_with_plain(void **state)
{
	const char *programs = getenv("FERMATA_TEST_PROGRAMS");
	uint64_t count = programs ? strtoull(programs, NULL, 10) : 300;
	struct rng rng = rng_seeded(11);
	uint64_t compared = 0, runs[2] = {0};

	for (uint64_t i = 0; i < count; i++) {
		struct fake_program p;

		generate(&p, &rng);
		for (uint32_t bound = 0; bound < 4; bound++) {
			compared += compare(&p, i, BOUND_PREEMPTIONS, bound, runs);
			compared += compare(&p, i, BOUND_DELAYS, bound, runs);
		}
	}
	print_message("%lu compared: %lu runs plain, %lu reduced\n", compared, runs[0], runs[1]);
	assert_true(compared > 4 * count);
	assert_true(runs[1] < runs[0] / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_inversions),
		cmocka_unit_test(counts_preemptions),
		cmocka_unit_test(counts_passed_sleepers),
		cmocka_unit_test(agrees_with_plain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
