/* restore.h: putting the program's memory back between runs.
 *
 * Every page that a run can write (data of all modules, stacks, thread control blocks,
 * the heap as it was at the first thread) is made read-only. The first write to a page
 * faults: the page is copied aside and made writable, for good: it is now *sticky*, and
 * going back means copying all sticky pages back. A page written once will be written
 * again; protecting it anew would cost a fault per run.
 *
 * The runtime's own state (struct rt) is not in that memory. Its parts that belong to a
 * run are put back by name (server.c).
 *
 * A system call that writes into a protected page fails with EFAULT instead of faulting:
 * kernel.h sees to it that they are made sticky first. Too many sticky pages, or anything
 * that is not in memory (open files, mappings …), and the runs are made by fork from then on.
 */
#ifndef RUNTIME_RESTORE_H
#define RUNTIME_RESTORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Notes the memory of the program as it is now. `stack_pointer`: of the first thread, whose
 * stack below it need not be kept. False if that is not possible here. */
bool rt_restore_take(const void *stack_pointer);

/* Puts everything back to how it was taken. */
void rt_restore_back(void);

enum { RT_PAGE = 4096 };

/* Copies all pages that are sticky by now, as they are now, and returns how many there are. */
uint32_t rt_restore_keep(char (*pages)[RT_PAGE]);

/* Puts everything back to how it was then. */
void rt_restore_back_to(char (*pages)[RT_PAGE], uint32_t len);

/* Is that part of the first thread's stack put back? */
bool rt_restore_has_stack(const void *stack_pointer);

/* Makes everything writable again and forgets: from now on nothing is put back. */
void rt_restore_drop(void);

/* A write fault: true if it was one of ours and the write may be tried again. */
bool rt_restore_fault(const void *address);

/* Makes the bytes writable now, because the kernel will write them. */
void rt_restore_touch(void *address, size_t size);

/* Calls `each` for every mapping of the process, with its rights as in /proc/self/maps
 * ("rw-p …") and the argument. False if they cannot be read. */
bool rt_restore_each_mapping(void (*each)(uint64_t low, uint64_t high, const char *rights,
					  uint64_t argument),
			     uint64_t argument);

/* How many pages are sticky by now. */
uint32_t rt_restore_sticky(void);

#endif
