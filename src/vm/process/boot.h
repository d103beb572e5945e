/* boot.h: the system processes that libraries expect, started when first asked for.
 *
 * Most programs need none. The first look-up of a name in boot_names (application_controller,
 * kernel_sup ...) starts a process that makes a row of calls into OTP's own modules
 * (boot.def); whoever asked waits until that is done. These processes are marked as system
 * processes. Under exploration they exist from the first moment they matter, like any other
 * state of the run.
 */
#ifndef VM_PROCESS_BOOT_H
#define VM_PROCESS_BOOT_H

#include "vm/vm.h"

/* Whether p, which looks up this unregistered name, must wait for the start of the system
 * processes (which this call begins if need be). */
bool boot_must_wait(struct process *p, term name);

/* Whether calls into this module need the system processes (global's tables, for one). */
bool boot_is_needed_for(struct vm *vm, term module);
/* Waits for them, then makes the call. */
void boot_enter(struct process *p, term module, term function, const term *x, unsigned n);

bool boot_is_done(const struct vm *vm);

/* p has looked for a name that nobody has. On the real machine a system process may have it. */
void boot_note_absence(struct process *p, term name);

/* The next call into x0..x2; false when all are made. */
bool boot_next(struct process *p);

#endif
