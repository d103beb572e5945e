/* Predecessor sets: what is learned from runs written by hand (the examples of sections 3.2
 * and 3.3 of the HaPSet paper), the file, and the search on scripted programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "core/object.h"
#include "strategy/hapset.h"
#include "strategy/strategy.h"
#include "unit/engine/checked_fake.h"

enum { MAX_EVENTS = 16, P = 1, A = 2 };

struct run {
	struct event events[MAX_EVENTS];
	struct actor actors[3];
	struct trace trace;
};

static void begin(struct run *run)
{
	*run = (struct run){0};
	run->actors[0] = (struct actor){.parent = ACTOR_NONE, .nth = 1};
	run->actors[1] = run->actors[2] = (struct actor){.parent = 0, .nth = 1};
	run->trace = (struct trace){.actors = run->actors, .actors_len = 3, .events = run->events};
}

/* Statement number `site` of an actor reads or writes an object. */
static void add(struct run *run, uint32_t actor, uint64_t site, uint32_t object,
		enum access_mode mode)
{
	struct event *event = &run->events[run->trace.events_len++];

	*event = (struct event){
		.actor = actor, .site = site, .peer = ACTOR_NONE, .access_len = 1,
		.kind = mode == ACCESS_READ ? EVENT_LOAD : EVENT_STORE,
		.accesses = {{.object = OBJECT(OBJECT_MEMORY, object), .mode = mode,
			      .announced = mode}},
	};
	for (uint32_t i = 0; i + 1 < run->trace.events_len; i++)
		event->ordinal += run->events[i].actor == actor;
}

/* The paper's Figure 1: e1 p=&a; e4 p=0 by thread 1; e2 if(p); e3 *p=1 by thread 2. */
static void e1(struct run *run) { add(run, 1, 1, P, ACCESS_WRITE); }
static void e2(struct run *run) { add(run, 2, 2, P, ACCESS_READ); }
static void e3(struct run *run) { add(run, 2, 3, P, ACCESS_READ); }
static void e4(struct run *run) { add(run, 1, 4, P, ACCESS_WRITE); }

static uint32_t learn(struct hapset *set, void (*const *steps)(struct run *), size_t len)
{
	struct run run;

	begin(&run);
	for (size_t i = 0; i < len; i++)
		steps[i](&run);
	return hapset_learn(set, &run.trace);
}

static bool has(struct hapset *set, uint32_t of, uint32_t before)
{
	static const uint16_t kinds[] = {0, EVENT_STORE, EVENT_LOAD, EVENT_LOAD, EVENT_STORE};
	struct event x = {.site = of, .kind = kinds[of]};
	struct event y = {.site = before, .kind = kinds[before]};

	return hapset_has(set, hapset_pair(statement_of(&set->statements, &x),
					   statement_of(&set->statements, &y)));
}

static void learns_the_atomic_block(void **state)
{
	void (*const serial[])(struct run *) = {e1, e2, e3, e4};
	void (*const after[])(struct run *) = {e1, e4, e2};
	void (*const early[])(struct run *) = {e2, e1, e4};
	void (*const violation[])(struct run *) = {e1, e2, e4, e3};
	struct hapset set = {0};

	assert_int_equal(learn(&set, serial, 4), 2);
	assert_int_equal(learn(&set, after, 3), 1);
	assert_int_equal(learn(&set, early, 3), 1);
	assert_int_equal(learn(&set, serial, 4), 0);
	assert_int_equal(set.pairs.len, 4);
	assert_true(has(&set, 1, 2));
	assert_true(has(&set, 2, 1) && has(&set, 2, 4));
	assert_true(has(&set, 4, 3));
	/* Only the violation is news. */
	assert_int_equal(learn(&set, violation, 4), 2);
	assert_true(has(&set, 3, 4) && has(&set, 4, 2));
	hapset_release(&set);
}

static void ignores_unlocks(void **state)
{
	struct hapset set = {0};
	struct run run;

	begin(&run);
	for (uint32_t actor = 1; actor < 3; actor++) {
		add(&run, actor, 10, A, ACCESS_ACQUIRE);
		add(&run, actor, 11, A, ACCESS_RELEASE);
	}
	assert_int_equal(hapset_learn(&set, &run.trace), 1);
	assert_int_equal(set.pairs.entries[0].key, hapset_pair(0, 0));
	hapset_release(&set);
}

static void file_is_merged(void **state)
{
	static const char text[] = "fermata hapset 1\n"
				   "# of yesterday\n"
				   "q.c:2 lock < main.c:9\n"
				   "\tq.c:7 lock\n"
				   "a.c:1 load\n"
				   "\tq.c:7 lock\n"
				   "\ta.c:4 store\n";
	struct hapset set = {0}, other = {0};
	struct strbuf out = {0}, again = {0};
	struct err err = {0};

	assert_true(hapset_read(&set, text, &err));
	assert_true(hapset_read(&set, text, &err));
	assert_int_equal(set.pairs.len, 3);
	assert_int_equal(set.read_len, 3);
	hapset_write(&set, &out);
	assert_string_equal(strbuf_text(&out), "fermata hapset 1\n"
					       "a.c:1 load\n"
					       "\ta.c:4 store\n"
					       "\tq.c:7 lock\n"
					       "q.c:2 lock < main.c:9\n"
					       "\tq.c:7 lock\n");
	assert_true(hapset_read(&other, strbuf_text(&out), &err));
	hapset_write(&other, &again);
	assert_string_equal(strbuf_text(&out), strbuf_text(&again));
	strbuf_release(&out);
	strbuf_release(&again);
	hapset_release(&set);
	hapset_release(&other);
}

static void bad_files_are_refused(void **state)
{
	struct hapset set = {0};
	struct err err = {0};

	assert_false(hapset_read(&set, "", &err));
	assert_false(hapset_read(&set, "something else\n", &err));
	assert_false(hapset_read(&set, "fermata hapset 2\n", &err));
	assert_non_null(strstr(err.message, "another version"));
	assert_false(hapset_read(&set, "fermata hapset 1\n\tnobody's\n", &err));
	assert_non_null(strstr(err.message, "line 2"));
	assert_int_equal(set.pairs.len, 0);
	hapset_release(&set);
}

/* Whatever stands in a file, it is read or refused; what was read is written and read again. */
static void broken_files_do_no_harm(void **state)
{
	static const char text[] = "fermata hapset 1\nq.c:2 lock\n\tq.c:7 lock < m.c:1\n\tx\n";
	struct rng rng = rng_seeded(7);

	for (uint32_t n = 0; n < 2000; n++) {
		struct hapset set = {0}, again = {0};
		struct strbuf out = {0};
		struct err err = {0};
		char broken[sizeof(text)];

		memcpy(broken, text, sizeof(text));
		for (uint32_t k = 0; k < 3; k++)
			broken[rng_below(&rng, sizeof(text) - 1)] =
				"\n\t #\xff:<"[rng_below(&rng, 7)];
		if (hapset_read(&set, broken, &err)) {
			hapset_write(&set, &out);
			assert_true(hapset_read(&again, strbuf_text(&out), &err));
			assert_int_equal(again.pairs.len, set.pairs.len);
		} else {
			assert_true(err.message[0]);
		}
		strbuf_release(&out);
		hapset_release(&set);
		hapset_release(&again);
	}
}

/* Runs until nothing is left or a run aborts; returns the number of runs, 0 if none did. */
static uint32_t hunt(const struct fake_program *program, struct hapset *set, uint32_t *runs)
{
	struct strategy_params params = {.seed = 1, .bound = UINT32_MAX, .hapset = set};
	struct strategy *strategy = strategy_create("hapset", &params);
	struct target *target = checked_fake_create(program);
	const struct trace *known;
	struct schedule schedule;
	struct trace trace;
	bool found = false;

	*runs = 0;
	while (!found && strategy->ops->next(strategy, &schedule, &known)) {
		assert_null(known);
		assert_true(target->ops->run(target, &schedule, &trace, NULL));
		++*runs;
		assert_true(*runs < 1000);
		found = trace.end == END_ABORT;
		if (!found)
			strategy->ops->learn(strategy, &trace);
	}
	assert_non_null(strategy->ops->left_out(strategy));
	target->ops->free(target);
	strategy->ops->free(strategy);
	return found;
}

/* Figure 1 as a program, with 0 for a pointer that may be used: thread 2 looks, leaves if it
 * may not, and uses it; thread 1 takes it away. */
static void finds_the_violation(void **state)
{
	const struct fake_program program = {
		.threads_len = 2,
		.lens = {1, 5},
		.steps = {{{FAKE_WRITE, 0, 1}},
			  {{FAKE_READ, 0, 0}, {FAKE_SKIP_IF_ZERO, 0, 1}, {FAKE_EXIT, 0, 0},
			   {FAKE_READ, 0, 0}, {FAKE_ASSERT_ZERO, 0, 0}}},
	};
	uint32_t runs;

	assert_true(hunt(&program, NULL, &runs));
	assert_true(runs <= 4);
}

/* The steps of a loop's turn are the same statements in every turn. */
static uint32_t place_in_turn(void *ctx, const struct event *event, struct statement_place *places,
			      uint32_t max)
{
	places[0] = (struct statement_place){
		.file = event->site < 100 ? "waiter.c" : "writer.c",
		.line = (uint32_t)(event->site % 100 % 3),
	};
	return 1;
}

static uint32_t runs_of_busy_waiting(uint32_t turns)
{
	struct fake_program program = {.threads_len = 2, .lens = {turns * 3, 3}};
	struct hapset set = {.statements = {.places = place_in_turn}};
	uint32_t runs;

	for (uint32_t t = 0; t < turns; t++) {
		program.steps[0][t * 3] = (struct fake_step){FAKE_LOCK, 1, 0};
		program.steps[0][t * 3 + 1] = (struct fake_step){FAKE_READ, 0, 0};
		program.steps[0][t * 3 + 2] = (struct fake_step){FAKE_UNLOCK, 1, 0};
	}
	program.steps[1][0] = (struct fake_step){FAKE_LOCK, 1, 0};
	program.steps[1][1] = (struct fake_step){FAKE_WRITE, 0, 1};
	program.steps[1][2] = (struct fake_step){FAKE_UNLOCK, 1, 0};
	assert_false(hunt(&program, &set, &runs));
	hapset_release(&set);
	return runs;
}

/* Figure 2: a loop that waits for another thread. One run per turn would be a new class
 * each; two runs show all pairs. */
static void busy_waiting_costs_two_runs(void **state)
{
	assert_int_equal(runs_of_busy_waiting(2), 2);
	assert_int_equal(runs_of_busy_waiting(7), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(learns_the_atomic_block),
		cmocka_unit_test(ignores_unlocks),
		cmocka_unit_test(file_is_merged),
		cmocka_unit_test(bad_files_are_refused),
		cmocka_unit_test(broken_files_do_no_harm),
		cmocka_unit_test(finds_the_violation),
		cmocka_unit_test(busy_waiting_costs_two_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
