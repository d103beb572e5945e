/* orphans.h: processes that the tested program started.
 *
 * They must not outlive the test, in whatever group or session they are by now. The program adopts
 * the orphans among its descendants, and this process those of a program that is dead
 * (PR_SET_CHILD_SUBREAPER, set by program.c for both).
 */
#ifndef NATIVE_ORPHANS_H
#define NATIVE_ORPHANS_H

#include <stdbool.h>
#include <sys/types.h>

/* Kills the processes that the program has started and that are still there. */
void orphans_kill(pid_t program, bool is_dead);

#endif
