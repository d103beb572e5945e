/* silent_loop.c: loops of plain reads that wait for a change, and make no step.
 *
 * `while (!flag) ;` with a plain flag makes no step at all, so no other thread ever
 * runs. After many hooks in one stretch the state of the actor at one of them (its
 * registers and stack) is remembered. If the actor comes back to that state without
 * having written anything, it will do so for ever. The memory it read on the way is
 * marked as racy, so that from the next run on those reads are steps, and the loop is
 * dealt with as every other spin loop (turn.c).
 *
 * A long computation pays little: a search is given up after a few visits of its site,
 * and the next one begins after twice as many hooks.
 */
#include "runtime/memory.h"
#include "runtime/seen.h"
#include "runtime/turn.h"

/* One call may report several accesses, all from one place and in one state: memcpy() reads and writes. So a state
 * must come back more often than a call reports accesses. */
enum { VISITS = 64, RETURNS = 16 };

static int64_t hooks_of(const struct rt_memory *memory)
{
	return memory->hooks_next - memory->hooks_left;
}

static void look_after(struct rt_memory *memory, int64_t hooks)
{
	int64_t made = hooks_of(memory);

	memory->hooks_next = hooks;
	memory->hooks_left = hooks - made;
}

static void look_later(struct rt_memory *memory)
{
	memory->loop_site = 0;
	look_after(memory, hooks_of(memory) * 2);
}

/* Is it part of the state that rt_turn_state() sees? */
static bool is_in_frames(const struct rt_actor *self, const void *address)
{
	return rt_stack_has(self, address) && (const char *)address < rt_stack_base(self);
}

static void note_read(struct rt_memory *memory, const struct rt_actor *self, const void *address,
		      size_t size)
{
	uint64_t granule = (uint64_t)address / 8;

	if (rt_stack_has(self, address) && !RT->channel->stack_shared[self->index])
		return;
	for (uint32_t i = 0; i < memory->loop_reads_len; i++)
		if (memory->loop_reads[i] == granule)
			return;
	if (memory->loop_reads_len == RT_LOOP_READS || size > RT_ACCESS_MAX) {
		look_later(memory);
		return;
	}
	memory->loop_reads[memory->loop_reads_len++] = granule;
}

/* A thread that looks at its own stack only may have given another thread the address. */
static _Noreturn void end_loop(const struct rt_memory *memory)
{
	uint8_t *is_shared = &RT->channel->stack_shared[RT->current];
	bool news = !*is_shared;

	*is_shared = 1;
	for (uint32_t i = 0; i < memory->loop_reads_len; i++)
		news |= channel_mark_racy(RT->channel, memory->loop_reads[i] * 8, 8);
	if (news)
		rt_relearn();
	rt_end_now(END_SILENT, RT->current);
}

void rt_look_for_loop(struct rt_actor *self, const void *address, size_t size, bool is_write,
	      uint64_t site)
{
	struct rt_memory *memory = &RT->memory;

	if (is_write && !is_in_frames(self, address)) {
		look_later(memory);
		return;
	}
	look_after(memory, hooks_of(memory)); /* while searching, every access comes here */
	if (!memory->loop_site) {
		memory->loop_site = site;
		memory->loop_state = rt_turn_state(self, site);
		memory->loop_visits_left = VISITS;
		memory->loop_returns = 0;
		memory->loop_reads_len = 0;
		if (!memory->loop_state)
			look_later(memory);
	} else if (memory->loop_site == site) {
		if (rt_turn_state(self, site) == memory->loop_state) {
			memory->loop_visits_left = VISITS;
			if (++memory->loop_returns == RETURNS)
				end_loop(memory);
		} else if (--memory->loop_visits_left == 0) {
			look_later(memory);
			return;
		}
	}
	if (!is_write)
		note_read(memory, self, address, size);
}
