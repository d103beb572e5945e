#include "cli/prop_session.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "cli/explain.h"
#include "cli/session.h"
#include "explore/save.h"

enum { WARNINGS_MAX = 64 };

struct view {
	struct prop_session *session;
	struct arena arena;
	struct report_finding words;
	bool live; /* a progress line stands on the terminal */
};

/* ---- while it runs ---- */

static void clear_progress(struct view *v)
{
	if (v->live)
		fputs("\r\033[K", stderr);
	v->live = false;
}

static void show_progress(void *ctx, const struct prop_result *so_far, uint32_t calls_len)
{
	struct view *v = ctx;
	bool terminal = isatty(2);

	if (v->session->options->quiet)
		return;
	fprintf(stderr, "%sfermata: ", terminal ? "\r" : "");
	if (calls_len)
		fprintf(stderr, "a test failed; shrunk to %u calls", calls_len);
	else
		fprintf(stderr, "%" PRIu64 " tests, %" PRIu64 " executions, %.0f/s", so_far->tests,
			so_far->runs, (double)so_far->runs / (so_far->seconds + 1e-9));
	fputs(terminal ? "\033[K" : "\n", stderr);
	fflush(stderr);
	v->live = terminal;
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
	FILE *file;
	bool ok;

	f->model->ops->print_source(f->model, f->test, &text);
	strbuf_addf(&name, "%s%s", path, f->model->ops->source_ending);
	file = fopen(strbuf_text(&name), "w");
	ok = file && fwrite(strbuf_text(&text), 1, text.len, file) == text.len;
	ok = file && fclose(file) == 0 && ok;
	if (!ok)
		err_set_errno(err, "cannot write %s", strbuf_text(&name));
	strbuf_release(&text);
	strbuf_release(&name);
	return ok;
}

/* The finding, with the test as part of what replay needs, and the test as source. */
static bool save(struct view *v, const struct prop_failure *f, struct err *err)
{
	struct strbuf knowledge = {0};
	json_t *words = report_finding_json(&v->words);
	json_t *setup = json_copy(v->session->setup);
	struct saved saved = {
		.target = v->session->target_name,
		.kind = finding_kind_text(f->found->finding.kind),
		.fingerprint = f->found->finding.fingerprint,
		.decisions = f->found->decisions,
		.decisions_len = f->found->decisions_len,
		.setup = setup,
		.words = words,
	};
	char path[4096];
	bool ok;

	json_object_set_new(setup, "prop",
			    json_pack("{s:o, s:I}", "test", f->model->ops->save(f->model, f->test),
				      "search", (json_int_t)v->session->prop.search_max));
	f->target->ops->save_knowledge(f->target, &knowledge);
	saved.knowledge = strbuf_text(&knowledge);
	ok = save_finding(v->session->options->out, &saved, path, err) &&
	     write_source(f, path, err);
	if (ok)
		v->words.path = arena_strdup(&v->arena, path);
	strbuf_release(&knowledge);
	json_decref(words);
	json_decref(setup);
	return ok;
}

static bool take_confirmed(void *ctx, const struct prop_failure *failure, struct err *err)
{
	struct view *v = ctx;

	prop_session_explain(failure, v->session->program, &v->arena, &v->words);
	return save(v, failure, err);
}

/* ---- the end ---- */

static const char *make_reason(struct view *v, const struct prop_result *r)
{
	const char *undecided = "";

	if (r->undecided)
		undecided = arena_printf(&v->arena,
					 "; %" PRIu64 " executions undecided: the search "
					 "for an order was cut (--search)",
					 r->undecided);
	return arena_printf(&v->arena, "%" PRIu64 " random tests%s%s%s", r->tests,
			    r->reason[0] ? ", " : "", r->reason, undecided);
}

static json_t *make_apart(const struct prop_result *r)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:f, s:f, s:i, s:i}", "tests", (json_int_t)r->tests,
			 "undecided", (json_int_t)r->undecided, "discarded",
			 (json_int_t)r->discarded, "shrinking", (json_int_t)r->shrink_runs,
			 "shrink_seconds", r->shrink_seconds, "seconds", r->seconds, "first_calls",
			 (int)r->first_len, "calls", (int)r->last_len);
}

static void print_text(struct view *v, struct report *report, const struct prop_result *r,
		       const char *source_ending)
{
	const struct test_options *o = v->session->options;
	FILE *out = !o->json || strcmp(o->json, "-") != 0 ? stdout : stderr;
	struct report_style style = {.colour = report_wants_colour(fileno(out))};
	struct strbuf text = {0};

	if (o->quiet) {
		report_verdict_line(report, &text);
		strbuf_addc(&text, '\n');
	} else {
		report_read_sources(report, &v->arena);
		report_text(report, &style, &text);
		if (r->is_found)
			fprintf(out,
				"test %" PRIu64 " of %" PRIu64 " failed with %u calls, shrunk to "
				"%u in %.1f seconds; as source: %s%s\n\n",
				r->first_test + 1, v->session->prop.tests, r->first_len,
				r->last_len, r->shrink_seconds, v->words.path, source_ending);
	}
	fputs(strbuf_text(&text), out);
	fflush(out);
	strbuf_release(&text);
}

/* What the target met, and what was cut in some execution. */
static uint32_t list_warnings(struct view *v, const struct target_facts *facts,
			      const struct prop_result *r, const char **lines)
{
	static const struct {
		uint32_t bit;
		const char *text;
	} cut[] = {
		{BOUND_PLAINS, "a run had more plain memory accesses than are recorded"},
		{BOUND_QUARANTINE, "a run allocated so much that freed memory was used again"},
		{BOUND_FOREIGN, "code ran that is not controlled"},
	};
	uint32_t len = session_split_lines(&v->arena, facts->warnings, lines, WARNINGS_MAX - 4);

	for (size_t i = 0; i < sizeof(cut) / sizeof(cut[0]); i++)
		if (r->bounded & cut[i].bit)
			lines[len++] = cut[i].text;
	if (facts->not_proof[0])
		lines[len++] = arena_strdup(&v->arena, facts->not_proof);
	return len;
}

static int write_reports(struct view *v, struct model *model, const struct prop_result *r)
{
	const struct test_options *o = v->session->options;
	struct target *target = model->ops->target(model);
	json_t *apart = make_apart(r);
	const char *warnings[WARNINGS_MAX];
	struct target_facts facts;
	int status;

	target->ops->facts(target, &facts);
	struct report report = {
		.verdict = r->is_found ? REPORT_BUG : REPORT_NO_BUG_FOUND,
		.program = v->session->program,
		.reason = r->is_found ? "" : make_reason(v, r),
		.warnings = warnings,
		.warnings_len = list_warnings(v, &facts, r, warnings),
		.strategy = v->session->prop.strategy,
		.seed = o->seed,
		.executions = r->runs,
		.steps = r->steps,
		.wall_seconds = r->seconds,
		.cpu_seconds = (double)facts.cpu_ns / 1e9,
		.peak_rss_kb = facts.peak_rss_kb,
		.restart = facts.restart,
		.restart_reason = facts.restart_reason,
		.findings = &v->words,
		.findings_len = r->is_found,
		.counted_apart = apart,
	};
	clear_progress(v);
	print_text(v, &report, r, model->ops->source_ending);
	status = session_write_json(&report, o, session_exit_status(report.verdict, o));
	json_decref(apart);
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
		return err_set(err, "%s is no finding of fermata prop", session->from);
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

	session->prop.stop = &session_stop;
	session->prop.progress = show_progress;
	session->prop.confirmed = take_confirmed;
	session->prop.ctx = &view;
	if (load_first(session, model, &saved, &first, &err) &&
	    prop_run(model, &session->prop, &result, &err)) {
		status = write_reports(&view, model, &result);
	} else {
		clear_progress(&view);
		status = session_fail(&err);
	}
	saved_release(&saved);
	arena_release(&view.arena);
	return status;
}
