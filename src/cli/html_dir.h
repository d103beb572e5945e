/* html_dir.h: `fermata test --html DIR`: the report as a page in a folder.
 *
 * A single test is DIR/index.html. Each test of a suite is a page of its own, DIR/NAME.html, and
 * DIR/index.html lists all pages of the folder; it is written anew after each test, so that it is
 * there even if the suite is interrupted. */
#ifndef CLI_HTML_DIR_H
#define CLI_HTML_DIR_H

#include "base/err.h"
#include "report/report.h"

/* `name` is the name of one test of several, or NULL. Makes the folder if needed. */
bool html_dir_write(struct report *report, const char *folder, const char *name, struct err *err);

#endif
