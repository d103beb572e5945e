#include "prop/prop.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "prop/generate.h"
#include "prop/checker.h"
#include "prop/shrink_test.h"
#include "prop/attempt.h"
#include "prop/scouts.h"

enum { PROGRESS_EVERY_MS = 500, SCHEDULE_SHRINK_RUNS = 500 };

struct prop {
	struct model *model;
	const struct prop_options *options;
	struct prop_result *result;
	struct failure failure;
	struct rng rng;
	uint64_t seeded; /* in a scout: tests whose seeds were taken */
	double started, last_progress;
};

static bool is_over_budget(struct prop *p)
{
	const struct prop_options *o = p->options;
	double elapsed = clock_seconds() - p->started;

	p->result->seconds = elapsed;
	if (o->stop && *o->stop) {
		snprintf(p->result->reason, sizeof(p->result->reason), "interrupted");
		return true;
	}
	if (o->max_seconds > 0 && elapsed >= o->max_seconds) {
		snprintf(p->result->reason, sizeof(p->result->reason),
			 "stopped after %.1f seconds (--max-time)", elapsed);
		return true;
	}
	if (o->progress && (elapsed - p->last_progress) * 1000 >= PROGRESS_EVERY_MS) {
		p->last_progress = elapsed;
		o->progress(o->ctx, p->result, 0);
	}
	return false;
}

/* The seeds of each test: of its calls and of its schedules. */
struct seeds {
	uint64_t calls, schedules;
};

static struct seeds next_seeds(struct rng *rng)
{
	uint64_t calls = rng_next(rng);

	return (struct seeds){calls, rng_next(rng)};
}

/* One generated test under its schedules. */
static enum attempt_answer run_test(struct prop *p, struct seeds seeds, struct err *err)
{
	const struct prop_options *o = p->options;
	enum attempt_answer answer = ATTEMPT_PASSED;
	struct prop_test test;
	struct attempt attempt;

	if (!generate_test(p->model, o, seeds.calls, &test, &p->result->discarded, err) ||
	    !attempt_init(&attempt, p->model, &test, o, o->strategy, seeds.schedules, p->result, err))
		return ATTEMPT_ERROR;
	p->result->first_len = test.len;
	for (uint32_t i = 0; i < o->schedules && answer == ATTEMPT_PASSED && !is_over_budget(p);
	     i++)
		answer = attempt_next(&attempt, &p->failure, err);
	attempt_release(&attempt);
	return answer == ATTEMPT_DRY ? ATTEMPT_PASSED : answer;
}

/* In a scout, which goes through the tests in their order. */
static enum attempt_answer scout_test(void *ctx, struct model *model, uint64_t number,
				      struct prop_result *counts, struct err *err)
{
	struct prop *p = ctx;

	for (; p->seeded < number; p->seeded++)
		next_seeds(&p->rng);
	p->seeded++;
	p->model = model;
	p->result = counts;
	return run_test(p, next_seeds(&p->rng), err);
}

/* The first test has been run, so it is known whether runs change more than the memory of the
 * program: then two instances would get in each other's way. */
static void send_scouts(struct prop *p, struct scouts *scouts)
{
	const struct prop_options *o = p->options;
	struct target *target = p->model->ops->target(p->model);
	struct prop scout = *p;
	struct target_facts facts;

	target->ops->facts(target, &facts);
	if (o->jobs < 2 || strcmp(facts.restart, "fork") == 0)
		return;
	scout.last_progress = 1e9; /* the tool shows the progress */
	scout.seeded = p->result->tests;
	scouts_run(scouts, p->model, o, p->result->tests,
		   o->max_seconds > 0 ? p->started + o->max_seconds : 0, scout_test, &scout);
}

/* The test that has failed before, under its schedule. */
static bool run_first(struct prop *p, struct err *err)
{
	const struct prop_options *o = p->options;
	struct schedule schedule = {.decisions = o->first->decisions, .tail = TAIL_FIRST,
				    .decisions_len = o->first->decisions_len};
	enum attempt_answer answer;
	struct attempt attempt;

	if (!attempt_init(&attempt, p->model, &o->first->test, o, o->strategy, o->params.seed,
			  p->result, err))
		return false;
	answer = attempt_run(&attempt, &schedule, &p->failure, err);
	attempt_release(&attempt);
	p->result->first_len = o->first->test.len;
	p->result->is_found = answer == ATTEMPT_FAILED;
	return answer == ATTEMPT_FAILED ||
	       (answer != ATTEMPT_ERROR &&
		err_set(err, "the test of the finding that --from names does not fail any more"));
}

/* Counts a test that has passed. */
static void take_passed(struct prop *p)
{
	p->result->tests++;
	if (p->options->noted)
		p->options->noted(p->options->ctx, p->result, 0);
}

/* Tests until one fails. */
static bool search(struct prop *p, struct err *err)
{
	struct scouts scouts = {0};
	bool ok = true;

	while (ok && p->result->tests < p->options->tests && !p->result->is_found) {
		struct seeds seeds = next_seeds(&p->rng);

		if (scouts_has_passed(&scouts, p->result->tests, p->result)) {
			take_passed(p);
			continue;
		}
		if (is_over_budget(p))
			break;
		switch (run_test(p, seeds, err)) {
		case ATTEMPT_ERROR:
			ok = false;
			break;
		case ATTEMPT_FAILED:
			p->result->is_found = true;
			p->result->first_test = p->result->tests;
			break;
		default:
			take_passed(p);
			p->model->ops->forget(p->model, true);
			if (p->result->tests == 1)
				send_scouts(p, &scouts);
		}
	}
	scouts_release(&scouts);
	return ok;
}

/* The time for shrinking, at most what is left of all time. */
static double shrink_seconds(const struct prop *p)
{
	const struct prop_options *o = p->options;
	double left = p->started + o->max_seconds - clock_seconds();

	return o->max_seconds > 0 && left < o->shrink_seconds ? left : o->shrink_seconds;
}

/* Confirms the failure in a fresh instance, shortens its schedule there and hands it on. */
static bool finish(struct prop *p, struct err *err)
{
	const struct prop_options *o = p->options;
	struct shrink_budget budget = {
		.seconds = shrink_seconds(p),
		.runs = SCHEDULE_SHRINK_RUNS,
		.stop = o->stop,
		.deadline = o->max_seconds > 0 ? p->started + o->max_seconds : 0,
	};
	struct failure *f = &p->failure;
	struct target *here = prop_target_create(p->model, &f->test, o->search_max, err);
	struct target *fresh = here ? here->ops->again(here, err) : NULL;
	bool ok = false;

	if (!fresh)
		goto out;
	err->message[0] = '\0';
	ok = found_finish(&f->found, fresh, &budget, false, &p->result->shrink_runs, err);
	if (!ok && !err->message[0])
		err_set_unsupported(err,
				    "lost control: a test failed (%s) and did not fail again when "
				    "its schedule was replayed",
				    finding_kind_text(f->found.finding.kind));
	if (ok && o->confirmed) {
		struct prop_failure last = {checker_model(fresh), fresh, checker_test(fresh),
					    checker_outcomes(fresh), &f->found};

		/* The last run is the one that failed. */
		f->found.finding.executions_before = p->result->runs ? p->result->runs - 1 : 0;
		f->found.search = (struct found_search){
			.executions = p->result->runs, .steps = p->result->steps,
			.wall_seconds = clock_seconds() - p->started};
		ok = o->confirmed(o->ctx, &last, err);
	}
out:
	if (fresh)
		fresh->ops->free(fresh);
	if (here)
		here->ops->free(here);
	return ok;
}

/* Ctrl-C while shrinking ends that only; a second one ends the tool. */
bool prop_run(struct model *model, const struct prop_options *options, struct prop_result *result,
	      struct err *err)
{
	struct prop p = {.model = model, .options = options, .result = result,
			 .rng = rng_seeded(options->params.seed), .started = clock_seconds()};
	bool ok;

	*result = (struct prop_result){0};
	ok = options->first ? run_first(&p, err) : search(&p, err);
	if (ok && result->is_found) {
		if (options->shrinking != SHRINK_NONE)
			ok = shrink_test(model, options, shrink_seconds(&p), &p.failure, result,
					 err);
		ok = ok && finish(&p, err);
		result->last_len = p.failure.test.len;
	}
	failure_release(&p.failure);
	result->seconds = clock_seconds() - p.started;
	return ok;
}
