#include "explore/walk.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/mem.h"
#include "core/object.h"

enum { BATCH = 16, BATCH_MAX = 64, RESTARTS_MAX = 1000 };

/* The budget is looked at only between batches, so a batch should not take longer than this. */
static const double BATCH_SECONDS = 0.01;

void walk_init(struct walk *s, struct target *target, const char *strategy,
		 const struct strategy_params *params)
{
	*s = (struct walk){.target = target};
	s->strategy = strategy_create(strategy, params);
	BUG_ON(!s->strategy, "strategy %s was not checked", strategy);
	s->detectors = detectors_new();
	s->batch = s->strategy->ops->any_ahead ? 1 : BATCH;
}

void walk_release(struct walk *s)
{
	s->strategy->ops->free(s->strategy);
	detectors_free(s->detectors);
	vec_release(&s->findings);
	repeats_release(&s->seen);
}

static enum walk_answer lose(struct walk *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static enum walk_answer lose(struct walk *s, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(s->lost, sizeof(s->lost), format, args);
	va_end(args);
	return WALK_LOST;
}

/* The program was not the same in two runs: names the values that may be the reason, if any. */
static const char *name_uncontrolled(struct walk *s)
{
	const char *moving = target_moving(s->target);

	return moving ? moving : "something that is not controlled";
}

static enum walk_answer restart(struct walk *s)
{
	if (++s->restarts > RESTARTS_MAX)
		return lose(s, "the program's memory layout keeps changing from run to run");
	s->strategy->ops->restart(s->strategy);
	detectors_restart(s->detectors);
	s->repeats = 0;
	return WALK_RESTARTED;
}

/* ---- determinism ---- */

static uint32_t first_difference(const struct trace *a, const struct trace *b)
{
	uint32_t i = 0;

	while (i < a->events_len && i < b->events_len &&
	       a->events[i].actor == b->events[i].actor &&
	       a->events[i].kind == b->events[i].kind &&
	       a->events[i].accesses[0].object == b->events[i].accesses[0].object)
		i++;
	return i;
}

/* Runs the schedule of the last trace again, compares, and runs it once more: the trace that is
 * examined afterwards must be the target's last. */
static enum walk_answer check_first(struct walk *s, struct err *err)
{
	struct trace *kept = trace_copy(&s->trace);
	enum walk_answer answer = WALK_RAN;
	struct trace again;

	s->self_checks++;
	if (!s->target->ops->run(s->target, &s->schedule, &again, err))
		answer = WALK_ERROR;
	else if (again.end != END_RELEARN && trace_exact_hash(kept) != trace_exact_hash(&again))
		answer = lose(s,
			      "the same schedule gave two different runs (first difference at step "
			      "%u); the program depends on %s", first_difference(kept, &again) + 1,
			      name_uncontrolled(s));
	else if (!s->target->ops->run(s->target, &s->schedule, &s->trace, err))
		answer = WALK_ERROR;
	mem_free(kept);
	return answer;
}

/* ---- running ---- */

/* Only for strategies with any_ahead: elsewhere the result would depend on the time runs take. */
static void adapt_batch(struct walk *s, double seconds)
{
	if (!s->strategy->ops->any_ahead)
		return;
	if (seconds <= BATCH_SECONDS)
		s->batch = s->batch * 2 < BATCH_MAX ? s->batch * 2 : BATCH_MAX;
	else if (s->batch > 1)
		s->batch /= 2;
}

static void note_names(struct walk *s, const struct trace *trace)
{
	if (trace->actors_len > s->actors_len)
		s->actors_len = trace->actors_len;
	if (trace->values_len > s->values_len)
		s->values_len = trace->values_len;
}

/* Runs the schedule together with some that the strategy will ask for later; the strategy keeps
 * their traces until then. */
static bool run_batch(struct walk *s, struct err *err)
{
	const struct strategy_ops *strategy = s->strategy->ops;
	struct schedule schedules[BATCH_MAX];
	struct trace traces[BATCH_MAX];
	uint32_t len = 1, done;
	double started;

	schedules[0] = s->schedule;
	len += strategy->ahead(s->strategy, schedules + 1, s->batch - 1);
	started = clock_seconds();
	done = s->target->ops->run_many(s->target, schedules, len, traces, err);
	adapt_batch(s, clock_seconds() - started);
	s->trace = traces[0];
	for (uint32_t i = 1; i < done; i++) {
		note_names(s, &traces[i]);
		if (traces[i].end == END_RELEARN) {
			s->trace = traces[i]; /* the other traces use names of before */
			return true;
		}
		if (traces[i].end != END_LOST)
			strategy->offer(s->strategy, i - 1, &traces[i]);
	}
	return done > 0;
}

static enum walk_answer run_next(struct walk *s, struct err *err)
{
	bool wants_check = s->checks_first && !s->self_checks;
	bool can_batch = s->target->ops->run_many && s->strategy->ops->ahead && !wants_check;

	if (!(can_batch ? run_batch(s, err)
			: s->target->ops->run(s->target, &s->schedule, &s->trace, err)))
		return WALK_ERROR;
	if (wants_check && s->trace.end != END_RELEARN && s->trace.end != END_LOST &&
	    s->trace.end != END_SILENT)
		return check_first(s, err);
	return WALK_RAN;
}

/* ---- the trace ---- */

/* If a step of a virtual actor (a timer, a spurious wake-up) is not possible where dpor moved it,
 * then the pair cannot be swapped; the program is still under control. */
static bool is_impossible_reversal(const struct walk *s)
{
	const struct schedule *schedule = &s->schedule;
	const struct trace *trace = &s->trace;
	uint32_t actor;

	if (schedule->relaxed || trace->events_len >= schedule->decisions_len)
		return false;
	actor = schedule->decisions[trace->events_len].actor;
	return actor < trace->actors_len && actor_is_virtual(&trace->actors[actor]);
}

static enum walk_answer take_divergence(struct walk *s)
{
	const struct schedule *schedule = &s->schedule;
	uint32_t step = s->trace.events_len;

	if (is_impossible_reversal(s)) {
		walk_learn(s);
		return WALK_IMPOSSIBLE;
	}
	return lose(s,
		    "step %u of a schedule could not be followed (%s expected); the program depends "
		    "on %s", step + 1,
		    step < schedule->decisions_len ? event_kind_text(schedule->decisions[step].kind)
						   : "an end",
		    name_uncontrolled(s));
}

static enum walk_answer take_trace(struct walk *s)
{
	s->findings.len = 0;
	note_names(s, &s->trace);
	if (s->trace.end == END_RELEARN)
		return restart(s);
	if (s->trace.end == END_LOST)
		return lose(s, "%s", s->trace.message && s->trace.message[0] ? s->trace.message
									     : "unknown");
	s->trace.repeats = s->repeats < s->trace.events_len ? s->repeats : s->trace.events_len;
	if (s->target->inner)
		repeats_check(&s->seen, &s->trace);
	detectors_look(s->detectors, &s->trace, &s->findings);
	s->repeats = UINT32_MAX;
	return WALK_RAN;
}

/* Is the run one that cannot be, because the strategy guessed wrong? */
static bool is_wrong_guess(struct walk *s)
{
	const struct strategy_ops *strategy = s->strategy->ops;

	return strategy->is_possible && s->trace.end != END_RELEARN && s->trace.end != END_LOST &&
	       s->trace.end != END_DIVERGED && !strategy->is_possible(s->strategy, &s->trace);
}

enum walk_answer walk_next(struct walk *s, struct err *err)
{
	enum walk_answer answer = WALK_RAN;
	const struct trace *known;

	if (!s->strategy->ops->next(s->strategy, &s->schedule, &known))
		return WALK_DRY;
	if (s->schedule.repeats < s->repeats)
		s->repeats = s->schedule.repeats;
	if (known)
		s->trace = *known;
	else
		answer = run_next(s, err);
	if (answer == WALK_RAN && is_wrong_guess(s))
		return WALK_IMPOSSIBLE;
	if (answer == WALK_RAN)
		answer = s->trace.end == END_DIVERGED ? take_divergence(s) : take_trace(s);
	return answer;
}

enum walk_answer walk_run(struct walk *s, const struct schedule *schedule, struct err *err)
{
	enum walk_answer answer;

	s->schedule = *schedule;
	s->repeats = 0;
	if (!s->target->ops->run(s->target, schedule, &s->trace, err))
		return WALK_ERROR;
	answer = take_trace(s);
	s->repeats = 0; /* the strategy does not know this run */
	return answer;
}

enum walk_answer walk_expose(struct walk *s)
{
	const struct strategy_ops *strategy = s->strategy->ops;
	const char *uncovered = strategy->uncovered ? strategy->uncovered(s->strategy) : NULL;
	bool is_news = uncovered && s->target->ops->retreat &&
		       s->target->ops->retreat(s->target, uncovered);

	for (size_t i = 0; i < s->findings.len; i++)
		if (s->findings.items[i].kind == FINDING_RACE)
			is_news |= s->target->ops->expose(
				s->target, OBJECT_NAME_OF(s->findings.items[i].object), 1);
	return is_news ? restart(s) : WALK_RAN;
}

void walk_learn(struct walk *s)
{
	s->strategy->ops->learn(s->strategy, &s->trace);
}
