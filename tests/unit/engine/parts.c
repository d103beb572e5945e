/* A search of which other workers explore branches before their turn, in a random order of events,
 * with results that arrive late or never: the classes are those of dpor alone, each exactly once.
 * The workers are strategies in this process, so that a failure can be repeated. */
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
#include "strategy/dpor_part.h"
#include "strategy/strategy.h"
#include "unit/engine/checked_fake.h"
#include "unit/engine/programs.h"

enum { WORKERS_MAX = 7, RUNS_MAX = 20000 };

struct worker {
	struct strategy *strategy;
	struct target *target;
	struct wakeup_out *out; /* NULL: idle */
	uint32_t runs_left;     /* then it returns the part as it is */
	bool is_done;           /* the result is on its way */
	VEC(uint64_t) classes;
};

struct simulation {
	struct strategy *strategy; /* the giver's */
	struct target *target;
	struct worker workers[WORKERS_MAX];
	uint32_t workers_len;
	struct rng rng;
	uint32_t deaths; /* in a thousand events */
	uint32_t resumes; /* in a thousand runs of the giver: it is saved, and another one goes on */
	struct order order;
	struct map classes; /* hash -> runs */
	uint64_t runs, blocked, diverged;
	uint64_t parts, runs_in_parts, thrown_away, died; /* what happened */
	struct dpor_others others;
};

/* ---- runs ---- */

/* The hash of the class; 0 if everybody slept, 1 if the schedule could not be followed. */
static uint64_t class_of(struct simulation *s, const struct trace *trace)
{
	if (trace->end == END_ASLEEP || trace->end == END_DIVERGED)
		return trace->end == END_DIVERGED;
	order_build(&s->order, trace, 0);
	return order_class_hash(&s->order);
}

static void count(struct simulation *s, uint64_t hash)
{
	s->runs++;
	s->blocked += hash == 0;
	s->diverged += hash == 1;
	if (hash > 1)
		++*map_put(&s->classes, hash, NULL);
}

static void run(struct target *target, const struct schedule *schedule, struct trace *trace)
{
	assert_true(target->ops->run(target, schedule, trace, NULL));
}

/* ---- the workers ---- */

static void run_ahead(struct simulation *s, struct strategy *strategy, struct target *target)
{
	struct schedule later[4];
	struct trace trace;
	uint32_t len = strategy->ops->ahead(strategy, later, 1 + (uint32_t)rng_below(&s->rng, 4));

	for (uint32_t i = 0; i < len; i++) {
		run(target, &later[i], &trace);
		strategy->ops->offer(strategy, i, &trace);
	}
}

static void work(struct simulation *s, struct worker *w)
{
	const struct trace *known;
	struct schedule schedule;
	struct trace trace;

	w->is_done = !w->runs_left-- || !w->strategy->ops->next(w->strategy, &schedule, &known);
	if (w->is_done)
		return;
	if (known)
		trace = *known;
	else if (rng_below(&s->rng, 2))
		run_ahead(s, w->strategy, w->target);
	if (!known)
		run(w->target, &schedule, &trace);
	*vec_push(&w->classes) = class_of(s, &trace);
	w->strategy->ops->learn(w->strategy, &trace);
}

static void be_idle(struct worker *w)
{
	w->out = NULL;
	w->is_done = false;
	w->classes.len = 0;
}

static void deliver(struct simulation *s, struct worker *w)
{
	struct strbuf text = {0};

	dpor_part_result(w->strategy, &text);
	bytes_put(&w->out->extra, w->classes.items, w->classes.len * sizeof(*w->classes.items));
	dpor_part_back(s->strategy, w->out, (struct bytes_in){.at = text.text, .len = text.len});
	strbuf_release(&text);
	be_idle(w);
}

static void die(struct simulation *s, struct worker *w)
{
	dpor_part_withdraw(s->strategy, w->out);
	s->died++;
	be_idle(w);
}

static void give(struct simulation *s, struct worker *w)
{
	struct strbuf text = {0};

	w->out = dpor_part_give(s->strategy, 1 + (uint32_t)rng_below(&s->rng, 6), &text);
	if (w->out) {
		assert_true(dpor_part_load(w->strategy,
					   (struct bytes_in){.at = text.text, .len = text.len}));
		w->runs_left = 1 + (uint32_t)rng_below(&s->rng, 40);
		s->parts++;
	}
	strbuf_release(&text);
}

/* ---- the giver ---- */

static void wait_for_worker(void *ctx, struct wakeup_out *out)
{
	struct simulation *s = ctx;
	struct worker *w = &s->workers[rng_below(&s->rng, s->workers_len)];

	if (!w->out)
		return;
	if (rng_below(&s->rng, 1000) < s->deaths) {
		die(s, w);
		return;
	}
	while (!w->is_done)
		work(s, w);
	deliver(s, w);
}

static void take_part(void *ctx, struct wakeup_out *out, bool counts)
{
	struct bytes_in in = {.at = out->extra.text, .len = out->extra.len};
	struct simulation *s = ctx;

	s->thrown_away += !counts;
	while (in.len && counts) {
		count(s, bytes_u64(&in));
		s->runs_in_parts++;
	}
}

/* The giver is saved and ends; the workers and all results that are on their way are lost; another
 * giver goes on. */
static void resume(struct simulation *s)
{
	struct strategy_params params = {.seed = 1};
	struct strbuf text = {0};
	struct bytes_in in;

	s->strategy->ops->save(s->strategy, &text);
	for (uint32_t i = 0; i < s->workers_len; i++)
		if (s->workers[i].out)
			die(s, &s->workers[i]);
	s->strategy->ops->free(s->strategy);
	s->strategy = strategy_create("dpor", &params);
	dpor_part_set_others(s->strategy, &s->others);
	in = (struct bytes_in){.at = text.text, .len = text.len};
	assert_true(s->strategy->ops->restore(s->strategy, &in));
	assert_int_equal(in.len, 0);
	strbuf_release(&text);
}

/* False when the search is over. */
static bool explore(struct simulation *s)
{
	const struct trace *known;
	struct schedule schedule;
	struct trace trace;

	if (!s->strategy->ops->next(s->strategy, &schedule, &known))
		return false;
	if (known)
		trace = *known;
	else if (rng_below(&s->rng, 3))
		run_ahead(s, s->strategy, s->target);
	if (!known)
		run(s->target, &schedule, &trace);
	count(s, class_of(s, &trace));
	s->strategy->ops->learn(s->strategy, &trace);
	if (rng_below(&s->rng, 1000) < s->resumes)
		resume(s);
	return s->runs < 2 * RUNS_MAX;
}

static void take_turn_of(struct simulation *s, struct worker *w)
{
	if (rng_below(&s->rng, 2))
		dpor_part_drop_stale(s->strategy);
	if (!w->out)
		give(s, w);
	else if (rng_below(&s->rng, 1000) < s->deaths)
		die(s, w);
	else if (w->is_done)
		deliver(s, w);
	else
		work(s, w);
}

static void explore_in_parts(struct simulation *s, const struct fake_program *program)
{
	struct strategy_params params = {.seed = 1};

	s->strategy = strategy_create("dpor", &params);
	s->target = checked_fake_create(program);
	s->others = (struct dpor_others){wait_for_worker, take_part, s};
	dpor_part_set_others(s->strategy, &s->others);
	for (uint32_t i = 0; i < s->workers_len; i++) {
		s->workers[i].strategy = strategy_create("dpor", &params);
		s->workers[i].target = checked_fake_create(program);
	}
	while (explore(s))
		for (uint64_t turns = s->workers_len ? rng_below(&s->rng, 2 * s->workers_len + 1) : 0;
		     turns > 0; turns--)
			take_turn_of(s, &s->workers[rng_below(&s->rng, s->workers_len)]);
	for (uint32_t i = 0; i < s->workers_len; i++) {
		if (s->workers[i].out)
			dpor_part_withdraw(s->strategy, s->workers[i].out);
		s->workers[i].strategy->ops->free(s->workers[i].strategy);
		s->workers[i].target->ops->free(s->workers[i].target);
		vec_release(&s->workers[i].classes);
	}
	s->strategy->ops->free(s->strategy);
	s->target->ops->free(s->target);
	order_release(&s->order);
}

/* ---- alone ---- */

/* The classes that dpor finds by itself. False if there are too many. */
static bool explore_alone(const struct fake_program *program, struct map *classes)
{
	struct strategy_params params = {.seed = 1};
	struct strategy *strategy = strategy_create("dpor", &params);
	struct target *target = checked_fake_create(program);
	struct order order = {0};
	struct schedule schedule;
	const struct trace *known;
	struct trace trace;
	uint64_t runs = 0;

	while (runs < RUNS_MAX && strategy->ops->next(strategy, &schedule, &known)) {
		run(target, &schedule, &trace);
		order_build(&order, &trace, 0);
		++*map_put(classes, order_class_hash(&order), NULL);
		strategy->ops->learn(strategy, &trace);
		runs++;
	}
	order_release(&order);
	target->ops->free(target);
	strategy->ops->free(strategy);
	return runs < RUNS_MAX;
}

static bool same_keys(const struct map *a, const struct map *b)
{
	if (a->len != b->len)
		return false;
	for (size_t i = 0; i < a->len; i++)
		if (!map_get(b, a->entries[i].key))
			return false;
	return true;
}

/* dpor alone does not always run each class once: on one program of some thousand, with a
 * condition variable, the number of its runs depends on how many are made ahead. */
static bool is_redundant_alone(const struct fake_program *program)
{
	bool is_redundant = false;

	for (uint64_t seed = 1; seed <= 30 && !is_redundant; seed++) {
		struct simulation s = {.rng = rng_seeded(seed)};

		explore_in_parts(&s, program);
		is_redundant = s.runs != s.classes.len;
		map_release(&s.classes);
	}
	return is_redundant;
}

static void compare(uint64_t seed, uint32_t deaths, uint32_t resumes)
{
	const char *programs = getenv("FERMATA_TEST_PROGRAMS");
	uint64_t count_programs = programs ? strtoull(programs, NULL, 10) : 1000;
	struct rng rng = rng_seeded(7);
	uint64_t parts = 0, runs = 0, in_parts = 0, died = 0, redundant = 0, thrown_away = 0;

	for (uint64_t i = 0; i < count_programs; i++) {
		struct simulation s = {.workers_len = 1 + (uint32_t)(i % WORKERS_MAX),
				       .deaths = deaths, .resumes = resumes, .rng = rng_seeded(seed * 1000003 + i)};
		struct map alone = {0};
		struct fake_program p;

		generate(&p, &rng);
		if (explore_alone(&p, &alone)) {
			explore_in_parts(&s, &p);
			if (s.runs > alone.len && is_redundant_alone(&p)) {
				redundant++;
				s.runs = alone.len;
			}
			if (!same_keys(&alone, &s.classes) || s.runs != alone.len) {
				print_program(&p);
				fail_msg("program %lu, %u workers: %zu classes; %lu runs, %zu classes, "
					 "%lu blocked, %lu diverged", i, s.workers_len, alone.len,
					 s.runs, s.classes.len, s.blocked, s.diverged);
			}
			parts += s.parts;
			runs += s.runs;
			in_parts += s.runs_in_parts;
			died += s.died;
			thrown_away += s.thrown_away;
		}
		map_release(&alone);
		map_release(&s.classes);
	}
	assert_true(parts > count_programs && in_parts > runs / 10 && thrown_away > 0);
	assert_true(!deaths || died > count_programs / 20);
	assert_true(redundant <= 1 + count_programs / 1000);
}

static void finds_the_classes_of_one(void **state)
{
	for (uint64_t seed = 1; seed <= 3; seed++)
		compare(seed, 0, 0);
}

static void finds_them_although_workers_die(void **state)
{
	for (uint64_t seed = 4; seed <= 6; seed++)
		compare(seed, 100, 0);
}

static void finds_them_although_it_is_resumed(void **state)
{
	for (uint64_t seed = 7; seed <= 9; seed++)
		compare(seed, 10, 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_classes_of_one),
		cmocka_unit_test(finds_them_although_workers_die),
		cmocka_unit_test(finds_them_although_it_is_resumed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
