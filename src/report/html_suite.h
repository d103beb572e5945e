/* html_suite.h: the table of all tests of a suite, as HTML: the start page of a folder of pages, and a
 * part of the one page that holds everything (html.c). */
#ifndef REPORT_HTML_SUITE_H
#define REPORT_HTML_SUITE_H

#include "report/report.h"

/* The name of the page of the test with that index, if it has findings: "test-3.html". False if the
 * test has none, and so no page. */
bool html_suite_page_name(const json_t *test, size_t index, char name[32]);

/* Appends the table, if the report is of a suite. With report->has_pages tests that have findings
 * are links to their pages. */
void html_suite_table(const struct report *report, struct strbuf *out);

#endif
