/* debugger.h: gdb on the process of a program that follows the schedule of a finding.
 *
 * The process stops itself before a step (channel.stop_step). The threads of the program are fibers, of
 * which gdb sees one. The script debug/gdb.py, which is embedded in the tool, gives gdb commands
 * for all of them, and commands that move in the schedule. The script debug/threads.py makes `info
 * threads` and `thread` show the fibers. To go back it starts the tool again, as `fermata replay
 * --stop-at N FINDING`, and attaches to the new process. */
#ifndef CLI_DEBUGGER_H
#define CLI_DEBUGGER_H

#include <sys/types.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "core/finding.h"
#include "report/report.h"
#include "target/target.h"

extern const char gdb_py[], threads_py[];

/* Facts about the bug for gdb: the names that reports have for threads and objects, the sentence that
 * says what is wrong, and where the program has to stop. A race and a use of freed memory do not end the
 * run: there it stops at the access. All zeroes: nothing is known. */
struct debugger_bug {
	struct strbuf names;   /* lines "ACTOR NAME" */
	struct strbuf objects; /* lines "ADDRESS NAME" */
	struct strbuf message;
	uint32_t key;  /* of the access or notice (runtime/stack_keys.h); or 0 */
	uint32_t step; /* number of the step that is the second access of a race; or 0 */
};

/* The target has just run the finding, with call stacks recorded; `words` is the report about it. */
void debugger_learn(struct debugger_bug *bug, struct target *target, const struct trace *trace,
		    const struct finding *finding, const struct report_finding *words);
void debugger_forget(struct debugger_bug *bug);

/* Runs gdb until the user ends it. Returns its exit status, -1 with err if it could not be run. */
int debugger_run(pid_t stopped, const char *finding, const struct debugger_bug *bug,
		 struct err *err);

/* Prints the number of the stopped process, and ends the process when stdin is at its end. */
int debugger_wait(pid_t stopped);

#endif
