/* callback.h: which function of the program a library has called for a message, and where that was. */
#ifndef VM_PROCESS_CALLBACK_H
#define VM_PROCESS_CALLBACK_H

#include "vm/process/process.h"

/* A library is about to receive a message. */
void callback_begin(struct process *p);
/* Code is applied by module, function and arguments; NULL if it is not loaded yet. */
void callback_enter(struct process *p, const word *code);
/* The innermost place of the stack that is in the function of the program, whose call has not ended, or NULL.
 * `cp` and `e` are where the code at `ip` would return to. */
const word *callback_place(const struct process *p, const word *ip, const word *cp, const term *e);

#endif
