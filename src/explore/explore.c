#include "explore/explore.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/mem.h"
#include "detect/detect.h"

enum { BATCH = 16, BATCH_MAX = 64, RESTARTS_MAX = 1000, OUTCOMES_MAX = 100000,
       PROGRESS_EVERY_MS = 500, SCHEDULES_TRIED = 20 };

/* A batch of runs should not take longer: until it is done nobody looks at the budget. */
static const double BATCH_SECONDS = 0.01;

struct explorer {
	struct target *target;
	struct strategy *strategy;
	struct detectors *detectors;
	const struct explore_options *options;
	struct explore_result *result;
	struct finding_vec findings; /* of the last trace */
	struct map seen;             /* fingerprints */
	struct schedule schedule;
	uint32_t batch; /* how many runs are asked for at once */
	double started, last_progress;
	bool done;
	bool is_exhaustive; /* the strategy */
	uint64_t completed; /* runs that came to an end of their own */
};

static void set_reason(struct explorer *x, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void set_reason(struct explorer *x, const char *format, ...)
{
	va_list args;

	if (x->result->reason[0])
		return; /* the first reason is the one to tell */
	va_start(args, format);
	vsnprintf(x->result->reason, sizeof(x->result->reason), format, args);
	va_end(args);
}

static void lose_control(struct explorer *x, const char *what)
{
	x->result->reason[0] = '\0';
	set_reason(x, "%s", what);
	x->result->lost = true;
	x->done = true;
}

/* ---- budgets ---- */

static bool is_out_of_time(struct explorer *x, double elapsed)
{
	const struct explore_options *o = x->options;

	if (o->max_seconds > 0 && elapsed >= o->max_seconds)
		set_reason(x, "stopped after %.1f seconds (--max-time)", elapsed);
	else if (o->stop && *o->stop)
		set_reason(x, "interrupted");
	else
		return false;
	return true;
}

/* Runs that were cut in a spin loop took their time like others. */
static uint64_t count_runs(const struct explore_result *result)
{
	return result->executions + result->bursts + result->spins;
}

static bool is_over_budget(struct explorer *x)
{
	const struct explore_options *o = x->options;
	double elapsed = clock_seconds() - x->started;

	if (is_out_of_time(x, elapsed))
		return true;
	if (o->max_runs && count_runs(x->result) >= o->max_runs) {
		set_reason(x, "stopped after %lu executions (--max-runs)", count_runs(x->result));
		return true;
	}
	if (o->progress && (elapsed - x->last_progress) * 1000 >= PROGRESS_EVERY_MS) {
		x->last_progress = elapsed;
		x->result->wall_seconds = elapsed;
		o->progress(o->ctx, x->result, x->strategy->ops->progress(x->strategy));
	}
	return false;
}

/* ---- counting ---- */

/* Was the last run not part of an exhaustive search? */
static bool is_sample(const struct explorer *x)
{
	const struct strategy_ops *ops = x->strategy->ops;

	return !x->is_exhaustive || (ops->is_burst && ops->is_burst(x->strategy));
}

static void count_run(struct explorer *x, const struct trace *trace)
{
	struct explore_result *r = x->result;
	const struct strategy_ops *ops = x->strategy->ops;

	r->steps += trace->events_len;
	r->bounded |= trace->bounded;
	r->assumed |= trace->assumed;
	if (trace->actors_len > r->actors_len)
		r->actors_len = trace->actors_len;
	if (trace->end == END_ASLEEP)
		r->blocked++;
	else if (ops->is_burst && ops->is_burst(x->strategy))
		r->bursts++;
	else if (trace->void_turns || trace->end == END_HELD)
		r->spins++;
	else
		r->executions++;
	if (trace->end != END_ASLEEP && trace->end != END_HELD && trace->end != END_SPIN &&
	    trace->end != END_SILENT)
		x->completed++;
	if (x->options->count_traces && is_sample(x))
		statistics_add(&r->statistics, trace);
	if (x->options->hash_traces)
		r->traces_hash += trace_exact_hash(trace);
	if (trace->end != END_ASLEEP && trace->end != END_HELD && r->outcomes.len < OUTCOMES_MAX)
		++*map_put(&r->outcomes, trace_outcome_hash(trace), NULL);
	if (x->options->ran && trace->end != END_ASLEEP)
		x->options->ran(x->options->ctx, trace);
}

/* The target learned something: names changed, so everything begins anew, except what
 * was already found. */
static void restart(struct explorer *x)
{
	struct explore_result *r = x->result;

	if (++r->restarts > RESTARTS_MAX) {
		lose_control(x, "the program's memory layout keeps changing from run to run");
		return;
	}
	r->executions = r->blocked = r->spins = r->steps = r->bursts = 0;
	r->bounded = r->assumed = 0;
	r->traces_hash = 0;
	map_clear(&r->outcomes);
	statistics_clear(&r->statistics);
	x->strategy->ops->restart(x->strategy);
	if (x->options->ran)
		x->options->ran(x->options->ctx, NULL);
	detectors_restart(x->detectors);
}

/* ---- findings ---- */

/* A run as a strict schedule; a new array. */
static struct decision *copy_decisions(const struct trace *trace)
{
	struct decision *decisions = mem_alloc(trace->events_len * sizeof(*decisions) + 1);

	for (uint32_t i = 0; i < trace->events_len; i++)
		decisions[i] = decision_of(&trace->events[i]);
	return decisions;
}

static struct found make_found(const struct explorer *x, const struct finding *finding,
			       const struct trace *trace)
{
	const struct trace *other = detectors_other(x->detectors, finding);
	struct found found = {.finding = *finding, .trace = trace_copy(trace),
			      .decisions = copy_decisions(trace),
			      .decisions_len = trace->events_len,
			      .preemptions = trace_preemptions(trace)};

	if (other) {
		found.other = copy_decisions(other);
		found.other_len = other->events_len;
	}
	return found;
}

static void found_release(struct found *found)
{
	mem_free(found->trace);
	mem_free(found->decisions);
	mem_free(found->other);
}

/* Does a program that ended with a failure do so whatever the schedule is? Only an answer for
 * the schedules tried, so the finding stays one; but its message says it. */
static bool always_fails(struct target *twin, const struct found *found, struct err *err)
{
	if (found->finding.kind != FINDING_EXIT || found->finding.executions_before)
		return false;
	for (uint32_t i = 0; i < SCHEDULES_TRIED; i++) {
		struct schedule schedule = {.tail = TAIL_RANDOM, .seed = i + 1};
		struct finding finding = found->finding;
		struct trace trace;

		if (!twin->ops->run(twin, &schedule, &trace, err) ||
		    !trace_shows(&trace, &finding))
			return false;
	}
	return true;
}

static void note_always(struct finding *finding)
{
	size_t len = strlen(finding->message);

	snprintf(finding->message + len, sizeof(finding->message) - len,
		 "; so it did in all %u schedules tried: not a timing bug", SCHEDULES_TRIED);
}

/* In a process of its own: replays the finding, shortens it, replays that with stacks. */
static bool check_and_shrink(struct explorer *x, struct found *found, struct err *err)
{
	struct target *twin = x->target->ops->again(x->target, err);
	struct trace trace;
	bool ok = false, always;

	if (!twin)
		return false;
	if (confirm(twin, found, &trace, err)) {
		if (found->finding.kind != FINDING_HANG) /* each of its runs takes seconds */
			shrink(twin, found, x->options->shrink_seconds, x->options->shrink_runs,
			       x->options->stop, &x->result->shrinks);
		always = always_fails(twin, found, err);
		twin->ops->want_stacks(twin, true);
		ok = confirm(twin, found, &trace, err);
		if (ok && always)
			note_always(&found->finding);
		if (ok) { /* this one knows its places best */
			mem_free(found->trace);
			found->trace = trace_copy(&trace);
		}
		ok = ok &&
		     (!x->options->confirmed ||
		      x->options->confirmed(x->options->ctx, twin, found, err));
		x->result->confirmations++;
	}
	if (!ok && !err->message[0]) {
		char text[512];

		snprintf(text, sizeof(text),
			 "a %s was seen but did not show again when its schedule was replayed",
			 finding_kind_text(found->finding.kind));
		lose_control(x, text);
	}
	twin->ops->free(twin);
	return ok;
}

static bool is_wanted(struct explorer *x, const struct finding *finding)
{
	bool is_new;

	if (x->options->ignored >> finding->kind & 1)
		return false;
	map_put(&x->seen, finding->fingerprint, &is_new);
	return is_new;
}

static bool take_finding(struct explorer *x, const struct finding *finding,
			 const struct trace *trace, struct err *err)
{
	struct found found = make_found(x, finding, trace);

	found.finding.executions_before = count_runs(x->result);
	err->message[0] = '\0';
	if (check_and_shrink(x, &found, err)) {
		*vec_push(&x->result->found) = found;
		if (!x->options->keep_going)
			x->done = true;
		return true;
	}
	found_release(&found);
	return !err->message[0];
}

/* Takes the findings of the trace; races become visible steps if the search goes on. */
static bool take_findings(struct explorer *x, const struct trace *trace, bool *exposed,
			  struct err *err)
{
	struct trace *copy;
	bool ok = true;

	x->findings.len = 0;
	detectors_look(x->detectors, trace, &x->findings);
	if (!x->findings.len)
		return true;
	copy = trace_copy(trace);
	for (size_t i = 0; i < x->findings.len && ok && !x->done; i++) {
		const struct finding *finding = &x->findings.items[i];

		if (is_wanted(x, finding))
			ok = take_finding(x, finding, copy, err);
	}
	/* Only now: with more visible steps the schedule of this trace would mean another run. */
	for (size_t i = 0; i < x->findings.len && ok && !x->done; i++)
		if (x->findings.items[i].kind == FINDING_RACE)
			*exposed |= x->target->ops->expose(
				x->target, x->findings.items[i].object & 0x00ffffffffffffffu, 1);
	mem_free(copy);
	return ok;
}

/* ---- determinism ---- */

static void explain_difference(struct explorer *x, const struct trace *a, const struct trace *b)
{
	uint32_t i = 0;
	char text[256];

	while (i < a->events_len && i < b->events_len &&
	       a->events[i].actor == b->events[i].actor &&
	       a->events[i].kind == b->events[i].kind &&
	       a->events[i].accesses[0].object == b->events[i].accesses[0].object)
		i++;
	snprintf(text, sizeof(text),
		 "the same schedule gave two different runs (first difference at step %u); "
		 "the program does something that is not controlled", i + 1);
	lose_control(x, text);
}

/* The first schedule again: the same trace? */
static bool check_determinism(struct explorer *x, const struct trace *first, struct err *err)
{
	struct trace *kept = trace_copy(first);
	struct trace again;
	bool ok = x->target->ops->run(x->target, &x->schedule, &again, err);

	x->result->self_checks++;
	if (ok && again.end != END_RELEARN && trace_exact_hash(kept) != trace_exact_hash(&again))
		explain_difference(x, kept, &again);
	mem_free(kept);
	return ok;
}

/* ---- the loop ---- */

static bool explain_divergence(struct explorer *x, const struct trace *trace)
{
	const struct schedule *s = &x->schedule;
	char text[256];

	snprintf(text, sizeof(text),
		 "step %u of a schedule could not be followed (%s expected); the program does "
		 "something that is not controlled", trace->events_len + 1,
		 trace->events_len < s->decisions_len
			 ? event_kind_text(s->decisions[trace->events_len].kind)
			 : "an end");
	lose_control(x, text);
	return true;
}

/* That a step of a virtual actor (a timer, a spurious wake-up) is not possible where dpor
 * moved it says that the pair cannot be swapped, not that the program is out of control. */
static bool is_impossible_reversal(const struct explorer *x, const struct trace *trace)
{
	const struct schedule *s = &x->schedule;
	uint32_t actor;

	if (s->relaxed || trace->events_len >= s->decisions_len)
		return false;
	actor = s->decisions[trace->events_len].actor;
	return actor < trace->actors_len && actor_is_virtual(&trace->actors[actor]);
}

static bool handle_trace(struct explorer *x, const struct trace *trace, struct err *err)
{
	bool exposed = false;

	switch (trace->end) {
	case END_RELEARN:
		restart(x);
		return true;
	case END_LOST:
		lose_control(x, trace->message && trace->message[0] ? trace->message : "unknown");
		return true;
	case END_DIVERGED:
		if (is_impossible_reversal(x, trace)) {
			x->result->blocked++;
			x->strategy->ops->learn(x->strategy, trace);
			return true;
		}
		return explain_divergence(x, trace);
	default:
		break;
	}
	if (!take_findings(x, trace, &exposed, err))
		return false;
	if (x->done)
		count_run(x, trace);
	if (x->done || exposed) {
		if (!x->done)
			restart(x);
		return true;
	}
	count_run(x, trace);
	x->strategy->ops->learn(x->strategy, trace);
	if (trace->end == END_STEPS)
		set_reason(x, "a run reached the limit of %u steps (--max-steps)",
			   trace->events_len);
	return true;
}

/* Only where that makes no difference to the result: time is not the same from one
 * exploration to the next. */
static void adapt_batch(struct explorer *x, double seconds)
{
	if (!x->strategy->ops->any_ahead)
		return;
	if (seconds <= BATCH_SECONDS)
		x->batch = x->batch * 2 < BATCH_MAX ? x->batch * 2 : BATCH_MAX;
	else if (x->batch > 1)
		x->batch /= 2;
}

/* Runs the schedule; where target and strategy can, a few that will be asked for later
 * with it, whose traces the strategy keeps until then. */
static bool run_schedule(struct explorer *x, struct trace *trace, struct err *err)
{
	const struct strategy_ops *strategy = x->strategy->ops;
	struct schedule schedules[BATCH_MAX];
	struct trace traces[BATCH_MAX];
	uint32_t len = 1, done;
	double started;

	if (!x->target->ops->run_many || !strategy->ahead || !x->result->self_checks)
		return x->target->ops->run(x->target, &x->schedule, trace, err);
	schedules[0] = x->schedule;
	len += strategy->ahead(x->strategy, schedules + 1, x->batch - 1);
	started = clock_seconds();
	done = x->target->ops->run_many(x->target, schedules, len, traces, err);
	adapt_batch(x, clock_seconds() - started);
	*trace = traces[0];
	for (uint32_t i = 1; i < done; i++) {
		if (traces[i].end == END_RELEARN) {
			*trace = traces[i]; /* what the others showed no longer holds */
			return true;
		}
		if (traces[i].end != END_LOST)
			strategy->offer(x->strategy, i - 1, &traces[i]);
	}
	return done > 0;
}

static bool run_one(struct explorer *x, struct err *err)
{
	struct trace trace;

	if (!run_schedule(x, &trace, err))
		return false;
	/* Checked before anything is concluded from it; the trace is then run once more. */
	if (!x->result->self_checks && trace.end != END_RELEARN && trace.end != END_LOST &&
	    trace.end != END_SILENT) {
		if (!check_determinism(x, &trace, err))
			return false;
		if (x->done || !x->target->ops->run(x->target, &x->schedule, &trace, err))
			return x->done;
	}
	return handle_trace(x, &trace, err);
}

/* A search in which no run came to its end says nothing about the program. */
static void check_completed(struct explorer *x)
{
	struct explore_result *r = x->result;
	char text[sizeof(r->reason)];

	if (x->completed || r->found.len || r->lost || strcmp(r->reason, "interrupted") == 0)
		return;
	snprintf(text, sizeof(text), "no run came to its end (%lu were cut in a spin loop)%s%s",
		 r->spins + r->bursts, r->reason[0] ? "; " : "", r->reason);
	lose_control(x, text);
}

static void judge(struct explorer *x, bool ran_dry)
{
	const struct strategy_ops *ops = x->strategy->ops;
	const char *left_out = ops->left_out ? ops->left_out(x->strategy) : NULL;

	if (left_out)
		set_reason(x, "%s", left_out);
	if (x->result->bounded & BOUND_PLAINS)
		set_reason(x, "a run had more plain memory accesses than are recorded");
	if (x->result->bounded & BOUND_QUARANTINE)
		set_reason(x, "a run allocated so much that freed memory was used again");
	if (x->result->bounded & BOUND_FOREIGN)
		set_reason(x, "code ran that is not controlled");
	x->result->complete = ran_dry && !x->result->lost && !x->result->reason[0] &&
			      x->is_exhaustive;
}

bool explore(struct target *target, const struct explore_options *options,
	     struct explore_result *result, struct err *err)
{
	struct explorer x = {.target = target, .options = options, .result = result};
	bool ok = true, ran_dry = false;

	*result = (struct explore_result){0};
	x.strategy = strategy_create(options->strategy, &options->params);
	BUG_ON(!x.strategy, "strategy %s was not checked", options->strategy);
	x.is_exhaustive = strategy_is_exhaustive(options->strategy);
	x.batch = x.strategy->ops->any_ahead ? 1 : BATCH;
	x.detectors = detectors_new();
	x.started = clock_seconds();
	while (ok && !x.done && !is_over_budget(&x)) {
		const struct trace *known;

		if (!x.strategy->ops->next(x.strategy, &x.schedule, &known)) {
			ran_dry = true;
			break;
		}
		ok = known ? handle_trace(&x, known, err) : run_one(&x, err);
		if (!ok && options->stop && *options->stop) /* the target was told to stop, too */
			ok = is_out_of_time(&x, clock_seconds() - x.started);
	}
	judge(&x, ran_dry);
	if (ok)
		check_completed(&x);
	result->wall_seconds = clock_seconds() - x.started;
	x.strategy->ops->free(x.strategy);
	detectors_free(x.detectors);
	vec_release(&x.findings);
	map_release(&x.seen);
	return ok;
}

void explore_result_release(struct explore_result *result)
{
	for (size_t i = 0; i < result->found.len; i++)
		found_release(&result->found.items[i]);
	vec_release(&result->found);
	map_release(&result->outcomes);
	statistics_release(&result->statistics);
}
