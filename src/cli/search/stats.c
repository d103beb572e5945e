#include "cli/search/stats.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/file.h"
#include "cli/exits.h"

enum { POINTS_MAX = 256 };
#define WRITE_EVERY 0.9 /* seconds; progress is called every half second */

void stats_begin(struct stats *s, const char *path, double started)
{
	*s = (struct stats){.path = path, .every = 1,
			    .started = started > 0 ? started : clock_seconds()};
}

void stats_release(struct stats *s)
{
	vec_release(&s->points);
}

static void halve(struct stats *s)
{
	size_t len = 0;

	for (size_t i = 1; i < s->points.len; i += 2)
		s->points.items[len++] = s->points.items[i];
	s->points.len = len;
	s->every *= 2;
	/* A test of a property is many runs, so points may be further apart than `every`. */
	if (len && s->every < vec_last(&s->points)->runs / len)
		s->every = vec_last(&s->points)->runs / len;
}

/* Distinct traces are counted for a second only (explore/statistics.h); later the number would stand
 * still although the search does not. */
static uint64_t count_traces(const struct explore_result *r)
{
	bool are_all = r->statistics.runs + r->blocked >= explore_runs(r);

	return are_all ? r->statistics.traces.len : 0;
}

static struct stats_point point_of(const struct stats *s, const struct explore_result *r)
{
	return (struct stats_point){.seconds = clock_seconds() - s->started,
				    .runs = explore_runs(r),
				    .outcomes = r->outcomes.len,
				    .traces = count_traces(r),
				    .findings = r->found.len};
}

struct stats_point *stats_note(struct stats *s, const struct explore_result *r,
			       const struct trace *trace)
{
	uint64_t last = s->points.len ? vec_last(&s->points)->runs : 0;

	if (!trace) {
		s->points.len = 0;
		s->every = 1;
		return NULL;
	}
	s->depth = trace->events_len;
	if (s->depth > s->deepest)
		s->deepest = s->depth;
	if (explore_runs(r) < last + s->every)
		return NULL;
	if (s->points.len == POINTS_MAX)
		halve(s);
	*vec_push(&s->points) = point_of(s, r);
	return vec_last(&s->points);
}

void stats_note_test(struct stats *s, uint64_t runs, uint64_t tests, uint64_t size)
{
	uint64_t last = s->points.len ? vec_last(&s->points)->runs : 0;

	if (runs < last + s->every && !size)
		return;
	if (s->points.len == POINTS_MAX)
		halve(s);
	*vec_push(&s->points) = (struct stats_point){.seconds = clock_seconds() - s->started,
						     .runs = runs, .tests = tests, .size = size,
						     .findings = size > 0};
}

bool stats_end(struct stats *s, const struct explore_result *r)
{
	struct stats_point last = point_of(s, r);

	if (s->points.len) {
		last.covered = vec_last(&s->points)->covered;
		if (vec_last(&s->points)->runs == last.runs || s->points.len == POINTS_MAX)
			s->points.len--;
	}
	*vec_push(&s->points) = last;
	return true;
}

bool stats_is_due(const struct stats *s)
{
	return s->path && clock_seconds() - s->written >= WRITE_EVERY;
}

void stats_write(struct stats *s, json_t *facts, bool now)
{
	struct strbuf text = {0};
	struct err err = {0};
	char *dump;

	if (!s->path || s->has_failed || (!now && !stats_is_due(s))) {
		json_decref(facts);
		return;
	}
	s->written = clock_seconds();
	json_object_set_new(facts, "seconds", json_real(s->written - s->started));
	dump = json_dumps(facts, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
	strbuf_addf(&text, "%s\n", dump ? dump : "{}");
	if (!file_write(s->path, strbuf_text(&text), text.len, &err)) {
		s->has_failed = true;
		exits_warn("--stats: %s", err.message);
	}
	free(dump);
	strbuf_release(&text);
	json_decref(facts);
}

json_t *stats_history(const struct stats *s)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < s->points.len; i++) {
		const struct stats_point *p = &s->points.items[i];

		json_array_append_new(rows, json_pack("[f, I, I, I, I, I, I, I]", p->seconds,
						      (json_int_t)p->runs, (json_int_t)p->outcomes,
						      (json_int_t)p->traces,
						      (json_int_t)p->findings,
						      (json_int_t)p->covered,
						      (json_int_t)p->tests, (json_int_t)p->size));
	}
	return json_pack("{s:[s, s, s, s, s, s, s, s], s:o}", "columns", "seconds", "runs", "outcomes",
			 "traces", "findings", "covered", "tests", "size", "rows", rows);
}

json_t *stats_facts(const struct stats *s, const struct explore_result *r, const char *state,
		    double done, double estimate)
{
	double seconds = clock_seconds() - s->started;
	uint64_t runs = explore_runs(r);
	double share = r->complete ? 1 : done;
	json_t *facts = json_pack(
		"{s:i, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:I, s:I, s:i, s:i}", "schema", 1,
		"state", state, "runs", (json_int_t)runs, "executions", (json_int_t)r->executions,
		"sampled", (json_int_t)r->sampled, "blocked_executions", (json_int_t)r->blocked,
		"spin_executions", (json_int_t)r->spins, "steps", (json_int_t)r->steps,
		"runs_per_second", seconds > 0 ? (double)runs / seconds : 0.0, "outcomes",
		(json_int_t)r->outcomes.len, "findings", (json_int_t)r->found.len, "depth",
		(int)s->depth, "deepest", (int)s->deepest);

	json_object_set_new(facts, "done", share >= 0 ? json_real(share) : json_null());
	json_object_set_new(facts, "estimate", estimate > 0 ? json_real(estimate) : json_null());
	return facts;
}
