#include "report/html_suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *text_of(const json_t *test, const char *key)
{
	const char *text = json_string_value(json_object_get(test, key));

	return text ? text : "";
}

bool html_suite_page_name(const json_t *test, size_t index, char name[32])
{
	if (!json_array_size(json_object_get(test, "findings")))
		return false;
	snprintf(name, 32, "test-%zu.html", index + 1);
	return true;
}

static void add_row(struct strbuf *out, const json_t *test, size_t index, bool has_pages)
{
	json_int_t runs = json_integer_value(json_object_get(test, "executions")) +
			  json_integer_value(json_object_get(test, "sampled"));
	const char *verdict = text_of(test, "verdict");
	char name[32];
	bool is_link = has_pages && html_suite_page_name(test, index, name);

	strbuf_adds(out, "<tr><td>");
	if (is_link)
		strbuf_addf(out, "<a href=\"%s\">", name);
	report_add_xmls(out, text_of(test, "name"));
	strbuf_addf(out, "%s</td><td class=\"%s\">", is_link ? "</a>" : "",
		    strcmp(verdict, "bug") == 0 ? "bug" : strcmp(verdict, "proved") ? "" : "proved");
	report_add_xmls(out, verdict);
	strbuf_addf(out, "</td><td class=\"n\">%" PRId64 "</td><td class=\"n\">%.3f</td><td>",
		    (int64_t)runs, json_real_value(json_object_get(test, "wall_seconds")));
	report_add_xmls(out, text_of(test, "reason"));
	strbuf_adds(out, "</td></tr>\n");
}

void html_suite_table(const struct report *report, struct strbuf *out)
{
	if (!report->tests)
		return;
	strbuf_adds(out, "<div class=\"scroll\"><table>\n<tr><th>test</th><th>verdict</th>"
			 "<th>runs</th><th>seconds</th><th>reason</th></tr>\n");
	for (size_t i = 0; i < json_array_size(report->tests); i++)
		add_row(out, json_array_get(report->tests, i), i, report->has_pages);
	strbuf_adds(out, "</table></div>\n");
}
