#include "prop/shrink_test.h"

#include "base/clock.h"
#include "base/rng.h"
#include "prop/candidates.h"
#include "prop/reuse.h"

VEC_TYPE(attempt_vec, struct attempt);

struct shrinker {
	struct model *model;
	const struct prop_options *options;
	struct failure *failure;
	struct prop_result *counts;
	struct prop_result apart; /* runs of shrinking */
	struct candidate_vec candidates;
	struct attempt_vec attempts; /* one per candidate, made when first needed */
	struct decision_vec decisions;
	bool only_arguments; /* fewer calls were tried patiently already */
	double deadline;
	struct rng rng;
	struct err *err;
};

static bool is_over_budget(const struct shrinker *s)
{
	return (s->options->stop && *s->options->stop) || clock_seconds() > s->deadline;
}

static struct attempt *attempt_of(struct shrinker *s, size_t i)
{
	struct attempt *attempt = &s->attempts.items[i];
	const char *strategy = s->options->shrinking == SHRINK_REPEAT ? "random"
								      : s->options->strategy;

	if (attempt->target)
		return attempt;
	if (!attempt_init(attempt, s->model, &s->candidates.items[i].test, s->options, strategy,
			rng_next(&s->rng), &s->apart, s->err))
		return NULL;
	attempt->wanted_kind = s->failure->found.finding.kind;
	s->counts->shrink_tests++;
	return attempt;
}

/* The runs so far, for the progress line. */
static void count_runs(struct shrinker *s)
{
	s->counts->shrink_runs += s->apart.runs;
	s->apart.runs = 0;
}

static void adopt(struct shrinker *s, const struct failure *smaller)
{
	failure_release(s->failure);
	*s->failure = *smaller;
	count_runs(s);
	if (s->options->noted)
		s->options->noted(s->options->ctx, s->counts, s->failure->test.len);
	if (s->options->progress)
		s->options->progress(s->options->ctx, s->counts, s->failure->test.len);
}

/* A loose run may keep numbers of processes that the smaller test does not start any more, and such
 * a schedule cannot be replayed. So it is run once more without that freedom. */
static enum attempt_answer run_again(struct shrinker *s, struct attempt *attempt,
				     struct failure *smaller)
{
	struct failure loose = *smaller;
	struct schedule schedule = {.decisions = loose.found.decisions, .relaxed = FOLLOW_RELAXED,
				    .decisions_len = loose.found.decisions_len,
				    .tail = TAIL_FIRST};
	enum attempt_answer answer = attempt_run(attempt, &schedule, smaller, s->err);

	failure_release(&loose);
	return answer;
}

/* The schedule of the larger test, as far as it goes. */
static enum attempt_answer try_reused(struct shrinker *s, size_t i)
{
	enum attempt_answer answer = ATTEMPT_PASSED;
	struct attempt *attempt = attempt_of(s, i);
	struct failure smaller;

	if (!attempt)
		return ATTEMPT_ERROR;
	for (uint32_t how = 0; how < REUSE_WAYS && answer == ATTEMPT_PASSED; how++) {
		struct schedule schedule = {.relaxed = FOLLOW_LOOSE, .tail = TAIL_FIRST};

		reuse_decisions(&s->failure->test, s->failure->outcomes, s->failure->found.trace,
				&s->candidates.items[i], how, &s->decisions);
		schedule.decisions = s->decisions.items;
		schedule.decisions_len = (uint32_t)s->decisions.len;
		answer = attempt_run(attempt, &schedule, &smaller, s->err);
		if (answer == ATTEMPT_FAILED)
			answer = run_again(s, attempt, &smaller);
	}
	if (answer == ATTEMPT_FAILED)
		adopt(s, &smaller);
	return answer;
}

/* Up to n schedules of the strategy. */
static enum attempt_answer try_strategy(struct shrinker *s, size_t i, uint64_t n)
{
	enum attempt_answer answer = ATTEMPT_PASSED;
	struct attempt *attempt = attempt_of(s, i);
	struct failure smaller;

	if (!attempt)
		return ATTEMPT_ERROR;
	while (n-- > 0 && answer == ATTEMPT_PASSED && !is_over_budget(s))
		answer = attempt_next(attempt, &smaller, s->err);
	if (answer == ATTEMPT_FAILED)
		adopt(s, &smaller);
	return answer;
}

/* All that one candidate is given in this round. */
static enum attempt_answer try_candidate(struct shrinker *s, size_t i, uint64_t round)
{
	enum attempt_answer answer = ATTEMPT_PASSED;

	switch (s->options->shrinking) {
	case SHRINK_ROUNDS:
		return round == 0 ? try_reused(s, i) : try_strategy(s, i, 1);
	case SHRINK_REPEAT:
		return try_strategy(s, i, s->options->repeat);
	case SHRINK_PROCRASTINATE:
		return try_strategy(s, i, s->options->schedules);
	case SHRINK_REUSE:
		return try_reused(s, i);
	default:
		answer = try_reused(s, i);
		return answer == ATTEMPT_PASSED ? try_strategy(s, i, s->options->schedules)
						: answer;
	}
}

static void start_step(struct shrinker *s)
{
	for (size_t i = 0; i < s->attempts.len; i++)
		attempt_release(&s->attempts.items[i]);
	vec_clear(&s->attempts);
	for (size_t i = 0; i < s->candidates.len; i++)
		*vec_push(&s->attempts) = (struct attempt){0};
}

/* Some of the candidates, round by round: ATTEMPT_FAILED if one of them failed. */
static enum attempt_answer try_candidates(struct shrinker *s, size_t from, size_t to,
					  uint64_t rounds)
{
	for (uint64_t round = 0; round < rounds; round++)
		for (size_t i = from; i < to && !is_over_budget(s); i++) {
			enum attempt_answer answer = try_candidate(s, i, round);

			if (answer == ATTEMPT_FAILED || answer == ATTEMPT_ERROR)
				return answer;
		}
	return ATTEMPT_PASSED;
}

/* One step: ATTEMPT_FAILED if a smaller test was found. Fewer calls come first: simpler
 * arguments may be what keeps a call from being left out. */
static enum attempt_answer step(struct shrinker *s)
{
	uint64_t rounds = s->options->shrinking == SHRINK_ROUNDS
				  ? s->options->schedules * s->options->patience + 1 : 1;
	enum attempt_answer answer;
	size_t fewer_len;

	if (!candidates_of(s->model, &s->failure->test, &s->candidates, &fewer_len, s->err))
		return ATTEMPT_ERROR;
	start_step(s);
	answer = try_candidates(s, 0, fewer_len, s->only_arguments && rounds > 2 ? 2 : rounds);
	if (answer != ATTEMPT_PASSED)
		return answer;
	s->only_arguments = true;
	return try_candidates(s, fewer_len, s->candidates.len, rounds);
}

bool shrink_test(struct model *model, const struct prop_options *options, double seconds,
		 struct failure *failure, struct prop_result *counts, struct err *err)
{
	struct shrinker s = {.model = model, .options = options, .failure = failure,
			     .counts = counts, .rng = rng_seeded(options->params.seed), .err = err};
	double started = clock_seconds();
	enum attempt_answer answer;

	s.deadline = started + seconds;
	do {
		answer = step(&s);
	} while (answer == ATTEMPT_FAILED && !is_over_budget(&s));
	vec_clear(&s.candidates);
	start_step(&s);
	count_runs(&s);
	counts->shrink_seconds += clock_seconds() - started;
	vec_release(&s.candidates);
	vec_release(&s.attempts);
	vec_release(&s.decisions);
	return answer != ATTEMPT_ERROR;
}
