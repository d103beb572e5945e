#include "vm/memory/region.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "base/bug.h"
#include "base/mem.h"
#include "vm/machine.h"

/* Size class c holds blocks of class_size(c) bytes; four classes per power of two. */
enum { CLASS_COUNT = 160, ROOT_BYTES = 1 << 19 };

struct free_block {
	struct free_block *next;
	bool has_pages; /* of a large block only */
};

/* Lies at REGION_BASE itself, so that a restore puts it back with everything else. */
struct region_state {
	uintptr_t bump;
	size_t used;
	size_t idle; /* bytes of large free blocks that still have their pages */
	struct free_block *free[CLASS_COUNT];
};

#define STATE ((struct region_state *)REGION_BASE)
#define ROOT ((void *)(REGION_BASE + 2 * REGION_PAGE))
#define FIRST (REGION_BASE + REGION_SLOTS_OFFSET + REGION_SLOTS_BYTES)

static struct region *const region = &machine.region;
static struct region_checkpoint *const checkpoint = &machine.region.checkpoint;

static unsigned find_class(size_t size)
{
	if (size <= 64)
		return size ? (unsigned)((size + 15) / 16 - 1) : 0;

	unsigned log = 63 - (unsigned)__builtin_clzll(size - 1); /* 2^log <= size-1 < 2^(log+1) */
	unsigned quarter = (unsigned)((size - 1) >> (log - 2)) & 3;

	return (log - 6) * 4 + quarter + 4;
}

static size_t class_size(unsigned c)
{
	if (c < 4)
		return (c + 1) * 16;
	return (size_t)((c - 4) % 4 + 5) << ((c - 4) / 4 + 4);
}

bool region_open(size_t limit, struct err *err)
{
	void *want = (void *)REGION_BASE;

	BUG_ON(region->is_open, "the region is mapped already");
	if (mmap(want, REGION_RESERVE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != want)
		return err_set_errno(err, "cannot map the VM's memory region");
	/* Huge pages would make each first write to a checkpointed page cost 2 MB. */
	madvise(want, REGION_RESERVE, MADV_NOHUGEPAGE);
	region->is_open = true;
	region->limit = limit;
	STATE->bump = FIRST;
	return true;
}

void region_forget_checkpoint(void)
{
	if (!region->has_checkpoint)
		return;
	mprotect((void *)REGION_BASE, checkpoint->mark - REGION_BASE, PROT_READ | PROT_WRITE);
	mem_free(checkpoint->dirty);
	if (checkpoint->saved)
		munmap(checkpoint->saved, checkpoint->dirty_cap * REGION_PAGE);
	mem_free(region->page_is_dirty);
	region->page_is_dirty = NULL;
	memset(checkpoint, 0, sizeof(*checkpoint));
	sigaction(SIGSEGV, &region->old_action, NULL);
	region->has_checkpoint = false;
}

void region_close(void)
{
	if (!region->is_open)
		return;
	region_forget_checkpoint();
	munmap((void *)REGION_BASE, REGION_RESERVE);
	region->is_open = false;
}

/* Runs inside the fault: saves the page and lets the write happen. */
static void save_page(int signal_number, siginfo_t *info, void *context)
{
	uintptr_t addr = (uintptr_t)info->si_addr;
	size_t page = (addr - REGION_BASE) / REGION_PAGE;
	uint8_t *start = (uint8_t *)(REGION_BASE + page * REGION_PAGE);

	if (addr < REGION_BASE || addr >= checkpoint->mark || region->page_is_dirty[page] ||
	    checkpoint->dirty_len == checkpoint->dirty_cap) {
		/* Not a write to a protected page: the old handler reports it. */
		sigaction(SIGSEGV, &region->old_action, NULL);
		return;
	}
	region->page_is_dirty[page] = 1;
	memcpy(checkpoint->saved + checkpoint->dirty_len * REGION_PAGE, start, REGION_PAGE);
	checkpoint->dirty[checkpoint->dirty_len++] = (uint32_t)page;
	mprotect(start, REGION_PAGE, PROT_READ | PROT_WRITE);
	(void)signal_number;
	(void)context;
}

/* From now on save_page handles faults. */
static void watch_writes(void)
{
	struct sigaction action = {.sa_sigaction = save_page, .sa_flags = SA_SIGINFO | SA_NODEFER};

	sigaddset(&action.sa_mask, SIGALRM); /* its handler may leave the run: vm_interrupt() */
	sigaction(SIGSEGV, &action, &region->old_action);
}

/* Moves memory that may consist of several mappings (a checkpoint protects some pages and not
 * others). Older kernels move one mapping at a time and answer EFAULT for several: then each half
 * is moved by itself. The destination must be free. */
static bool move_pages(uintptr_t from, uintptr_t to, size_t size)
{
	size_t half = size / 2 & ~(size_t)(REGION_PAGE - 1);

	if (mremap((void *)from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)to) !=
	    MAP_FAILED)
		return true;
	return errno == EFAULT && half && move_pages(from, to, half) &&
	       move_pages(from + half, to + half, size - half);
}

void *region_leave(struct err *err)
{
	void *to = mmap(NULL, REGION_RESERVE, PROT_NONE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (to == MAP_FAILED) {
		err_set_errno(err, "cannot reserve memory for a VM that is left");
		return NULL;
	}
	if (region->is_open)
		BUG_ON(!move_pages(REGION_BASE, (uintptr_t)to, REGION_RESERVE),
		       "cannot move the VM's memory away: errno %d", errno);
	if (region->has_checkpoint)
		sigaction(SIGSEGV, &region->old_action, NULL);
	return to;
}

void region_enter(void *moved)
{
	if (region->is_open)
		BUG_ON(!move_pages((uintptr_t)moved, REGION_BASE, REGION_RESERVE),
		       "cannot move the VM's memory back: errno %d", errno);
	else
		munmap(moved, REGION_RESERVE);
	if (region->has_checkpoint)
		watch_writes();
}

void region_set_oom_handler(void (*handler)(void))
{
	region->oom_handler = handler;
}

/* Does not return. */
static void run_out(void)
{
	if (region->oom_handler)
		region->oom_handler();
	bug_report(__FILE__, __LINE__, "out of memory", "region limit of %zu bytes", region->limit);
}

enum { LARGE_BLOCK = 8 << 20, IDLE_MAX = 64 << 20 };

/* A heap that grows leaves blocks behind that are too small for it. As many of them as IDLE_MAX keep
 * their pages, for heaps that come later; the pages of the others go back to the system. The first
 * page has the link of the free list; pages of the checkpoint are not touched. */
static void give_back(struct free_block *block, size_t size)
{
	uintptr_t start = (uintptr_t)block;
	uintptr_t from = (start + REGION_PAGE + REGION_PAGE - 1) & ~(uintptr_t)(REGION_PAGE - 1);
	uintptr_t to = (start + size) & ~(uintptr_t)(REGION_PAGE - 1);

	block->has_pages = false;
	if (!region->has_checkpoint || start >= checkpoint->mark)
		madvise((void *)from, to - from, MADV_DONTNEED);
}

/* Near the limit no free block keeps its pages. */
static void give_all_back(void)
{
	for (unsigned c = find_class(LARGE_BLOCK); c < CLASS_COUNT; c++)
		for (struct free_block *block = STATE->free[c]; block; block = block->next)
			if (block->has_pages)
				give_back(block, class_size(c));
	STATE->idle = 0;
}

static void *bump_alloc(size_t size)
{
	uintptr_t block = STATE->bump;

	if (STATE->idle && STATE->used + STATE->idle + mem_used_of_limit() > region->limit)
		give_all_back();
	if (size > region->limit || STATE->used + mem_used_of_limit() > region->limit ||
	    block - REGION_BASE + size > REGION_RESERVE)
		run_out();
	STATE->bump = block + size;
	return (void *)block;
}

void *region_alloc(size_t size)
{
	unsigned c = find_class(size);
	struct free_block *block;

	if (c >= CLASS_COUNT)
		run_out();
	block = STATE->free[c];
	STATE->used += class_size(c);
	if (block) {
		STATE->free[c] = block->next;
		if (class_size(c) >= LARGE_BLOCK && block->has_pages)
			STATE->idle -= class_size(c);
		return block;
	}
	return bump_alloc(class_size(c));
}

void *region_zalloc(size_t size)
{
	return memset(region_alloc(size), 0, size);
}

void region_free(void *block, size_t size)
{
	unsigned c = find_class(size);
	struct free_block *freed = block;

	if (!block)
		return;
	STATE->used -= class_size(c);
	freed->next = STATE->free[c];
	STATE->free[c] = freed;
	if (class_size(c) < LARGE_BLOCK)
		return;
	freed->has_pages = STATE->idle + class_size(c) <= IDLE_MAX;
	if (freed->has_pages)
		STATE->idle += class_size(c);
	else
		give_back(freed, class_size(c));
}

void *region_grow(void *block, size_t old_size, size_t new_size)
{
	void *grown;

	if (block && find_class(old_size) == find_class(new_size))
		return block;
	grown = region_alloc(new_size);
	if (block)
		memcpy(grown, block, old_size < new_size ? old_size : new_size);
	region_free(block, old_size);
	return grown;
}

size_t region_left(void)
{
	return STATE->used < region->limit ? region->limit - STATE->used : 1;
}

size_t region_used(void)
{
	return STATE->used;
}

void *region_root(size_t size)
{
	BUG_ON(size > ROOT_BYTES, "root block of %zu bytes", size);
	return ROOT;
}

void region_checkpoint(void)
{
	size_t pages;

	region_forget_checkpoint();
	STATE->bump = (STATE->bump + REGION_PAGE - 1) & ~(uintptr_t)(REGION_PAGE - 1);
	checkpoint->mark = STATE->bump;
	pages = (checkpoint->mark - REGION_BASE) / REGION_PAGE;
	checkpoint->dirty_cap = pages;
	checkpoint->dirty = mem_alloc(pages * sizeof(*checkpoint->dirty));
	checkpoint->saved = mmap(NULL, pages * REGION_PAGE, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	BUG_ON(checkpoint->saved == MAP_FAILED, "no room for a checkpoint of %zu pages", pages);
	region->page_is_dirty = mem_zalloc(pages);
	watch_writes();
	region->has_checkpoint = true;
	mprotect((void *)REGION_BASE, pages * REGION_PAGE, PROT_READ);
}

void region_restore(void)
{
	BUG_ON(!region->has_checkpoint, "there was no checkpoint");
	for (size_t i = 0; i < checkpoint->dirty_len; i++)
		memcpy((void *)(REGION_BASE + (uintptr_t)checkpoint->dirty[i] * REGION_PAGE),
		       checkpoint->saved + i * REGION_PAGE, REGION_PAGE);
}

void region_image_take(struct region_image *image)
{
	image->pages_len = checkpoint->dirty_len;
	if (image->pages_len > image->pages_cap) {
		image->pages_cap = image->pages_len * 2;
		image->pages = mem_realloc(image->pages, image->pages_cap * REGION_PAGE);
	}
	for (size_t i = 0; i < image->pages_len; i++)
		memcpy(image->pages + i * REGION_PAGE,
		       (void *)(REGION_BASE + (uintptr_t)checkpoint->dirty[i] * REGION_PAGE),
		       REGION_PAGE);
	image->above_len = STATE->bump - checkpoint->mark;
	if (image->above_len > image->above_cap) {
		image->above_cap = image->above_len * 2;
		image->above = mem_realloc(image->above, image->above_cap);
	}
	if (image->above_len)
		memcpy(image->above, (void *)checkpoint->mark, image->above_len);
}

/* A page that was first written after the image was taken becomes as it was at the checkpoint. */
void region_image_return(const struct region_image *image)
{
	for (size_t i = 0; i < checkpoint->dirty_len; i++)
		memcpy((void *)(REGION_BASE + (uintptr_t)checkpoint->dirty[i] * REGION_PAGE),
		       i < image->pages_len ? image->pages + i * REGION_PAGE
					    : checkpoint->saved + i * REGION_PAGE, REGION_PAGE);
	if (image->above_len)
		memcpy((void *)checkpoint->mark, image->above, image->above_len);
}

void region_image_release(struct region_image *image)
{
	mem_free(image->pages);
	mem_free(image->above);
	*image = (struct region_image){0};
}

size_t region_dirty_pages(void)
{
	return checkpoint->dirty_len;
}
