#include "explore/tally.h"

enum { OUTCOMES_MAX = 100000 };

void tally_count(struct explore_result *r, const struct trace *trace, bool is_burst)
{
	r->steps += trace->events_len;
	r->bounded |= trace->bounded;
	r->assumed |= trace->assumed;
	if (trace->actors_len > r->actors_len)
		r->actors_len = trace->actors_len;
	if (trace->end == END_ASLEEP)
		r->blocked++;
	else if (is_burst)
		r->sampled++;
	else if (trace->void_turns || trace->end == END_PARKED)
		r->spins++;
	else
		r->executions++;
}

uint64_t explore_runs(const struct explore_result *r)
{
	return r->executions + r->sampled + r->blocked + r->spins;
}

void tally_run(struct explore_result *r, const struct explore_options *o,
	       const struct trace *trace, bool is_burst, bool is_sample)
{
	bool has_outcome = trace->end != END_ASLEEP && trace->end != END_PARKED;

	tally_count(r, trace, is_burst);
	r->completed += has_outcome && trace->end != END_SPIN && trace->end != END_SILENT;
	if (o->count_traces && is_sample)
		statistics_add(&r->statistics, trace);
	if (o->hash_traces)
		r->traces_hash += trace_exact_hash(trace);
	if (has_outcome && r->outcomes.len < OUTCOMES_MAX)
		++*map_put(&r->outcomes, trace_outcome_hash(trace), NULL);
	if (o->ran && trace->end != END_ASLEEP)
		o->ran(o->ctx, trace);
}

void tally_restart(struct explore_result *r, const struct explore_options *o)
{
	r->executions = r->sampled = r->blocked = r->spins = r->steps = r->completed = 0;
	r->bounded = r->assumed = 0;
	r->traces_hash = 0;
	map_clear(&r->outcomes);
	statistics_clear(&r->statistics);
	if (o->ran)
		o->ran(o->ctx, NULL);
}
