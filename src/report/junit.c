/* JUnit XML, for test runners: one test case for each test, so that its name stays the same from run
 * to run. A test with findings has one failure, whose text has all of them. Lost control, an interrupt
 * and a test that could not be run are errors; a test that is not to be run is skipped. Findings that `fermata report` prints have no test:
 * each is a test case of its own. */
#include <string.h>

#include "core/finding.h"
#include "report/report.h"

/* The counts that the head of the document has, found while its body is written. */
struct counts {
	uint32_t tests, failures, errors, skipped;
};

static void open_case(struct strbuf *out, const char *name, double seconds)
{
	strbuf_adds(out, "    <testcase classname=\"fermata\" name=\"");
	report_add_xmls(out, name);
	strbuf_addf(out, "\" time=\"%.3f\">\n", seconds);
}

static void open_failure(struct strbuf *out, const struct report_finding *first, uint32_t len)
{
	strbuf_addf(out, "      <failure type=\"%s\" message=\"", finding_kind_text(first->kind));
	report_add_xmls(out, first->message);
	if (len > 1)
		strbuf_addf(out, " (and %u more)", len - 1);
	strbuf_adds(out, "\">");
}

static void add_findings(struct strbuf *out, const struct report_finding *findings, uint32_t len)
{
	open_failure(out, findings, len);
	for (uint32_t i = 0; i < len; i++) {
		struct strbuf text = {0};

		report_finding_text(&findings[i], NULL, &text);
		report_add_xmls(out, strbuf_text(&text));
		strbuf_adds(out, i + 1 < len ? "\n" : "");
		strbuf_release(&text);
	}
	strbuf_adds(out, "</failure>\n");
}

/* A test that did not end as its file expects. */
static const char *unmet_of(const json_t *test)
{
	return json_string_value(json_object_get(test, "unmet"));
}

static bool is_error(const struct report *report)
{
	return report->verdict == REPORT_LOST_CONTROL || report->verdict == REPORT_INTERRUPTED;
}

static bool is_skipped(const json_t *test)
{
	const char *word = json_string_value(json_object_get(test, "verdict"));

	return word && strcmp(word, "skipped") == 0;
}

/* A failure, an error, a skip or nothing. `test` is the test as JSON, or NULL. */
static void add_outcome(struct strbuf *out, const struct report *report, const json_t *test,
			struct counts *counts)
{
	const char *word = json_string_value(json_object_get(test, "verdict"));
	const char *unmet = unmet_of(test);

	if (is_skipped(test)) {
		counts->skipped++;
		strbuf_adds(out, "      <skipped message=\"");
		report_add_xmls(out, report->reason);
		strbuf_adds(out, "\"/>\n");
	} else if (report_count_new(report) > 0) {
		counts->failures++;
		add_findings(out, report->findings, report->findings_len);
	} else if (is_error(report)) {
		counts->errors++;
		strbuf_addf(out, "      <error type=\"%s\" message=\"",
			    word ? word : report_verdict_text(report->verdict));
		report_add_xmls(out, report->reason);
		strbuf_adds(out, "\"/>\n");
	} else if (unmet) {
		counts->failures++;
		strbuf_adds(out, "      <failure type=\"expectation\" message=\"");
		report_add_xmls(out, unmet);
		strbuf_adds(out, "\"/>\n");
	}
}

/* One test; `nth` counts tests of the same name. */
static void add_test(struct strbuf *out, const struct report *report, const json_t *test,
		     uint32_t nth, struct counts *counts)
{
	struct strbuf line = {0}, name = {0};

	counts->tests++;
	strbuf_adds(&name, report->program);
	if (nth > 1)
		strbuf_addf(&name, " #%u", nth);
	open_case(out, strbuf_text(&name), report->wall_seconds);
	strbuf_release(&name);
	add_outcome(out, report, test, counts);
	if (!is_skipped(test)) {
		report_verdict_line(report, &line);
		strbuf_adds(out, "      <system-out>");
		report_add_xmls(out, strbuf_text(&line));
		strbuf_adds(out, "</system-out>\n");
	}
	strbuf_adds(out, "    </testcase>\n");
	strbuf_release(&line);
}

/* Test runners tell tests apart by name: a second test of the same name gets a number. */
static uint32_t count_same_name(const json_t *tests, size_t index)
{
	const json_t *name = json_object_get(json_array_get(tests, index), "name");
	uint32_t nth = 1;

	for (size_t i = 0; i < index; i++)
		nth += json_equal(json_object_get(json_array_get(tests, i), "name"), name);
	return nth;
}

static void add_suite(struct strbuf *out, const struct report *report, struct counts *counts)
{
	for (size_t i = 0; i < json_array_size(report->tests); i++) {
		const json_t *test = json_array_get(report->tests, i);
		struct arena arena = {0};
		struct report one;

		report_parse(test, &arena, &one);
		add_test(out, &one, test, count_same_name(report->tests, i), counts);
		arena_release(&arena);
	}
}

static void add_saved(struct strbuf *out, const struct report_finding *finding,
		      struct counts *counts)
{
	struct strbuf name = {0};

	strbuf_addf(&name, "%s at ", finding_kind_text(finding->kind));
	report_add_where(&name, finding);
	counts->tests++;
	counts->failures++;
	open_case(out, strbuf_text(&name), 0);
	add_findings(out, finding, 1);
	strbuf_adds(out, "    </testcase>\n");
	strbuf_release(&name);
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
	struct strbuf cases = {0}, attributes = {0};
	struct counts counts = {0};

	if (report->tests)
		add_suite(&cases, report, &counts);
	else if (!report->is_saved)
		add_test(&cases, report, NULL, 1, &counts);
	else
		for (uint32_t i = 0; i < report->findings_len; i++)
			add_saved(&cases, &report->findings[i], &counts);
	strbuf_addf(&attributes,
		    "name=\"fermata\" tests=\"%u\" failures=\"%u\" errors=\"%u\" time=\"%.3f\"",
		    counts.tests, counts.failures, counts.errors, report->wall_seconds);
	strbuf_adds(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	strbuf_addf(out, "<testsuites %s>\n", strbuf_text(&attributes));
	strbuf_addf(out, "  <testsuite %s skipped=\"%u\">\n", strbuf_text(&attributes),
		    counts.skipped);
	add_properties(out, report);
	strbuf_add(out, strbuf_text(&cases), cases.len);
	strbuf_adds(out, "  </testsuite>\n</testsuites>\n");
	strbuf_release(&cases);
	strbuf_release(&attributes);
}
