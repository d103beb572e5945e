/* lives.c: the blocks that a run left allocated, by site, for the leak detector to compare with
 * other runs. Blocks that libc allocated for itself (buffers of streams) are left out. */
#include "runtime/heap.h"
#include "runtime/origin.h"

static void count_live(uint64_t site, size_t size)
{
	struct channel *channel = RT->channel;
	struct live *lives = channel->lives;
	uint32_t i = 0;

	while (i < channel->lives_len && lives[i].site != site)
		i++;
	if (i == CHANNEL_LIVES || rt_origin_of(site) == RT_OF_LIBC)
		return;
	if (i == channel->lives_len) {
		lives[i] = (struct live){.site = site};
		channel->lives_len++;
	}
	lives[i].bytes += size;
	lives[i].count++;
}

/* Did another thread still run when the process ended? Its blocks are not lost: it would have gone
 * on and freed them. */
static bool thread_is_left(void)
{
	for (uint32_t i = 0; i < RT->actors_high; i++) {
		const struct rt_actor *actor = &RT->actors[i];

		if (actor != rt_self() && !actor->owner && actor->state == RT_ANNOUNCED)
			return true;
	}
	return false;
}

void rt_heap_record_lives(void)
{
	struct channel *channel = RT->channel;

	if (!channel->options.check_leaks)
		return;
	if (thread_is_left())
		channel->lives[channel->lives_len++] = (struct live){0};
	else
		rt_heap_live(count_live);
}
