#include "cli/cases.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/mem.h"
#include "cli/beam_setup.h"
#include "cli/child.h"
#include "cli/exits.h"
#include "cli/forms.h"
#include "cli/session.h"
#include "cli/stopping.h"
#include "cli/verdict.h"
#include "vm/run.h"

#define MEMORY_LIMIT ((size_t)4 << 30)

struct cases {
	const struct test_options *options;
	enum suite_kind kind;
	const char *const *paths;
	struct arena arena;
	VEC(struct report_finding) findings;
	json_t *tests;
	json_t *assumptions; /* of all, each once */
	uint64_t executions, sampled, blocked, spins, steps, peak_rss_kb;
	double cpu_seconds;
	uint32_t counts[REPORT_VERDICTS];
	uint32_t incomplete; /* tests whose schedules were not all explored */
	uint32_t certified; /* tests whose proof is certified */
	uint32_t broken;
};

/* ---- children ---- */

/* The work of one child: list the tests of a module, or explore one of them. */
struct job {
	const struct test_options *options;
	enum suite_kind kind;
	const char *const *paths;
	const char *module;
	const struct suite_item *item;
};

static int list_work(void *ctx, FILE *out)
{
	const struct job *job = ctx;
	struct run_options options = {.memory_limit = MEMORY_LIMIT, .otp_dir = job->options->otp};
	struct setup_options setup = {.config = job->options->config, .start = job->options->start,
				      .function = job->options->setup,
				      .system = job->options->system};
	struct suite_items items = {0};
	struct err err = {0};
	json_t *list = json_array();

	for (const char *const *path = job->paths; *path; path++)
		run_add_path(*path);
	if (!run_open(&options, &err) || (setup_is_asked(&setup) && !setup_run(&setup, &err)) ||
	    !suite_list(job->kind, job->module, &items, &err))
		return exits_fail(&err);
	for (size_t i = 0; i < items.len; i++)
		json_array_append_new(
			list, json_pack("{s:i, s:s, s:s}", "kind", (int)items.items[i].kind, "path",
					items.items[i].path, "text", items.items[i].text));
	json_dumpf(list, out, JSON_COMPACT);
	json_decref(list);
	suite_items_release(&items);
	return EXIT_NO_BUG;
}

static int explore_work(void *ctx, FILE *out)
{
	const struct job *job = ctx;
	struct beam_subject subject = {.function = job->module, .suite = job->kind,
				       .path = job->item->path, .paths = job->paths};
	struct session session = {.options = job->options, .target_name = "beam",
				  .program = job->item->text, .name = job->item->text,
				  .collect = out};
	struct beam_setup setup;
	struct target *target;
	struct err err = {0};
	int status;

	session.started = stop_catch_signals(job->options->max_time);
	target = beam_setup_create(&setup, job->options, &subject, &err);
	if (target) {
		session.setup = beam_setup_json(&setup);
		status = session_run(&session, target);
		json_decref(session.setup);
		target->ops->free(target);
	} else {
		err_prefix(&err, "%s: ", job->item->text);
		status = exits_fail(&err);
	}
	beam_setup_release(&setup);
	return status;
}

json_t *cases_list(const struct test_options *options, enum suite_kind kind, const char *module,
		   const char *const *paths, struct err *err)
{
	struct job job = {.options = options, .kind = kind, .paths = paths, .module = module};
	struct child_answer answer;
	json_t *list;

	if (!child_ask(list_work, &job, &answer, err))
		return NULL;
	list = json_loads(strbuf_text(&answer.text), 0, NULL);
	strbuf_release(&answer.text);
	return list;
}

/* ---- putting the answers together ---- */

static uint64_t number(const json_t *report, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(report, key));
}

static void add_assumptions(struct cases *c, const json_t *report)
{
	const json_t *texts = json_object_get(report, "assumptions");

	for (size_t i = 0; i < json_array_size(texts); i++) {
		json_t *text = json_array_get(texts, i);
		bool is_known = false;

		for (size_t j = 0; j < json_array_size(c->assumptions); j++)
			is_known = is_known || json_equal(json_array_get(c->assumptions, j), text);
		if (!is_known)
			json_array_append(c->assumptions, text);
	}
}

static void add_report(struct cases *c, const json_t *report)
{
	const json_t *findings = json_object_get(report, "findings");
	const char *verdict = json_string_value(json_object_get(report, "verdict"));

	for (size_t i = 0; i < json_array_size(findings); i++)
		report_finding_parse(json_array_get(findings, i), &c->arena,
				     vec_push(&c->findings));
	for (int v = REPORT_PROVED; verdict && v < REPORT_VERDICTS; v++)
		c->counts[v] += strcmp(report_verdict_text((enum report_verdict)v), verdict) == 0;
	c->incomplete += !json_is_true(json_object_get(report, "complete"));
	c->certified += json_is_true(json_object_get(report, "certified"));
	c->executions += number(report, "executions");
	c->sampled += number(report, "sampled");
	c->blocked += number(report, "blocked_executions");
	c->spins += number(report, "spin_executions");
	c->steps += number(report, "steps");
	c->cpu_seconds += json_real_value(json_object_get(report, "cpu_seconds"));
	if (number(report, "peak_rss_kb") > c->peak_rss_kb)
		c->peak_rss_kb = number(report, "peak_rss_kb");
	add_assumptions(c, report);
}

static void add_broken(struct cases *c, const char *name, const char *reason)
{
	c->broken++;
	json_array_append_new(c->tests, json_pack("{s:s, s:s, s:s}", "name", name, "verdict",
						  "broken", "reason", reason));
}

static bool explore_test(struct cases *c, const char *module, const struct suite_item *item,
			 struct err *err)
{
	struct job job = {c->options, c->kind, c->paths, module, item};
	struct child_answer answer;
	json_t *report;

	if (!child_ask(explore_work, &job, &answer, err))
		return false;
	report = json_loads(strbuf_text(&answer.text), 0, NULL);
	if (report) {
		add_report(c, report);
		json_object_set_new(report, "name", json_string(item->text));
		json_array_append_new(c->tests, report);
	} else if (answer.status == EXIT_USAGE) {
		add_broken(c, item->text, "the test cannot be set up");
	} else {
		c->counts[REPORT_LOST_CONTROL]++;
		json_array_append_new(c->tests,
				      json_pack("{s:s, s:s, s:s}", "name", item->text, "verdict",
						report_verdict_text(REPORT_LOST_CONTROL), "reason",
						"the test ended without a report"));
	}
	strbuf_release(&answer.text);
	return true;
}

static bool take_item(struct cases *c, const char *module, const struct suite_item *item,
		      struct err *err)
{
	switch (item->kind) {
	case SUITE_TEST:
		return explore_test(c, module, item, err);
	case SUITE_BROKEN:
		fprintf(stderr, "fermata: %s: %s\n", module, item->text);
		add_broken(c, module, item->text);
		return true;
	default:
		if (!c->options->quiet)
			fprintf(stderr, "fermata: %s: %s\n", module, item->text);
		return true;
	}
}

/* False if the module cannot be tested at all; the reason has been printed. */
static bool run_module(struct cases *c, const char *module)
{
	size_t tests_before = json_array_size(c->tests);
	struct err err = {0};
	json_t *list = cases_list(c->options, c->kind, module, c->paths, &err);
	bool ok = list != NULL;

	if (err.message[0])
		exits_fail(&err);
	for (size_t i = 0; ok && i < json_array_size(list) && !stop_wanted; i++) {
		struct suite_item item = {0};
		int kind = 0;

		json_unpack(json_array_get(list, i), "{s:i, s:s, s:s}", "kind", &kind, "path",
			    &item.path, "text", &item.text);
		item.kind = (enum suite_item_kind)kind;
		ok = take_item(c, module, &item, &err) || exits_fail(&err) == EXIT_NO_BUG;
	}
	if (ok && json_array_size(c->tests) == tests_before && !stop_wanted) {
		fprintf(stderr, "fermata: %s: the module has no tests\n", module);
		ok = false;
	}
	json_decref(list);
	return ok;
}

/* ---- the end ---- */

static void decide_verdict(const struct cases *c, struct report *report)
{
	report->verdict = REPORT_PROVED;
	for (int v = REPORT_PROVED; v < REPORT_VERDICTS; v++)
		if (c->counts[v] && v != REPORT_BUG)
			report->verdict = (enum report_verdict)v;
	if (stop_wanted == STOP_INTERRUPTED)
		report->verdict = REPORT_INTERRUPTED;
	if (c->counts[REPORT_BUG])
		report->verdict = REPORT_BUG;
	if (report->verdict == REPORT_PROVED && c->broken) {
		report->verdict = REPORT_NO_BUG_FOUND;
		report->reason = "some tests could not be run";
	} else if (report->verdict == REPORT_NO_BUG_FOUND) {
		report->reason = "some tests are not proved";
	} else if (report->verdict == REPORT_LOST_CONTROL) {
		report->reason = "in some tests (their verdicts are above)";
	}
	report->complete = report->verdict == REPORT_PROVED ||
			   (report->verdict == REPORT_KNOWN && !c->incomplete && !c->broken);
	if (report->verdict == REPORT_KNOWN && !report->complete)
		report->reason = "some tests are not proved";
	report->certified = report->verdict == REPORT_PROVED && c->certified == c->counts[REPORT_PROVED];
	if (report->verdict == REPORT_PROVED && !report->certified)
		report->not_certified = "the proofs of some tests are not certified";
}

static void print_summary(const struct cases *c, const struct report *report)
{
	FILE *out = verdict_stream(c->options);
	struct strbuf text = {0};

	strbuf_adds(&text, "fermata: ");
	report_add_count(&text, json_array_size(c->tests), "test");
	strbuf_addf(&text, ": %u proved, %u no bug found, %u with a bug", c->counts[REPORT_PROVED],
		    c->counts[REPORT_NO_BUG_FOUND], c->counts[REPORT_BUG]);
	if (c->counts[REPORT_KNOWN])
		strbuf_addf(&text, ", %u with known bugs only", c->counts[REPORT_KNOWN]);
	if (c->counts[REPORT_LOST_CONTROL])
		strbuf_addf(&text, ", %u with control lost", c->counts[REPORT_LOST_CONTROL]);
	if (c->broken)
		strbuf_addf(&text, ", %u could not be run", c->broken);
	strbuf_adds(&text, " (");
	report_add_runs(&text, report);
	strbuf_adds(&text, ")\n");
	report_verdict_line(report, &text);
	fprintf(out, "%s\n", strbuf_text(&text));
	fflush(out);
	strbuf_release(&text);
}

static int finish(struct cases *c, const char *program, double seconds)
{
	const char *assumptions[16];
	struct report report = {
		.program = program,
		.reason = "",
		.assumptions = assumptions,
		.strategy = c->options->strategy,
		.seed = c->options->seed,
		.executions = c->executions,
		.sampled = c->sampled,
		.blocked_executions = c->blocked,
		.spin_executions = c->spins,
		.steps = c->steps,
		.wall_seconds = seconds,
		.cpu_seconds = c->cpu_seconds,
		.peak_rss_kb = c->peak_rss_kb,
		.restart = "checkpoint",
		.restart_reason = "",
		.findings = c->findings.items,
		.findings_len = (uint32_t)c->findings.len,
		.tests = c->tests,
	};
	int status;

	for (size_t i = 0; i < json_array_size(c->assumptions) && i < 16; i++)
		assumptions[report.assumptions_len++] =
			json_string_value(json_array_get(c->assumptions, i));
	decide_verdict(c, &report);
	print_summary(c, &report);
	status = verdict_status(&report, c->options);
	if (c->broken && status != EXIT_BUG && status != EXIT_LOST)
		status = EXIT_USAGE;
	return forms_write(&report, c->options, status);
}

int cases_run(const struct test_options *options, enum suite_kind kind, const char *const *modules,
	      const char *const *paths)
{
	struct cases c = {.options = options, .kind = kind, .paths = paths, .tests = json_array(),
			  .assumptions = json_array()};
	double start = clock_seconds();
	bool is_fine = true;
	int status = EXIT_USAGE;

	for (const char *const *module = modules; *module && !stop_wanted; module++)
		is_fine = run_module(&c, *module) && is_fine;
	if (json_array_size(c.tests)) {
		c.broken += !is_fine;
		status = finish(&c, modules[0], clock_seconds() - start);
	}
	json_decref(c.tests);
	json_decref(c.assumptions);
	vec_release(&c.findings);
	arena_release(&c.arena);
	return status;
}
