/* causes.h: races that one missing lock explains.
 *
 * A function that updates five members without the lock makes five races, each of other lines. The first
 * is shown in full; each of the others is a sentence that refers to it. Two races probably have one
 * cause if they are in the same two functions, or on parts of the same variable, and if the same
 * locks are held at their two places. */
#ifndef REPORT_CAUSES_H
#define REPORT_CAUSES_H

#include "report/report.h"

/* The first finding that probably has the same cause as number i, or i itself; `*why` is set in the first
 * case: "the same functions, with the same locks held". */
uint32_t causes_first(const struct report *report, uint32_t i, const char **why);

#endif
