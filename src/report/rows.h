/* rows.h: which rows of the interleaving the text shows.
 *
 * A reader looks at the first lines of a report. A table of a few rows is shown as it is. Of a longer
 * one these rows are kept, so that the bug can be seen on one screen:
 *
 *	- the rows that are marked: the two whose order matters, those of the bug, those that wait;
 *	- before each of the two, the last row of the same actor, and before the first one the last
 *	  row at all; behind each, the plain accesses that belong to it, and the rows that touch the same thing;
 *	- between the two, the changes of the thing that both touch, if there are not many;
 *	- the last rows, which lead to the bug;
 *	- as many of the nearest other rows as there is room for.
 *
 * The table says how many rows are left out between them. */
#ifndef REPORT_ROWS_H
#define REPORT_ROWS_H

#include "report/report.h"

/* One flag for each row of the interleaving; the caller frees it with mem_free(). So many lines of the text are above
 * the table. */
bool *rows_pick(const struct report_finding *finding, bool is_full, uint32_t above);

/* Is it a row that matters, whether there is room for it or not? */
bool rows_matter(const struct report_finding *finding, const struct report_event *event);

#endif
