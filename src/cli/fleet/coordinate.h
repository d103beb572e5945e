/* coordinate.h: a search with workers on other machines (`fermata test --fleet`).
 *
 * Makes the record of the job: the set-up of the target, as a saved finding has it, with each file
 * that the target needs, and the facts of this machine (machine.h). The files travel by content;
 * paths in the set-up become *places* below a folder of the worker:
 *
 *     "program": "/home/a/build/queue"    becomes    "program": "program/queue"
 *     "paths": ["/home/a/_build/ebin"]               "paths": ["pa0/_build/ebin"]
 */
#ifndef CLI_FLEET_COORDINATE_H
#define CLI_FLEET_COORDINATE_H

#include "cli/search/session.h"
#include "explore/explore.h"

/* explore(), with the workers of --fleet if the session has them. */
bool coordinate(const struct session *session, struct target *target,
		struct explore_options *options, struct explore_result *result, struct err *err);

/* In a worker: the set-up of the record with places below `folder` (a new object). */
json_t *coordinate_place(const json_t *record, const char *folder);

/* To test the workers: they begin after so many runs, and not only in a search that takes long. */
uint64_t coordinate_jobs_after(void);

#endif
