/* held.c: which locks a thread holds. If a thread holds more than RT_MAX_HELD locks,
 * the rest is not known: checks must not accuse such a thread. */
#include "runtime/calls/sync.h"

struct rt_held *rt_held_find(struct rt_actor *actor, const void *thing)
{
	for (uint32_t i = actor->held_len; i-- > 0;)
		if (actor->held[i].thing == thing)
			return &actor->held[i];
	return NULL;
}

void rt_held_add(struct rt_actor *actor, void *thing, uint32_t mode, uint64_t site)
{
	struct rt_held *held = rt_held_find(actor, thing);

	if (held) {
		held->count++;
		return;
	}
	if (actor->held_len == RT_MAX_HELD) {
		actor->held_overflow = true;
		return;
	}
	actor->held[actor->held_len++] = (struct rt_held){
		.thing = thing,
		.object = rt_lock_object(thing),
		.site = site,
		.mode = mode,
		.count = 1,
	};
}

void rt_held_remove(struct rt_actor *actor, const void *thing)
{
	struct rt_held *held = rt_held_find(actor, thing);

	if (!held || --held->count > 0)
		return;
	actor->held_len--;
	for (; held < &actor->held[actor->held_len]; held++)
		held[0] = held[1];
}

bool rt_held_surely_not(struct rt_actor *actor, const void *thing)
{
	return !rt_held_find(actor, thing) && !actor->held_overflow;
}

void rt_held_misuse(const void *lock, uint64_t site, const char *what)
{
	uint32_t number = RT->channel->notices_len, holder = 0;
	const struct rt_held *held = NULL;

	while (!held && holder < RT->actors_high)
		held = rt_held_find(&RT->actors[holder++], lock);
	rt_notice(FINDING_MISUSE, site, rt_lock_object(lock), held ? held->site : 0, "%s", what);
	if (held && number < RT->channel->notices_len)
		RT->notices[number].holder = holder;
}
