#include "explore/explore.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/plural.h"
#include "explore/conclude.h"
#include "explore/explorer.h"
#include "explore/jobs.h"
#include "explore/resume.h"
#include "explore/samples.h"
#include "explore/tally.h"

enum { PROGRESS_EVERY_MS = 500, OTHERS_SECONDS = 10 };

/* ---- budgets ---- */

static bool is_out_of_time(struct explorer *x, double elapsed)
{
	const struct explore_options *o = x->options;

	if (o->max_seconds > 0 && elapsed >= o->max_seconds)
		explorer_set_reason(x, "stopped after %.1f seconds (--max-time)", elapsed);
	else if (o->stop && *o->stop)
		explorer_set_reason(x, *o->stop == EXPLORE_TIME_OVER ? "the time is over (--max-time)"
							  : "interrupted");
	else
		return false;
	return true;
}

static void show_progress(struct explorer *x, double elapsed)
{
	const struct explore_options *o = x->options;
	const struct strategy *strategy = x->walk.strategy;

	if (!o->progress || (elapsed - x->last_progress) * 1000 < PROGRESS_EVERY_MS)
		return;
	x->last_progress = elapsed;
	x->result->wall_seconds = elapsed;
	o->progress(o->ctx, x->result, strategy->ops->progress(strategy));
}

static bool is_over_budget(struct explorer *x)
{
	uint64_t runs = explore_runs(x->result);
	double elapsed = (x->looked = clock_seconds()) - x->started;

	if (is_out_of_time(x, elapsed))
		return true;
	if (x->options->max_runs && runs >= x->options->max_runs) {
		explorer_set_reason(x, "stopped after %lu run%s (--max-runs)", runs, PLURAL(runs));
		return true;
	}
	show_progress(x, elapsed);
	return false;
}

/* ---- findings ---- */

/* Confirms, shortens and reports a finding with a fresh instance of the target, which is freed. */
static bool finish_with(struct explorer *x, struct target *fresh, struct found *found,
			struct err *err)
{
	const struct explore_options *o = x->options;
	struct shrink_budget budget = {
		.seconds = o->shrink_seconds,
		.runs = o->shrink_runs,
		.stop = o->stop,
		.others_seconds = OTHERS_SECONDS,
		.deadline = o->max_seconds > 0 ? x->started + o->max_seconds : 0,
		.ignored = o->ignored,
	};
	bool ok;

	if (!fresh)
		return false;
	if (o->finishing)
		o->finishing(o->ctx, true);
	ok = found_finish(found, fresh, &budget, !found->finding.executions_before,
			  &x->result->shrinks, err);
	if (ok) {
		x->result->confirmations++;
		ok = !o->confirmed || o->confirmed(o->ctx, fresh, found, err);
	}
	fresh->ops->free(fresh);
	if (o->finishing)
		o->finishing(o->ctx, false);
	return ok;
}

/* With another environment first; a program that reads all of its environment may fail only in
 * the one it was tested in. */
static bool finish_finding(struct explorer *x, struct target *target, struct found *found,
			   struct err *err)
{
	bool ok = finish_with(x, target->ops->again(target, err), found, err);

	if (!ok && !err->message[0] && target->ops->again_here) {
		found->is_tied = true;
		ok = finish_with(x, target->ops->again_here(target, err), found, err);
	}
	if (!ok && !err->message[0]) {
		char why[sizeof(x->result->reason)];

		found_explain_gone(found, target_moving(x->walk.target), why, sizeof(why));
		explorer_lose_control(x, why);
	}
	return ok;
}

static bool is_wanted(struct explorer *x, const struct finding *finding)
{
	bool is_new;

	if (x->options->ignored >> finding->kind & 1)
		return false;
	map_put(&x->seen, finding->fingerprint, &is_new);
	return is_new && (!x->options->wanted ||
			  x->options->wanted(x->options->ctx, x->walk.target, finding));
}

static bool is_burst(const struct explorer *x)
{
	const struct strategy *strategy = x->walk.strategy;

	return strategy->ops->is_burst && strategy->ops->is_burst(strategy);
}

/* The numbers so far, with the run that is not counted yet. */
static struct found_search search_with(const struct explorer *x, const struct trace *trace)
{
	struct explore_result r = *x->result;

	tally_count(&r, trace, is_burst(x));
	return (struct found_search){.executions = r.executions, .sampled = r.sampled,
				     .blocked = r.blocked, .spins = r.spins, .steps = r.steps,
				     .wall_seconds = clock_seconds() - x->started};
}

static void keep_found(struct explorer *x, struct target *target, struct found *found)
{
	if (found->is_left_out) {
		found_release(found);
		return;
	}
	*vec_push(&x->result->found) = *found;
	resume_note_finding(x->resume, target);
}

static bool take_finding(struct explorer *x, const struct finding *finding,
			 const struct trace *trace, struct err *err)
{
	const struct explore_result *r = x->result;
	struct found found = found_of(finding, trace,
				      detectors_other(x->walk.detectors, finding));

	found.finding.executions_before = r->executions + r->sampled + r->spins;
	found.search = search_with(x, trace);
	err->message[0] = '\0';
	if (finish_finding(x, x->walk.target, &found, err)) {
		x->done |= !x->options->keep_going && !found.is_left_out && !found.is_known;
		keep_found(x, x->walk.target, &found);
		return true;
	}
	found_release(&found);
	return !err->message[0];
}

/* The trace is copied, because confirming a finding may run the same target again. When the time is
 * over, one finding of the search is enough. */
bool explorer_take_findings(struct explorer *x, struct err *err)
{
	const struct finding_vec *findings = &x->walk.findings;
	struct trace *copy;
	bool ok = true;

	if (!findings->len)
		return true;
	copy = trace_copy(&x->walk.trace);
	for (size_t i = 0; i < findings->len && ok && !x->done &&
			   !(x->result->found.len && is_out_of_time(x, clock_seconds() - x->started));
	     i++)
		if (is_wanted(x, &findings->items[i]))
			ok = take_finding(x, &findings->items[i], copy, err);
	mem_free(copy);
	return ok;
}

/* The time was over in the middle of a run that began at `before`, and the target says why it had
 * not ended. A step that took more than half of all time says that control is lost: a hang
 * must not pass as a success because the time was short. */
static void take_cut(struct explorer *x, double before, const char *why)
{
	double now = clock_seconds();
	char text[sizeof(x->result->reason)];

	if (strncmp(why, "a step of", strlen("a step of")) != 0)
		return;
	snprintf(text, sizeof(text), "%s%s, and %s",
		 x->result->completed ? "" : "no run came to its end: ", x->result->reason, why);
	x->result->reason[0] = '\0';
	explorer_set_reason(x, "%s", text);
	if (*x->options->stop == EXPLORE_TIME_OVER && now - before > (now - x->started) / 2) {
		x->result->hung = true;
		explorer_lose_control(x, text);
	}
}

/* ---- the loop ---- */

static void count_run(struct explorer *x)
{
	bool is_sample = is_burst(x);

	tally_run(x->result, x->options, &x->walk.trace, is_sample, is_sample || !x->is_exhaustive);
	if (x->certify && !is_sample && x->walk.trace.memory == MEMORY_SC)
		certify_add(x->certify, &x->walk.trace);
}

static void take_restart(struct explorer *x, enum walk_answer answer)
{
	if (answer == WALK_LOST)
		explorer_lose_control(x, x->walk.lost);
	else
		tally_restart(x->result, x->options);
	if (x->certify)
		certify_add(x->certify, NULL);
	jobs_restart(x->jobs);
	samples_restart(x->samples);
	history_restart(x->walk.history);
	resume_restart(x->resume);
}

/* Takes the findings of the last run and counts it. If the search goes on, races become visible
 * steps, with which it begins anew, or else the strategy learns from the run. */
static bool take_run(struct explorer *x, struct err *err)
{
	const struct trace *trace = &x->walk.trace;

	history_note(x->walk.history, &x->walk);
	if (!explorer_take_findings(x, err))
		return false;
	if (!x->done) {
		enum walk_answer answer = walk_expose(&x->walk);

		if (answer != WALK_RAN) {
			take_restart(x, answer);
			return true;
		}
	}
	count_run(x);
	if (x->done)
		return true;
	walk_learn(&x->walk);
	if (trace->end == END_STEPS)
		explorer_set_reason(x, "a run reached the limit of %u step%s (--max-steps)",
			   trace->events_len, PLURAL(trace->events_len));
	return true;
}

/* Another process saw something in the run of this schedule, which it has counted. */
static bool take_look(struct explorer *x, struct err *err)
{
	enum walk_answer answer = walk_run(&x->walk, jobs_look(x->jobs), err);

	if (answer == WALK_RAN && x->walk.trace.end == END_DIVERGED) {
		explorer_lose_control(x, "a run of another process (--jobs) could not be repeated");
		return true;
	}
	if (answer == WALK_RAN)
		history_note(x->walk.history, &x->walk);
	if (answer == WALK_ERROR || (answer == WALK_RAN && !explorer_take_findings(x, err)))
		return false;
	if (answer == WALK_RAN && !x->done)
		answer = walk_expose(&x->walk);
	if (answer != WALK_RAN)
		take_restart(x, answer);
	return true;
}

static bool take_step(struct explorer *x, struct err *err)
{
	enum walk_answer answer;

	if (x->jobs && jobs_tend(x->jobs))
		return take_look(x, err);
	if (x->samples && !samples_tend(x->samples))
		return true;
	answer = walk_next(&x->walk, err);
	switch (answer) {
	case WALK_RAN:
		return take_run(x, err);
	case WALK_IMPOSSIBLE:
		history_note(x->walk.history, &x->walk);
		x->result->blocked++;
		return true;
	case WALK_DRY:
		x->ran_dry = x->done = !x->jobs || !jobs_has_looks(x->jobs);
		return true;
	case WALK_ERROR:
		return false;
	default:
		take_restart(x, answer);
		return true;
	}
}

/* ---- a saved search ---- */

/* Makes the run of a finding of before again, with everything that follows from it. The names of
 * its schedule are those of that time, so another instance of the target makes it. */
static bool take_saved_finding(struct explorer *x, const struct resume_finding *saved,
			       struct err *err)
{
	const struct target_ops *ops = x->walk.target->ops;
	struct target *target = (ops->again_here ? ops->again_here : ops->again)(x->walk.target, err);
	struct found found = {0};
	struct walk walk;
	bool ok;

	if (!target)
		return false;
	walk_init(&walk, target, "dpor", &x->options->params);
	ok = ops->load_knowledge(target, saved->knowledge, err) &&
	     resume_find_again(&walk, saved, &found, err);
	if (ok && finish_finding(x, target, &found, err)) {
		keep_found(x, target, &found);
	} else if (ok) {
		found_release(&found);
		ok = err->message[0] ? false : err_set(err, "%s", x->result->reason);
	}
	walk_release(&walk);
	target->ops->free(target);
	return ok;
}

/* Goes on with the saved search, if there is one. */
static bool go_on(struct explorer *x, struct err *err)
{
	const struct resume_finding *findings;
	size_t len;

	if (!resume_is_saved(x->resume, err))
		return !err->message[0];
	if (!resume_load_findings(x->resume, err))
		return false;
	findings = resume_findings(x->resume, &len);
	for (size_t i = 0; i < len; i++)
		if (!take_saved_finding(x, &findings[i], err))
			return false;
	x->result->confirmations = x->result->shrinks = 0; /* they were counted then */
	return resume_load(x->resume, err);
}

static bool begin_saving(struct explorer *x, struct err *err)
{
	struct resume_view view = {&x->walk, x->options, x->result, &x->seen,
				   &x->history};

	if (!x->options->store)
		return true;
	x->resume = resume_new(&view);
	if (!x->resume)
		return err_set(err, "--resume: a search with this strategy cannot be saved (auto, dpor, "
				    "random, pos and pct can)");
	return go_on(x, err);
}

static void end_saving(struct explorer *x, bool ok)
{
	x->result->is_over = ok && x->done;
	if (ok && x->is_between)
		resume_finish(x->resume, x->done);
	else
		resume_finish(x->resume, true); /* as it was saved last */
	x->resume = NULL;
}

static bool explore_once(struct target *target, const struct explore_options *options,
			 struct explore_result *result, struct err *err)
{
	struct explorer x = {.options = options, .result = result};
	bool ok = true;

	*result = (struct explore_result){0};
	walk_init(&x.walk, target, options->strategy, &options->params);
	x.walk.checks_first = true;
	x.walk.history = options->store || options->elsewhere ? &x.history : NULL;
	x.is_exhaustive = strategy_is_exhaustive(options->strategy);
	x.started = options->started > 0 ? options->started : clock_seconds();
	if (options->certify_runs && x.is_exhaustive)
		x.certify = certify_new(options->certify_runs, options->params.observers,
					options->forget_run);
	x.jobs = jobs_new(&x.walk, options, result);
	x.samples = samples_new(&x.walk, options, result);
	if (options->jobs > 1 && !x.jobs && !x.samples)
		result->stays_alone = "the strategy is not shared";
	ok = x.is_between = begin_saving(&x, err);
	while (ok && !x.done && !is_over_budget(&x)) {
		x.is_between = ok = take_step(&x, err);
		if (ok)
			resume_tend(x.resume);
		if (!ok && options->stop && *options->stop) { /* the target was stopped, too */
			ok = is_out_of_time(&x, clock_seconds() - x.started);
			take_cut(&x, x.looked, err->message);
		}
	}
	jobs_free(x.jobs);
	samples_free(x.samples);
	end_saving(&x, ok);
	x.jobs = NULL;
	x.samples = NULL;
	ok = explorer_conclude(&x, ok, err);
	result->self_checks = x.walk.self_checks;
	result->restarts = x.walk.restarts;
	result->wall_seconds = result->wall_before + clock_seconds() - x.started;
	walk_release(&x.walk);
	map_release(&x.seen);
	history_release(&x.history);
	certify_free(x.certify);
	return ok;
}

/* The search left a run out: which orders of messages count is the part of dpor that is hardest to get right.
 * So all of them are explored. Without a certificate the gap stays the answer. */
static bool explore_all_orders(struct target *target, const struct explore_options *options,
			       struct explore_result *result, struct err *err)
{
	struct explore_options all = *options;
	char gap[sizeof(result->reason)];
	bool ok;

	memcpy(gap, result->reason, sizeof(gap));
	explore_result_release(result);
	all.params.observers = OBSERVERS_NONE;
	all.certify_runs *= 10; /* it has more runs, and counts for nothing without a certificate */
	all.forget_run = 0;
	if (all.ran)
		all.ran(all.ctx, NULL);
	ok = explore_once(target, &all, result, err);
	if (!ok || result->found.len || result->certified || result->lost ||
	    (options->stop && *options->stop && *options->stop != EXPLORE_TIME_OVER))
		return ok; /* an interrupted search claims nothing */
	result->complete = false;
	result->lost = true;
	memcpy(result->reason, gap, sizeof(gap));
	return true;
}

bool explore(struct target *target, const struct explore_options *options,
	     struct explore_result *result, struct err *err)
{
	if (!explore_once(target, options, result, err))
		return false;
	if (!result->has_gap || !options->tries_all_orders || options->store ||
	    options->params.observers == OBSERVERS_NONE)
		return true;
	return explore_all_orders(target, options, result, err);
}

void explore_result_release(struct explore_result *result)
{
	for (size_t i = 0; i < result->found.len; i++)
		found_release(&result->found.items[i]);
	vec_release(&result->found);
	map_release(&result->outcomes);
	statistics_release(&result->statistics);
}
