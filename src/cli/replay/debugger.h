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
#include "core/finding.h"
#include "target/target.h"

extern const char gdb_py[], threads_py[];

/* Tells gdb about the bug, before debugger_run(): the names that reports have for threads, the sentence
 * that says what is wrong, and where the program has to stop. A race and a use of freed memory do not
 * end the run: there it stops at the access. The target has just run the finding, with call stacks
 * recorded. */
void debugger_tell(struct target *target, const struct trace *trace, const struct finding *finding,
		   const char *message);

/* Runs gdb until the user ends it. Returns its exit status, -1 with err if it could not be run. */
int debugger_run(pid_t stopped, const char *finding, struct err *err);

/* Prints the number of the stopped process, and ends the process when stdin is at its end. */
int debugger_wait(pid_t stopped);

#endif
