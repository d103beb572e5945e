/* JUnit XML, for test runners: one failed test case per finding, or one test case that passed. Lost
 * control and an interrupt are errors of the test case. */
#include "core/finding.h"
#include "report/report.h"

static void open_case(struct strbuf *out, const struct report *report, const char *suffix,
		      double seconds)
{
	strbuf_adds(out, "    <testcase classname=\"fermata\" name=\"");
	report_add_xmls(out, report->program);
	report_add_xmls(out, suffix);
	strbuf_addf(out, "\" time=\"%.3f\">\n", seconds);
}

static void add_failure(struct strbuf *out, const struct report *report,
			const struct report_finding *finding, double seconds)
{
	struct strbuf suffix = {0}, text = {0};

	strbuf_addf(&suffix, ": %s at ", finding_kind_text(finding->kind));
	report_add_where(&suffix, finding);
	report_finding_text(finding, NULL, &text);
	open_case(out, report, strbuf_text(&suffix), seconds);
	strbuf_addf(out, "      <failure type=\"%s\" message=\"", finding_kind_text(finding->kind));
	report_add_xmls(out, finding->message);
	strbuf_adds(out, "\">");
	report_add_xmls(out, strbuf_text(&text));
	strbuf_adds(out, "</failure>\n    </testcase>\n");
	strbuf_release(&suffix);
	strbuf_release(&text);
}

static bool is_error(const struct report *report)
{
	return report->verdict == REPORT_LOST_CONTROL || report->verdict == REPORT_INTERRUPTED;
}

static void add_without_finding(struct strbuf *out, const struct report *report)
{
	struct strbuf line = {0};

	report_verdict_line(report, &line);
	open_case(out, report, "", report->wall_seconds);
	if (is_error(report)) {
		strbuf_addf(out, "      <error type=\"%s\" message=\"",
			    report_verdict_text(report->verdict));
		report_add_xmls(out, report->reason);
		strbuf_adds(out, "\"/>\n");
	}
	strbuf_adds(out, "      <system-out>");
	report_add_xmls(out, strbuf_text(&line));
	strbuf_adds(out, "</system-out>\n    </testcase>\n");
	strbuf_release(&line);
}

static void add_properties(struct strbuf *out, const struct report *report)
{
	strbuf_adds(out, "    <properties>\n      <property name=\"strategy\" value=\"");
	report_add_xmls(out, report->strategy);
	strbuf_addf(out,
		    "\"/>\n      <property name=\"seed\" value=\"%llu\"/>\n"
		    "      <property name=\"executions\" value=\"%llu\"/>\n"
		    "      <property name=\"sampled\" value=\"%llu\"/>\n    </properties>\n",
		    (unsigned long long)report->seed, (unsigned long long)report->executions,
		    (unsigned long long)report->sampled);
}

void report_junit(const struct report *report, struct strbuf *out)
{
	uint32_t errors = is_error(report);
	uint32_t without = report->findings_len == 0 || errors;
	uint32_t tests = report->findings_len + without;
	struct strbuf counts = {0};

	strbuf_addf(&counts, "tests=\"%u\" failures=\"%u\" errors=\"%u\" time=\"%.3f\"", tests,
		    report->findings_len, errors, report->wall_seconds);
	strbuf_adds(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	strbuf_addf(out, "<testsuites %s>\n", strbuf_text(&counts));
	strbuf_addf(out, "  <testsuite name=\"fermata\" %s>\n", strbuf_text(&counts));
	add_properties(out, report);
	for (uint32_t i = 0; i < report->findings_len; i++)
		add_failure(out, report, &report->findings[i], i ? 0 : report->wall_seconds);
	if (without)
		add_without_finding(out, report);
	strbuf_adds(out, "  </testsuite>\n</testsuites>\n");
	strbuf_release(&counts);
}
