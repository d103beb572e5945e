#include "cli/search/verdict.h"

#include <errno.h>
#include <string.h>

#include "base/harmless.h"
#include "cli/exits.h"
#include "cli/pager.h"
#include "cli/search/forms.h"
#include "cli/search/stopping.h"

/* ---- what it was ---- */

void verdict_decide(struct report *report, const struct explore_result *result,
		   const struct target_facts *facts, struct arena *arena)
{
	report->complete = result->complete;
	report->certified = result->certified;
	report->not_certified = arena_strdup(arena, result->not_certified);
	report->reason = arena_strdup(arena, result->reason);
	if (report_count_new(report)) {
		report->verdict = REPORT_BUG;
	} else if (result->lost) {
		report->verdict = REPORT_LOST_CONTROL;
	} else if (report->findings_len && stop_wanted != STOP_INTERRUPTED) {
		report->verdict = REPORT_KNOWN;
		report->complete = result->complete && !facts->not_proof[0];
		if (!report->reason[0])
			report->reason = arena_strdup(arena, facts->not_proof);
	} else if (result->complete && !report->findings_len && !facts->not_proof[0]) {
		report->verdict = REPORT_PROVED;
	} else if (stop_wanted == STOP_INTERRUPTED) {
		report->verdict = REPORT_INTERRUPTED;
		report->reason = "interrupted";
	} else if (!explore_runs(result)) {
		report->verdict = REPORT_LOST_CONTROL;
		report->reason = arena_printf(arena, "no run came to its end: %s",
					      result->reason[0] ? result->reason : "unknown");
	} else {
		report->verdict = REPORT_NO_BUG_FOUND;
		if (!report->reason[0])
			report->reason = facts->not_proof[0]
						 ? arena_strdup(arena, facts->not_proof)
						 : "the strategy does not exhaust the space";
	}
}

enum report_verdict verdict_of_samples(bool is_found, uint64_t runs)
{
	if (is_found)
		return REPORT_BUG;
	if (stop_wanted == STOP_INTERRUPTED)
		return REPORT_INTERRUPTED;
	return runs ? REPORT_NO_BUG_FOUND : REPORT_LOST_CONTROL;
}

int verdict_status(const struct report *report, const struct test_options *options)
{
	switch (report->verdict) {
	case REPORT_BUG:
		return EXIT_BUG;
	case REPORT_LOST_CONTROL:
		return EXIT_LOST;
	case REPORT_INTERRUPTED:
		return EXIT_INTERRUPTED;
	case REPORT_PROVED:
		return EXIT_NO_BUG;
	case REPORT_KNOWN:
		return options->require_proof && !report->complete ? EXIT_NOT_PROVED : EXIT_NO_BUG;
	default:
		return options->require_proof ? EXIT_NOT_PROVED : EXIT_NO_BUG;
	}
}

/* ---- in words ---- */

uint32_t verdict_list_assumptions_and_ignored(uint64_t assumed, const struct test_options *options,
					      struct arena *arena,
					      const char *texts[ASSUMPTIONS_MAX])
{
	uint32_t len = trace_list_assumptions(assumed, texts);
	struct strbuf kinds = {0};

	if (assumed & ASSUMED_CHANCE)
		texts[len++] = arena_printf(arena, "random numbers as drawn with --seed %lu",
					    options->seed);
	for (uint32_t kind = 0; kind < FINDING_KINDS; kind++)
		if (options->ignore >> kind & 1)
			strbuf_addf(&kinds, "%s%s", kinds.len ? " and " : "",
				    finding_kind_text(kind));
	if (kinds.len)
		texts[len++] = arena_printf(arena, "%s not to be a bug (--ignore)",
					    strbuf_text(&kinds));
	if (options->normal_exit)
		texts[len++] = arena_printf(arena, "exits with %s not to be a bug (--normal-exit)",
					    options->normal_exit);
	strbuf_release(&kinds);
	return len;
}

uint32_t verdict_split_lines(struct arena *arena, const char *text, const char **lines,
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

/* ---- where it goes ---- */

FILE *verdict_stream(const struct test_options *options)
{
	return forms_have_stdout(options) ? stderr : stdout;
}

/* Of one test of several only the findings, then a verdict line that begins with its name. */
static void add_named(const struct report *report, const char *name, bool is_quiet,
		      const struct report_style *style, struct strbuf *out)
{
	static const char ours[] = "fermata: ";
	struct strbuf line = {0};

	for (uint32_t i = 0; i < report->findings_len && !is_quiet; i++) {
		report_finding_text(&report->findings[i], style, out);
		strbuf_addc(out, '\n');
	}
	report_verdict_line(report, &line);
	strbuf_adds(out, ours);
	harmless_add(out, name, strlen(name), false); /* the title of a test may be any text */
	strbuf_addf(out, ": %s\n", strbuf_text(&line) + strlen(ours));
	strbuf_release(&line);
}

/* False with errno. */
static bool print_on(FILE *out, const char *text)
{
	if (out == stdout)
		return pager_print(text, pager_is_wanted());
	errno = 0;
	fputs(text, out);
	return fflush(out) == 0 && !ferror(out);
}

int verdict_print(struct report *report, const struct test_options *options, const char *name,
		  struct arena *arena, int status)
{
	FILE *out = verdict_stream(options);
	struct report_style style = report_style_for(fileno(out));
	struct strbuf text = {0};
	struct report shown;

	style.full = options->full;
	if (!options->quiet)
		report_read_sources(report, NULL, arena);
	shown = report_harmless(report, arena);
	if (name) {
		add_named(&shown, name, options->quiet, &style, &text);
	} else if (options->quiet) {
		report_verdict_line(&shown, &text);
		strbuf_addc(&text, '\n');
	} else {
		report_text(&shown, &style, &text);
	}
	stop_disarm();
	if (!print_on(out, strbuf_text(&text))) {
		struct err err = {0};

		err_set_errno(&err, "cannot write to stdout");
		status = exits_fail_after(status, &err);
		strbuf_clear(&text);
		report_verdict_line(&shown, &text);
		fprintf(stderr, "%s\n", strbuf_text(&text));
	}
	strbuf_release(&text);
	return status;
}
