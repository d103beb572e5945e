#include "explore/conclude.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "explore/explorer.h"

void explorer_set_reason(struct explorer *x, const char *format, ...)
{
	va_list args;

	if (x->result->reason[0])
		return; /* the first reason is the one to report */
	va_start(args, format);
	vsnprintf(x->result->reason, sizeof(x->result->reason), format, args);
	va_end(args);
}

void explorer_lose_control(struct explorer *x, const char *how)
{
	x->result->reason[0] = '\0';
	explorer_set_reason(x, "%s", how);
	x->result->lost = true;
	x->done = true;
}

uint32_t explore_list_bounds(uint32_t bounded, const char *texts[EXPLORE_BOUNDS_MAX])
{
	static const struct {
		uint32_t bit;
		const char *text;
	} table[EXPLORE_BOUNDS_MAX] = {
		{BOUND_PLAINS, "a run had more plain memory accesses than are recorded"},
		{BOUND_QUARANTINE, "a run allocated so much that freed memory was used again"},
		{BOUND_FOREIGN, "code ran that is not controlled"},
		{BOUND_COUNTED, "a loop counts the turns in which it waits, and only a few of them were run"},
	};
	uint32_t len = 0;

	for (size_t i = 0; i < EXPLORE_BOUNDS_MAX; i++)
		if (bounded & table[i].bit)
			texts[len++] = table[i].text;
	return len;
}

/* Was the search complete? If not, the reason says why. */
static void decide_complete(struct explorer *x)
{
	const struct strategy *strategy = x->walk.strategy;
	const char *left_out = strategy->ops->left_out ? strategy->ops->left_out(strategy) : NULL;
	const char *bounds[EXPLORE_BOUNDS_MAX];

	if (left_out)
		explorer_set_reason(x, "%s", left_out);
	if (explore_list_bounds(x->result->bounded, bounds))
		explorer_set_reason(x, "%s", bounds[0]);
	x->result->complete = x->ran_dry && !x->result->lost && !x->result->reason[0] &&
			      x->is_exhaustive;
}

/* A class was left out, which is a mistake of ours: then nothing that the search said can be relied
 * on, unless the run that was left out shows a bug. */
static bool take_gap(struct explorer *x, const char *text, struct err *err)
{
	struct schedule schedule = certify_gap(x->certify);
	enum walk_answer answer = walk_run(&x->walk, &schedule, err);

	x->result->complete = false;
	if (answer == WALK_ERROR || (answer == WALK_RAN && !explorer_take_findings(x, err)))
		return false;
	if (!x->result->found.len) {
		explorer_lose_control(x, text);
		x->result->has_gap = true;
	}
	return true;
}

/* Why the checker does not look at the runs; NULL if it does. */
static const char *why_unchecked(const struct explorer *x)
{
	if (x->certify && x->walk.trace.memory == MEMORY_RF)
		return "the checker does not know --equivalence rf";
	if (!x->certify)
		return !memory_is_weak(x->options->params.memory)
			       ? "--certify 0"
			       : "the checker knows sequential consistency only";
	if (x->result->is_resumed)
		return "the runs of a search that was resumed are not certified (--resume)";
	return x->result->parts ? "the runs of several processes are not certified (--jobs)" : NULL;
}

/* Has a checker that does not know the strategy look at the runs of a complete search. */
static bool certify_search(struct explorer *x, struct err *err)
{
	struct explore_result *r = x->result;
	const char *unchecked = why_unchecked(x);
	struct strbuf text = {0};
	enum certify_answer answer;
	bool ok = true;

	if (!r->complete || r->found.len)
		return true;
	if (unchecked) {
		snprintf(r->not_certified, sizeof(r->not_certified), "%s", unchecked);
		return true;
	}
	certify_stop_at(x->certify, x->options->stop);
	answer = certify_check(x->certify, x->walk.target, &text, err);
	r->certified = answer == CERTIFY_CLOSED;
	if (answer == CERTIFY_UNKNOWN)
		snprintf(r->not_certified, sizeof(r->not_certified), "%s", strbuf_text(&text));
	if (answer == CERTIFY_GAP)
		ok = take_gap(x, strbuf_text(&text), err);
	strbuf_release(&text);
	return ok && answer != CERTIFY_ERROR;
}

/* dpor leaves some orders of waits that signals interrupt to the checker (docs/architecture.md). */
static void demand_certificate(struct explorer *x)
{
	struct explore_result *r = x->result;

	if (r->complete && !r->found.len && !r->certified && r->assumed & ASSUMED_HANDLERS &&
	    !memory_is_weak(x->options->params.memory) &&
	    strcmp(x->options->strategy, "dfs") != 0) {
		r->complete = false;
		explorer_set_reason(x, "signals were handled, which needs a certificate (%s)",
				    r->not_certified);
	}
}

static bool is_interrupted(const struct explorer *x)
{
	const volatile sig_atomic_t *stop = x->options->stop;

	return stop && *stop && *stop != EXPLORE_TIME_OVER;
}

/* A search in which no run came to its end says nothing about the program. */
static void check_completed(struct explorer *x)
{
	struct explore_result *r = x->result;
	char text[sizeof(r->reason)];

	if (r->completed || r->found.len || r->lost || is_interrupted(x))
		return;
	if (explore_runs(r))
		snprintf(text, sizeof(text), "no run came to its end (%lu were cut in a spin loop)%s%s",
			 explore_runs(r), r->reason[0] ? "; " : "", r->reason);
	else
		snprintf(text, sizeof(text), "no run came to its end: %s",
			 r->reason[0] ? r->reason : "unknown");
	explorer_lose_control(x, text);
}

bool explorer_conclude(struct explorer *x, bool ok, struct err *err)
{
	decide_complete(x);
	ok = ok && certify_search(x, err);
	demand_certificate(x);
	if (ok)
		check_completed(x);
	return ok;
}
