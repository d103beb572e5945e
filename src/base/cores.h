/* cores.h: on which cores this process and its workers run.
 *
 * A tool that tests a native program shares one core with it, because waking a process on another
 * core costs more than a run. Its workers are forked from it and need cores of their own, so the
 * set of cores that the process may use is remembered before it is narrowed. */
#ifndef BASE_CORES_H
#define BASE_CORES_H

#include <stdint.h>

/* Stays on the core that this process runs on now. If another tool that was started on its own is
 * pinned there, stays on the next core without one: several workers of a fleet on one machine would
 * otherwise share a core by chance. */
void cores_pin(void);

/* In worker number n, from 1, of a process that is pinned: stays on another core, in turn. Does
 * nothing if the process is not pinned. */
void cores_pin_worker(uint32_t n);

#endif
