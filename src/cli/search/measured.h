/* measured.h: the measures that a search takes of its runs besides their number: the class of each
 * (--classes) and the orders that were tried (--coverage). A search is made by several processes
 * (--jobs, --fleet) and over several days (--resume), so the measurements can be sent as text and
 * added up.
 *
 * By default only the coverage of the first runs is measured, and only by the tool itself. With
 * --coverage N each process measures the first N runs of each of its parts.
 */
#ifndef CLI_MEASURED_H
#define CLI_MEASURED_H

#include "base/bytes.h"
#include "cli/search/classes.h"
#include "cli/search/coverage.h"

struct measured {
	struct classes classes;
	size_t classes_kept; /* so many bytes of their text were sent */
	struct coverage coverage;
};

/* Takes a run into account; NULL: the search, or the part, begins anew. */
void measured_run(struct measured *measured, const struct trace *trace);
/* The same in a worker. */
void measured_run_apart(struct measured *measured, const struct trace *trace);

/* Appends what was measured since the last call, or since the beginning. */
void measured_put(struct measured *measured, struct strbuf *out);
void measured_add(struct measured *measured, struct bytes_in in);

#endif
