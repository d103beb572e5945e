#include "explore/found.h"

#include <stdio.h>

#include "base/mem.h"
#include "base/vec.h"
#include "detect/detect.h"
#include "explore/spare.h"
#include "weak/reader.h"

/* Enough that a bug which depends on timing rarely shows in all of them. */
enum { OTHER_SCHEDULES = 20 };

/* A run as a strict schedule; a new array. */
static struct decision *copy_decisions(const struct trace *trace)
{
	struct decision *decisions = mem_alloc(trace->events_len * sizeof(*decisions) + 1);

	for (uint32_t i = 0; i < trace->events_len; i++)
		decisions[i] = decision_as_ran(&trace->events[i]);
	return decisions;
}

struct found found_of(const struct finding *finding, const struct trace *trace,
		      const struct trace *other)
{
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

void found_release(struct found *found)
{
	mem_free(found->trace);
	mem_free(found->decisions);
	mem_free(found->other);
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
 * of two runs. Neither can be told from a bug that has nothing to do with timing by trying. */
static bool can_be_always(const struct found *found)
{
	return found->finding.kind != FINDING_RACE && found->finding.kind != FINDING_HANG &&
	       !found->other;
}

/* The run without preemption first: a race that every random schedule shows often spares it. */
static uint32_t try_others(struct spare *spare, const struct found *found)
{
	for (uint32_t i = 0; i < OTHER_SCHEDULES; i++) {
		struct schedule schedule = {.tail = i == 0 ? TAIL_FIRST : i % 2 ? TAIL_RANDOM : TAIL_POS,
					    .seed = i + 1};
		struct finding finding = found->finding;
		struct trace trace;

		if (!spare_run(spare, &schedule, &trace) || !trace_shows(&trace, &finding))
			return 0;
	}
	return OTHER_SCHEDULES;
}

bool found_finish(struct found *found, struct target *fresh, const struct shrink_budget *budget,
		  bool is_first, uint64_t *runs, struct err *err)
{
	struct spare spare = {.model = fresh, .is_tied = found->is_tied};
	struct trace trace = {0};

	if (!found_confirm(fresh, found, &trace, err)) {
		if (!err->message[0] && trace.end == END_LOST && trace.message)
			snprintf(found->not_again, sizeof(found->not_again), "%s", trace.message);
		return false;
	}
	if (is_first && can_be_always(found) && budget->seconds > 0)
		found->always = try_others(&spare, found);
	if (found->finding.kind != FINDING_HANG) /* each of its runs takes seconds */
		shrink(&spare, found, budget, runs);
	spare_release(&spare);
	fresh->ops->want_stacks(fresh, true);
	if (!found_confirm(fresh, found, &trace, err))
		return false;
	mem_free(found->trace); /* only this run has its call stacks recorded */
	found->trace = trace_copy(&trace);
	return true;
}
