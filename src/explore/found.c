#include "explore/found.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/vec.h"
#include "detect/detect.h"
#include "explore/always.h"
#include "explore/nearest.h"
#include "explore/spare.h"
#include "weak/reader.h"

/* The share of the time that is left which other schedules may take, and the seconds for a search of
 * all of them. */
static const double OTHERS_SHARE = 0.25, ALL_SECONDS = 1;

enum { NEAREST_RUNS = 400 };

struct decision *found_decisions(const struct trace *trace)
{
	struct decision *decisions = mem_alloc(trace->events_len * sizeof(*decisions) + 1);

	for (uint32_t i = 0; i < trace->events_len; i++)
		decisions[i] = decision_as_ran(&trace->events[i]);
	return decisions;
}

void found_keep_output(struct found *found, const struct trace *trace)
{
	found->output = mem_realloc(found->output, trace->output_len + 1);
	found->output_len = trace->output_len;
	if (trace->output_len)
		memcpy(found->output, trace->output, trace->output_len);
}

struct found found_of(const struct finding *finding, const struct trace *trace,
		      const struct trace *other)
{
	struct found found = {.finding = *finding, .trace = trace_copy(trace),
			      .decisions = found_decisions(trace),
			      .decisions_len = trace->events_len,
			      .preemptions = trace_preemptions(trace)};

	found_keep_output(&found, trace);
	if (other) {
		found.other = found_decisions(other);
		found.other_len = other->events_len;
	}
	return found;
}

void found_release(struct found *found)
{
	mem_free(found->trace);
	mem_free(found->decisions);
	mem_free(found->other);
	mem_free(found->output);
	mem_free(found->passing);
	*found = (struct found){0};
}

/* ---- does it show? ---- */

/* With the other run of a leak known: does this trace leave more blocks of that site behind? */
static bool leaves_blocks(const struct trace *trace, const struct finding *finding)
{
	for (uint32_t i = 0; i < trace->lives_len; i++)
		if (trace->lives[i].site == finding->sites[0].site)
			return trace->end == END_DONE && trace->lives[i].count > finding->least;
	return false;
}

/* Do these detectors report the finding of this trace? Then it is brought up to date. */
static bool find_again(struct detectors *detectors, const struct trace *trace,
		       struct finding *finding)
{
	struct finding_vec findings = {0};
	bool shows = false;

	detectors_look(detectors, trace, &findings);
	for (size_t i = 0; i < findings.len && !shows; i++) {
		shows = findings.items[i].fingerprint == finding->fingerprint;
		if (shows) {
			findings.items[i].executions_before = finding->executions_before;
			*finding = findings.items[i];
		}
	}
	vec_release(&findings);
	return shows;
}

bool trace_shows(const struct trace *trace, struct finding *finding)
{
	struct detectors *detectors;
	bool shows;

	if (!reader_is_allowed(trace))
		return false;
	if (finding->kind == FINDING_LEAK)
		return leaves_blocks(trace, finding);
	detectors = detectors_new();
	shows = find_again(detectors, trace, finding);
	detectors_free(detectors);
	return shows;
}

/* A leak shows only in the comparison of two runs: first the one without it, then the one that
 * has it. */
static bool confirm_by_comparing(struct target *target, struct found *found, struct trace *trace,
				 struct err *err)
{
	struct schedule other = {.decisions = found->other, .decisions_len = found->other_len,
				 .tail = TAIL_FIRST};
	struct schedule schedule = {.decisions = found->decisions,
				    .decisions_len = found->decisions_len, .tail = TAIL_FIRST};
	struct detectors *detectors = detectors_new();
	struct finding_vec findings = {0};
	bool shows = false;

	if (target->ops->run(target, &other, trace, err)) {
		detectors_look(detectors, trace, &findings);
		shows = target->ops->run(target, &schedule, trace, err) &&
			find_again(detectors, trace, &found->finding);
	}
	vec_release(&findings);
	detectors_free(detectors);
	return shows;
}

bool found_confirm(struct target *target, struct found *found, struct trace *trace, struct err *err)
{
	struct schedule schedule = {.decisions = found->decisions,
				    .decisions_len = found->decisions_len, .tail = TAIL_FIRST};

	if (found->other)
		return confirm_by_comparing(target, found, trace, err);
	return target->ops->run(target, &schedule, trace, err) &&
	       trace_shows(trace, &found->finding);
}

/* A race is a pair of accesses that nothing orders, whichever came first; a leak is the difference
 * of two runs: other schedules show nothing about them. A use of freed memory is a race with free(),
 * and plain accesses run in one order only. Each run of a hang takes seconds. */
static bool can_be_always(const struct found *found)
{
	return found->finding.kind != FINDING_RACE && found->finding.kind != FINDING_MEMORY &&
	       found->finding.kind != FINDING_HANG && !found->other;
}

/* So many seconds, but if there is a deadline at most a share of the time to it, less a run that
 * begins just before the end, and less the run that confirms the finding once more. */
static double limit_share(const struct shrink_budget *budget, double seconds, double share,
			  double run_seconds)
{
	double left = budget->deadline - clock_seconds();
	double limit = left * share - run_seconds;

	if (limit > left - 2 * run_seconds)
		limit = left - 2 * run_seconds;
	return budget->deadline > 0 && limit < seconds ? limit : seconds;
}

static void try_others(struct spare *spare, struct found *found, const struct shrink_budget *budget,
		       double run_seconds)
{
	double random = limit_share(budget, budget->others_seconds, OTHERS_SHARE, run_seconds);

	if (always_try_random(spare, found, budget, clock_seconds() + random))
		always_try_all(spare, found, budget,
			       clock_seconds() + limit_share(budget, ALL_SECONDS, OTHERS_SHARE,
							     run_seconds));
}

static uint64_t hash_decisions(const struct found *found)
{
	uint64_t hash = found->decisions_len;

	for (uint32_t i = 0; i < found->decisions_len; i++)
		hash = hash_combine(hash, (uint64_t)found->decisions[i].actor << 32 |
						  found->decisions[i].source);
	return hash;
}

/* Everything that is done for the reader of a finding that is confirmed: other schedules, a shorter
 * one, the nearest run that passes. */
static void improve(struct found *found, struct target *fresh, const struct shrink_budget *budget,
		    bool is_first, double run_seconds, uint64_t *runs)
{
	struct spare spare = {.model = fresh, .is_tied = found->is_tied, .stop = budget->stop};
	struct shrink_budget rest = *budget, nearest = *budget;

	if (is_first && can_be_always(found))
		try_others(&spare, found, budget, run_seconds);
	rest.seconds = limit_share(budget, budget->seconds, 1, run_seconds);
	shrink(&spare, found, &rest, runs);
	always_try_patience(&spare, found, budget,
			    clock_seconds() + limit_share(budget, budget->others_seconds,
							  OTHERS_SHARE, run_seconds));
	nearest.seconds = limit_share(budget, budget->seconds / 2, 1, run_seconds);
	nearest.runs = NEAREST_RUNS;
	nearest_find(&spare, found, &nearest, runs);
	spare_release(&spare);
}

bool found_finish(struct found *found, struct target *fresh, const struct shrink_budget *budget,
		  bool is_first, uint64_t *runs, struct err *err)
{
	double began = clock_seconds();
	uint64_t before = hash_decisions(found);
	struct trace trace = {0};

	fresh->ops->want_stacks(fresh, true);
	if (!found_confirm(fresh, found, &trace, err)) {
		if (!err->message[0] && trace.end == END_LOST && trace.message)
			snprintf(found->not_again, sizeof(found->not_again), "%s", trace.message);
		return false;
	}
	mem_free(found->trace); /* only these runs have their call stacks recorded */
	found->trace = trace_copy(&trace);
	if (found->finding.kind == FINDING_HANG) /* each of its runs takes seconds */
		return true;
	improve(found, fresh, budget, is_first, clock_seconds() - began, runs);
	/* After Ctrl-C nobody waits for a run that would show the same once more. (Instances that
	 * cannot be stopped share a machine, which other schedules have used since.) */
	if (fresh->ops->heed && budget->stop && *budget->stop && hash_decisions(found) == before)
		return true;
	if (!found_confirm(fresh, found, &trace, err))
		return false;
	mem_free(found->trace);
	found->trace = trace_copy(&trace);
	return true;
}

void found_explain_gone(const struct found *found, const char *moving, char *out, size_t size)
{
	static const char hang[] = "hang: ";
	const char *message = found->finding.message;

	if (found->finding.kind == FINDING_HANG && strncmp(message, hang, strlen(hang)) == 0)
		snprintf(out, size,
			 "%.*s, but it did when it had more time: it is slow, give a larger --step-time",
			 (int)strcspn(message + strlen(hang), ","), message + strlen(hang));
	else
		snprintf(out, size,
			 "a finding (%s) did not show again when its schedule was replayed%s%s%s%s%s",
			 finding_kind_text(found->finding.kind), found->not_again[0] ? ": " : "",
			 found->not_again, moving ? "; it may depend on " : "", moving ? moving : "",
			 moving ? ", which can differ from process to process" : "");
}
