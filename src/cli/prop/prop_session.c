#include "cli/prop/prop_session.h"

#include <inttypes.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/plural.h"
#include "cli/exits.h"
#include "cli/search/forms.h"
#include "cli/search/progress.h"
#include "cli/search/session.h"
#include "cli/search/stats.h"
#include "cli/search/stopping.h"
#include "cli/search/verdict.h"
#include "explain/explain.h"
#include "explore/save.h"

enum { WARNINGS_MAX = 64 };

struct view {
	struct prop_session *session;
	struct arena arena;
	struct report_finding words;
	struct progress progress;
	struct stats stats;
	const char *not_saved; /* a warning; or NULL */
};

/* ---- while it runs ---- */

static void write_stats(struct view *v, const struct prop_result *r, const char *state,
			uint32_t calls_len, bool now)
{
	const struct prop_session *s = v->session;
	json_t *facts;

	if (!now && !stats_is_due(&v->stats))
		return;
	facts = json_pack("{s:i, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:i}", "schema", 1, "state",
			  state, "test", s->program, "strategy", s->prop.strategy, "seed",
			  (json_int_t)s->options->seed, "tests", (json_int_t)r->tests, "runs",
			  (json_int_t)r->runs, "steps", (json_int_t)r->steps, "undecided",
			  (json_int_t)r->undecided, "findings", calls_len || r->is_found ? 1 : 0);
	if (calls_len)
		json_object_set_new(facts, "shrinking",
				    json_pack("{s:I, s:i, s:i, s:I}", "test",
					      (json_int_t)r->first_test + 1, "first_calls",
					      (int)r->first_len, "calls", (int)calls_len, "runs",
					      (json_int_t)r->shrink_runs));
	stats_write(&v->stats, facts, now);
}

static void show_progress(void *ctx, const struct prop_result *so_far, uint32_t calls_len)
{
	struct view *v = ctx;
	struct strbuf line = {0};

	write_stats(v, so_far, calls_len ? "shrinking" : "searching", calls_len, calls_len > 0);
	if (v->session->options->quiet)
		return;
	if (calls_len)
		strbuf_addf(&line, "test %" PRIu64 " failed with %u call%s; shrunk to %u in %" PRIu64
			    " run%s", so_far->first_test + 1, so_far->first_len,
			    PLURAL(so_far->first_len), calls_len, so_far->shrink_runs,
			    PLURAL(so_far->shrink_runs));
	else
		strbuf_addf(&line, "%" PRIu64 " of %" PRIu64 " tests, %" PRIu64 " run%s, %.0f/s",
			    so_far->tests, v->session->prop.tests, so_far->runs,
			    PLURAL(so_far->runs), (double)so_far->runs / (so_far->seconds + 1e-9));
	progress_show(&v->progress, strbuf_text(&line));
	strbuf_release(&line);
}

static void note_test(void *ctx, const struct prop_result *so_far, uint32_t calls_len)
{
	struct view *v = ctx;

	stats_note_test(&v->stats, so_far->runs + so_far->shrink_runs, so_far->tests, calls_len);
}

/* ---- the failure ---- */

static void print_details(const struct prop_failure *f, struct strbuf *out)
{
	prop_print_picture(f->model, f->test, f->outcomes, out);
	if (f->found->finding.kind != FINDING_NOT_LINEARIZABLE)
		return;
	strbuf_adds(out, "\n  Why no order explains it:\n\n");
	prop_print_reasons(f->model, f->test, f->outcomes, out);
	if (f->model->ops->remark && f->model->ops->remark(f->model)[0])
		strbuf_addf(out, "\n  %s\n", f->model->ops->remark(f->model));
}

void prop_session_explain(const struct prop_failure *f, const char *program, struct arena *arena,
			  struct report_finding *words)
{
	struct report_site *site;
	struct strbuf text = {0};

	explain_finding(f->target, f->found, arena, words);
	print_details(f, &text);
	words->details = arena_strdup(arena, strbuf_text(&text));
	strbuf_release(&text);
	if (words->sites_len)
		return;
	site = arena_zalloc(arena, sizeof(*site));
	*site = (struct report_site){.role = "no order explains the results",
				     .at = {.function = arena_strdup(arena, program)},
				     .step = REPORT_NO_STEP};
	words->sites = site;
	words->sites_len = 1;
}

static bool write_source(const struct prop_failure *f, const char *path, struct err *err)
{
	struct strbuf text = {0}, name = {0};
	bool ok;

	f->model->ops->print_source(f->model, f->test, &text);
	strbuf_addf(&name, "%s%s", path, f->model->ops->source_ending);
	ok = file_write(strbuf_text(&name), strbuf_text(&text), text.len, err);
	strbuf_release(&text);
	strbuf_release(&name);
	return ok;
}

/* Saves the finding, with the test as part of what replay needs, and the test as source. */
static bool save(struct view *v, const struct prop_failure *f, struct err *err)
{
	json_t *setup = json_copy(v->session->setup);
	struct session session = {.options = v->session->options,
				  .target_name = v->session->target_name,
				  .program = v->session->program,
				  .strategy = v->session->prop.strategy, .setup = setup,
				  .stats = &v->stats};
	bool ok;

	json_object_set_new(setup, "prop",
			    json_pack("{s:o, s:I}", "test", f->model->ops->save(f->model, f->test),
				      "search", (json_int_t)v->session->prop.search_max));
	ok = session_save(&session, f->target, f->found, &v->words, &v->arena, err) &&
	     write_source(f, v->words.path, err);
	json_decref(setup);
	return ok;
}

static bool take_confirmed(void *ctx, const struct prop_failure *failure, struct err *err)
{
	struct view *v = ctx;

	prop_session_explain(failure, v->session->program, &v->arena, &v->words);
	if (!save(v, failure, err))
		v->not_saved = arena_printf(&v->arena, "the finding was not saved: %s",
					    err->message);
	err->message[0] = '\0';
	return true;
}

/* ---- the end ---- */

static const char *make_reason(struct view *v, const struct prop_result *r)
{
	const char *undecided = "";

	if (r->undecided)
		undecided = arena_printf(&v->arena,
					 "; %" PRIu64 " execution%s undecided: the search "
					 "for an order was cut (--search)",
					 r->undecided, PLURAL(r->undecided));
	return arena_printf(&v->arena, "%" PRIu64 " random test%s%s%s%s", r->tests,
			    PLURAL(r->tests), r->reason[0] ? ", " : "", r->reason, undecided);
}

static json_t *make_apart(const struct prop_result *r)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:f, s:f, s:i, s:i}", "tests", (json_int_t)r->tests,
			 "undecided", (json_int_t)r->undecided, "discarded",
			 (json_int_t)r->discarded, "shrinking", (json_int_t)r->shrink_runs,
			 "shrink_seconds", r->shrink_seconds, "seconds", r->seconds, "first_calls",
			 (int)r->first_len, "calls", (int)r->last_len);
}

/* How the failing test became small, in front of the report. */
static void print_shrinking(const struct view *v, const struct prop_result *r,
			    const char *source_ending)
{
	const struct test_options *o = v->session->options;

	if (r->is_found && !o->quiet && v->words.path)
		fprintf(verdict_stream(o),
			"test %" PRIu64 " of %" PRIu64 " failed with %u call%s, shrunk to %u in "
			"%.1f seconds; as source: %s%s\n\n", r->first_test + 1,
			v->session->prop.tests, r->first_len, PLURAL(r->first_len), r->last_len, r->shrink_seconds,
			v->words.path, source_ending);
}

/* Warnings of the target, limits that executions reached, and why nothing would be a proof. */
static uint32_t list_warnings(struct view *v, const struct target_facts *facts,
			      const struct prop_result *r, const char *lines[WARNINGS_MAX])
{
	uint32_t len = verdict_split_lines(&v->arena, facts->warnings, lines,
					   WARNINGS_MAX - EXPLORE_BOUNDS_MAX - 2);

	len += explore_list_bounds(r->bounded, lines + len);
	if (v->not_saved)
		lines[len++] = v->not_saved;
	if (facts->not_proof[0])
		lines[len++] = arena_strdup(&v->arena, facts->not_proof);
	return len;
}

static int write_reports(struct view *v, struct model *model, const struct prop_result *r)
{
	const struct test_options *o = v->session->options;
	struct target *target = model->ops->target(model);
	json_t *apart = make_apart(r), *history = stats_history(&v->stats);
	const char *warnings[WARNINGS_MAX];
	struct target_facts facts;
	int status;

	target->ops->facts(target, &facts);
	struct report report = {
		.verdict = verdict_of_samples(r->is_found, r->runs),
		.program = v->session->program,
		.reason = r->is_found ? "" : make_reason(v, r),
		.warnings = warnings,
		.warnings_len = list_warnings(v, &facts, r, warnings),
		.strategy = v->session->prop.strategy,
		.seed = o->seed,
		.executions = r->runs,
		.steps = r->steps,
		.wall_seconds = r->seconds,
		.cpu_seconds = clock_cpu_seconds() + (double)facts.cpu_ns / 1e9,
		.peak_rss_kb = facts.peak_rss_kb,
		.restart = facts.restart,
		.restart_reason = facts.restart_reason,
		.findings = &v->words,
		.findings_len = r->is_found,
		.counted_apart = apart,
		.history = history,
	};
	write_stats(v, r, "ended", 0, true);
	progress_clear(&v->progress);
	if (v->not_saved && o->quiet)
		exits_warn("%s", v->not_saved);
	print_shrinking(v, r, model->ops->source_ending);
	status = verdict_print(&report, o, NULL, &v->arena, verdict_status(&report, o));
	status = forms_write(&report, o, status);
	json_decref(apart);
	json_decref(history);
	return status;
}

/* The test of the finding that --from names. */
static bool load_first(struct prop_session *session, struct model *model, struct saved *saved,
		       struct prop_first *first, struct err *err)
{
	const json_t *test;

	if (!session->from)
		return true;
	if (!save_load(session->from, saved, err))
		return false;
	test = json_object_get(json_object_get(saved->setup, "prop"), "test");
	if (!test)
		return err_set(err, "--from %s: this finding was not saved by fermata prop",
			       session->from);
	first->decisions = saved->decisions;
	first->decisions_len = saved->decisions_len;
	session->prop.first = first;
	return model->ops->load(model, test, &first->test, err) &&
	       model->ops->target(model)->ops->load_knowledge(model->ops->target(model),
							      saved->knowledge, err);
}

int prop_session_run(struct prop_session *session, struct model *model)
{
	struct view view = {.session = session};
	struct prop_first first;
	struct saved saved = {0};
	struct prop_result result;
	struct err err = {0};
	int status;

	stats_begin(&view.stats, session->options->stats, 0);
	session->prop.stop = &stop_wanted;
	session->prop.progress = show_progress;
	session->prop.noted = note_test;
	session->prop.confirmed = take_confirmed;
	session->prop.ctx = &view;
	if (load_first(session, model, &saved, &first, &err) &&
	    prop_run(model, &session->prop, &result, &err)) {
		status = write_reports(&view, model, &result);
	} else {
		progress_clear(&view.progress);
		status = exits_fail(&err);
	}
	saved_release(&saved);
	stats_release(&view.stats);
	arena_release(&view.arena);
	return status;
}
