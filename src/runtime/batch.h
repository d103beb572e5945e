/* batch.h: several runs per request, so that handing over costs less than running. */
#ifndef RUNTIME_BATCH_H
#define RUNTIME_BATCH_H

#include <stdbool.h>

void rt_batch_start(void);

/* After a run: keeps its trace and loads the next schedule of the request. False after the last
 * schedule, and if the tool has to look at the run just made. */
bool rt_batch_next(void);

#endif
