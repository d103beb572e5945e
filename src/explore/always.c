#include "explore/always.h"

#include <string.h>

#include "base/bitset.h"
#include "base/clock.h"
#include "base/hash.h"
#include "core/dependence.h"
#include "detect/detect.h"
#include "explore/explore.h"
#include "explore/spare.h"
#include "explore/walk.h"

enum { RANDOM_SCHEDULES = 20, ALL_SCHEDULES_MAX = 5000 };

enum outcome {
	FAILS,
	PASSES,
	REPEATS, /* the class of the run is counted elsewhere */
	UNKNOWN, /* the run was cut, or too long */
};

/* A data race is reported whatever the order of its two accesses, and a leak is the difference of two
 * runs: neither of them makes a run fail. */
static bool makes_fail(const struct finding *finding, const struct shrink_budget *budget)
{
	return finding->kind != FINDING_RACE && finding->kind != FINDING_LEAK &&
	       !(budget->ignored >> finding->kind & 1);
}

static enum outcome judge(const struct trace *trace, const struct finding_vec *findings,
			  const struct shrink_budget *budget)
{
	for (size_t i = 0; i < findings->len; i++)
		if (makes_fail(&findings->items[i], budget))
			return FAILS;
	if (trace->end == END_ASLEEP || trace->end == END_PARKED)
		return REPEATS;
	return trace->end == END_DONE ? PASSES : UNKNOWN;
}

/* ---- is it the same failure? ---- */

static const struct death *find_death(const struct trace *trace, uint32_t actor)
{
	for (uint32_t i = 0; i < trace->deaths_len; i++)
		if (trace->deaths[i].actor == actor)
			return &trace->deaths[i];
	return NULL;
}

/* The first process that failed, its place and its reason, if the test ended for that reason; else 0:
 *	P1.1 exits with reason badarg, P1 exits with reason {badarg,{gen_server,call,[…]}} */
static uint64_t find_origin(const struct trace *trace)
{
	static const char word[] = "reason ";
	const struct death *first = trace->deaths, *test = find_death(trace, 0);
	const char *reason = test ? strstr(first->text, word) : NULL;

	if (!reason || !strstr(test->text, reason + strlen(word)))
		return 0;
	return hash_combine(hash_combine(first->actor, first->site),
			    hash_bytes(first->text, strlen(first->text)));
}

static bool is_shown(const struct found *found, const struct trace *trace,
		     const struct finding_vec *findings)
{
	uint64_t origin = find_origin(trace);

	for (size_t i = 0; i < findings->len; i++)
		if (findings->items[i].fingerprint == found->finding.fingerprint)
			return true;
	return origin && origin == find_origin(found->trace);
}

static bool is_over(const struct shrink_budget *budget, double end)
{
	return clock_seconds() >= end || (budget->stop && *budget->stop);
}

/* ---- some random schedules ---- */

static bool fails(struct spare *spare, const struct schedule *schedule,
		  const struct shrink_budget *budget)
{
	struct detectors *detectors = detectors_new();
	struct finding_vec findings = {0};
	struct trace trace;
	bool does_fail = spare_run(spare, schedule, &trace);

	if (does_fail) {
		detectors_look(detectors, &trace, &findings);
		does_fail = judge(&trace, &findings, budget) == FAILS;
	}
	vec_release(&findings);
	detectors_free(detectors);
	return does_fail;
}

/* The run without preemption first: a bug of timing that every random schedule shows often spares
 * it. */
bool always_try_random(struct spare *spare, struct found *found,
		       const struct shrink_budget *budget, double end)
{
	uint32_t tried = 0;

	found->tried = 0;
	for (; tried < RANDOM_SCHEDULES && !is_over(budget, end); tried++) {
		struct schedule schedule = {.seed = tried + 1,
					    .tail = tried == 0 ? TAIL_FIRST
						    : tried % 2 ? TAIL_RANDOM : TAIL_POS};

		if (!fails(spare, &schedule, budget))
			return false;
	}
	found->tried = tried;
	return tried == RANDOM_SCHEDULES;
}

/* ---- patience ---- */

/* Has a sleep of the test ended while others could have gone on? */
static bool has_short_sleep(const struct trace *trace)
{
	for (uint32_t i = 0; i < trace->events_len; i++) {
		const struct event *event = &trace->events[i];

		if (!event_ends_test_sleep(event))
			continue;
		for (uint32_t a = 0; a < trace->actors_len; a++)
			if (a != event->actor && bitset_has(trace_enabled(trace, i), a))
				return true;
	}
	return false;
}

void always_try_patience(struct spare *spare, struct found *found,
			 const struct shrink_budget *budget, double end)
{
	struct schedule schedule = {.decisions = found->decisions,
				    .decisions_len = found->decisions_len,
				    .relaxed = FOLLOW_RELAXED, .is_patient = true};
	uint32_t tried = 0;

	found->patient = 0;
	if (!has_short_sleep(found->trace))
		return;
	for (; tried < RANDOM_SCHEDULES; tried++) {
		if (is_over(budget, end) || fails(spare, &schedule, budget))
			return;
		schedule = (struct schedule){.seed = tried + 1, .is_patient = true,
					     .tail = tried % 2 ? TAIL_RANDOM : TAIL_POS};
	}
	found->patient = tried;
}

/* ---- all schedules ---- */

struct all {
	struct walk walk;
	const struct shrink_budget *budget;
	const struct found *found;
	uint32_t failed, shown;
	uint64_t assumed;
	bool is_complete; /* every schedule there is was run, and failed */
	bool has_passed;
	bool is_timed; /* all that were run failed, which may be a matter of time all the same */
};

/* Then accesses that are not steps may come in several orders, of which one is run: to free a block
 * is never a step. */
static bool has_race(const struct walk *walk)
{
	for (size_t i = 0; i < walk->findings.len; i++)
		if (walk->findings.items[i].kind == FINDING_RACE)
			return true;
	return false;
}

/* Did a long timeout end, or did the program read a clock? Another machine may show then what no schedule
 * shows. A long timeout that did not end is an assumption, which the report names; so is a clock that
 * code without sources reads: GoogleTest measures every test. */
static bool has_timed(struct target *target, const struct trace *trace)
{
	for (uint32_t i = 0; i < trace->events_len; i++) {
		const struct event *event = &trace->events[i];
		struct target_frame frame = {0};

		if (event->kind == EVENT_IDLE_TIMER)
			return true;
		if (event->kind == EVENT_CLOCK)
			target->ops->describe_site(target, event->site, &frame);
		if (frame.file)
			return true;
	}
	return false;
}

/* Takes one run of dpor; false when the search is over. */
static bool take_run(struct all *all)
{
	const struct trace *trace = &all->walk.trace;
	const char *bounds[EXPLORE_BOUNDS_MAX];
	enum outcome outcome = judge(trace, &all->walk.findings, all->budget);

	all->has_passed = outcome == PASSES;
	if (outcome == PASSES || outcome == UNKNOWN || has_race(&all->walk) ||
	    explore_list_bounds(trace->bounded, bounds))
		return false;
	all->is_timed |= has_timed(all->walk.target, trace);
	all->assumed |= trace->assumed;
	all->failed += outcome == FAILS;
	all->shown += outcome == FAILS && is_shown(all->found, trace, &all->walk.findings);
	walk_learn(&all->walk);
	return true;
}

static bool take_step(struct all *all)
{
	struct err err = {0};

	switch (walk_next(&all->walk, &err)) {
	case WALK_RAN:
		return take_run(all);
	case WALK_RESTARTED:
		all->failed = all->shown = 0;
		return true;
	case WALK_IMPOSSIBLE:
		return true;
	case WALK_DRY:
		all->is_complete = all->failed > 0;
		return false;
	default:
		return false;
	}
}

/* Messages whose order no receive can distinguish are ordered all the same: that needs the least
 * trust in the reduction. */
static void search(struct all *all, struct target *target, double end)
{
	struct strategy_params params = {.observers = OBSERVERS_NONE};

	walk_init(&all->walk, target, "dpor", &params);
	while (all->failed < ALL_SCHEDULES_MAX && !is_over(all->budget, end) && take_step(all))
		;
	walk_release(&all->walk);
}

/* dpor knows the schedules of sequential consistency only. */
void always_try_all(struct spare *spare, struct found *found, const struct shrink_budget *budget,
		    double end)
{
	struct target *target = found->trace->memory == MEMORY_SC ? spare_new(spare) : NULL;
	struct all all = {.budget = budget, .found = found};

	if (!target)
		return;
	search(&all, target, end);
	target->ops->free(target);
	all.is_complete = all.is_complete && !all.is_timed;
	if (all.is_complete) {
		found->always = all.failed;
		found->shown = all.shown;
		found->always_assumed = all.assumed;
	}
	if (all.is_complete || all.has_passed)
		found->tried = 0;
	else if (all.failed > found->tried)
		found->tried = all.failed;
}
