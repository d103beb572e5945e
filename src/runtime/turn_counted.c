/* turn_counted.c: loops that count the turns in which they wait.
 *
 * A loop that counts its turns (adaptive spinning) has another state in each of them. Once a thread
 * has looked a thousand times at one variable from one place, only the first few looks of a thread
 * there are steps. It takes thousands more at once, and they are not recorded: each sees what the last
 * step saw. So it comes to the code that it runs when it has waited long enough. If it still looks,
 * it is parked until the variable is written, as after a void turn, or until no other thread can go
 * on. The program can make each of these runs, but the runs in which other threads go on between
 * its later looks are missing: the search is not a proof.
 */
#include "runtime/history.h"
#include "runtime/turn.h"

enum {
	COUNTED_AFTER = 1024, /* looks; void turns with up to ANCHOR_MAX are found before that */
	COUNTED_LOOKS = 4,    /* that are steps at such a place, */
	PASSED_LOOKS = 4096,  /* and that the thread then takes alone before it is parked */
	APART_MAX = 16,       /* other looks in between that belong to the same turn */
};

/* Has another thread written what the actor looks at since its last recorded look? */
static bool sees_news(const struct rt_actor *actor)
{
	for (uint32_t i = RT->channel->events_len; i-- > actor->turn.look_step;) {
		const struct event *event = &RT->events[i];

		for (uint32_t a = 0; event->actor != actor->index && a < event->access_len; a++)
			if (event->accesses[a].object == actor->turn.look_object &&
			    rt_turn_is_write(event, event->accesses[a].mode))
				return true;
	}
	return false;
}

/* Counts looks from one place at one object without an effect or news in between. */
static void count_look(struct rt_actor *actor, uint64_t site, uint64_t object)
{
	struct rt_turn *turn = &actor->turn;

	if (turn->looks && turn->look_site == site && turn->look_object == object) {
		turn->looks = sees_news(actor) ? 1 : turn->looks + 1;
		turn->apart = 0;
	} else if (!turn->looks || ++turn->apart > APART_MAX) {
		turn->look_site = site;
		turn->look_object = object;
		turn->looks = 1;
		turn->apart = 0;
	}
}

static bool is_counted(uint64_t site)
{
	return *channel_loop_of(RT->channel, rt_name((void *)site)) & CHANNEL_LOOP_COUNTED;
}

bool rt_turn_passes(struct rt_actor *actor, const struct event *about)
{
	struct rt_turn *turn = &actor->turn;

	if (turn->looks < COUNTED_LOOKS || turn->looks >= PASSED_LOOKS ||
	    turn->wrote || actor->counts_on || turn->look_site != about->site ||
	    turn->look_object != about->accesses[0].object || !is_counted(about->site) ||
	    sees_news(actor))
		return false;
	turn->looks++;
	turn->apart = 0;
	RT->channel->bounded |= BOUND_COUNTED;
	return true;
}

uint32_t rt_turn_find_counted(struct rt_actor *actor, const struct event *about)
{
	struct rt_turn *turn = &actor->turn;
	uint32_t from = turn->look_step;

	if (rt_history_on() || actor->counts_on || !about->access_len)
		return UINT32_MAX;
	count_look(actor, about->site, about->accesses[0].object);
	if (turn->apart)
		return UINT32_MAX;
	turn->look_step = RT->channel->events_len;
	if (turn->looks <= COUNTED_LOOKS)
		return UINT32_MAX;
	if (is_counted(about->site)) {
		RT->channel->bounded |= BOUND_COUNTED;
		return from;
	}
	if (turn->looks < COUNTED_AFTER)
		return UINT32_MAX;
	channel_add_loop(RT->channel, rt_name((void *)about->site) | CHANNEL_LOOP_COUNTED);
	rt_relearn();
}

bool rt_turn_count_on(void)
{
	for (uint32_t i = 0; i < RT->actors_high; i++) {
		struct rt_actor *actor = &RT->actors[i];

		if (actor->state != RT_ANNOUNCED || !actor->spinning || !actor->is_counted)
			continue;
		actor->counts_on = true;
		rt_turn_resume(actor);
		return true;
	}
	return false;
}
