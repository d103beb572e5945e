/* region.h: the one contiguous piece of memory that holds all mutable VM state.
 *
 * Why: a run must be restartable in microseconds. Everything a run can change
 * (processes, heaps, mailboxes, ETS, registry, timers, which modules are loaded) is
 * allocated here, at a fixed address, so absolute pointers inside it stay valid when
 * its bytes are put back. Code, literals and name tables live outside: they only grow
 * and are shared by all runs.
 *
 * Allocation: size classes (four per power of two) with free lists, then a bump
 * pointer. Blocks carry no header, so the size is given back when freeing. All of the
 * allocator's own state is in the region too and goes back with it.
 *
 * Checkpoint: pages below the bump pointer are write-protected; the first write to one
 * saves it and leaves it writable for good ("sticky"), and every restore copies the
 * saved pages back. What was allocated above the mark is simply forgotten. So a restore
 * costs what was written since, never the region's size. One checkpoint at a time is
 * live now; `struct region_checkpoint` is the seam for more.
 *
 * There is one region per OS process (its address is fixed). region_alloc never
 * returns NULL: past the limit it calls the out-of-memory handler, which must not return
 * (the VM's handler ends the run cleanly).
 */
#ifndef VM_MEMORY_REGION_H
#define VM_MEMORY_REGION_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define REGION_BASE ((uintptr_t)0x200000000000)
#define REGION_RESERVE ((size_t)1 << 38)
#define REGION_PAGE 4096u

/* Slots at fixed addresses at the region's start: one per exported function name
 * (see code.h). A slot's address is an operand in decoded code. */
#define REGION_SLOTS_OFFSET ((size_t)1 << 20)
#define REGION_SLOTS_BYTES ((size_t)32 << 20)

struct region_checkpoint {
	uintptr_t mark;  /* everything from here on is forgotten by a restore */
	uint8_t *saved;  /* page images, REGION_PAGE each, in order of first write */
	uint32_t *dirty; /* page numbers, same order */
	size_t dirty_len;
	size_t dirty_cap;
};

/* The state some time after the checkpoint, to which one can go back as well. */
struct region_image {
	uint8_t *pages;   /* images of the pages that were dirty then, in the same order */
	size_t pages_len;
	size_t pages_cap;
	uint8_t *above;   /* what was allocated since the checkpoint */
	size_t above_len;
	size_t above_cap;
};

void region_image_take(struct region_image *image);
void region_image_return(const struct region_image *image);
void region_image_release(struct region_image *image);

/* The part of a machine (machine.h) that belongs to the region and cannot be inside it. */
struct region {
	bool is_open;
	size_t limit; /* bytes */
	void (*oom_handler)(void);
	bool has_checkpoint;
	struct region_checkpoint checkpoint;
	uint8_t *page_is_dirty; /* one byte per page below the mark */
	struct sigaction old_action; /* for SIGSEGV, while there is a checkpoint */
};

/* Maps the region. limit is the most bytes a run may use. */
bool region_open(size_t limit, struct err *err);
void region_close(void);

/* Moves the mapped memory, with its protection, to another address, so that another region can be
 * opened; NULL and err when the system refuses. region_enter moves it back. The caller keeps struct
 * region meanwhile (machine.c). */
void *region_leave(struct err *err);
void region_enter(void *moved);

/* Aligned to 16; contents undefined. */
void *region_alloc(size_t size);
void *region_zalloc(size_t size);
/* size must be the size asked for. NULL is fine. */
void region_free(void *block, size_t size);
/* A block of new_size with the old contents; frees the old one. */
void *region_grow(void *block, size_t old_size, size_t new_size);

size_t region_used(void); /* bytes in live blocks */

/* The fixed-address root block, zero at first; the VM struct lives there. */
void *region_root(size_t size);

/* Called when the limit is passed; must not return. */
void region_set_oom_handler(void (*handler)(void));

/* Takes the checkpoint to which region_restore goes back, as often as asked.
 * A second checkpoint replaces the first. */
void region_checkpoint(void);
void region_restore(void);
/* Forgets the checkpoint and takes the fault handler away. */
void region_forget_checkpoint(void);
/* Pages copied back by a restore: for tests and for the speed report. */
size_t region_dirty_pages(void);

static inline bool region_holds(const void *ptr)
{
	return (uintptr_t)ptr - REGION_BASE < REGION_RESERVE;
}

#endif
