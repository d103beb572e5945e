#include "cli/report_cmd.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/vec.h"
#include "cli/exits.h"
#include "cli/help.h"
#include "cli/pager.h"
#include "cli/replay/lookup.h"
#include "explore/save.h"
#include "report/report.h"

static void write_text(const struct report *report, struct strbuf *out)
{
	struct report_style style = report_style_for(STDOUT_FILENO);

	report_text(report, &style, out);
}

static void write_full(const struct report *report, struct strbuf *out)
{
	struct report_style style = report_style_for(STDOUT_FILENO);

	style.full = true;
	report_text(report, &style, out);
}

static const struct {
	const char *option;
	void (*write)(const struct report *report, struct strbuf *out);
} forms[] = {
	{"--text", write_text},     {"--full", write_full},     {"--json", report_json},
	{"--sarif", report_sarif},  {"--junit", report_junit},  {"--html", report_html},
};

enum { FORMS = sizeof(forms) / sizeof(forms[0]) };

static size_t find_form(const char *word)
{
	size_t i = 0;

	while (i < FORMS && strcmp(forms[i].option, word) != 0)
		i++;
	return i;
}

static const char usage[] =
	"usage: fermata report [--text|--full|--json|--sarif|--junit|--html] FINDING…\n"
	"\n"
	"Prints saved findings (.fermata/KIND-ID) on stdout, as text unless another form is\n"
	"asked for. The text has the steps that matter; with --full it has all steps.\n";

/* The saved findings that the command names, and the searches that found them. */
struct gathered {
	VEC(struct report_finding) findings;
	struct report report;
	json_t *kept; /* array: the parts of the saved findings that are used as they are */
	struct arena arena;
};

static uint64_t number(const json_t *search, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(search, key));

	return value > 0 ? (uint64_t)value : 0;
}

static bool is_text(const json_t *search, const char *key, const char *text)
{
	const char *other = json_string_value(json_object_get(search, key));

	return other && strcmp(other, text) == 0;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Findings of one search have the numbers up to their own run: the largest count. Numbers of
 * different searches do not add up to anything, so those of the first one stay. */
static void take_search(struct gathered *g, const json_t *search)
{
	struct report *r = &g->report;
	const char *program = json_string_value(json_object_get(search, "program"));
	const char *strategy = json_string_value(json_object_get(search, "strategy"));
	double seconds = json_number_value(json_object_get(search, "wall_seconds"));

	if (!strategy)
		return;
	if (!r->strategy[0]) {
		r->program = arena_strdup(&g->arena, program ? program : "");
		r->strategy = arena_strdup(&g->arena, strategy);
		r->seed = number(search, "seed");
	} else if (!is_text(search, "program", r->program) ||
		   !is_text(search, "strategy", r->strategy) || number(search, "seed") != r->seed) {
		return;
	}
	r->is_until_finding = true;
	r->executions = larger(r->executions, number(search, "executions"));
	r->sampled = larger(r->sampled, number(search, "sampled"));
	r->blocked_executions = larger(r->blocked_executions, number(search, "blocked_executions"));
	r->spin_executions = larger(r->spin_executions, number(search, "spin_executions"));
	r->steps = larger(r->steps, number(search, "steps"));
	if (seconds >= r->wall_seconds && json_object_get(search, "history")) {
		r->history = json_object_get(search, "history");
		json_array_append(g->kept, (json_t *)r->history);
	}
	r->wall_seconds = seconds > r->wall_seconds ? seconds : r->wall_seconds;
}

static bool take_finding(struct gathered *g, const char *path, struct err *err)
{
	struct saved saved;
	bool ok = save_load(path, &saved, err);

	if (ok) {
		report_finding_parse(saved.words, &g->arena, vec_push(&g->findings));
		vec_last(&g->findings)->path = path;
		vec_last(&g->findings)->excerpts = json_object_get(saved.words, "excerpts");
		json_array_append(g->kept, (json_t *)vec_last(&g->findings)->excerpts);
		take_search(g, saved.search);
	}
	saved_release(&saved);
	return ok;
}

static bool gather(struct gathered *g, int argc, char **argv, size_t *form, struct err *err)
{
	for (int i = 1; i < argc; i++) {
		if (argv[i][0] != '-') {
			const char *path = lookup_finding(argv[i], &g->arena, err);

			if (!path || !take_finding(g, path, err))
				return false;
			continue;
		}
		*form = find_form(argv[i]);
		if (*form == FORMS)
			return help_refuse_option(argv[i], usage, "report", err);
	}
	return g->findings.len || err_set(err, "report needs at least one saved finding");
}

int cli_report(int argc, char **argv)
{
	struct gathered g = {.report = {.verdict = REPORT_BUG, .is_saved = true, .program = "",
					.reason = "", .strategy = "", .restart = "",
					.restart_reason = ""}};
	struct strbuf text = {0};
	json_t *excerpts = NULL;
	struct err err = {0};
	size_t form = 0;
	int status = EXIT_NO_BUG;

	if (help_asked(argc, argv, usage))
		return EXIT_NO_BUG;
	g.kept = json_array();
	if (gather(&g, argc, argv, &form, &err)) {
		bool is_for_people = forms[form].write == write_text ||
				     forms[form].write == write_full;

		g.report.findings = g.findings.items;
		g.report.findings_len = (uint32_t)g.findings.len;
		report_read_sources(&g.report, ".", &g.arena);
		g.report.excerpts = excerpts = report_excerpts(&g.report, ".");
		if (is_for_people)
			g.report = report_harmless(&g.report, &g.arena);
		forms[form].write(&g.report, &text);
		pager_print(strbuf_text(&text), is_for_people && pager_is_wanted());
	} else {
		status = exits_fail(&err);
	}
	json_decref(excerpts);
	json_decref(g.kept);
	strbuf_release(&text);
	vec_release(&g.findings);
	arena_release(&g.arena);
	return status;
}
