/* model.c: the part of the runtime that include/fermata/model.h uses. A program that
 * serves a model begins its runs when it says so, not at its first thread, and reads what
 * to do from memory that it shares with the tool and that is not put back between runs. */
#include "runtime/rt.h"

void *fermata_runtime_area(size_t size);
void fermata_runtime_begin(void);
uint32_t fermata_runtime_steps(uint32_t *actor);

/* NULL: this program is not controlled. */
void *fermata_runtime_area(size_t size)
{
	if (!rt_present || size > RT->channel->area_size)
		return NULL;
	RT->stem.is_off = true;
	return channel_at(RT->channel, RT->channel->area);
}

void fermata_runtime_begin(void)
{
	if (rt_present)
		rt_begin();
}

/* How many steps the run has taken, and who asks. */
uint32_t fermata_runtime_steps(uint32_t *actor)
{
	if (!rt_present)
		return 0;
	*actor = RT->current;
	return RT->channel->events_len;
}
