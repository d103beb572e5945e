/* deadly.h: the schedule of a part of a search in which three workers died (--jobs, --fleet).
 *
 * A tested program that takes its worker along would take the tool along, too: the tool explores
 * the part itself then. So the schedule that leads to the part is saved first, as a file that
 * `fermata replay` follows:
 *
 *     warning: three workers died in one part of the search: fermata replay .fermata/schedule-…
 */
#ifndef CLI_DEADLY_H
#define CLI_DEADLY_H

#include "base/arena.h"
#include "cli/search/session.h"

/* Saves the schedule and prints the warning, which is returned for the report. */
const char *deadly_save(const struct session *session, struct target *target,
			const struct decision *decisions, uint32_t len, struct arena *arena);

#endif
