/* kernel.h: system calls made while the program's memory is put back (restore.h).
 *
 * A call that writes into a page which is still protected does not fault, it fails with
 * EFAULT: a program that is right would see an error. And a file opened deep
 * inside libc, or by a library that is not instrumented, is not undone by memory. So during a run
 * the kernel hands every system call to us before it is made (syscall user dispatch), except
 * those made at one place: the gate, through which the runtime's own calls go (rt_syscall). A
 * call that is handed over is looked up in kernel.def: its buffers become sticky, or the run is
 * repeated by fork; then the call is made in the program's name.
 *
 * The calls of forked runs are intercepted as well: the table knows which calls are modelled, and
 * any other one is named, and then the verdict is not a proof.
 *
 * That costs 2 us for each call of the program, and next to nothing for ours. Without
 * Linux 5.11 or later runs are forked, and calls that no interception knows are not seen.
 */
#ifndef RUNTIME_KERNEL_H
#define RUNTIME_KERNEL_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

/* From now on calls are handed over while rt_kernel_intercept(true). False: not possible here. */
bool rt_kernel_start(void);
void rt_kernel_end(void);
void rt_kernel_intercept(bool on);

/* On SIGSYS: makes the call that the context was about to make; false if it was not handed
 * over to us. */
bool rt_kernel_forward(const siginfo_t *info, ucontext_t *context);

/* Makes the thread that a signal interrupted go on in `function`, which must not return, with
 * its registers as they are and as if it had been called where the thread was (end.c). */
void rt_interrupt(ucontext_t *context, void (*function)(void));

/* Installs a handler that returns through the gate. */
void rt_kernel_catch(int signal, void (*handler)(int, siginfo_t *, void *));

#endif
