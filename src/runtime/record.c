#include "runtime/record.h"

#include <sys/uio.h>

#include "runtime/heap.h"
#include "runtime/history.h"
#include "runtime/rt_sys.h"

/* ---- values ---- */

void rt_record_note_write(const volatile void *address, size_t size)
{
	if (rt_history_on() || size > sizeof(uint64_t))
		return;
	RT->memory.write_at = (uint64_t)address;
	RT->memory.write_size = (uint32_t)size;
	RT->memory.write_step = RT->channel->events_len - 1;
}

/* The kernel copies, because the program may have unmapped the memory meanwhile. */
static bool read_memory(uint64_t address, uint32_t size, uint64_t *value)
{
	struct iovec to = {value, size}, from = {(void *)address, size};

	*value = 0;
	return rt_syscall6(SYS_process_vm_readv, rt_syscall(SYS_getpid, 0, 0, 0), (long)&to, 1,
			   (long)&from, 1, 0) == (long)size;
}

void rt_record_read_value(void)
{
	struct rt_memory *memory = &RT->memory;
	struct channel_written *entry = &RT->channel->written[memory->write_step % CHANNEL_WRITTEN];
	uint32_t size = memory->write_size;
	uint64_t value;

	memory->write_size = 0;
	if (read_memory(memory->write_at, size, &value))
		*entry = (struct channel_written){.value = value, .step = memory->write_step + 1};
}

void rt_record_note_plain(const void *address, size_t size, bool is_write)
{
	struct channel *channel = RT->channel;
	struct channel_stack *stacks = channel_at(channel, channel->stacks);
	uint32_t last = channel->stacks_len - 1;

	rt_record_settle_plain();
	if (rt_history_on() || size > sizeof(uint64_t) || !channel->stacks_len ||
	    stacks[last].key != ((uint32_t)RT_STACK_PLAIN | (channel->plains_len - 1)))
		return;
	stacks[last].has_before = read_memory((uint64_t)address, (uint32_t)size, &stacks[last].before);
	if (!is_write)
		return;
	RT->memory.plain_at = (uint64_t)address;
	RT->memory.plain_size = (uint32_t)size;
	RT->memory.plain_stack = last;
}

void rt_record_read_plain(void)
{
	struct rt_memory *memory = &RT->memory;
	struct channel_stack *stacks = channel_at(RT->channel, RT->channel->stacks);
	struct channel_stack *stack = &stacks[memory->plain_stack];
	uint32_t size = memory->plain_size;

	memory->plain_size = 0;
	stack->has_after = read_memory(memory->plain_at, size, &stack->after);
}

void rt_record_begin(void)
{
	struct channel *channel = RT->channel;

	if (!channel->record_stacks)
		return;
	RT->memory.write_size = RT->memory.plain_size = 0;
	rt_memset(channel->written, 0, sizeof(channel->written));
}

/* ---- blocks ---- */

static bool has_block(const struct channel *channel, uint64_t address)
{
	for (uint32_t i = 0; i < channel->blocks_len; i++)
		if (address - channel->blocks[i].start < channel->blocks[i].size)
			return true;
	return false;
}

static void add_block(uint64_t object)
{
	struct channel *channel = RT->channel;
	uint64_t address = OBJECT_NAME_OF(object);

	if (OBJECT_CLASS(object) == OBJECT_NONE || OBJECT_CLASS(object) > OBJECT_FUTEX ||
	    !rt_heap_has((void *)address) || has_block(channel, address) ||
	    channel->blocks_len == CHANNEL_BLOCKS)
		return;
	if (rt_heap_find((void *)address, &channel->blocks[channel->blocks_len]))
		channel->blocks_len++;
}

/* A block that a written value points to: nothing else may name one that the program only hands on. */
static void add_pointee(uint64_t value)
{
	if (OBJECT_NAME_OF(OBJECT(OBJECT_MEMORY, value)) == value)
		add_block(OBJECT(OBJECT_MEMORY, value));
}

static void add_pointees(void)
{
	const struct channel *channel = RT->channel;
	const struct channel_stack *stacks = channel_at(RT->channel, channel->stacks);

	for (uint32_t i = 0; i < channel->events_len && i < CHANNEL_WRITTEN; i++)
		if (channel->written[i].step)
			add_pointee(channel->written[i].value);
	for (uint32_t i = 0; i < channel->stacks_len; i++)
		if (stacks[i].has_after)
			add_pointee(stacks[i].after);
}

static void add_blocks(void)
{
	struct channel *channel = RT->channel;
	const struct notice *notices = channel_at(channel, channel->notices);
	const struct event *pending = channel_at(channel, channel->pending);

	for (uint32_t i = 0; i < channel->notices_len; i++)
		add_block(notices[i].object);
	for (uint32_t i = 0; i < channel->pending_len; i++)
		for (uint32_t a = 0; a < pending[i].access_len; a++)
			add_block(pending[i].accesses[a].object);
	for (uint32_t i = channel->events_len; i-- > 0;)
		for (uint32_t a = 0; a < RT->events[i].access_len; a++)
			add_block(RT->events[i].accesses[a].object);
	for (uint32_t i = 0; i < channel->plains_len; i++)
		add_block(OBJECT(OBJECT_MEMORY, RT->plains[i].address));
	add_pointees();
}

/* ---- names ---- */

static void add_names(void)
{
	struct channel *channel = RT->channel;

	for (uint32_t i = 0; i < RT->actors_high && i < CHANNEL_NAMES; i++) {
		const struct rt_actor *actor = &RT->actors[i];
		uint64_t start = actor->start_c11 ? (uint64_t)actor->start_c11
						  : (uint64_t)actor->start;

		rt_memcpy(channel->names[i], actor->name, sizeof(channel->names[i]));
		channel->starts[i] = start ? rt_name((const void *)start) : 0;
	}
	channel->names_len = RT->actors_high < CHANNEL_NAMES ? RT->actors_high : CHANNEL_NAMES;
}

void rt_record_end(void)
{
	struct channel *channel = RT->channel;

	if (!channel->record_stacks)
		return;
	rt_record_settle();
	channel->blocks_len = 0;
	add_blocks();
	add_names();
}
