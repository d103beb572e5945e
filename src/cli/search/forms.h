/* forms.h: the files that --json, --junit, --sarif and --html ask for. All are written from the same
 * report, so one search serves the log, the test runner, the code host and the reader.
 *
 * "-" is stdout; only one form can have it, and text for people then goes to stderr. --html takes a
 * file, or a folder (an existing one, or a path that ends with a slash). A folder gets an
 * index.html, and for a suite one further page for each test that has a finding.
 */
#ifndef CLI_FORMS_H
#define CLI_FORMS_H

#include "cli/option.h"
#include "report/report.h"

/* Before anything runs: can all of them, and the file of --stats, be written? False with err. Creates nothing. */
bool forms_check(const struct test_options *options, struct err *err);

bool forms_are_asked(const struct test_options *options);

/* One of the forms goes to stdout. */
bool forms_have_stdout(const struct test_options *options);

/* Writes all that are asked for. Returns `status`, or the status of a failed write where that is
 * worse. */
int forms_write(const struct report *report, const struct test_options *options, int status);

#endif
