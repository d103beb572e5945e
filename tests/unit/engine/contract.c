/* The contract of targets: the runs of the scripted target keep it, and each damage done to such a
 * run on purpose is found and named. A check that accepts everything fails here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "target/checked.h"
#include "target/contract.h"
#include "target/fake.h"

/* Two threads that write under a lock and one that reads without it. Undamaged and run first to
 * last: P1 lock store unlock, P1.1 lock store unlock, P1.2 load. */
static const struct fake_program program = {
	.threads_len = 3,
	.lens = {3, 3, 1},
	.steps = {
		{{FAKE_LOCK, 0, 0}, {FAKE_WRITE, 1, 1}, {FAKE_UNLOCK, 0, 0}},
		{{FAKE_LOCK, 0, 0}, {FAKE_WRITE, 1, 2}, {FAKE_UNLOCK, 0, 0}},
		{{FAKE_READ, 1, 0}},
	},
};

/* Each waits for the other: a deadlock once both have their first lock. */
static const struct fake_program crossed = {
	.threads_len = 2,
	.lens = {2, 2},
	.steps = {{{FAKE_LOCK, 0, 0}, {FAKE_LOCK, 1, 0}}, {{FAKE_LOCK, 1, 0}, {FAKE_LOCK, 0, 0}}},
};

/* A run that a test may damage. */
struct run {
	struct schedule schedule;
	struct trace *trace; /* owned, a copy */
	struct event *events, *pending; /* of the trace, to be written to */
	uint64_t *enabled;
};

static struct run make_run(const struct fake_program *of, const struct schedule *schedule)
{
	struct target *target = fake_create(of);
	struct run r = {.schedule = *schedule};
	struct trace trace;

	assert_true(target->ops->run(target, schedule, &trace, NULL));
	r.trace = trace_copy(&trace);
	target->ops->free(target);
	r.events = (struct event *)r.trace->events;
	r.pending = (struct event *)r.trace->pending;
	r.enabled = (uint64_t *)r.trace->enabled;
	return r;
}

static bool holds(const struct run *r, struct strbuf *why)
{
	struct contract contract = {0};
	bool result = contract_holds(&contract, &r->schedule, r->trace, why);

	contract_release(&contract);
	return result;
}

/* Damages a run of `program` and expects these words. */
static void expect(const struct fake_program *of, const struct schedule *schedule,
		   void (*damage)(struct run *r), const char *words)
{
	struct run r = make_run(of, schedule);
	struct strbuf why = {0};

	if (!holds(&r, &why))
		fail_msg("undamaged: %s", strbuf_text(&why));
	damage(&r);
	if (holds(&r, &why))
		fail_msg("not found: %s", words);
	if (!strstr(strbuf_text(&why), words))
		fail_msg("\"%s\" instead of \"%s\"", strbuf_text(&why), words);
	strbuf_release(&why);
	mem_free(r.trace);
}

static const struct schedule first = {.tail = TAIL_FIRST};

/* ---- the damages ---- */

static void damage_actor(struct run *r) { r->events[2].actor = 77; }
static void damage_kind(struct run *r) { r->events[2].kind = EVENT_KINDS; }
static void damage_mode(struct run *r) { r->events[2].accesses[0].mode = ACCESS_MODES; }
static void damage_class(struct run *r)
{
	r->events[2].accesses[0].object = OBJECT(OBJECT_CLASSES, 1);
}
static void damage_object(struct run *r) { r->events[2].accesses[0].object = 0; }
static void damage_ordinal(struct run *r) { r->events[2].ordinal = 5; }
static void damage_announced(struct run *r)
{
	r->events[1].accesses[0].announced = ACCESS_READ; /* and wrote */
}
static void damage_enabled(struct run *r) { r->enabled[3] &= ~(uint64_t)2; }
static void damage_nobody(struct run *r) { r->enabled[3] |= 1 << 7; }
static void damage_silent(struct run *r)
{
	r->enabled[6] |= 1; /* P1 has finished */
}
static void damage_change(struct run *r)
{
	r->enabled[1] &= ~(uint64_t)4; /* P1.2, which only reads, kept back by a lock */
}
static void damage_owned(struct run *r)
{
	event_set_owner(&r->events[6], 0); /* P1.2 as a timer of P1, which goes on without it */
}
static void damage_end(struct run *r) { r->trace->end = END_DEADLOCK; }
static void damage_exit(struct run *r) { r->trace->end = END_EXIT; }
static void damage_last(struct run *r) { r->events[1].kind = EVENT_EXIT; }
static void damage_dropped(struct run *r) { r->trace->dropped = 1; }
static void damage_asleep(struct run *r) { r->trace->end = END_ASLEEP; }
static void damage_schedule(struct run *r) { r->schedule.seed++; }

static void test_shape(void **state)
{
	expect(&program, &first, damage_actor, "step 3: the event's actor is not in the table");
	expect(&program, &first, damage_kind, "kind does not exist");
	expect(&program, &first, damage_mode, "step 3 (unlock of P1): an access has a mode");
	expect(&program, &first, damage_class, "object of a class that does not exist");
	expect(&program, &first, damage_object, "is to no object");
	expect(&program, &first, damage_ordinal, "has the ordinal 5");
	expect(&program, &first, damage_announced, "(write) is stronger than");
	expect(&program, &first, damage_last, "went on after an event that ends it");
}

static void test_enabled(void **state)
{
	expect(&program, &first, damage_enabled, "the actor ran and was not enabled");
	expect(&program, &first, damage_nobody, "is enabled and does not exist");
	expect(&program, &first, damage_silent, "P1 is enabled and has not announced a step");
	expect(&program, &first, damage_change, "P1.2 stopped being enabled by it");
	expect(&program, &first, damage_owned, "P1.2 was enabled and not withdrawn by this step");
}

static void test_end(void **state)
{
	expect(&program, &first, damage_end, "a deadlock with nobody waiting");
	expect(&program, &first, damage_exit, "its last event is not exit");
	expect(&program, &first, damage_dropped, "1 decisions were dropped, 0 could not");
	expect(&program, &first, damage_asleep, "ended as asleep with nobody enabled");
}

static void stays_enabled(struct run *r) { r->enabled[2] = 1; }

static void test_deadlock(void **state)
{
	static const struct decision decisions[] = {
		{.actor = 0, .kind = DECISION_ANY}, {.actor = 1, .kind = DECISION_ANY}};
	struct schedule schedule = {.decisions = decisions, .decisions_len = 2};

	expect(&crossed, &schedule, stays_enabled, "ended as deadlock and P1 was enabled");
}

/* ---- following ---- */

static void swap_decisions(struct run *r)
{
	static const struct decision other[] = {{.actor = 2, .kind = DECISION_ANY}};

	r->schedule.decisions = other;
}

static void want_impossible(struct run *r)
{
	static const struct decision other[] = {
		{.actor = 1, .ordinal = 2, .kind = EVENT_UNLOCK}};

	r->schedule.decisions = other;
}

static void sleep_all(struct run *r)
{
	static struct event sleeper;

	sleeper = r->events[0];
	r->schedule.sleepers = &sleeper;
	r->schedule.sleepers_len = 1;
}

static void test_following(void **state)
{
	static const struct decision one[] = {{.actor = 1, .kind = DECISION_ANY}};
	struct schedule strict = {.decisions = one, .decisions_len = 1};
	struct schedule relaxed = {.decisions = one, .decisions_len = 1,
				   .relaxed = FOLLOW_RELAXED};
	struct schedule random = {.tail = TAIL_RANDOM, .seed = 7};

	expect(&program, &strict, swap_decisions, "by the schedule P1.2 goes");
	expect(&program, &strict, want_impossible, "by the schedule the run ends before it");
	expect(&program, &relaxed, want_impossible, "by the schedule P1 goes");
	expect(&program, &random, damage_schedule, "by the schedule");
	expect(&program, &first, sleep_all, "by the schedule P1.1 goes");
}

/* Every policy, many seeds: nothing to report on a target that keeps its promises. */
static void test_policies(void **state)
{
	static const uint32_t tails[] = {TAIL_FIRST, TAIL_RANDOM, TAIL_PCT, TAIL_POS, TAIL_SURW};

	for (uint32_t i = 0; i < 500; i++) {
		struct schedule schedule = {.tail = tails[i % 5], .seed = i, .depth = 3,
					    .steps_estimate = 7, .grain = i % 2};
		struct run r = make_run(i % 3 ? &program : &crossed, &schedule);
		struct strbuf why = {0};

		if (!holds(&r, &why))
			fail_msg("%s", strbuf_text(&why));
		mem_free(r.trace);
	}
}

/* ---- the wrapper ---- */

/* A target that gives another value every second time; a twin of it has a wrong ordinal. */
struct moody {
	struct target base;
	struct target *fake;
	uint32_t runs;
	bool is_twin;
};

static bool moody_run(struct target *self, const struct schedule *schedule, struct trace *trace,
		      struct err *err)
{
	struct moody *m = (struct moody *)self;
	bool ok = m->fake->ops->run(m->fake, schedule, trace, err);

	if (m->is_twin)
		((struct event *)trace->events)[6].ordinal = 3;
	else if (m->runs++ % 2)
		((struct event *)trace->events)[6].value = 42;
	return ok;
}

static uint32_t moody_run_many(struct target *self, const struct schedule *schedules, uint32_t len,
			       struct trace *traces, struct err *err)
{
	return moody_run(self, schedules, traces, err) ? 1 : 0;
}

static struct target *moody_again(struct target *self, struct err *err)
{
	static struct moody twin;

	twin = (struct moody){.base.ops = self->ops, .fake = fake_create(&program),
			      .is_twin = true};
	return &twin.base;
}

static void moody_free(struct target *self)
{
	struct moody *m = (struct moody *)self;

	m->fake->ops->free(m->fake);
}

static const struct target_ops moody_ops = {.run = moody_run, .run_many = moody_run_many,
					    .again = moody_again, .free = moody_free};

static char reported[200];

static void note(const char *text)
{
	snprintf(reported, sizeof(reported), "%s", text);
}

static void test_sample(void **state)
{
	struct checked_options options = {.sample = 3, .on_broken = note};

	for (int many = 0; many < 2; many++) {
		struct moody moody = {.base.ops = &moody_ops, .fake = fake_create(&program)};
		struct target *target = target_checked(&moody.base, &options);
		struct trace trace;
		struct err err = {0};

		reported[0] = '\0';
		assert_ptr_equal(target_unwrapped(target), &moody.base);
		assert_null(target->ops->describe_step);
		if (many)
			assert_int_equal(target->ops->run_many(target, &first, 1, &trace, &err), 0);
		else
			assert_false(target->ops->run(target, &first, &trace, &err));
		assert_int_equal(moody.runs, 2);
		assert_int_equal(err.kind, ERR_UNSUPPORTED);
		assert_string_equal(err.message, reported);
		assert_string_equal(reported, "the target broke its contract: step 7 (load of P1.2): "
				    "the same schedule gave another event when it was run again");
		err = (struct err){0};
		assert_false(target->ops->run(target, &first, &trace, &err)); /* nor ever after */
		assert_int_equal(moody.runs, 2);
		assert_string_equal(err.message, reported);
		target->ops->free(target);
	}
}

/* A twin that breaks the contract takes the first one with it. */
static void test_twin(void **state)
{
	struct checked_options options = {.sample = 0};
	struct moody moody = {.base.ops = &moody_ops, .fake = fake_create(&program)};
	struct target *target = target_checked(&moody.base, &options);
	struct target *twin = target->ops->again(target, NULL);
	struct trace trace;
	struct err err = {0};

	assert_true(target->ops->run(target, &first, &trace, &err));
	assert_true(target->ops->run(target, &first, &trace, &err)); /* other, but not compared */
	assert_false(twin->ops->run(twin, &first, &trace, &err));
	assert_non_null(strstr(err.message, "has the ordinal 3"));
	twin->ops->free(twin);
	assert_false(target->ops->run(target, &first, &trace, &err));
	target->ops->free(target);
}

/* The scripted target is run twice, every time, and nothing is found. */
static void test_keeps(void **state)
{
	struct checked_options options = {.sample = 1};
	struct target *target = target_checked(fake_create(&program), &options);
	struct trace trace;

	for (uint32_t i = 0; i < 100; i++) {
		struct schedule schedule = {.tail = TAIL_RANDOM, .seed = i};

		assert_true(target->ops->run(target, &schedule, &trace, NULL));
		assert_int_equal(trace.events_len, 7);
	}
	assert_null(target->ops->run_many);
	target->ops->free(target);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shape),     cmocka_unit_test(test_enabled),
		cmocka_unit_test(test_end),       cmocka_unit_test(test_deadlock),
		cmocka_unit_test(test_following), cmocka_unit_test(test_policies),
		cmocka_unit_test(test_sample),    cmocka_unit_test(test_twin),
		cmocka_unit_test(test_keeps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
