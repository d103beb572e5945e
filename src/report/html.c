/* One HTML file that needs nothing else: no scripts, no fonts, no network. */
#include <inttypes.h>

#include "core/finding.h"
#include "report/html_suite.h"
#include "report/report.h"

static const char style_sheet[] =
	":root{--bg:#fff;--fg:#1c1e21;--dim:#6b7280;--line:#e2e5e9;--card:#f7f8fa;--bad:#c0262d;"
	"--good:#1a7f37;--mark:#fff3c4;color-scheme:light dark}\n"
	"@media(prefers-color-scheme:dark){:root{--bg:#15171a;--fg:#e4e6ea;--dim:#9aa1ab;"
	"--line:#2d3137;--card:#1d2024;--bad:#ff7b72;--good:#56d364;--mark:#3d3516}}\n"
	"body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:76rem;padding:0 1rem;"
	"background:var(--bg);color:var(--fg)}\n"
	"h1{font-size:1.3rem}h2{font-size:1.15rem;margin-top:2.5rem}h3{font-size:1rem}\n"
	"code,pre,td,th{font:13px/1.45 ui-monospace,monospace}\n"
	".bug{color:var(--bad)}.proved{color:var(--good)}.dim{color:var(--dim)}\n"
	"pre{background:var(--card);padding:.8rem;border-radius:6px;overflow-x:auto}\n"
	".scroll{overflow-x:auto}table{border-collapse:collapse;min-width:100%}\n"
	"th{text-align:left;border-bottom:2px solid var(--line);position:sticky;top:0;"
	"background:var(--bg)}\n"
	"td,th{padding:.25rem .7rem;vertical-align:top;border-right:1px solid var(--line)}\n"
	"tr+tr td{border-top:1px solid var(--line)}td.n{text-align:right;color:var(--dim)}\n"
	"td.did{background:var(--card)}tr.culprit td.did{background:var(--mark)}\n"
	"tr.preempts td{border-top:2px dashed var(--bad)}\n"
	"dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem}dt{color:var(--dim)}"
	"dd{margin:0}ol{padding-left:1.6rem}\n";

static void add_element(struct strbuf *out, const char *open, const char *text, const char *close)
{
	strbuf_adds(out, open);
	report_add_xmls(out, text);
	strbuf_adds(out, close);
}

static void add_cell(struct strbuf *out, const struct report_event *event)
{
	add_element(out, "<td class=\"did\">", event->text, "");
	if (event->file) {
		add_element(out, "<br><span class=\"dim\">", event->file, "");
		strbuf_addf(out, ":%u</span>", event->line);
	}
	if (event->source)
		add_element(out, "<br><code>", event->source, "</code>");
	strbuf_adds(out, "</td>");
}

static void add_row(struct strbuf *out, const struct report_finding *finding,
		    const struct report_event *event)
{
	strbuf_addf(out, "<tr class=\"%s%s\">", event->is_preemption ? "preempts " : "",
		    event->is_culprit ? "culprit" : "");
	if (event->step == REPORT_NO_STEP)
		strbuf_adds(out, "<td class=\"n\">waits</td>");
	else if (event->step == REPORT_BETWEEN)
		strbuf_adds(out, "<td class=\"n\"></td>");
	else
		strbuf_addf(out, "<td class=\"n\">%u</td>", event->step + 1);
	for (uint32_t i = 0; i < finding->columns_len; i++) {
		if (i == event->column)
			add_cell(out, event);
		else
			strbuf_adds(out, "<td></td>");
	}
	strbuf_adds(out, "</tr>\n");
}

static void add_interleaving(struct strbuf *out, const struct report_finding *finding)
{
	if (finding->interleaving_len == 0)
		return;
	strbuf_adds(out, "<h3>How it happens (");
	report_add_count(out, finding->events, "step");
	strbuf_adds(out, ", ");
	report_add_count(out, finding->preemptions, "preemption");
	strbuf_adds(out, ")</h3>\n<div class=\"scroll\"><table>\n<tr><th></th>");
	for (uint32_t i = 0; i < finding->columns_len; i++)
		add_element(out, "<th>", finding->columns[i], "</th>");
	strbuf_adds(out, "</tr>\n");
	for (uint32_t i = 0; i < finding->interleaving_len; i++)
		add_row(out, finding, &finding->interleaving[i]);
	strbuf_adds(out, "</table></div>\n<p class=\"dim\">A dashed line: the actor before could "
			 "have gone on. Marked: part of the bug.</p>\n");
}

static void add_frame(struct strbuf *out, const struct report_frame *frame)
{
	struct strbuf place = {0};

	add_element(out, "<li><code>", frame->function ? frame->function : "??", "</code>");
	if (frame->file) {
		report_add_place(&place, frame);
		add_element(out, " <span class=\"dim\">", strbuf_text(&place), "</span>");
	}
	strbuf_adds(out, "</li>\n");
	strbuf_release(&place);
}

static void add_site(struct strbuf *out, const struct report_site *site)
{
	struct strbuf place = {0};

	report_add_place(&place, &site->at);
	strbuf_adds(out, "<p>");
	if (site->actor)
		add_element(out, "<b>", site->actor, "</b> ");
	report_add_xmls(out, site->role);
	add_element(out, " at <code>", strbuf_text(&place), "</code></p>\n");
	if (site->frames_len) {
		strbuf_adds(out, "<ol start=\"0\">\n");
		for (uint32_t i = 0; i < site->frames_len; i++)
			add_frame(out, &site->frames[i]);
		strbuf_adds(out, "</ol>\n");
	}
	for (uint32_t i = 0; i < site->locks_len; i++)
		add_element(out, "<p>holds <code>", site->locks[i], "</code></p>\n");
	strbuf_release(&place);
}

static void add_finding(struct strbuf *out, const struct report_finding *finding)
{
	struct strbuf where = {0}, replay = {0};

	report_add_where(&where, finding);
	strbuf_addf(out, "<section>\n<h2><span class=\"bug\">%s</span> at ",
		    finding_kind_text(finding->kind));
	add_element(out, "<code>", strbuf_text(&where), "</code></h2>\n");
	add_element(out, "<p>", finding->message, "</p>\n");
	if (finding->always)
		strbuf_addf(out, "<p>%s (%u others): not a timing bug.</p>\n", REPORT_ALWAYS,
			    finding->always);
	if (finding->details)
		add_element(out, "<pre>", finding->details, "</pre>\n");
	add_element(out, "<p class=\"dim\">", finding_kind_sentence(finding->kind), "</p>\n");
	add_interleaving(out, finding);
	if (finding->sites_len)
		strbuf_adds(out, "<h3>Where</h3>\n");
	for (uint32_t i = 0; i < finding->sites_len; i++)
		add_site(out, &finding->sites[i]);
	if (finding->output_len) {
		strbuf_adds(out, "<h3>Output of the program</h3>\n<pre>");
		report_add_xml(out, finding->output, finding->output_len);
		strbuf_adds(out, "</pre>\n");
	}
	report_add_replay(&replay, "", finding);
	if (replay.len)
		add_element(out, "<p>Replay: <code>", strbuf_text(&replay), "</code></p>\n");
	strbuf_release(&replay);
	strbuf_addf(out, "<p class=\"dim\">Fingerprint %016" PRIx64 "</p>\n</section>\n",
		    finding->fingerprint);
	strbuf_release(&where);
}

static void add_term(struct strbuf *out, const char *name, const char *value)
{
	if (!*value)
		return;
	strbuf_addf(out, "<dt>%s</dt>", name);
	add_element(out, "<dd>", value, "</dd>\n");
}

static void add_summary(struct strbuf *out, const struct report *report)
{
	strbuf_adds(out, "<dl>\n");
	add_term(out, "program", report->program);
	add_term(out, "strategy", report->strategy);
	strbuf_addf(out, "<dt>seed</dt><dd>%" PRIu64 "</dd>\n", report->seed);
	strbuf_adds(out, "<dt>runs</dt><dd>");
	report_add_runs(out, report);
	strbuf_adds(out, "</dd>\n");
	strbuf_addf(out, "<dt>steps</dt><dd>%" PRIu64 "</dd>\n", report->steps);
	strbuf_addf(out, "<dt>time</dt><dd>%.2f s</dd>\n", report->wall_seconds);
	add_term(out, "restart", report->restart);
	add_term(out, "because", report->restart_reason);
	for (uint32_t i = 0; i < report->assumptions_len; i++)
		add_term(out, "assuming", report->assumptions[i]);
	for (uint32_t i = 0; i < report->warnings_len; i++)
		add_term(out, "warning", report->warnings[i]);
	strbuf_adds(out, "</dl>\n");
}

void report_html(const struct report *report, struct strbuf *out)
{
	struct strbuf line = {0};

	report_verdict_line(report, &line);
	strbuf_adds(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			 "<meta name=\"viewport\" content=\"width=device-width\">\n");
	add_element(out, "<title>fermata: ", report->program, "</title>\n<style>\n");
	strbuf_adds(out, style_sheet);
	strbuf_addf(out, "</style>\n</head>\n<body>\n<h1 class=\"%s\">",
		    report_verdict_text(report->verdict));
	add_element(out, "", strbuf_text(&line), "</h1>\n");
	add_summary(out, report);
	html_suite_table(report, out);
	for (uint32_t i = 0; i < report->findings_len && !report->has_pages; i++)
		add_finding(out, &report->findings[i]);
	strbuf_addf(out, "<p class=\"dim\">fermata %s</p>\n</body>\n</html>\n", FERMATA_VERSION);
	strbuf_release(&line);
}
