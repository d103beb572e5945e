/* boot.h: starts the system processes that libraries expect, when a program first needs them.
 *
 * Most programs do not need any. The first look-up of a name in boot_names (application_controller,
 * kernel_sup ...) starts a process that makes a series of calls into OTP's own modules (boot.c).
 * The process that looked the name up waits until they are done. The started processes are marked
 * as system processes: they are not explored.
 */
#ifndef VM_PROCESS_BOOT_H
#define VM_PROCESS_BOOT_H

#include "vm/vm.h"

/* p looks up this name, which is not registered. True: p must wait until the system processes
 * have started; this call starts them if that has not begun. */
bool boot_must_wait(struct process *p, term name);

/* Would a message of p to this name, which is not registered, start them? */
bool boot_begins_with(const struct process *p, term name);

/* The same for a message that p sends to this name: true if the process of that name will get it
 * when it has started. */
bool boot_send(struct process *p, term name, term content);

/* A number for a name above, or for any other name (the last). */
enum { BOOT_NAMES = 24 };
uint32_t boot_number(term name);

/* Whether calls into this module need the system processes (global's tables, for one). */
bool boot_is_needed_for(struct vm *vm, term module);
/* Waits for the system processes, then makes the call. */
void boot_enter(struct process *p, term module, term function, const term *x, unsigned n);

bool boot_is_done(const struct vm *vm);

/* p has looked for a name that is not registered. On the real VM a system process may have it. */
void boot_note_absence(struct process *p, term name);
/* p sends to such a name or monitors it. If every real node has that process, the run ends: what
 * would follow is not the program's fault. */
void boot_need(struct process *p, term name);

/* Puts the next call into x0..x2; false when all calls were made. */
bool boot_next(struct process *p);

#endif
