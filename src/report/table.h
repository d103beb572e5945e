/* table.h: the interleaving of a failing run as text, one column per actor.
 *
 * Time runs downwards; a step stands in the column of its actor, with its source line
 * under it. If the columns would become too narrow, the steps are written as a list.
 */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "report/report.h"

void table_add(struct strbuf *out, const struct report_finding *finding,
	       const struct report_style *style, uint32_t above);

/* Does the row need a second line, for the place and the source? Not if the row before, which is NULL
 * or the last one that is shown, has the same. */
bool table_has_place(const struct report_event *event, const struct report_event *before);

/* Wraps a control sequence around text when style has colour; code is an SGR number. */
void table_add_coloured(struct strbuf *out, const struct report_style *style, const char *code,
			const char *text);

/* Appends at most `columns` characters of text, control characters as blanks; a text that was
 * cut ends with an ellipsis. Returns the number of columns used. */
uint32_t table_add_cut(struct strbuf *out, const char *text, uint32_t columns);

/* Appends the text, or of a path that is longer than `columns` its end: "…/litmus/prog.c:17". */
void table_add_tail(struct strbuf *out, const char *text, uint32_t columns);

/* So many columns a text takes that has no control sequences. */
uint32_t table_width(const char *text);

#endif
