/* One HTML file that needs nothing else: no fonts, no network. The page is made by its script
 * (page/page.js) from the report as JSON. The text report is there as well, for print and for
 * readers without scripts. */
#include <stdlib.h>
#include <string.h>

#include "report/html_suite.h"
#include "report/json_words.h"
#include "report/page.h"
#include "report/report.h"

static void add_element(struct strbuf *out, const char *open, const char *text, const char *close)
{
	strbuf_adds(out, open);
	report_add_xmls(out, text);
	strbuf_adds(out, close);
}

/* In a script element "<" must not begin a tag or a comment. */
static void add_data(struct strbuf *out, const char *json)
{
	for (; *json; json++)
		if (*json == '<')
			strbuf_adds(out, "\\u003c");
		else
			strbuf_addc(out, *json);
}

/* The command that replays each finding. */
static void add_replays(const struct report *report, json_t *findings)
{
	for (uint32_t i = 0; i < report->findings_len; i++) {
		struct strbuf text = {0};

		report_add_replay(&text, "", &report->findings[i]);
		json_object_set_new(json_array_get(findings, i), "replay",
				    json_words_text(strbuf_text(&text)));
		strbuf_release(&text);
	}
}

static void add_json(struct strbuf *out, const struct report *report)
{
	struct strbuf text = {0}, line = {0};
	json_t *root;

	report_json(report, &text);
	root = json_loads(strbuf_text(&text), 0, NULL);
	report_verdict_line(report, &line);
	json_object_set_new(root, "line", json_string(strbuf_text(&line)));
	add_replays(report, json_object_get(root, "findings"));
	if (report->excerpts)
		json_object_set(root, "excerpts", (json_t *)report->excerpts);
	if (root) {
		char *dump = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(12));

		add_data(out, dump ? dump : "{}");
		free(dump);
	}
	json_decref(root);
	strbuf_release(&text);
	strbuf_release(&line);
}

/* The start page of a folder does not repeat the tests that have pages of their own. */
static struct report without_pages(const struct report *report)
{
	struct report shown = *report;

	if (report->has_pages) {
		shown.findings_len = 0;
		shown.tests = NULL;
	}
	return shown;
}

static void begin_page(struct strbuf *out)
{
	strbuf_adds(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			 "<meta name=\"viewport\" content=\"width=device-width\">\n");
}

static void add_scripts(struct strbuf *out)
{
	strbuf_adds(out, plots_js);
	strbuf_adds(out, state_js);
	strbuf_adds(out, turns_js);
	strbuf_adds(out, page_js);
}

void report_live_page(const char *title, const char *data, struct strbuf *out)
{
	begin_page(out);
	add_element(out, "<title>explore ", title, "</title>\n<style>\n");
	strbuf_adds(out, page_css);
	strbuf_adds(out, "</style>\n</head>\n<body>\n<div id=\"app\"></div>\n"
			 "<script type=\"application/json\" id=\"data\">");
	add_data(out, data);
	strbuf_adds(out, "</script>\n<script>\n");
	add_scripts(out);
	strbuf_adds(out, "</script>\n<script>\n");
	strbuf_adds(out, live_js);
	strbuf_adds(out, "</script>\n</body>\n</html>\n");
}

void report_html(const struct report *report, struct strbuf *out)
{
	struct report shown = without_pages(report);
	struct strbuf text = {0}, line = {0};

	begin_page(out);
	report_verdict_line(report, &line);
	add_element(out, "<title>", report->program, report->program[0] ? ": " : "");
	add_element(out, "", strbuf_text(&line) + strlen("fermata: "), "</title>\n<style>\n");
	strbuf_adds(out, page_css);
	strbuf_adds(out, "</style>\n<noscript><style>.plain { display: block; }</style></noscript>\n"
			 "</head>\n<body>\n<div id=\"app\"></div>\n");
	html_suite_table(report, out);
	report_text(&shown, NULL, &text);
	add_element(out, "<pre class=\"plain\">", strbuf_text(&text), "</pre>\n");
	strbuf_adds(out, "<script type=\"application/json\" id=\"data\">");
	add_json(out, &shown);
	strbuf_adds(out, "</script>\n<script>\n");
	add_scripts(out);
	strbuf_addf(out, "</script>\n<!-- fermata %s -->\n</body>\n</html>\n", FERMATA_VERSION);
	strbuf_release(&text);
	strbuf_release(&line);
}
