#include "cli/project/gather.h"

#include <string.h>

#include "cli/exits.h"
#include "cli/search/child.h"
#include "cli/search/forms.h"
#include "cli/search/stopping.h"
#include "cli/search/verdict.h"
#include "report/json_words.h"

void gather_init(struct gather *g)
{
	*g = (struct gather){.tests = json_array(), .assumptions = json_array()};
}

void gather_release(struct gather *g)
{
	json_decref(g->tests);
	json_decref(g->assumptions);
	vec_release(&g->findings);
	arena_release(&g->arena);
}

/* ---- adding ---- */

static uint64_t number(const json_t *report, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(report, key));
}

static void add_assumptions(struct gather *g, const json_t *report)
{
	const json_t *texts = json_object_get(report, "assumptions");

	for (size_t i = 0; i < json_array_size(texts); i++) {
		json_t *text = json_array_get(texts, i);
		bool is_known = false;

		for (size_t j = 0; j < json_array_size(g->assumptions); j++)
			is_known = is_known || json_equal(json_array_get(g->assumptions, j), text);
		if (!is_known)
			json_array_append(g->assumptions, text);
	}
}

static void add_numbers(struct gather *g, const json_t *report)
{
	const json_t *findings = json_object_get(report, "findings");
	const char *verdict = json_string_value(json_object_get(report, "verdict"));

	for (size_t i = 0; i < json_array_size(findings); i++) {
		report_finding_parse(json_array_get(findings, i), &g->arena,
				     vec_push(&g->findings));
		vec_last(&g->findings)->declared_line = g->declared_line;
	}
	for (int v = REPORT_PROVED; verdict && v < REPORT_VERDICTS; v++)
		g->counts[v] += strcmp(report_verdict_text((enum report_verdict)v), verdict) == 0;
	g->incomplete += !json_is_true(json_object_get(report, "complete"));
	g->certified += json_is_true(json_object_get(report, "certified"));
	g->executions += number(report, "executions");
	g->sampled += number(report, "sampled");
	g->blocked += number(report, "blocked_executions");
	g->spins += number(report, "spin_executions");
	g->steps += number(report, "steps");
	g->cpu_seconds += json_real_value(json_object_get(report, "cpu_seconds"));
	if (number(report, "peak_rss_kb") > g->peak_rss_kb)
		g->peak_rss_kb = number(report, "peak_rss_kb");
	add_assumptions(g, report);
}

void gather_add(struct gather *g, const char *name, json_t *report)
{
	const char *verdict = json_string_value(json_object_get(report, "verdict"));

	add_numbers(g, report);
	g->broken += verdict && strcmp(verdict, "broken") == 0;
	g->skipped += verdict && strcmp(verdict, "skipped") == 0;
	g->unmet += json_object_get(report, "unmet") != NULL;
	g->remembered += json_object_get(report, "remembered") != NULL;
	json_object_set_new(report, "name", json_string(name));
	json_array_append_new(g->tests, report);
}

/* A test that has no report of its own. */
static void add_short(struct gather *g, const char *name, const char *verdict, const char *reason)
{
	json_t *test = json_object();

	json_object_set_new(test, "name", json_words_text(name));
	json_object_set_new(test, "verdict", json_string(verdict));
	json_object_set_new(test, "reason", json_words_text(reason));
	json_array_append_new(g->tests, test);
}

void gather_add_skipped(struct gather *g, const char *name, const char *reason)
{
	g->skipped++;
	add_short(g, name, "skipped", reason);
}

void gather_add_broken(struct gather *g, const char *name, const char *reason)
{
	g->broken++;
	add_short(g, name, "broken", reason);
}

static void add_lost(struct gather *g, const char *name, const char *reason)
{
	g->counts[REPORT_LOST_CONTROL]++;
	add_short(g, name, report_verdict_text(REPORT_LOST_CONTROL), reason);
}

void gather_take(struct gather *g, const char *name, struct child_answer *answer)
{
	json_t *report = json_loads(strbuf_text(&answer->text), 0, NULL);
	const char *reason = json_string_value(json_object_get(report, CHILD_FAILED));

	if (report && !reason)
		gather_add(g, name, json_incref(report));
	else if (answer->status == EXIT_USAGE)
		gather_add_broken(g, name, reason ? reason : "the test cannot be set up");
	else
		add_lost(g, name, reason ? reason : "the test ended without a report");
	json_decref(report);
	strbuf_release(&answer->text);
}

/* ---- the end ---- */

static bool has_verdicts(const struct gather *g)
{
	for (int v = 0; v < REPORT_VERDICTS; v++)
		if (g->counts[v])
			return true;
	return false;
}

/* Is there a test that could not be run, and none that has a verdict? */
static bool are_all_broken(const struct gather *g)
{
	return g->broken && !has_verdicts(g);
}

static void decide_verdict(const struct gather *g, struct report *report)
{
	report->verdict = REPORT_PROVED;
	for (int v = REPORT_PROVED; v < REPORT_VERDICTS; v++)
		if (g->counts[v] && v != REPORT_BUG)
			report->verdict = (enum report_verdict)v;
	if (stop_wanted == STOP_INTERRUPTED)
		report->verdict = REPORT_INTERRUPTED;
	if (g->counts[REPORT_BUG])
		report->verdict = REPORT_BUG;
	if (are_all_broken(g)) {
		report->verdict = REPORT_LOST_CONTROL;
		report->reason = "no test could be run (the messages are above)";
	} else if (!has_verdicts(g) && report->verdict == REPORT_PROVED) {
		report->verdict = REPORT_NO_BUG_FOUND;
		report->reason = "every test is skipped";
	} else if (report->verdict == REPORT_PROVED && g->broken) {
		report->verdict = REPORT_NO_BUG_FOUND;
		report->reason = "some tests could not be run";
	} else if (report->verdict == REPORT_NO_BUG_FOUND) {
		report->reason = "some tests are not proved";
	} else if (report->verdict == REPORT_LOST_CONTROL) {
		report->reason = "in some tests (their verdicts are above)";
	}
	report->complete = report->verdict == REPORT_PROVED ||
			   (report->verdict == REPORT_KNOWN && !g->incomplete && !g->broken);
	if (report->verdict == REPORT_KNOWN && !report->complete)
		report->reason = "some tests are not proved";
	report->certified = report->verdict == REPORT_PROVED &&
			    g->certified == g->counts[REPORT_PROVED];
	if (report->verdict == REPORT_PROVED && !report->certified)
		report->not_certified = "the proofs of some tests are not certified";
}

static void print_summary(const struct gather *g, const struct test_options *options,
			  const struct report *report)
{
	FILE *out = verdict_stream(options);
	struct strbuf text = {0};

	strbuf_adds(&text, "fermata: ");
	report_add_count(&text, json_array_size(g->tests) + g->not_reached, "test");
	strbuf_addf(&text, ": %u proved, %u no bug found, %u with a bug", g->counts[REPORT_PROVED],
		    g->counts[REPORT_NO_BUG_FOUND], g->counts[REPORT_BUG]);
	if (g->counts[REPORT_KNOWN])
		strbuf_addf(&text, ", %u with known bugs only", g->counts[REPORT_KNOWN]);
	if (g->counts[REPORT_LOST_CONTROL])
		strbuf_addf(&text, ", %u with control lost", g->counts[REPORT_LOST_CONTROL]);
	if (g->counts[REPORT_INTERRUPTED])
		strbuf_addf(&text, ", %u interrupted", g->counts[REPORT_INTERRUPTED]);
	if (g->not_reached)
		strbuf_addf(&text, ", %u not begun", g->not_reached);
	if (g->broken)
		strbuf_addf(&text, ", %u could not be run", g->broken);
	if (g->skipped)
		strbuf_addf(&text, ", %u skipped", g->skipped);
	if (g->unmet)
		strbuf_addf(&text, ", %u not as expected", g->unmet);
	if (g->remembered)
		strbuf_addf(&text, ", %u remembered", g->remembered);
	strbuf_adds(&text, " (");
	report_add_runs(&text, report);
	strbuf_adds(&text, ")\n");
	report_verdict_line(report, &text);
	fprintf(out, "%s\n", strbuf_text(&text));
	fflush(out);
	strbuf_release(&text);
}

int gather_finish(struct gather *g, const struct test_options *options, const char *program,
		  double seconds)
{
	size_t len = json_array_size(g->assumptions);
	const char **assumptions = arena_zalloc(&g->arena, (len + 1) * sizeof(*assumptions));
	struct report report = {
		.program = program,
		.reason = "",
		.assumptions = assumptions,
		.strategy = options->strategy,
		.seed = options->seed,
		.executions = g->executions,
		.sampled = g->sampled,
		.blocked_executions = g->blocked,
		.spin_executions = g->spins,
		.steps = g->steps,
		.wall_seconds = seconds,
		.cpu_seconds = g->cpu_seconds,
		.peak_rss_kb = g->peak_rss_kb,
		.restart = "checkpoint",
		.restart_reason = "",
		.findings = g->findings.items,
		.findings_len = (uint32_t)g->findings.len,
		.tests = g->tests,
	};
	int status;

	for (size_t i = 0; i < len; i++)
		assumptions[report.assumptions_len++] =
			json_string_value(json_array_get(g->assumptions, i));
	decide_verdict(g, &report);
	print_summary(g, options, &report);
	status = verdict_status(&report, options);
	if (are_all_broken(g) || (g->broken && status != EXIT_BUG && status != EXIT_LOST &&
				  status != EXIT_INTERRUPTED))
		status = EXIT_USAGE;
	if (g->unmet && status == EXIT_NO_BUG)
		status = EXIT_NOT_PROVED;
	return forms_write(&report, options, status);
}
