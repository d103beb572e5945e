#include "prop/attempt.h"

#include <string.h>

#include "base/bug.h"
#include "base/mem.h"
#include "prop/judge.h"

enum { RESTARTS_MAX = 1000 };

void failure_release(struct failure *failure)
{
	mem_free(failure->found.trace);
	mem_free(failure->found.decisions);
	failure->found.trace = NULL;
	failure->found.decisions = NULL;
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
	t->strategy = strategy_create(strategy, &params);
	BUG_ON(!t->strategy, "strategy %s was not checked", strategy);
	t->detectors = detectors_new();
	return true;
}

void attempt_release(struct attempt *t)
{
	if (!t->target)
		return;
	t->target->ops->free(t->target);
	t->strategy->ops->free(t->strategy);
	detectors_free(t->detectors);
	t->target = NULL;
}

static void fill_failure(const struct attempt *t, const struct finding *finding,
			 const struct trace *trace, struct failure *failure)
{
	const struct prop_test *test = judge_test(t->target);
	struct found *found = &failure->found;

	failure->test = *test;
	memcpy(failure->outcomes, judge_outcomes(t->target), sizeof(failure->outcomes));
	*found = (struct found){.finding = *finding, .trace = trace_copy(trace),
				.decisions_len = trace->events_len,
				.preemptions = trace_preemptions(trace)};
	found->decisions = mem_alloc(trace->events_len * sizeof(*found->decisions) + 1);
	for (uint32_t i = 0; i < trace->events_len; i++)
		found->decisions[i] = decision_of(&trace->events[i]);
}

/* The target's names have changed. */
static bool restart(struct attempt *t, struct err *err)
{
	if (++t->restarts > RESTARTS_MAX)
		return err_set_unsupported(err, "lost control: the program's memory layout keeps "
					   "changing from run to run");
	t->strategy->ops->restart(t->strategy);
	detectors_restart(t->detectors);
	return true;
}

static bool is_wanted(const struct attempt *t, const struct finding *finding)
{
	return !(t->options->ignored >> finding->kind & 1) &&
	       (t->wanted_kind == FINDING_KINDS || t->wanted_kind == finding->kind);
}

/* Looks at the trace; *exposed: races that are nobody's concern became visible steps. */
static bool find_failure(struct attempt *t, const struct trace *trace, struct failure *failure,
			 bool *exposed)
{
	struct finding_vec findings = {0};
	bool failed = false;

	detectors_look(t->detectors, trace, &findings);
	for (size_t i = 0; i < findings.len && !failed; i++) {
		const struct finding *finding = &findings.items[i];

		failed = is_wanted(t, finding);
		if (failed)
			fill_failure(t, finding, trace, failure);
		else if (finding->kind == FINDING_RACE)
			*exposed |= t->target->ops->expose(
				t->target, finding->object & 0x00ffffffffffffffu, 1);
	}
	vec_release(&findings);
	return failed;
}

static void count_run(struct attempt *t, const struct trace *trace, uint64_t undecided_before)
{
	t->counts->runs++;
	t->counts->steps += trace->events_len;
	t->counts->assumed |= trace->assumed;
	t->counts->bounded |= trace->bounded;
	t->counts->undecided += judge_undecided(t->target) - undecided_before;
}

/* Runs it and looks at it; *again: the names have changed and nothing was concluded. */
static enum attempt_answer run(struct attempt *t, const struct schedule *schedule,
			       struct trace *trace, struct failure *failure, bool *again,
			       struct err *err)
{
	uint64_t undecided = judge_undecided(t->target);

	*again = false;
	if (!t->target->ops->run(t->target, schedule, trace, err))
		return ATTEMPT_ERROR;
	if (trace->end == END_LOST) {
		err_set_unsupported(err, "lost control: %s",
				    trace->message && trace->message[0] ? trace->message
									: "unknown");
		return ATTEMPT_ERROR;
	}
	if (trace->end != END_RELEARN) {
		count_run(t, trace, undecided);
		if (find_failure(t, trace, failure, again))
			return ATTEMPT_FAILED;
	}
	*again |= trace->end == END_RELEARN;
	if (*again && !restart(t, err))
		return ATTEMPT_ERROR;
	return ATTEMPT_PASSED;
}

enum attempt_answer attempt_run(struct attempt *t, const struct schedule *schedule,
			    struct failure *failure, struct err *err)
{
	enum attempt_answer answer;
	struct trace trace;
	bool again;

	do {
		answer = run(t, schedule, &trace, failure, &again, err);
	} while (again && answer == ATTEMPT_PASSED);
	return answer;
}

enum attempt_answer attempt_next(struct attempt *t, struct failure *failure, struct err *err)
{
	const struct strategy_ops *ops = t->strategy->ops;
	enum attempt_answer answer;
	struct schedule schedule;
	struct trace trace;
	bool again;

	do {
		const struct trace *known;

		if (!ops->next(t->strategy, &schedule, &known))
			return ATTEMPT_DRY;
		BUG_ON(known, "a trace that was never offered");
		answer = run(t, &schedule, &trace, failure, &again, err);
	} while (again && answer == ATTEMPT_PASSED);
	if (answer == ATTEMPT_PASSED)
		ops->learn(t->strategy, &trace);
	return answer;
}
