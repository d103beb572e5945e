#include "runtime/sched.h"

#include <signal.h>

#include "runtime/rt_sys.h"

/* Walks the frame pointers from our own frame; frames up to and including the
 * intercepted call are left out: the first frame kept is the one that returns to
 * `site`. Every pointer is checked against the fiber's stack. bases[i] is the frame pointer of the
 * function that frames[i] returns to, 0 if it is not known. */
static uint32_t walk(const struct rt_actor *actor, uint64_t site, uint64_t *frames, uint64_t *bases)
{
	const uint64_t *frame = __builtin_frame_address(0);
	uint32_t len = 0;
	bool inside = false;

	while ((char *)frame >= actor->stack_low && (char *)(frame + 2) <= actor->stack_high &&
	       !((uint64_t)frame & 7) && len < CHANNEL_FRAMES) {
		uint64_t return_address = frame[1];

		inside = inside || return_address == site;
		if (inside && return_address) {
			bases[len] = frame[0];
			frames[len++] = return_address;
		}
		if (frame[0] <= (uint64_t)frame)
			break;
		frame = (const uint64_t *)frame[0];
	}
	if (!len && actor->thrown_len && actor->thrown[0] == site) {
		while (len < actor->thrown_len) {
			frames[len] = actor->thrown[len];
			bases[len++] = 0;
		}
		return len;
	}
	if (!len) { /* the chain was broken: at least where it happened */
		bases[len] = 0;
		frames[len++] = site;
	}
	return len;
}

const char *rt_stack_of_program(const struct rt_actor *actor, uint64_t site)
{
	enum { SAVED_FRAME = 6 }; /* words from the saved stack pointer (fiber.c) */
	const uint64_t *frame = actor == rt_self() ? __builtin_frame_address(0)
			       : (const uint64_t *)((const uint64_t *)actor->sp)[SAVED_FRAME];

	while ((char *)frame >= actor->stack_low && (char *)(frame + 2) <= actor->stack_high &&
	       !((uint64_t)frame & 7)) {
		if (frame[1] == site)
			return (const char *)(frame + 2);
		if (frame[0] <= (uint64_t)frame)
			break;
		frame = (const uint64_t *)frame[0];
	}
	return NULL;
}

void rt_stack_note(struct rt_actor *actor, uint64_t site)
{
	actor->frames_len = walk(actor, site, actor->frames, actor->bases);
}

/* The callers as one number, and in the table under it. */
uint32_t rt_stack_context(const struct rt_actor *actor, uint64_t site)
{
	struct channel_context *context;
	uint64_t frames[CHANNEL_FRAMES], bases[CHANNEL_FRAMES];
	uint32_t len = walk(actor, site, frames, bases), hash = 0x811c9dc5u;

	len = len - 1 < RT->channel->record_callers ? len - 1 : RT->channel->record_callers;
	len = len < CHANNEL_CALLERS ? len : CHANNEL_CALLERS;
	for (uint32_t i = 1; i <= len; i++)
		hash = (hash ^ (uint32_t)(frames[i] ^ frames[i] >> 32)) * 0x01000193u;
	hash |= 1;
	context = channel_context_of(RT->channel, hash);
	if (!context)
		return 0;
	for (uint32_t i = 0; i < len && !context->hash; i++)
		context->callers[i] = frames[i + 1];
	context->callers_len = len;
	context->hash = hash;
	return hash;
}

static struct channel_stack *next_stack(void)
{
	struct channel *channel = RT->channel;
	struct channel_stack *stacks = channel_at(channel, channel->stacks);

	return channel->stacks_len < channel->max_stacks ? &stacks[channel->stacks_len++] : NULL;
}

void rt_stack_keep_made(const void *start, uint64_t site)
{
	struct channel *channel = RT->channel;
	struct channel_made *made;
	uint64_t frames[CHANNEL_FRAMES], bases[CHANNEL_FRAMES];
	uint32_t len;

	if ((RT->phase == RT_RUNNING && !channel->record_stacks) || channel->made_len >= CHANNEL_MADE)
		return;
	made = &channel->made[channel->made_len++];
	len = walk(rt_self(), site, frames, bases);
	made->start = rt_name(start);
	for (uint32_t i = 0; i < CHANNEL_MAKERS; i++)
		made->callers[i] = i < len ? frames[i] : 0;
}

void rt_stack_keep_announced(const struct rt_actor *actor, uint32_t key)
{
	struct channel_stack *stack = next_stack();

	if (!stack)
		return;
	stack->key = key;
	stack->frames_len = actor->frames_len;
	for (uint32_t i = 0; i < actor->frames_len; i++) {
		stack->frames[i] = actor->frames[i];
		stack->bases[i] = actor->bases[i];
	}
}

/* A function of its own: the commands of gdb know the place by its name. */
__attribute__((noinline)) static void rt_stop_at_bug(void)
{
	rt_syscall(SYS_kill, rt_syscall(SYS_getpid, 0, 0, 0), SIGSTOP, 0);
	__asm__ volatile(""); /* not a tail call: its frame stays */
}

void rt_stack_keep(uint32_t key, uint64_t site)
{
	struct channel_stack *stack = RT->channel->record_stacks ? next_stack() : NULL;

	if (RT->channel->stop_key == key)
		rt_stop_at_bug();

	if (!stack)
		return;
	stack->has_before = stack->has_after = 0;
	stack->key = key;
	stack->frames_len = walk(rt_self(), site, stack->frames, stack->bases);
}
