#include "cli/report_cmd.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "cli/exits.h"
#include "cli/help.h"
#include "explore/save.h"
#include "report/report.h"

static void write_text(const struct report *report, struct strbuf *out)
{
	struct report_style style = {.colour = report_wants_colour(1)};

	report_text(report, &style, out);
}

static const struct {
	const char *option;
	void (*write)(const struct report *report, struct strbuf *out);
} forms[] = {
	{"--text", write_text},     {"--json", report_json},   {"--sarif", report_sarif},
	{"--junit", report_junit},  {"--html", report_html},
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
	"usage: fermata report [--text|--json|--sarif|--junit|--html] FINDING…\n"
	"\n"
	"Prints saved findings (.fermata/KIND-ID) on stdout, as text unless another form is\n"
	"asked for.\n";

int cli_report(int argc, char **argv)
{
	VEC(struct report_finding) findings = {0};
	struct arena arena = {0};
	struct strbuf text = {0};
	struct report report = {.verdict = REPORT_BUG, .program = "", .reason = "", .strategy = "",
				.restart = "", .restart_reason = ""};
	size_t form = 0;
	int status = EXIT_NO_BUG;

	if (help_asked(argc, argv, usage))
		return EXIT_NO_BUG;
	for (int i = 1; i < argc && status == EXIT_NO_BUG; i++) {
		struct saved saved;
		struct err err = {0};

		if (argv[i][0] == '-') {
			form = find_form(argv[i]);
			if (form == FORMS) {
				err_set(&err, "unknown form %s (fermata report --help)", argv[i]);
				status = exits_fail(&err);
			}
			continue;
		}
		if (save_load(argv[i], &saved, &err)) {
			report_finding_parse(saved.words, &arena, vec_push(&findings));
			vec_last(&findings)->path = argv[i];
		} else {
			status = exits_fail(&err);
		}
		saved_release(&saved);
	}
	if (status == EXIT_NO_BUG && !findings.len) {
		fprintf(stderr, "fermata: report needs at least one saved finding\n");
		status = EXIT_USAGE;
	}
	if (status == EXIT_NO_BUG) {
		report.findings = findings.items;
		report.findings_len = (uint32_t)findings.len;
		report_read_sources(&report, ".", &arena);
		forms[form].write(&report, &text);
		fputs(strbuf_text(&text), stdout);
	}
	strbuf_release(&text);
	vec_release(&findings);
	arena_release(&arena);
	return status;
}
