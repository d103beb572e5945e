/* report.h: suspects as text, JSON and SARIF. The same suspects give the same bytes. */
#ifndef STATIC_REPORT_H
#define STATIC_REPORT_H

#include "base/strbuf.h"
#include "static/suspect.h"

/* For people: the two sites, the path between them, the shared data, the reason, the repair. */
void report_races_text(struct strbuf *out, const struct suspects *found);

/* The suspects whose id begins with `which`, or whose read or write is at it (FILE:LINE), each as a
 * story of two processes. Returns how many there are. */
size_t report_races_explain(struct strbuf *out, const struct suspects *found, const char *which);

/* One object, "schema": 1 (docs/races.md has the fields). Also the format of --baseline. */
void report_races_json(struct strbuf *out, const struct suspects *found);

/* SARIF 2.1.0, for editors and code hosts. */
void report_races_sarif(struct strbuf *out, const struct suspects *found);

#endif
