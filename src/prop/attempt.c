#include "prop/attempt.h"

#include <string.h>

#include "prop/checker.h"

void failure_release(struct failure *failure)
{
	found_release(&failure->found);
}

bool attempt_init(struct attempt *t, struct model *model, const struct prop_test *test,
		const struct prop_options *options, const char *strategy, uint64_t seed,
		struct prop_result *counts, struct err *err)
{
	struct strategy_params params = options->params;

	*t = (struct attempt){.options = options, .counts = counts, .wanted_kind = FINDING_KINDS};
	t->target = prop_target_create(model, test, options->search_max, err);
	if (!t->target)
		return false;
	params.seed = seed;
	walk_init(&t->walk, t->target, strategy, &params);
	return true;
}

void attempt_release(struct attempt *t)
{
	if (!t->target)
		return;
	walk_release(&t->walk);
	t->target->ops->free(t->target);
	t->target = NULL;
}

static bool is_wanted(const struct attempt *t, const struct finding *finding)
{
	return !(t->options->ignored >> finding->kind & 1) &&
	       (t->wanted_kind == FINDING_KINDS || t->wanted_kind == finding->kind);
}

/* Wrong results may come from a data race, or from a block that was freed, in the same run: these say where. */
static bool is_result(const struct finding *finding)
{
	return finding->kind == FINDING_NOT_LINEARIZABLE;
}

/* Is there a wanted finding in the last run? Then *failure is filled in. */
static bool find_failure(struct attempt *t, struct failure *failure)
{
	const struct finding_vec *findings = &t->walk.findings;
	const struct finding *chosen = NULL;

	for (size_t i = 0; i < findings->len; i++)
		if (is_wanted(t, &findings->items[i]) && (!chosen || is_result(chosen)))
			chosen = &findings->items[i];
	if (!chosen)
		return false;
	failure->test = *checker_test(t->target);
	memcpy(failure->outcomes, checker_outcomes(t->target), sizeof(failure->outcomes));
	failure->found = found_of(chosen, &t->walk.trace,
				  detectors_other(t->walk.detectors, chosen));
	return true;
}

static void count_run(struct attempt *t)
{
	const struct trace *trace = &t->walk.trace;

	t->counts->runs++;
	t->counts->steps += trace->events_len;
	t->counts->assumed |= trace->assumed;
	t->counts->bounded |= trace->bounded;
	t->counts->undecided += checker_undecided(t->target) - t->undecided;
}

static enum attempt_answer take_answer(struct attempt *t, enum walk_answer answer,
				       struct failure *failure, bool *again, struct err *err)
{
	if (answer == WALK_RAN) {
		count_run(t);
		if (find_failure(t, failure))
			return ATTEMPT_FAILED;
		/* Races that are not to be reported become visible steps. */
		answer = walk_expose(&t->walk);
	}
	switch (answer) {
	case WALK_DRY:
		return ATTEMPT_DRY;
	case WALK_ERROR:
		return ATTEMPT_ERROR;
	case WALK_LOST:
		err_set_unsupported(err, "lost control: %s", t->walk.lost);
		return ATTEMPT_ERROR;
	default:
		*again = answer != WALK_RAN;
		return ATTEMPT_PASSED;
	}
}

enum attempt_answer attempt_run(struct attempt *t, const struct schedule *schedule,
			    struct failure *failure, struct err *err)
{
	enum attempt_answer answer;
	bool again;

	do {
		again = false;
		t->undecided = checker_undecided(t->target);
		answer = take_answer(t, walk_run(&t->walk, schedule, err), failure, &again,
				     err);
	} while (again);
	return answer;
}

enum attempt_answer attempt_next(struct attempt *t, struct failure *failure, struct err *err)
{
	enum attempt_answer answer;
	bool again;

	do {
		again = false;
		t->undecided = checker_undecided(t->target);
		answer = take_answer(t, walk_next(&t->walk, err), failure, &again, err);
	} while (again);
	if (answer == ATTEMPT_PASSED)
		walk_learn(&t->walk);
	return answer;
}
