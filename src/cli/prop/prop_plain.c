#include "cli/prop/prop_plain.h"

#include <inttypes.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/plural.h"
#include "cli/exits.h"
#include "cli/search/forms.h"
#include "cli/search/progress.h"
#include "cli/search/session.h"
#include "cli/search/stats.h"
#include "cli/search/stopping.h"
#include "cli/search/verdict.h"
#include "prop/beam_plain.h"
#include "report/report.h"
#include "vm/terms/atom.h"

#define SHOW_EVERY 0.5 /* seconds */
enum { INSTANCE_MAX = 100 }; /* characters of an instance on the progress line */

/* The property while it is tested. */
struct view {
	struct prop_session *session;
	struct beam_plain plain;
	const char *name; /* module:property */
	struct progress progress;
	struct stats stats;
	bool is_sequential;
	double shown;     /* when the progress line was written last */
	struct strbuf instance; /* the failing one; empty while none has failed */
};

/* ---- while it runs ---- */

static void write_stats(struct view *v, const struct beam_plain_result *r, const char *state, bool now)
{
	const struct prop_session *s = v->session;
	json_t *facts;

	if (!now && !stats_is_due(&v->stats))
		return;
	facts = json_pack("{s:i, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:i}", "schema", 1, "state", state,
			  "test", v->name, "strategy", s->prop.strategy, "seed",
			  (json_int_t)s->options->seed, "tests", (json_int_t)r->tests, "runs",
			  (json_int_t)r->runs, "steps", (json_int_t)r->steps, "findings",
			  r->is_found ? 1 : 0);
	if (v->instance.len)
		json_object_set_new(facts, "shrinking",
				    json_pack("{s:I, s:s, s:I, s:I}", "test", (json_int_t)r->tests + 1,
					      "instance", strbuf_text(&v->instance), "tests",
					      (json_int_t)r->shrink_tests, "runs",
					      (json_int_t)r->shrink_runs));
	stats_write(&v->stats, facts, now);
}

static void add_progress(const struct view *v, const struct beam_plain_result *r, struct strbuf *line)
{
	double seconds = clock_seconds() - v->stats.started;

	if (v->instance.len)
		strbuf_addf(line, "test %" PRIu64 " failed; shrunk in %" PRIu64 " test%s to %.*s%s",
			    r->tests + 1, r->shrink_tests, PLURAL(r->shrink_tests), INSTANCE_MAX,
			    strbuf_text(&v->instance), v->instance.len > INSTANCE_MAX ? "…" : "");
	else
		strbuf_addf(line, "%" PRIu64 " of %" PRIu64 " tests, %" PRIu64 " run%s, %.0f/s",
			    r->tests, v->session->prop.tests, r->runs, PLURAL(r->runs),
			    (double)r->runs / (seconds + 1e-9));
}

static void note(void *ctx, const struct beam_plain_result *so_far, bool is_failing)
{
	struct view *v = ctx;
	double now = clock_seconds();
	struct strbuf line = {0};

	if (is_failing) {
		strbuf_clear(&v->instance);
		beam_plain_print(&v->plain, &v->instance);
	}
	stats_note_test(&v->stats, so_far->runs + so_far->shrink_runs, so_far->tests, v->instance.len);
	write_stats(v, so_far, is_failing ? "shrinking" : "searching", is_failing);
	if (v->session->options->quiet || (!is_failing && now - v->shown < SHOW_EVERY))
		return;
	v->shown = now;
	add_progress(v, so_far, &line);
	progress_show(&v->progress, strbuf_text(&line));
	strbuf_release(&line);
}

/* ---- the end ---- */

static int report_pass(struct view *v, const struct beam_plain_result *r)
{
	const struct test_options *options = v->session->options;
	struct strbuf reason = {0}, line = {0};
	json_t *history = stats_history(&v->stats);
	struct report report = {.verdict = verdict_of_samples(false, r->runs), .program = v->name,
				.strategy = options->strategy,
				.seed = options->seed, .executions = r->runs, .steps = r->steps,
				.wall_seconds = r->seconds, .restart = "checkpoint",
				.restart_reason = "", .history = history};
	int status;

	strbuf_addf(&reason, "%" PRIu64 " random instance%s of %s%s%s%s", r->tests, PLURAL(r->tests),
		    v->name, r->reason[0] ? ", " : "", r->reason,
		    v->is_sequential ? "; calls in parallel were not tested" : "");
	report.reason = strbuf_text(&reason);
	report_verdict_line(&report, &line);
	fprintf(verdict_stream(options), "%s\n", strbuf_text(&line));
	status = forms_write(&report, options, verdict_status(&report, options));
	strbuf_release(&reason);
	strbuf_release(&line);
	json_decref(history);
	return status;
}

/* Explores the instance that failed once more, this time with words. */
static int report_failure(struct view *v, const char *property, const struct beam_plain_result *r)
{
	struct prop_session *prop = v->session;
	struct test_options options = *prop->options;
	struct strbuf instance = {0}, text = {0}, name = {0}, hex = {0};
	json_t *setup = json_copy(prop->setup), *history = stats_history(&v->stats);
	struct session session = {.options = &options, .target_name = "beam", .setup = setup,
				  .history = history};
	int status;

	beam_plain_print(&v->plain, &instance);
	beam_plain_save(&v->plain, &hex);
	strbuf_addf(&text, "test %" PRIu64 " of %" PRIu64 " failed, shrunk in %" PRIu64
		    " test%s to %s of %s", r->tests + 1, prop->prop.tests, r->shrink_tests,
		    PLURAL(r->shrink_tests), v->name, strbuf_text(&instance));
	strbuf_addf(&name, "%s(%s)", v->name, strbuf_text(&instance));
	json_object_set_new(setup, "prop", json_pack("{s:s, s:s}", "property", property, "instance",
						     strbuf_text(&hex)));
	options.max_runs = prop->prop.schedules;
	options.stats = NULL; /* has the numbers of all tests, not of this one */
	session.program = strbuf_text(&name);
	session.note = strbuf_text(&text);
	status = session_run(&session, v->plain.target);
	json_decref(setup);
	json_decref(history);
	strbuf_release(&instance);
	strbuf_release(&text);
	strbuf_release(&name);
	strbuf_release(&hex);
	return status;
}

int prop_plain_run(struct prop_session *session, struct target *target, struct beam_driver *driver,
		   const char *module, const char *property, bool is_sequential)
{
	struct view view = {.session = session, .is_sequential = is_sequential};
	struct beam_plain_result result;
	struct strbuf name = {0};
	struct err err = {0};
	int status;

	strbuf_addf(&name, "%s:%s", module, property);
	view.name = strbuf_text(&name);
	stats_begin(&view.stats, session->options->stats, 0);
	view.shown = view.stats.started;
	beam_plain_init(&view.plain, target, driver, atom_from_string(property));
	view.plain.noted = note;
	view.plain.ctx = &view;
	session->prop.stop = &stop_wanted;
	if (!beam_plain_search(&view.plain, &session->prop, &result, &err)) {
		progress_clear(&view.progress);
		status = exits_fail(&err);
		goto out;
	}
	strbuf_clear(&view.instance); /* nothing is being shrunk any more */
	write_stats(&view, &result, "ended", true);
	progress_clear(&view.progress);
	status = result.is_found ? report_failure(&view, property, &result)
				 : report_pass(&view, &result);
out:
	beam_plain_release(&view.plain);
	stats_release(&view.stats);
	strbuf_release(&view.instance);
	strbuf_release(&name);
	return status;
}
