#include "cli/search/session_json.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/search/stats.h"

json_t *session_search_json(const struct session *session, const struct found *found)
{
	const struct found_search *s = &found->search;
	json_t *json;

	json = json_pack("{s:s?, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:f}", "program",
			 session->program, "strategy",
			 session->strategy ? session->strategy : session->options->strategy, "seed",
			 (json_int_t)session->options->seed, "executions", (json_int_t)s->executions,
			 "sampled", (json_int_t)s->sampled, "blocked_executions",
			 (json_int_t)s->blocked, "spin_executions", (json_int_t)s->spins, "steps",
			 (json_int_t)s->steps, "wall_seconds", s->wall_seconds);
	if (session->stats)
		json_object_set_new(json, "history", session_history(session, session->stats));
	return json;
}

json_t *session_history(const struct session *session, const struct stats *stats)
{
	return session->history ? json_incref((json_t *)session->history) : stats_history(stats);
}

json_t *session_outcomes_json(const struct explore_result *result)
{
	json_t *array = json_array();

	for (size_t i = 0; i < result->outcomes.len; i++) {
		char text[24];

		snprintf(text, sizeof(text), "%016" PRIx64, result->outcomes.entries[i].key);
		json_array_append_new(array, json_string(text));
	}
	return array;
}

json_t *session_apart_json(const struct explore_result *r)
{
	char traces[24];

	snprintf(traces, sizeof(traces), "%016" PRIx64, r->traces_hash);
	return json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f}",
			 "traces", traces, "burst", (json_int_t)r->sampled,
			 "confirmations", (json_int_t)r->confirmations, "shrinking",
			 (json_int_t)r->shrinks, "self_checks", (json_int_t)r->self_checks,
			 "restarts", (json_int_t)r->restarts,
			 "sampled", (json_int_t)r->statistics.runs,
			 "distinct_traces", (json_int_t)r->statistics.traces.len,
			 "distinct_races", (json_int_t)r->statistics.races.len,
			 "dropped_decisions", (json_int_t)r->statistics.dropped,
			 "workers", (json_int_t)r->workers, "parts", (json_int_t)r->parts,
			 "parts_dropped", (json_int_t)r->parts_dropped,
			 "parts_lost", (json_int_t)r->parts_lost,
			 "workers_cpu_seconds", r->workers_cpu_seconds);
}
