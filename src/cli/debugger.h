/* debugger.h: gdb on the process of a program that is stopped where its schedule failed.
 *
 * The threads of the program are fibers, of which gdb sees one. debug/gdb.py, which is embedded in the
 * tool, gives gdb commands for all of them: fermata threads, bt, thread, why. */
#ifndef CLI_DEBUGGER_H
#define CLI_DEBUGGER_H

#include <sys/types.h>

#include "base/err.h"

extern const char gdb_py[];

/* Runs gdb until the user ends it. Returns its exit status, -1 with err if it could not be run. */
int debugger_run(pid_t stopped, struct err *err);

#endif
