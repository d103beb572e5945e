#include "runtime/heap.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "core/finding.h"
#include "runtime/intercept.h"
#include "runtime/memory.h"
#include "runtime/origin.h"
#include "runtime/rt_sys.h"
#include "runtime/seen.h"

enum {
	BLOCK_UNIT = 32,          /* size of the header; blocks are multiples of it */
	BLOCK_LIVE = 0x4c495645,
	BLOCK_FREED = 0x46524545,
	BLOCK_LISTED = 0x4c495354, /* freed, and in a free list */
	BLOCK_GAP = 0x20474150,   /* left out for alignment */
	SMALL_CLASSES = 32,       /* free lists by units, then by powers of two */
	LIST_TRIES = 8,
	OLD_BLOCKS_MAX = 1 << 14, /* of before the first thread, that rt_heap_live walks */
};

enum { REUSE_PART = 4 }; /* freed blocks are used again when such a part of a region is full */

struct block {
	uint64_t size;  /* as asked for */
	uint32_t units; /* as taken, without this header */
	uint32_t state;
	uint64_t site;  /* that allocated it */
	uint64_t freed_site; /* when BLOCK_LISTED: the next block of the list */
};

_Static_assert(sizeof(struct block) == BLOCK_UNIT, "walks step from header to header");

static char *bytes_of(struct block *block)
{
	return (char *)(block + 1);
}

static bool is_freed(const struct block *block)
{
	return block->state == BLOCK_FREED || block->state == BLOCK_LISTED;
}

static uint64_t freed_site_of(const struct block *block)
{
	return block->state == BLOCK_FREED ? block->freed_site : 0;
}

static uint64_t region_size(void)
{
	return 1ul << heap_layout_bits(RT->channel->max_actors);
}

static uint64_t region_of(uint64_t actor)
{
	return RT_HEAP_BASE + actor * region_size();
}

/* ---- regions ---- */

static bool map_at(uint64_t address, uint64_t size)
{
	return (uint64_t)rt_syscall6(SYS_mmap, (long)address, (long)size, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
				     MAP_FIXED_NOREPLACE, -1, 0) == address;
}

static void map_regions(uint32_t actor)
{
	uint64_t part = (region_of(actor) - RT_HEAP_BASE) / RT_HEAP_PART;
	uint64_t low = RT_HEAP_BASE + part * RT_HEAP_PART;

	if (RT->heap.mapped >> part & 1)
		return;
	if (!map_at(low, RT_HEAP_PART) ||
	    !map_at((uint64_t)rt_heap_shadow((void *)low), RT_HEAP_PART / 16))
		rt_lost("no address space for the heap");
	RT->heap.mapped |= 1ul << part;
}

/* ---- free lists, for when blocks may be used again ---- */

static uint32_t class_of(uint64_t units)
{
	uint32_t class;

	if (units < SMALL_CLASSES)
		return (uint32_t)units;
	class = SMALL_CLASSES + 64 - 5 - (uint32_t)__builtin_clzl(units);
	return class < RT_HEAP_CLASSES ? class : RT_HEAP_CLASSES - 1;
}

static bool may_reuse(void)
{
	return RT->phase == RT_ALONE || RT->heap.reuse;
}

static struct block *take_free(uint64_t units, size_t align)
{
	struct block **link = (struct block **)&RT->heap.free_lists[class_of(units)];

	for (int i = 0; *link && i < LIST_TRIES; i++) {
		struct block *block = *link;

		if (block->units >= units && !((uint64_t)bytes_of(block) & (align - 1))) {
			*link = (struct block *)block->freed_site;
			rt_memset(rt_heap_shadow(bytes_of(block)), 0, block->units * 2ul);
			if (RT->phase == RT_RUNNING)
				RT->channel->bounded |= BOUND_QUARANTINE;
			return block;
		}
		link = (struct block **)&block->freed_site;
	}
	return NULL;
}

static void put_free(struct block *block)
{
	void **list = &RT->heap.free_lists[class_of(block->units)];

	block->state = BLOCK_LISTED;
	block->freed_site = (uint64_t)*list;
	*list = block;
}

/* ---- blocks ---- */

static struct block *take_fresh(struct rt_actor *actor, uint64_t units, size_t align)
{
	uint64_t region = region_of(actor->index);
	uint64_t next = actor->heap_next ? actor->heap_next : region;
	uint64_t at = (next + BLOCK_UNIT + align - 1) & ~(uint64_t)(align - 1);
	struct block *block = (struct block *)at - 1;

	if (at + units * BLOCK_UNIT > region + region_size())
		return NULL;
	map_regions(actor->index);
	if ((uint64_t)block > next)
		*(struct block *)next = (struct block){
			.units = (uint32_t)(((uint64_t)block - next) / BLOCK_UNIT - 1),
			.state = BLOCK_GAP,
		};
	block->units = (uint32_t)units;
	actor->heap_next = at + units * BLOCK_UNIT;
	if (actor->heap_next - region > region_size() / REUSE_PART)
		RT->heap.reuse = true;
	if (RT->phase == RT_ALONE)
		RT->heap.begin = actor->heap_next;
	return block;
}

void *rt_heap_alloc(size_t size, size_t align, uint64_t site)
{
	struct rt_actor *self = rt_self();
	struct block *block = NULL;
	uint64_t units = (size + BLOCK_UNIT - 1) / BLOCK_UNIT;

	if (size > region_size() / 2 || align > region_size() / 4)
		return NULL;
	if (!units)
		units = 1;
	if (align < BLOCK_UNIT)
		align = BLOCK_UNIT;
	if (may_reuse())
		block = take_free(units, align);
	if (!block)
		block = take_fresh(self, units, align);
	if (!block)
		return NULL;
	block->size = size;
	block->state = BLOCK_LIVE;
	block->site = site;
	block->freed_site = 0;
	self->heap_count++;
	self->turn.wrote = true;
	rt_stack_keep_made(bytes_of(block), site);
	return bytes_of(block);
}

/* The header of a block that begins at the address, live or freed; NULL if none does. */
static struct block *block_at(const void *address)
{
	uint64_t at = (uint64_t)address;
	uint64_t actor = heap_layout_owner(at, RT->channel->max_actors);
	struct block *block = (struct block *)at - 1;

	if (at % BLOCK_UNIT || (uint64_t)block < region_of(actor) ||
	    at >= RT->actors[actor].heap_next)
		return NULL;
	return block->state == BLOCK_LIVE || is_freed(block) ? block : NULL;
}

size_t rt_heap_size(const void *address)
{
	struct block *block = block_at(address);

	return block ? block->size : 0;
}

/* The header of the block around the address; NULL if the address was never allocated. */
static struct block *block_around(const void *address)
{
	uint64_t actor = heap_layout_owner((uint64_t)address, RT->channel->max_actors);
	uint64_t at = region_of(actor);

	while (at < RT->actors[actor].heap_next) {
		struct block *block = (struct block *)at;
		uint64_t end = at + (block->units + 1ul) * BLOCK_UNIT;

		if ((uint64_t)address < end)
			return block;
		at = end;
	}
	return NULL;
}

uint64_t rt_heap_freed_at(const void *address)
{
	const struct block *block = block_around(address);

	return block ? freed_site_of(block) : 0;
}

bool rt_heap_find(const void *address, struct channel_block *out)
{
	struct block *block = block_around(address);

	if (!block || (block->state != BLOCK_LIVE && !is_freed(block)))
		return false;
	*out = (struct channel_block){
		.start = (uint64_t)bytes_of(block),
		.size = block->size,
		.site = block->site,
		.freed_site = freed_site_of(block),
	};
	return true;
}

/* Blocks that libraries free for themselves (exceptions) are not recorded: libstdc++ counts references to
 * them, and no hook sees that. */
static void record_free(const struct block *block, uint64_t site)
{
	if (RT->phase == RT_RUNNING && rt_origin_of(site) == RT_OF_PROGRAM)
		rt_mem_record(block + 1, block->size, PLAIN_FREED, site);
}

void rt_heap_free(void *address, uint64_t site)
{
	struct block *block = block_at(address);

	rt_self()->turn.wrote = true;
	if (rt_self()->frees_at) /* a library frees what is the program's, as the old text of a string */
		site = rt_self()->frees_at;
	if (!block) {
		rt_notice(FINDING_MEMORY, site, OBJECT(OBJECT_MEMORY, rt_name(address)), 0,
			  "free of an address that no allocation returned");
		return;
	}
	if (is_freed(block)) {
		rt_notice(FINDING_MEMORY, site, OBJECT(OBJECT_MEMORY, rt_name(address)),
			  freed_site_of(block), "double free of a block of %lu bytes", block->size);
		return;
	}
	record_free(block, site);
	rt_seen_forget(address, block->size); /* the next access is one to a freed block */
	block->state = BLOCK_FREED;
	block->freed_site = site;
	rt_memset(rt_heap_shadow(address), 1, block->units * 2ul);
	if (may_reuse())
		put_free(block);
}

void rt_heap_check_object(const void *thing, uint64_t object, uint64_t site)
{
	if (rt_heap_is_freed(thing))
		rt_notice(FINDING_MEMORY, site, object, rt_heap_freed_at(thing),
			  "use of a lock, condition or semaphore in a block that was freed");
}

/* ---- what a run left, and going back ---- */

static void walk_live(uint64_t from, uint64_t to, void (*each)(uint64_t site, size_t size))
{
	while (from < to) {
		struct block *block = (struct block *)from;

		if (block->state == BLOCK_LIVE)
			each(block->site, block->size);
		from += (block->units + 1ul) * BLOCK_UNIT;
	}
}

void rt_heap_live(void (*each)(uint64_t site, size_t size))
{
	for (uint32_t i = 0; i < RT->actors_high; i++) {
		uint64_t from = region_of(i);

		if (i == 0 && RT->heap.begin && RT->main->heap_count > OLD_BLOCKS_MAX)
			from = RT->heap.begin;
		walk_live(from, RT->actors[i].heap_next, each);
	}
}

void rt_heap_ranges(void (*each)(void *low, void *high))
{
	if (!RT->heap.begin)
		return;
	each((void *)RT_HEAP_BASE, (void *)RT->heap.begin);
	each(rt_heap_shadow((void *)RT_HEAP_BASE), rt_heap_shadow((void *)RT->heap.begin));
}

void rt_heap_clear(void)
{
	for (uint32_t i = 0; i < RT->actors_high; i++) {
		uint64_t from = i == 0 && RT->heap.begin ? RT->heap.begin : region_of(i);
		uint64_t to = RT->actors[i].heap_next;

		if (to <= from)
			continue;
		rt_memset((void *)from, 0, to - from);
		rt_memset(rt_heap_shadow((void *)from), 0, (to - from) / 16);
	}
}
