/* debugger.h: gdb on the process of a program that follows the schedule of a finding.
 *
 * The process stops itself before a step (channel.stop_step). The threads of the program are fibers, of
 * which gdb sees one. debug/gdb.py, which is embedded in the tool, gives gdb commands for all of
 * them, and commands that move in the schedule; debug/threads.py makes `info threads` and `thread` show
 * the fibers. To go back it starts the tool again, as `fermata
 * replay --stop-at N FINDING`, and attaches to the new process. */
#ifndef CLI_DEBUGGER_H
#define CLI_DEBUGGER_H

#include <sys/types.h>

#include "base/err.h"

extern const char gdb_py[], threads_py[];

/* Runs gdb until the user ends it. Returns its exit status, -1 with err if it could not be run. */
int debugger_run(pid_t stopped, const char *finding, struct err *err);

/* Prints the number of the stopped process, and ends the process when stdin is at its end. */
int debugger_wait(pid_t stopped);

#endif
