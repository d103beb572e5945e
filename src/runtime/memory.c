#include "runtime/memory.h"

#include "core/finding.h"
#include "runtime/annotate.h"
#include "runtime/heap.h"
#include "runtime/history.h"
#include "runtime/record.h"
#include "runtime/rt_sys.h"
#include "runtime/sched.h"
#include "runtime/seen.h"

enum {
	LONG_MAX_SIZE = 1 << 30, /* of one recorded access */
	AGAIN_MAX = 8,      /* writes to one variable between two steps, for a report */
	RANGE_STEPS_MAX = 64, /* of one range whose every byte is visible */
};

extern void *__libc_stack_end;

const char *rt_stack_base(const struct rt_actor *actor)
{
	return actor->index == 0 ? __libc_stack_end : RT->donors[actor->index].stack_top;
}

/* ---- names of bytes in visible steps ----
 *
 * Two steps that touch the same byte must name the same object. So the bytes of a
 * granule are cut wherever an access begins or ends, and an access names all pieces it
 * covers. A new cut through a piece that has been named before changes names: what was
 * explored so far must be explored again. */

static uint32_t bytes_mask(uint32_t from, uint32_t to)
{
	return ((1u << to) - 1) & ~((1u << from) - 1);
}

/* The piece around a byte: where it ends. */
static uint32_t piece_end(uint32_t cuts, uint32_t byte)
{
	uint32_t later = cuts & ~bytes_mask(0, byte + 1);

	return later ? (uint32_t)__builtin_ctz(later) : 8;
}

static uint32_t piece_begin(uint32_t cuts, uint32_t byte)
{
	uint32_t earlier = cuts & bytes_mask(0, byte + 1);

	return earlier ? 31 - (uint32_t)__builtin_clz(earlier) : 0;
}

static uint32_t count_pieces(uint32_t cuts, uint32_t from, uint32_t to)
{
	uint32_t count = 0;

	for (uint32_t byte = from; byte < to; byte = piece_end(cuts, byte))
		count++;
	return count;
}

/* Does a cut before `byte` go through a piece that has a name? */
static bool is_through_known(const struct channel_fact *fact, uint32_t byte)
{
	uint32_t begin, end;

	if (byte == 0 || byte == 8 || fact->cuts >> byte & 1)
		return false;
	begin = piece_begin(fact->cuts, byte);
	end = piece_end(fact->cuts, byte);
	return fact->seen & bytes_mask(begin, end);
}

/* Learns that [from, to) of the granule is accessed by a step that has room for so many
 * pieces of it. Returns the cuts to name it by; a change of names ends the run. */
static uint32_t learn_cuts(uint64_t granule, uint32_t from, uint32_t to, uint32_t room)
{
	struct channel_fact *fact = channel_fact_of(RT->channel, granule, true);
	bool changed;

	if (!fact)
		return 1; /* no more room for facts: whole granules from here on */
	changed = !fact->whole && (is_through_known(fact, from) || is_through_known(fact, to));
	fact->cuts |= (uint8_t)(1u << from);
	if (to < 8)
		fact->cuts |= (uint8_t)(1u << to);
	if (!fact->whole && count_pieces(fact->cuts, from, to) > room) {
		changed |= fact->seen != 0;
		fact->whole = 1;
	}
	fact->seen |= (uint8_t)bytes_mask(from, to);
	if (changed)
		rt_relearn();
	return fact->whole ? 1 : fact->cuts;
}

void rt_mem_access(struct event *event, const void *address, size_t size, enum access_mode mode)
{
	uint64_t from = rt_name(address), end = from + size;
	uint32_t granules = (uint32_t)((end - 1) / 8 - from / 8 + 1), room = event_room(event);

	if (granules > 1) /* seldom, and a division takes as long as the rest */
		room /= granules;

	while (from < end) {
		uint64_t granule = from / 8;
		uint32_t stop = end < granule * 8 + 8 ? (uint32_t)(end - granule * 8) : 8;
		uint32_t cuts = learn_cuts(granule, from % 8, stop, room);

		for (uint32_t byte = from % 8; byte < stop; byte = piece_end(cuts, byte)) {
			uint32_t begin = piece_begin(cuts, byte);

			rt_access(event, OBJECT_MEMORY, (void *)(granule * 8 + begin), mode);
			access_set_bytes(&event->accesses[event->access_len - 1],
					 piece_end(cuts, byte) - begin);
		}
		from = granule * 8 + stop;
	}
}

/* ---- visible plain accesses ---- */

void rt_mem_settle_write(void)
{
	struct rt_memory *memory = &RT->memory;
	struct rt_turn *turn = &rt_self()->turn;
	bool is_unchanged = !turn->wrote && rt_load_value(memory->written_at, memory->written_size) ==
						    memory->written_over;

	memory->written_size = 0;
	if (memory->written_by)
		memory->written_by->unchanged = is_unchanged;
	else if (!is_unchanged)
		turn->wrote = true;
}

/* Is there memory for sure? Elsewhere the write itself may be what crashes, and not we. */
static bool is_there(const struct rt_actor *self, const void *address, size_t size)
{
	uint64_t at = (uint64_t)address, owner;

	if (at - RT_HEAP_BASE < RT_HEAP_SIZE) {
		owner = heap_layout_owner(at, RT->channel->max_actors);
		return owner < RT->actors_high && at + size <= RT->actors[owner].heap_next;
	}
	return (rt_program_has(address) && at + size <= RT->channel->modules[0].end) ||
	       rt_stack_has(self, address);
}

/* The write is made when its hook has returned. */
static void note_write(struct rt_actor *self, const void *address, size_t size, struct event *step)
{
	struct rt_memory *memory = &RT->memory;

	if (self->turn.wrote && !step)
		return;
	rt_mem_settle();
	if (size > sizeof(memory->written_over) || !is_there(self, address, size)) {
		self->turn.wrote |= !step;
		return;
	}
	memory->written_size = (uint32_t)size;
	memory->written_at = address;
	memory->written_over = rt_load_value(address, size);
	memory->written_by = step;
}

static void take_visible_step(const void *address, size_t size, bool is_write, uint64_t site)
{
	struct event event = rt_event(is_write ? EVENT_PLAIN_WRITE : EVENT_PLAIN_READ, site);
	struct event *did;

	rt_mem_access(&event, address, size, is_write ? ACCESS_WRITE : ACCESS_READ);
	did = rt_step(&event, NULL, NULL);
	if (is_write) {
		note_write(rt_self(), address, size, did);
		rt_record_write(address, size);
	} else {
		did->value = rt_load_value(address, size);
	}
}

static bool is_racy(const void *address, size_t size)
{
	uint64_t at;

	if (RT->channel->options.all_plain)
		return true;
	if (!RT->channel->racy_len)
		return false;
	at = rt_name(address);
	for (uint64_t g = at / 8; g <= (at + size - 1) / 8; g++) {
		const struct channel_fact *fact = channel_fact_of(RT->channel, g, false);

		if (fact && fact->racy)
			return true;
	}
	return false;
}

/* The racy granules of a long range, one step each; then it is done as a whole. */
static void take_range_steps(const void *address, size_t size, bool is_write, uint64_t site)
{
	uint64_t from = (uint64_t)address, end = from + size;
	uint32_t steps = 0;

	while (from < end) {
		uint64_t stop = from / 8 * 8 + 8 < end ? from / 8 * 8 + 8 : end;

		if (is_racy((void *)from, stop - from)) {
			if (++steps > RANGE_STEPS_MAX) {
				RT->channel->bounded |= BOUND_PLAINS;
				break;
			}
			take_visible_step((void *)from, stop - from, is_write, site);
			rt_self()->turn.in_call = true;
		}
		from = stop;
	}
	rt_self()->turn.in_call = false;
}

/* ---- recording ---- */

/* False: the room is used up. */
static inline bool note_plain(uint64_t name, size_t size, uint32_t act, uint64_t site)
{
	struct channel *channel = RT->channel;

	if (channel->plains_len == channel->max_plains) {
		channel->bounded |= BOUND_PLAINS;
		return false;
	}
	RT->plains[channel->plains_len++] = (struct plain){
		.actor = RT->current,
		.step = channel->events_len,
		.address = name,
		.site = site,
		.size = (uint32_t)size,
		.is_write = (uint16_t)act,
	};
	return true;
}

void rt_mem_record(const void *address, size_t size, uint32_t act, uint64_t site)
{
	const struct channel *channel = RT->channel;

	if (!note_plain(rt_name(address), size, act, site))
		return;
	rt_stack_keep((uint32_t)RT_STACK_PLAIN | (channel->plains_len - 1), site);
	if (act < PLAIN_FREED)
		rt_record_plain(address, size, act);
	else
		RT->memory.floor = channel->plains_len; /* what comes now comes after that */
	if (act == PLAIN_MAPPED)
		rt_seen_renew(); /* it is other memory */
}

/* An access from the place of another one that ended where this one begins makes that one longer: most of what a
 * computation does is to go through memory. */
static bool make_longer(uint64_t name, size_t size, bool is_write, uint64_t site)
{
	struct rt_memory *memory = &RT->memory;
	uint32_t slot = (site ^ site >> 6) % RT_LAST_PLAINS, plain = memory->last[slot].plain;
	struct plain *last;

	if (memory->last[slot].stretch == memory->stretch && memory->last[slot].site == site &&
	    plain >= memory->floor) {
		last = &RT->plains[plain];
		if (last->address + last->size == name && last->is_write == is_write &&
		    last->size + size <= LONG_MAX_SIZE) {
			last->size += (uint32_t)size;
			return true;
		}
	}
	memory->last[slot].stretch = memory->stretch;
	memory->last[slot].site = site;
	memory->last[slot].plain = RT->channel->plains_len;
	return false;
}

static void record(const void *address, size_t size, bool is_write, uint64_t site)
{
	if (RT->channel->record_stacks || !make_longer(rt_name(address), size, is_write, site))
		rt_mem_record(address, size, is_write, site);
}

/* The same variable is written once more, from another line: a report shows that write, too, because the
 * value that stays is that of the last line. Nothing else depends on it. */
static void record_again(const void *address, size_t size, uint64_t site)
{
	const struct channel *channel = RT->channel;
	uint64_t name = rt_name(address), last_site = 0;
	uint32_t count = 0;

	for (uint32_t i = channel->plains_len; i-- > 0;) {
		const struct plain *plain = &RT->plains[i];

		if (plain->step != channel->events_len || plain->actor != RT->current)
			break;
		if (plain->address != name || plain->is_write != 1)
			continue;
		last_site = last_site ? last_site : plain->site;
		count++;
	}
	if (!last_site || last_site == site)
		return;
	if (count > AGAIN_MAX || channel->plains_len == channel->max_plains) {
		rt_record_forget_plain(address);
		return;
	}
	rt_mem_record(address, size, true, site);
	RT->plains[channel->plains_len - 1].is_again = 1;
}

/* The other thread whose stack or thread-local variables have the address, or NULL. */
static struct rt_actor *find_owner(const struct rt_actor *self, const void *address)
{
	if (rt_program_has(address))
		return NULL;
	for (uint32_t i = 0; i < RT->actors_high; i++) {
		struct rt_actor *owner = &RT->actors[i];

		if (owner != self && owner->state != RT_FREE && rt_stack_has(owner, address))
			return owner;
	}
	return NULL;
}

/* Is the memory below the frame of the function in which the thread has stopped? */
static bool is_left(const struct rt_actor *owner, const char *address, size_t size)
{
	const char *sp;

	if (owner->state != RT_ANNOUNCED || (const char *)owner->sp < owner->stack_low ||
	    (const char *)owner->sp >= owner->stack_high)
		return false;
	sp = rt_stack_of_program(owner, owner->announced.site);
	return sp && address >= owner->stack_low && address + size <= sp;
}

/* Is the memory in a function that the end of its thread has left? */
static bool is_unwound(const struct rt_actor *owner, const char *address)
{
	return owner->unwound && address >= owner->unwound && address < rt_stack_base(owner);
}

static void share_stack(const struct rt_actor *owner)
{
	if (RT->channel->stack_shared[owner->index])
		return;
	RT->channel->stack_shared[owner->index] = 1;
	rt_relearn();
}

/* Somebody is in the stack of another: from the next run on, accesses to such stacks are recorded.
 * The owner must not end before: its stack is freed then (rt_mem_end_stack). */
static void check_foreign_stack(const struct rt_actor *self, const void *address, size_t size,
				uint64_t site)
{
	struct rt_actor *owner = find_owner(self, address);
	const char *at = address;

	if (!owner)
		return;
	share_stack(owner);
	if (is_left(owner, address, size))
		rt_notice(FINDING_MEMORY, site, OBJECT(OBJECT_MEMORY, rt_name(address)),
			  owner->announced.site,
			  "use of a local variable of a function that has returned");
	if (owner->state == RT_FINISHED || is_unwound(owner, address))
		rt_notice(FINDING_MEMORY, site, OBJECT(OBJECT_MEMORY, rt_name(address)), 0,
			  "use of a local variable of a thread that has ended");
	if (!owner->foreign_low || at < owner->foreign_low)
		owner->foreign_low = at;
	if (at + size > owner->foreign_high)
		owner->foreign_high = at + size;
}

void rt_mem_check_object(const void *thing, uint64_t site)
{
	if (rt_running_quietly() && !rt_stack_has(rt_self(), thing))
		check_foreign_stack(rt_self(), thing, 1, site);
}

void rt_mem_end_stack(const struct rt_actor *self, uint64_t site)
{
	if (!self->foreign_low || self->index == 0)
		return;
	rt_mem_record(self->foreign_low, (size_t)(self->foreign_high - self->foreign_low),
		      PLAIN_STACK_ENDED, site);
}

void rt_mem_leave_all(struct rt_actor *self, uint64_t site)
{
	const char *here = __builtin_frame_address(0), *base = rt_stack_base(self);
	const char *low = self->foreign_low > here ? self->foreign_low : here;
	const char *high = self->foreign_high < base ? self->foreign_high : base;

	self->unwound = here;
	if (self->foreign_low && low < high)
		rt_mem_record(low, (size_t)(high - low), PLAIN_STACK_ENDED, site);
}

void rt_mem_end_frames(struct rt_actor *self, uint64_t site)
{
	rt_mem_end_frames_below(self, rt_stack_of_program(self, site), site);
}

void rt_mem_end_frames_below(struct rt_actor *self, const char *sp, uint64_t site)
{
	const char *high = sp < self->foreign_high ? sp : self->foreign_high;

	if (!sp || !self->foreign_low || sp <= self->foreign_low)
		return;
	rt_mem_record(self->foreign_low, (size_t)(high - self->foreign_low), PLAIN_FRAME_ENDED, site);
	self->foreign_low = high < self->foreign_high ? high : NULL;
	if (!self->foreign_low)
		self->foreign_high = NULL;
}

/* Is neither end of it in a block that was freed? */
static bool is_live(const void *address, size_t size)
{
	const char *last = (const char *)address + size - 1;

	return !rt_heap_is_freed(address) && !(rt_heap_has(last) && rt_heap_is_freed(last));
}

static void check_freed(const void *address, size_t size, bool is_write, uint64_t site)
{
	const char *last = (const char *)address + size - 1;

	if (is_live(address, size))
		return;
	if (!rt_heap_is_freed(address))
		address = last;
	rt_notice(FINDING_MEMORY, site, OBJECT(OBJECT_MEMORY, rt_name(address)),
		  rt_heap_freed_at(address), "%s of %lu byte%s in a block that was freed",
		  is_write ? "write" : "read", size, size == 1 ? "" : "s");
}

void rt_mem_check(const void *address, size_t size, bool is_write, uint64_t site)
{
	const struct rt_actor *self = rt_self();

	if (rt_heap_has(address))
		check_freed(address, size, is_write, site);
	else if (!rt_stack_has(self, address))
		check_foreign_stack(self, address, size, site);
}

/* A signal handler touches memory: from the next run on, accesses to it are steps, so that the
 * handler can run between any two of them. */
static void mark_for_handlers(const void *address, size_t size)
{
	if (size > RT_ACCESS_MAX)
		rt_warn_uncontrolled("a signal handler that touches much memory at once");
	else if (channel_mark_racy(RT->channel, rt_name(address), size))
		rt_relearn();
}

/* Is the thread in a signal handler, and the address in no frame of that? Then the functions that were interrupted
 * can notice what the handler does there, also in the thread's own memory. */
static bool is_interrupting(const struct rt_actor *self, const char *address)
{
	return self->handlers && !(address >= self->stack_low && address < self->handler_base);
}

/* From now on accesses that have been seen may be passed over, unless something needs to know of each. */
static void open_stretch(const struct rt_actor *self)
{
	struct rt_memory *memory = &RT->memory;

	if (RT->trying || RT->benign.len || RT->channel->record_stacks || self->ignore_reads ||
	    self->ignore_writes || rt_history_is_asked())
		return;
	memory->reads = memory->stretch;
	if (!RT->channel->racy_len && !RT->channel->options.all_plain && !self->handlers &&
	    RT->channel->fixed_addresses && !RT->channel->stop_key)
		memory->simple = memory->stretch;
	memory->own_low = (uint64_t)self->stack_low;
	memory->own_size = RT->channel->stack_shared[self->index]
				   ? 0
				   : (uint64_t)(self->handlers ? self->handler_base
							       : rt_stack_base(self)) -
					     memory->own_low;
}

/* The access is neither private nor a repetition. */
static void take_new(struct rt_actor *self, const void *address, size_t size, bool is_write, uint64_t site)
{
	if (rt_history_is_asked() && is_racy(address, size))
		rt_history_retreat("a data race");
	if (rt_history_is_asked() && size <= RT_ACCESS_MAX && is_racy(address, size)) {
		rt_history_need();
		rt_history_plain(address, size, is_write, site);
		return;
	}
	if (is_write && rt_history_on())
		rt_history_plain_write(address, size, site);
	else if (rt_history_on())
		rt_history_plain_read(address, size);
	if (!is_racy(address, size)) {
		if (is_interrupting(self, address))
			mark_for_handlers(address, size);
		record(address, size, is_write, rt_site(site));
	} else if (size > RT_ACCESS_MAX) {
		rt_mem_record(address, size, is_write, rt_site(site));
		take_range_steps(address, size, is_write, site);
	} else {
		take_visible_step(address, size, is_write, site);
	}
}

/* Most accesses of most programs: to a variable of the program or a live block of the heap, in a stretch of which
 * open_stretch() knows that nothing races and nobody asks for more. Returns whether it was one; then all is done
 * that rt_plain_noted() does for it. */
static inline bool take_short_way(const void *address, size_t size, bool is_write, uint64_t site)
{
	struct rt_memory *memory = &RT->memory;
	struct rt_actor *self;

	self = rt_self();
	if (memory->reads != memory->stretch)
		open_stretch(self);
	if (memory->simple != memory->stretch || memory->hooks_left < 0)
		return false;
	if (rt_heap_has(address) ? !is_live(address, size) : !rt_program_has(address))
		return false;
	if (is_write && !self->turn.wrote)
		note_write(self, address, size, NULL);
	if (self->turn.wrote)
		memory->writes = memory->stretch;
	if (!rt_seen_note(address, size, is_write) &&
	    !make_longer((uint64_t)address, size, is_write, rt_site(site)))
		note_plain((uint64_t)address, size, is_write, rt_site(site));
	return true;
}

void rt_plain_noted(const void *address, size_t size, bool is_write, uint64_t site)
{
	struct rt_actor *self;
	bool own;

	if (!rt_running_quietly() || !size || take_short_way(address, size, is_write, site))
		return;
	self = rt_self();
	if (RT->memory.hooks_left < 0)
		rt_look_for_loop(self, address, size, is_write, site);
	own = rt_stack_has(self, address);
	if (own && is_write && (const char *)address >= rt_stack_base(self))
		note_write(self, address, size, NULL); /* a thread-local variable */
	if (RT->trying && !is_write && !(own && (const char *)address < rt_stack_base(self)))
		RT->trial_read = true;
	if (is_write && !own)
		note_write(self, address, size, NULL);
	if (self->turn.wrote && RT->memory.reads == RT->memory.stretch)
		RT->memory.writes = RT->memory.stretch;
	if (own && is_interrupting(self, address))
		share_stack(self);
	if (own && !RT->channel->stack_shared[self->index]) {
		rt_seen_note(address, size, is_write);
		return;
	}
	if (rt_heap_has(address))
		check_freed(address, size, is_write, site);
	if ((self->ignore_reads || self->ignore_writes) && rt_ignores(self, is_write))
		return;
	if (RT->benign.len && size <= RT_ACCESS_MAX && rt_is_benign(address)) {
		rt_benign_step(address, size, is_write, site);
		return;
	}
	if (rt_seen_note(address, size, is_write)) {
		if (is_write && RT->channel->record_stacks)
			record_again(address, size, rt_site(site));
		return;
	}
	if (!own && !rt_heap_has(address))
		check_foreign_stack(self, address, size, site);
	take_new(self, address, size, is_write, site);
}

void rt_plain(const void *address, size_t size, bool is_write, uint64_t site)
{
	if (!rt_present)
		return;
	RT->memory.hooks_left--;
	rt_plain_noted(address, size, is_write, site);
}
