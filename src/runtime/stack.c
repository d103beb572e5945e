#include "runtime/sched.h"

/* Walks the frame pointers from our own frame; frames up to and including the
 * intercepted call are left out: the first frame kept is the one that returns to
 * `site`. Every pointer is checked against the fiber's stack. */
static uint32_t walk(const struct rt_actor *actor, uint64_t site, uint64_t *frames)
{
	const uint64_t *frame = __builtin_frame_address(0);
	uint32_t len = 0;
	bool inside = false;

	while ((char *)frame >= actor->stack_low && (char *)(frame + 2) <= actor->stack_high &&
	       !((uint64_t)frame & 7) && len < CHANNEL_FRAMES) {
		uint64_t return_address = frame[1];

		inside = inside || return_address == site;
		if (inside && return_address)
			frames[len++] = return_address;
		if (frame[0] <= (uint64_t)frame)
			break;
		frame = (const uint64_t *)frame[0];
	}
	if (!len)
		frames[len++] = site; /* the chain was broken: at least where it happened */
	return len;
}

void rt_stack_note(struct rt_actor *actor, uint64_t site)
{
	actor->frames_len = walk(actor, site, actor->frames);
}

static struct channel_stack *next_stack(void)
{
	struct channel *channel = RT->channel;
	struct channel_stack *stacks = channel_at(channel, channel->stacks);

	return channel->stacks_len < channel->max_stacks ? &stacks[channel->stacks_len++] : NULL;
}

void rt_stack_keep_announced(const struct rt_actor *actor, uint32_t key)
{
	struct channel_stack *stack = next_stack();

	if (!stack)
		return;
	stack->key = key;
	stack->frames_len = actor->frames_len;
	for (uint32_t i = 0; i < actor->frames_len; i++)
		stack->frames[i] = actor->frames[i];
}

void rt_stack_keep(uint32_t key, uint64_t site)
{
	struct channel_stack *stack = RT->channel->record_stacks ? next_stack() : NULL;

	if (!stack)
		return;
	stack->key = key;
	stack->frames_len = walk(rt_self(), site, stack->frames);
}
