#include "cli/session.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/arena.h"
#include "cli/coverage.h"
#include "cli/explain.h"
#include "explore/explore.h"
#include "explore/save.h"

volatile sig_atomic_t session_stop;

static void on_signal(int number)
{
	if (session_stop && number == SIGINT)
		_exit(130); /* the second Ctrl-C means it */
	session_stop = 1;
}

void session_catch_signals(double max_seconds)
{
	struct sigaction action = {.sa_handler = on_signal};
	struct itimerval limit = {.it_value = {.tv_sec = (time_t)max_seconds + 5}};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	/* The loop looks at the clock between runs; this ends a run that never ends. */
	if (max_seconds > 0) {
		limit.it_value.tv_sec = (time_t)max_seconds;
		limit.it_value.tv_usec = (suseconds_t)((max_seconds - (double)(time_t)max_seconds) *
						       1e6) + 200000;
		if (limit.it_value.tv_usec >= 1000000) {
			limit.it_value.tv_sec++;
			limit.it_value.tv_usec -= 1000000;
		}
		setitimer(ITIMER_REAL, &limit, NULL);
	}
}

int session_fail(const struct err *err)
{
	fprintf(stderr, "fermata: %s\n", err->message);
	return err->kind == ERR_UNSUPPORTED ? EXIT_LOST : EXIT_USAGE;
}

/* ---- what grows while the search runs ---- */

struct view {
	struct session *session;
	struct target *target;
	struct arena arena;
	struct coverage coverage;
	VEC(struct report_finding) findings;
	bool live; /* a progress line stands on the terminal */
};

static void clear_progress(struct view *v)
{
	if (v->live)
		fputs("\r\033[K", stderr);
	v->live = false;
}

static void show_progress(void *ctx, const struct explore_result *so_far, double done)
{
	struct view *v = ctx;
	uint64_t runs = so_far->executions + so_far->bursts + so_far->spins + so_far->blocked;
	double rate = so_far->wall_seconds > 0 ? (double)runs / so_far->wall_seconds : 0;
	bool terminal = isatty(2);

	if (v->session->options->quiet)
		return;
	fprintf(stderr, "%sfermata: %" PRIu64 " executions, %.0f/s", terminal ? "\r" : "", runs,
		rate);
	if (done > 0 && done < 1)
		fprintf(stderr, ", about %.3g in all (%.1f %% done)",
			(double)so_far->executions / done, done * 100);
	if (so_far->found.len)
		fprintf(stderr, ", %zu findings", so_far->found.len);
	fputs(terminal ? "\033[K" : "\n", stderr);
	fflush(stderr);
	v->live = terminal;
}

bool session_save(const struct session *session, struct target *target, const struct found *found,
		  struct report_finding *words, struct arena *arena, struct err *err)
{
	struct strbuf knowledge = {0};
	json_t *json = report_finding_json(words);
	struct saved saved = {
		.target = session->target_name,
		.kind = finding_kind_text(found->finding.kind),
		.fingerprint = found->finding.fingerprint,
		.decisions = found->decisions,
		.decisions_len = found->decisions_len,
		.other = found->other,
		.other_len = found->other_len,
		.setup = session->setup,
		.words = json,
	};
	char path[4096];
	bool ok;

	target->ops->save_knowledge(target, &knowledge);
	saved.knowledge = strbuf_text(&knowledge);
	ok = save_finding(session->options->out, &saved, path, err);
	if (ok)
		words->path = arena_strdup(arena, path);
	strbuf_release(&knowledge);
	json_decref(json);
	return ok;
}

static void measure_run(void *ctx, const struct trace *trace)
{
	coverage_measure(&((struct view *)ctx)->coverage, trace);
}

static bool take_confirmed(void *ctx, struct target *target, struct found *found, struct err *err)
{
	struct view *v = ctx;
	struct report_finding words;

	explain_finding(target, found, &v->arena, &words);
	if (!session_save(v->session, target, found, &words, &v->arena, err))
		return false;
	*vec_push(&v->findings) = words;
	return true;
}

/* ---- the end ---- */

uint32_t session_list_assumptions(uint32_t assumed, const char **texts)
{
	static const struct {
		uint32_t bit;
		const char *text;
	} table[] = {
		{ASSUMED_SC, "sequential consistency where weaker atomics ran"},
		{ASSUMED_IDLE_TIMERS, "long timeouts only when nobody else can run"},
		{ASSUMED_NO_SPURIOUS, "no spurious wake-ups"},
		{ASSUMED_INSTANT, "instant delivery"},
		{ASSUMED_SETUP, "an unexplored set-up"},
		{ASSUMED_ATOMIC, "calls into --atomic modules as one step"},
		{ASSUMED_FILES, "that files written by other runs do not matter"},
		{ASSUMED_CLOCK, "clocks as simulated"},
	};
	uint32_t len = 0;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (assumed & table[i].bit)
			texts[len++] = table[i].text;
	return len;
}

/* Those of the search, and that kinds which --ignore names do not count. */
static uint32_t list_assumptions(const struct test_options *options, uint32_t assumed,
				 struct arena *arena, const char **texts)
{
	uint32_t len = session_list_assumptions(assumed, texts);
	struct strbuf kinds = {0};

	if (assumed & ASSUMED_RANDOM)
		texts[len++] = arena_printf(arena, "random numbers as drawn with --seed %lu",
					    options->seed);
	for (uint32_t kind = 0; kind < FINDING_KINDS; kind++)
		if (options->ignore >> kind & 1)
			strbuf_addf(&kinds, "%s%s", kinds.len ? " and " : "",
				    finding_kind_text(kind));
	if (kinds.len)
		texts[len++] = arena_printf(arena, "%s to be no bug (--ignore)",
					    strbuf_text(&kinds));
	strbuf_release(&kinds);
	return len;
}

uint32_t session_split_lines(struct arena *arena, const char *text, const char **lines,
			     uint32_t max)
{
	uint32_t len = 0;

	while (*text && len < max) {
		size_t line = strcspn(text, "\n");

		if (line)
			lines[len++] = arena_printf(arena, "%.*s", (int)line, text);
		text += line;
		text += *text == '\n';
	}
	return len;
}

static json_t *outcomes_json(const struct explore_result *result)
{
	json_t *array = json_array();

	for (size_t i = 0; i < result->outcomes.len; i++) {
		char text[24];

		snprintf(text, sizeof(text), "%016" PRIx64, result->outcomes.entries[i].key);
		json_array_append_new(array, json_string(text));
	}
	return array;
}

static json_t *apart_json(const struct explore_result *r)
{
	char traces[24];

	snprintf(traces, sizeof(traces), "%016" PRIx64, r->traces_hash);
	return json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
			 "traces", traces, "burst", (json_int_t)r->bursts,
			 "confirmations", (json_int_t)r->confirmations, "shrinking",
			 (json_int_t)r->shrinks, "self_checks", (json_int_t)r->self_checks,
			 "restarts", (json_int_t)r->restarts,
			 "sampled", (json_int_t)r->statistics.runs,
			 "distinct_traces", (json_int_t)r->statistics.traces.len,
			 "distinct_races", (json_int_t)r->statistics.races.len,
			 "dropped_decisions", (json_int_t)r->statistics.dropped);
}

static void judge(struct report *report, const struct explore_result *result,
		  const struct target_facts *facts, struct arena *arena)
{
	report->complete = result->complete;
	report->reason = arena_strdup(arena, result->reason);
	if (report->findings_len) {
		report->verdict = REPORT_BUG;
	} else if (result->lost) {
		report->verdict = REPORT_LOST_CONTROL;
	} else if (result->complete && !facts->not_proof[0]) {
		report->verdict = REPORT_PROVED;
	} else {
		report->verdict = REPORT_NO_BUG_FOUND;
		if (!report->reason[0])
			report->reason = facts->not_proof[0]
						 ? arena_strdup(arena, facts->not_proof)
						 : "the strategy does not exhaust the space";
	}
}

static double own_cpu_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static bool write_json(const struct report *report, const char *path, struct err *err)
{
	struct strbuf text = {0};
	FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
	bool ok;

	if (!file)
		return err_set_errno(err, "cannot write %s", path);
	report_json(report, &text);
	ok = fwrite(strbuf_text(&text), 1, text.len, file) == text.len;
	if (file != stdout)
		ok = fclose(file) == 0 && ok;
	strbuf_release(&text);
	return ok || err_set_errno(err, "cannot write %s", path);
}

/* Of one test of several only the findings, then a verdict line that begins with its name. */
static void add_named(const struct session *session, const struct report *report,
		      const struct report_style *style, struct strbuf *out)
{
	static const char ours[] = "fermata: ";
	struct strbuf line = {0};

	for (uint32_t i = 0; i < report->findings_len && !session->options->quiet; i++) {
		report_finding_text(&report->findings[i], style, out);
		strbuf_addc(out, '\n');
	}
	report_verdict_line(report, &line);
	strbuf_addf(out, "%s%s: %s\n", ours, session->name, strbuf_text(&line) + strlen(ours));
	strbuf_release(&line);
}

static void print_text(const struct session *session, struct report *report, struct arena *arena)
{
	bool to_stdout = !session->options->json || strcmp(session->options->json, "-") != 0;
	FILE *out = to_stdout ? stdout : stderr;
	struct report_style style = {.colour = report_wants_colour(fileno(out))};
	struct strbuf text = {0};

	if (session->note && !session->options->quiet)
		fprintf(out, "fermata: %s\n", session->note);
	if (session->name) {
		report_read_sources(report, arena);
		add_named(session, report, &style, &text);
	} else if (session->options->quiet) {
		report_verdict_line(report, &text);
		strbuf_addc(&text, '\n');
	} else {
		report_read_sources(report, arena);
		report_text(report, &style, &text);
	}
	fputs(strbuf_text(&text), out);
	fflush(out);
	strbuf_release(&text);
}

int session_exit_status(enum report_verdict verdict, const struct test_options *options)
{
	switch (verdict) {
	case REPORT_BUG:
		return EXIT_BUG;
	case REPORT_LOST_CONTROL:
		return EXIT_LOST;
	case REPORT_PROVED:
		return EXIT_NO_BUG;
	default:
		return options->require_proof ? EXIT_NOT_PROVED : EXIT_NO_BUG;
	}
}

int session_write_json(const struct report *report, const struct test_options *o, int status)
{
	struct err err;

	if (o->json && !write_json(report, o->json, &err))
		return session_fail(&err);
	return status;
}

static void collect_json(const struct report *report, FILE *file)
{
	struct strbuf text = {0};

	report_json(report, &text);
	fwrite(strbuf_text(&text), 1, text.len, file);
	strbuf_release(&text);
}

enum { WARNINGS_MAX = 64, WARNINGS_OWN = 3 };

/* Those of the session, behind the target's own. */
static void add_warnings(struct view *v, const struct explore_result *result, struct report *report,
			 const char **warnings)
{
	const struct test_options *options = v->session->options;

	if (options->jobs > 1)
		warnings[report->warnings_len++] = "--jobs: this version explores with one worker";
	if (result->actors_len == 1)
		warnings[report->warnings_len++] =
			"the program never created a thread: there is only one schedule";
	if (report->verdict == REPORT_BUG && options->keep_going && !report->complete)
		warnings[report->warnings_len++] = arena_printf(
			&v->arena, "there may be more to find: %s", report->reason);
}

static int write_reports(struct view *v, const struct explore_result *result)
{
	struct session *s = v->session;
	struct target_facts facts;
	const char *assumptions[ASSUMPTIONS_MAX], *warnings[WARNINGS_MAX];
	json_t *outcomes = outcomes_json(result), *apart = apart_json(result);
	json_t *coverage = coverage_json(&v->coverage);
	struct strbuf covered = {0};
	int status;

	v->target->ops->facts(v->target, &facts);
	coverage_text(&v->coverage, &covered);
	struct report report = {
		.program = s->program,
		.assumptions = assumptions,
		.assumptions_len = list_assumptions(s->options, result->assumed, &v->arena,
						    assumptions),
		.warnings = warnings,
		.warnings_len = session_split_lines(&v->arena, facts.warnings, warnings,
						    WARNINGS_MAX - WARNINGS_OWN),
		.strategy = s->options->strategy,
		.seed = s->options->seed,
		.executions = result->executions,
		.blocked_executions = result->blocked,
		.spin_executions = result->spins,
		.steps = result->steps,
		.wall_seconds = result->wall_seconds,
		.cpu_seconds = own_cpu_seconds() + (double)facts.cpu_ns / 1e9,
		.peak_rss_kb = facts.peak_rss_kb,
		.restart = facts.restart,
		.restart_reason = facts.restart_reason,
		.findings = v->findings.items,
		.findings_len = (uint32_t)v->findings.len,
		.outcomes = outcomes,
		.counted_apart = apart,
		.coverage = coverage,
		.coverage_text = strbuf_text(&covered),
	};
	judge(&report, result, &facts, &v->arena);
	add_warnings(v, result, &report, warnings);
	clear_progress(v);
	print_text(s, &report, &v->arena);
	status = session_exit_status(report.verdict, s->options);
	if (s->collect)
		collect_json(&report, s->collect);
	else
		status = session_write_json(&report, s->options, status);
	json_decref(outcomes);
	json_decref(apart);
	json_decref(coverage);
	strbuf_release(&covered);
	return status;
}

void session_set_levels(struct strategy_params *params, const struct test_options *o)
{
	params->levels = o->levels ? (uint32_t)o->levels : o->limits_len;
	for (uint32_t i = 0; i < STRATEGY_LEVELS && o->limits_len; i++)
		params->limits[i] = o->limits[i < o->limits_len ? i : o->limits_len - 1];
}

int session_run(struct session *session, struct target *target)
{
	const struct test_options *o = session->options;
	struct view view = {.session = session, .target = target};
	struct explore_options options = {
		.strategy = o->strategy,
		.params = {.seed = o->seed,
			   .bound = (uint32_t)o->bound,
			   .bound_kind = o->bound_kind,
			   .depth = (uint32_t)o->depth,
			   .burst = (uint32_t)o->burst,
			   .tail_seed = o->first_seed,
			   .observers = o->observers,
			   .grain = o->grain},
		.max_runs = o->max_runs,
		.max_seconds = o->max_time,
		.keep_going = o->keep_going,
		.hash_traces = o->hash_traces,
		.count_traces = o->json != NULL,
		.ignored = o->ignore,
		.shrink_seconds = 5,
		.shrink_runs = 500,
		.stop = &session_stop,
		.confirmed = take_confirmed,
		.progress = show_progress,
		.ran = measure_run,
		.ctx = &view,
	};
	struct explore_result result;
	struct err err = {0};
	int status;

	session_set_levels(&options.params, o);
	if (!coverage_start(&view.coverage, o, target, &options.params, &err)) {
		coverage_release(&view.coverage);
		return session_fail(&err);
	}
	if (explore(target, &options, &result, &err))
		status = write_reports(&view, &result);
	else
		status = session_fail(&err);
	if (!coverage_save(&view.coverage, &err))
		status = session_fail(&err);
	explore_result_release(&result);
	coverage_release(&view.coverage);
	vec_release(&view.findings);
	arena_release(&view.arena);
	return status;
}
