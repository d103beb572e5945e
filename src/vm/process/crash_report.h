/* crash_report.h: the report that logger gets about a process that ends with an error. */
#ifndef VM_PROCESS_CRASH_REPORT_H
#define VM_PROCESS_CRASH_REPORT_H

#include "vm/process/process.h"

/* p ends with this reason, which includes a stack trace, because of an error or a throw that was
 * not caught. Sends logger the report, if logger has a handler. In a search the report, which would
 * be a step, is missing, and the verdict says so. */
void crash_report_send(struct process *p, term reason);

/* The same with another text and its arguments. */
void crash_report_log(struct process *p, const char *format, term args);

/* The receiver of the report: the process that system_flag(system_logger, _) has set, `logger`, or
 * `undefined`. */
term system_logger(struct vm *vm);

#endif
