/* region.h: the one contiguous piece of memory that holds everything a run can change.
 *
 * A run must be restartable in microseconds. So all state of a run (processes, heaps, mailboxes,
 * ETS, registry, timers, which modules are loaded) is allocated here, at a fixed address, and
 * absolute pointers inside it stay valid when its bytes are put back. Code, literals and name
 * tables live outside (machine.h): they only grow and all runs share them.
 *
 * Allocation: size classes (four per power of two) with free lists, then a bump pointer. Blocks
 * have no header, so the caller gives the size when it frees a block. The state of the allocator
 * is in the region too, and a restore puts it back.
 *
 * Checkpoint: the pages below the bump pointer are write-protected. The first write to a page
 * saves it and leaves it writable for good ("sticky"); every restore copies the saved pages back
 * and forgets the blocks that were allocated above the mark. So the cost of a restore depends on
 * the number of pages written, not on the size of the region. A region has one checkpoint at a
 * time; the states of region_image are relative to it.
 *
 * One region is mapped at a time, that of the entered machine. region_alloc never returns NULL:
 * past the limit it calls the out-of-memory handler, which must not return (the VM's handler ends
 * the run).
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
	uintptr_t mark;  /* a restore forgets everything from here on */
	uint8_t *saved;  /* page images, REGION_PAGE each, in order of first write */
	uint32_t *dirty; /* page numbers, same order */
	size_t dirty_len;
	size_t dirty_cap;
};

/* The state at some time after the checkpoint; region_image_return goes back to it. */
struct region_image {
	uint8_t *pages;   /* images of the pages that were dirty then, in the same order */
	size_t pages_len;
	size_t pages_cap;
	uint8_t *above;   /* the bytes that were allocated since the checkpoint */
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
/* size: the size that region_alloc was called with. block may be NULL. */
void region_free(void *block, size_t size);
/* A block of new_size with the old contents; frees the old one. */
void *region_grow(void *block, size_t old_size, size_t new_size);

size_t region_used(void);
/* The bytes up to the limit; at least 1, because 0 means "no limit" elsewhere. */
size_t region_left(void); /* bytes in live blocks */

/* The fixed-address root block, zero at first; the VM struct lives there. */
void *region_root(size_t size);

/* Called when the limit is passed; must not return. */
void region_set_oom_handler(void (*handler)(void));

/* Takes the checkpoint to which region_restore goes back, as often as asked.
 * A second checkpoint replaces the first. */
void region_checkpoint(void);
void region_restore(void);
/* Forgets the checkpoint and removes the fault handler. */
void region_forget_checkpoint(void);
/* Pages copied back by a restore: for tests and for the speed report. */
size_t region_dirty_pages(void);

static inline bool region_holds(const void *ptr)
{
	return (uintptr_t)ptr - REGION_BASE < REGION_RESERVE;
}

#endif
