#include "cli/search/session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/plural.h"
#include "cli/exits.h"
#include "cli/fleet/coordinate.h"
#include "cli/replay/baseline.h"
#include "cli/replay/surroundings.h"
#include "cli/search/checked_setup.h"
#include "cli/search/child.h"
#include "cli/search/deadly.h"
#include "cli/search/forms.h"
#include "cli/search/hint.h"
#include "cli/search/measured.h"
#include "cli/search/progress.h"
#include "cli/search/saved_search.h"
#include "cli/search/session_json.h"
#include "cli/search/similar.h"
#include "cli/search/stats.h"
#include "cli/search/stopping.h"
#include "cli/search/suppress.h"
#include "cli/search/verdict.h"
#include "explain/explain.h"
#include "explain/fingerprint.h"
#include "explore/save.h"

/* ---- while the search runs ---- */

struct view {
	struct session *session;
	struct target *target;
	struct arena arena;
	struct measured measured;
	VEC(struct report_finding) findings;
	struct baseline known;
	struct suppressions suppressions;
	struct similar similar;
	VEC(const struct finding *) causes; /* of `findings`, in the arena */
	struct progress progress;
	struct stats stats;
	const struct explore_result *result; /* the sums so far */
	const char *not_saved, *deadly; /* warnings; or NULL */
};

static void write_stats(struct view *v, const char *state, bool now)
{
	const struct session *s = v->session;
	json_t *facts;

	if (!now && !stats_is_due(&v->stats))
		return;
	facts = stats_facts(&v->stats, v->result, state, v->progress.done, v->progress.estimate);
	json_object_set_new(facts, "test", json_string(s->name ? s->name : s->program));
	json_object_set_new(facts, "strategy", json_string(s->options->strategy));
	json_object_set_new(facts, "seed", json_integer((json_int_t)s->options->seed));
	json_object_set_new(facts, "coverage", coverage_json(&v->measured.coverage));
	stats_write(&v->stats, facts, now);
}

static void show_progress(void *ctx, const struct explore_result *so_far, double done)
{
	struct view *v = ctx;
	uint64_t runs = explore_runs(so_far);
	double all = progress_estimate(&v->progress, so_far->executions, done);
	struct strbuf line = {0};

	write_stats(v, "searching", false);
	if (v->session->options->quiet || v->session->is_beside)
		return;
	strbuf_addf(&line, "%" PRIu64 " run%s, %.0f/s", runs, PLURAL(runs),
		    so_far->wall_seconds > 0 ? (double)runs / so_far->wall_seconds : 0);
	if (so_far->found.len)
		strbuf_addf(&line, ", %zu finding%s", so_far->found.len, PLURAL(so_far->found.len));
	strbuf_addf(&line, ", %zu outcome%s, depth %u", so_far->outcomes.len,
		    PLURAL(so_far->outcomes.len), v->stats.depth);
	if (all > 0)
		strbuf_addf(&line, ", about %.2g in all (%.0f %% done)", all, done * 100);
	else if (done >= 0)
		strbuf_adds(&line, ", size not known yet");
	coverage_line(&v->measured.coverage, &line);
	progress_show(&v->progress, strbuf_text(&line));
	strbuf_release(&line);
}

bool session_save(const struct session *session, struct target *target, const struct found *found,
		  struct report_finding *words, struct arena *arena, struct err *err)
{
	struct strbuf knowledge = {0};
	struct report report = {.findings = words, .findings_len = 1};
	json_t *json, *search = session_search_json(session, found);
	struct saved saved = {
		.target = session->target_name,
		.kind = finding_kind_text(found->finding.kind),
		.fingerprint = words->fingerprint,
		.match = fingerprint_match(target, &found->finding),
		.decisions = found->decisions,
		.decisions_len = found->decisions_len,
		.other = found->other,
		.other_len = found->other_len,
		.passing = found->passing,
		.passing_len = found->passing_len,
		.setup = session->setup,
		.search = search,
	};
	char path[4096];
	bool ok;

	fingerprint_line(target, &found->finding, &saved.line, &saved.line_ordinal);
	surroundings_record(session->setup, found->is_tied);
	/* With its source lines the finding can be read without the program's files. */
	report_read_sources(&report, NULL, arena);
	json = report_finding_json(words);
	json_object_set_new(json, "excerpts", report_excerpts(&report, NULL));
	saved.words = json;
	target->ops->save_knowledge(target, &knowledge);
	saved.knowledge = strbuf_text(&knowledge);
	ok = save_finding(session->options->out, &saved, session->taken, path, err);
	stop_note_bug();
	if (ok)
		words->path = arena_strdup(arena, path);
	strbuf_release(&knowledge);
	json_decref(json);
	json_decref(search);
	return ok;
}

_Static_assert((int)STOP_TIME == (int)EXPLORE_TIME_OVER, "explore() knows the reason by number");

static void hold_time(void *ctx, bool begins)
{
	stop_hold(begins);
	write_stats(ctx, begins ? "confirming" : "searching", true);
}

static void measure_apart(void *ctx, const struct trace *trace)
{
	measured_run_apart(&((struct view *)ctx)->measured, trace);
}

static void put_measured(void *ctx, struct strbuf *out)
{
	measured_put(&((struct view *)ctx)->measured, out);
}

static void add_measured(void *ctx, struct bytes_in in)
{
	measured_add(&((struct view *)ctx)->measured, in);
}

static void measure_run(void *ctx, const struct trace *trace)
{
	struct view *v = ctx;
	struct stats_point *point = stats_note(&v->stats, v->result, trace);

	measured_run(&v->measured, trace);
	if (point)
		point->covered = coverage_count(&v->measured.coverage);
}

static bool is_same_place(const struct report_finding *a, const struct report_finding *b)
{
	return !a->sites_len || !b->sites_len || a->sites[0].at.line == b->sites[0].at.line;
}

/* Two pairs of lines in the same two functions can be one bug. Two places at which the program fails
 * are two, and the fingerprint of the second one becomes another. */
static bool is_known(const struct view *v, struct report_finding *words)
{
	for (size_t i = 0; i < v->findings.len; i++) {
		const struct report_finding *known = &v->findings.items[i];

		if (known->fingerprint != words->fingerprint)
			continue;
		if (!finding_has_one_place(words->kind) || is_same_place(known, words))
			return true;
		words->fingerprint = hash_combine(words->fingerprint, 1);
		return is_known(v, words);
	}
	return false;
}

/* Saves it; no other finding of this run may be replaced. */
static bool save(struct view *v, struct target *target, const struct found *found,
		 struct report_finding *words, struct err *err)
{
	VEC(const char *) paths = {0};
	struct save_taken taken;
	bool ok;

	for (size_t i = 0; i < v->findings.len; i++)
		*vec_push(&paths) = v->findings.items[i].path;
	taken = (struct save_taken){paths.items, paths.len};
	v->session->taken = &taken;
	ok = session_save(v->session, target, found, words, &v->arena, err);
	v->session->taken = NULL;
	vec_release(&paths);
	return ok;
}

static bool is_wanted(void *ctx, struct target *target, const struct finding *finding)
{
	struct view *v = ctx;

	return !suppressions_match(&v->suppressions, target, finding) &&
	       !similar_has(&v->similar, target, finding);
}

static bool take_confirmed(void *ctx, struct target *target, struct found *found, struct err *err)
{
	struct view *v = ctx;
	struct report_finding words;

	explain_finding(target, found, &v->arena, &words);
	found->is_left_out = is_known(v, &words) ||
			     suppressions_match_words(&v->suppressions, &words) ||
			     similar_has_words(&v->similar, target, &found->finding, &words);
	if (found->is_left_out)
		return true;
	if (!save(v, target, found, &words, err))
		v->not_saved = arena_printf(&v->arena, "a finding was not saved: %s", err->message);
	err->message[0] = '\0';
	*vec_push(&v->causes) = memcpy(arena_alloc(&v->arena, sizeof(found->finding)),
				       &found->finding, sizeof(found->finding));
	found->is_known = words.is_known = baseline_has(&v->known, words.fingerprint);
	*vec_push(&v->findings) = words;
	return true;
}

/* ---- the end ---- */

static void collect_json(const struct report *report, FILE *file)
{
	struct strbuf text = {0};

	report_json(report, &text);
	fwrite(strbuf_text(&text), 1, text.len, file);
	strbuf_release(&text);
}

enum { WARNINGS_MAX = 64, WARNINGS_OWN = 9 };

/* The hint of the first finding that has one. */
static const char *find_hint(const struct view *v)
{
	const char *hint = NULL;

	for (size_t i = 0; i < v->findings.len && !hint; i++)
		hint = strcmp(v->session->target_name, "beam") == 0 ? hint_for(&v->findings.items[i])
								    : NULL;
	return hint;
}

/* Those of the session, behind the target's own. */
static void add_warnings(struct view *v, const struct explore_result *result, struct report *report,
			 const char **warnings)
{
	const struct test_options *options = v->session->options;
	const char *hint = find_hint(v);

	if (v->not_saved)
		warnings[report->warnings_len++] = v->not_saved;
	if (v->deadly)
		warnings[report->warnings_len++] = v->deadly;
	if (hint)
		warnings[report->warnings_len++] = hint;
	if (result->stays_alone)
		warnings[report->warnings_len++] = arena_printf(
			&v->arena, "--jobs: explored with one worker, because %s",
			result->stays_alone);
	if (options->jobs > 1 && options->allow_io)
		warnings[report->warnings_len++] = "--jobs: explored with one worker, because of --allow-io";
	if (result->not_saved[0])
		warnings[report->warnings_len++] = arena_printf(
			&v->arena, "--resume: the search is not saved: %s", result->not_saved);
	if (result->parts_lost)
		warnings[report->warnings_len++] = arena_printf(
			&v->arena, "%" PRIu64 " workers died (--jobs); their parts were explored again",
			result->parts_lost);
	if (result->actors_len == 1)
		warnings[report->warnings_len++] =
			"the program never started a second thread or process: there is only one schedule";
	if (report->verdict == REPORT_BUG && options->keep_going && !report->complete)
		warnings[report->warnings_len++] = arena_printf(
			&v->arena, "there may be more to find: %s", report->reason);
}

static const char *memory_words(uint32_t memory)
{
	return memory == MEMORY_RC11 ? "RC11" : memory == MEMORY_TSO ? "x86-TSO" : "";
}

static void print_note(FILE *out, const char *note)
{
	fputs("fermata: ", out);
	exits_print_harmless(out, note);
	fputc('\n', out);
}

/* The findings as a whole: what one stands for, and with --keep-going the table of all. */
static void summarize(struct view *v, struct strbuf *out)
{
	similar_name_all(&v->similar, v->target, v->causes.items, v->findings.items,
			 v->findings.len, &v->arena);
	if (v->session->options->keep_going)
		similar_table(v->findings.items, v->findings.len, out);
}

static uint32_t list_assumptions(struct view *v, const struct explore_result *result,
				 const char *texts[ASSUMPTIONS_MAX])
{
	uint32_t len = verdict_list_assumptions_and_ignored(result->assumed, v->session->options,
							    &v->arena, texts);

	const char *suppressed = suppressions_text(&v->suppressions, &v->arena);

	if (suppressed && len < ASSUMPTIONS_MAX)
		texts[len++] = suppressed;
	return len;
}

/* Lines that belong to no report, before the verdict. */
static void print_notes(struct view *v)
{
	struct session *s = v->session;
	const char *hint = s->name && !s->options->quiet ? find_hint(v) : NULL;

	if (hint)
		print_note(stdout, hint);
	if (v->not_saved && (s->options->quiet || s->name)) /* neither shows warnings */
		exits_warn("%s", v->not_saved);
	if (s->note && !s->options->quiet)
		print_note(verdict_stream(s->options), s->note);
}

static int write_reports(struct view *v, const struct explore_result *result)
{
	struct session *s = v->session;
	struct target_facts facts;
	const char *assumptions[ASSUMPTIONS_MAX], *warnings[WARNINGS_MAX];
	json_t *outcomes = session_outcomes_json(result), *apart = session_apart_json(result);
	json_t *coverage = coverage_json(&v->measured.coverage), *history = session_history(s, &v->stats);
	struct strbuf covered = {0};
	int status;

	v->target->ops->facts(v->target, &facts);
	summarize(v, &covered);
	coverage_text(&v->measured.coverage, &covered);
	struct report report = {
		.program = s->program,
		.equivalence = facts.equivalence,
		.memory = memory_words(s->options->memory),
		.assumptions = assumptions,
		.assumptions_len = list_assumptions(v, result, assumptions),
		.warnings = warnings,
		.warnings_len = verdict_split_lines(&v->arena, facts.warnings, warnings,
						    WARNINGS_MAX - WARNINGS_OWN),
		.strategy = s->options->strategy,
		.seed = s->options->seed,
		.executions = result->executions,
		.sampled = result->sampled,
		.blocked_executions = result->blocked,
		.spin_executions = result->spins,
		.steps = result->steps,
		.wall_seconds = result->wall_seconds,
		.cpu_seconds = clock_cpu_seconds() + result->workers_cpu_seconds +
			       (double)facts.cpu_ns / 1e9,
		.peak_rss_kb = facts.peak_rss_kb,
		.restart = facts.restart,
		.restart_reason = facts.restart_reason,
		.findings = v->findings.items,
		.findings_len = (uint32_t)v->findings.len,
		.outcomes = outcomes,
		.counted_apart = apart,
		.coverage = coverage,
		.history = history,
		.coverage_text = strbuf_text(&covered),
	};
	verdict_decide(&report, result, &facts, &v->arena);
	add_warnings(v, result, &report, warnings);
	write_stats(v, "ended", true);
	progress_clear(&v->progress);
	print_notes(v);
	status = verdict_print(&report, s->options, s->name, &v->arena,
			       verdict_status(&report, s->options));
	if (s->collect)
		collect_json(&report, s->collect);
	else
		status = forms_write(&report, s->options, status);
	json_decref(outcomes);
	json_decref(apart);
	json_decref(coverage);
	json_decref(history);
	strbuf_release(&covered);
	return status;
}

int session_not_begun(struct session *session, const struct err *err)
{
	bool is_interrupted = stop_wanted == STOP_INTERRUPTED;
	struct test_options options = *session->options;
	struct arena arena = {0};
	struct report report = {
		.verdict = is_interrupted ? REPORT_INTERRUPTED : REPORT_LOST_CONTROL,
		.program = session->program,
		.memory = memory_words(options.memory),
		.reason = err->message,
		.strategy = options.strategy,
		.seed = options.seed,
		.wall_seconds = session->started > 0 ? clock_seconds() - session->started : 0,
		.cpu_seconds = clock_cpu_seconds(),
		.restart = "",
		.restart_reason = "",
	};
	int status;

	if (err->kind != ERR_UNSUPPORTED && !is_interrupted)
		return child_fail(session->collect, err);
	options.quiet = true; /* there is nothing but the verdict */
	status = verdict_print(&report, &options, session->name, &arena,
			       verdict_status(&report, &options));
	if (session->collect)
		collect_json(&report, session->collect);
	else
		status = forms_write(&report, session->options, status);
	arena_release(&arena);
	return status;
}

void session_set_levels(struct strategy_params *params, const struct test_options *o)
{
	params->levels = o->levels ? (uint32_t)o->levels : o->limits_len;
	for (uint32_t i = 0; i < STRATEGY_LEVELS && o->limits_len; i++)
		params->limits[i] = o->limits[i < o->limits_len ? i : o->limits_len - 1];
}

/* Erlang has the subtler relation: only orders of messages that a receive can
 * distinguish count. */
enum { CERTIFIED_RUNS = 20000, CERTIFIED_BEAM_RUNS = 100000 };

static uint64_t certified_runs(const struct session *session)
{
	if (memory_is_weak(session->options->memory))
		return 0; /* the checker knows sequential consistency only */
	if (session->options->certify != OPTION_CERTIFY_DEFAULT)
		return session->options->certify;
	return strcmp(session->target_name, "beam") == 0 ? CERTIFIED_BEAM_RUNS : CERTIFIED_RUNS;
}

/* To test the checker of proofs: the run with this number is kept from it. */
static uint64_t forgotten_run(void)
{
	const char *text = getenv("FERMATA_FORGET_RUN");

	return text ? strtoull(text, NULL, 10) + 1 : 0;
}

struct strategy_params session_params(const struct test_options *o)
{
	struct strategy_params params = {
		.seed = o->seed,
		.bound = (uint32_t)o->bound,
		.bound_kind = o->bound_kind,
		.depth = (uint32_t)o->depth,
		.burst = (uint32_t)o->burst,
		.tail_seed = o->first_seed,
		/* `all` once meant more and left out classes: as `messages` */
		.observers = o->observers == OBSERVERS_NONE ? OBSERVERS_NONE : OBSERVERS_MESSAGES,
		.grain = o->grain,
		.memory = o->memory,
		.ignores_races = o->ignore >> FINDING_RACE & 1,
	};

	session_set_levels(&params, o);
	return params;
}

static void save_deadly(void *ctx, const struct decision *decisions, uint32_t len)
{
	struct view *v = ctx;

	if (!v->deadly)
		v->deadly = deadly_save(v->session, v->target, decisions, len, &v->arena);
}

static struct explore_options make_options(struct view *view)
{
	const struct session *session = view->session;
	const struct test_options *o = session->options;

	return (struct explore_options){
		.strategy = o->strategy,
		.params = session_params(o),
		.max_runs = o->max_runs,
		.max_seconds = o->max_time,
		.started = session->started,
		.keep_going = o->keep_going,
		.wanted = is_wanted,
		.hash_traces = o->hash_traces,
		.count_traces = o->json || o->html,
		.certify_runs = certified_runs(session),
		.forget_run = forgotten_run(),
		.tries_all_orders = !checked_setup_is_on(),
		.ignored = o->ignore,
		.shrink_seconds = 5,
		.shrink_runs = 500,
		.stop = &stop_wanted,
		.confirmed = take_confirmed,
		.progress = show_progress,
		.finishing = hold_time,
		.ran = measure_run,
		.jobs = o->allow_io ? 1 : (uint32_t)o->jobs,
		.jobs_after = coordinate_jobs_after(),
		.deadly = save_deadly,
		.ran_apart = measure_apart,
		.pack = put_measured,
		.unpack = add_measured,
		.keep = put_measured,
		.ctx = view,
	};
}

int session_run(struct session *session, struct target *target)
{
	const struct test_options *o = session->options;
	struct explore_result result = {0};
	struct view view = {.session = session, .target = target, .result = &result,
			    .progress = {.done = -1}};
	struct explore_options options;
	struct err err = {0};
	int status;

	if (!baseline_read(&view.known, o->baseline, &err) ||
	    !suppressions_read(&view.suppressions, o->suppressions, &err))
		return child_fail(session->collect, &err);
	options = make_options(&view);
	options.store = saved_search_open(session, &err);
	if (err.message[0]) {
		baseline_release(&view.known);
		return child_fail(session->collect, &err);
	}
	stats_begin(&view.stats, o->stats, session->started);
	session->stats = &view.stats;
	classes_start(&view.measured.classes, o->classes);
	if (!coverage_start(&view.measured.coverage, o, target, &options.params, &err)) {
		coverage_release(&view.measured.coverage);
		return child_fail(session->collect, &err);
	}
	if (coordinate(session, target, &options, &result, &err) && stats_end(&view.stats, &result))
		status = write_reports(&view, &result);
	else
		status = child_fail(session->collect, &err);
	if (!view.findings.len && !coverage_save(&view.measured.coverage, &err))
		status = exits_fail_after(status, &err);
	if (!classes_finish(&view.measured.classes, &err))
		status = exits_fail_after(status, &err);
	if (options.store && result.is_over)
		store_remove(options.store);
	else
		store_close(options.store);
	explore_result_release(&result);
	coverage_release(&view.measured.coverage);
	session->stats = NULL;
	stats_release(&view.stats);
	vec_release(&view.findings);
	vec_release(&view.causes);
	baseline_release(&view.known);
	suppressions_release(&view.suppressions);
	similar_release(&view.similar);
	arena_release(&view.arena);
	return status;
}
