/* mend.h: does the program's own handler for SIGSEGV and the like go on after the fault?
 *
 * Most such handlers print something and end the program: there the fault is a crash. But some mend its
 * cause, and the program goes on: they make the page accessible, change the registers, or jump out
 * of the handler. That is not modelled, and it is not a crash either. So a copy of the process runs
 * the handler and reports the result; the output of the handler is thrown away. A handler that does
 * not come back within two seconds mends nothing.
 */
#ifndef RUNTIME_MEND_H
#define RUNTIME_MEND_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

/* On a fault: would the program go on after its handler? */
bool rt_mends_fault(int number, siginfo_t *info, ucontext_t *context);

/* longjmp() or the like is called: if this is the copy, that is the answer. */
void rt_mend_jump(void);

#endif
