#include "beam/stem.h"

#include "base/bitset.h"
#include "beam/conduct.h"
#include "vm/bifs/child.h"
#include "vm/bifs/open_file.h"
#include "vm/process/leader.h"

/* A stem is worth its cost if it leaves out so many steps more than the one below; fewer, when it
 * is certain that it will be used. */
enum { LENGTH_MIN = 10, LENGTH_MIN_SURE = 4 };

/* How far does the schedule go the way of the run before? */
static uint32_t count_common(const struct conductor *c, const struct schedule *schedule)
{
	uint32_t len = 0, max = schedule->decisions_len;

	if (max > schedule->sleep_from && schedule->sleepers_len)
		max = schedule->sleep_from;
	if (max > c->events.len)
		max = (uint32_t)c->events.len;
	for (; len < max; len++) {
		struct decision was = decision_of(&c->events.items[len]);
		const struct decision *is = &schedule->decisions[len];

		if (was.actor != is->actor)
			break;
		if (is->kind != DECISION_ANY && (was.ordinal != is->ordinal ||
						 was.kind != is->kind || was.object != is->object))
			break;
	}
	return len;
}

static bool may_be_used(const struct conductor *c, const struct schedule *schedule)
{
	return !schedule->relaxed && !schedule->guides_len && !c->options.watch &&
	       !c->wants_places && c->output &&
	       (schedule->tail == TAIL_FIRST || schedule->tail == TAIL_STOP);
}

/* Drops stems longer than that. */
static void cut(struct conductor *c, uint32_t len)
{
	struct stems *stems = &c->stems;

	while (stems->len && stems->stack[stems->len - 1].len > len) {
		stems->len--;
		observation_forget_kept(&c->observation);
	}
}

static uint32_t length_of_last(const struct stems *stems)
{
	return stems->len ? stems->stack[stems->len - 1].len : 0;
}

/* The last places to which the search will come back: it comes to those first. If there is no
 * room for any of them, the last stem goes. */
static void choose_sure(struct conductor *c, const struct schedule *schedule)
{
	struct stems *stems = &c->stems;
	uint32_t below = length_of_last(stems), next = UINT32_MAX;

	for (uint32_t i = schedule->decisions_len; i-- > below;) {
		if (schedule->decisions[i].left != LEFT_SOME || i < below + LENGTH_MIN_SURE ||
		    i + LENGTH_MIN_SURE > next)
			continue;
		if (stems->len == STEMS_MAX)
			cut(c, below - 1);
		else if (stems->len + stems->wanted_len == STEMS_MAX)
			return;
		stems->wanted[stems->wanted_len++] = next = i;
	}
}

/* Where this run is to leave stems. */
static void choose_places(struct conductor *c, const struct schedule *schedule, uint32_t common)
{
	struct stems *stems = &c->stems;
	uint32_t below = length_of_last(stems);

	if (!schedule->decisions_len)
		return;
	if (schedule->decisions[0].left != LEFT_UNKNOWN)
		choose_sure(c, schedule);
	else if (stems->len < STEMS_MAX && common >= below + LENGTH_MIN)
		stems->wanted[stems->wanted_len++] = common;
}

bool stems_begin(struct conductor *c, const struct schedule *schedule)
{
	struct stems *stems = &c->stems;
	uint32_t common = may_be_used(c, schedule) ? count_common(c, schedule) : 0;

	if (stems->learned != c->objects.learned || stems->words != c->words)
		common = 0;
	stems->learned = c->objects.learned;
	stems->words = c->words;
	cut(c, common);
	stems->wanted_len = 0;
	if (may_be_used(c, schedule))
		choose_places(c, schedule, common);
	return stems->len > 0;
}

#define COPY(to, from) ((to)->len = 0, vec_reserve(to, (from)->len), \
			(void)((from)->len && memcpy((to)->items, (from)->items, \
						     (from)->len * sizeof(*(from)->items))), \
			(to)->len = (from)->len)

/* Files that were written and programs that were started are not put back with the region: a run
 * must do that by itself, from its beginning. */
static bool is_outside_changed(void)
{
	return open_file_has_written() || child_is_any();
}

void stems_look(struct conductor *c)
{
	struct stems *stems = &c->stems;
	struct stem *stem;

	if (!stems->wanted_len || c->events.len != stems->wanted[stems->wanted_len - 1] ||
	    c->deaths.len || c->objects.must_relearn || c->must_relearn || is_outside_changed())
		return;
	stem = &stems->stack[stems->len++];
	stem->len = stems->wanted[--stems->wanted_len];
	leader_flush();
	region_image_take(&stem->image);
	stem->output_len = c->output->len;
	stem->last = c->follower.last;
	stem->assumed = c->assumed;
	stem->timer_changes = c->timer_changes;
	stem->own_signals = c->own_signals;
	stem->void_turns = c->void_turns;
	COPY(&stem->slots, &c->slots);
	COPY(&stem->events, &c->events);
	COPY(&stem->enabled, &c->enabled);
	COPY(&stem->astir, &c->astir);
	COPY(&stem->withdrawn, &c->withdrawn);
	COPY(&stem->withdrawn_nodes, &c->withdrawn_nodes);
	COPY(&stem->armed, &c->armed);
	COPY(&stem->nodes, &c->observation.nodes);
	COPY(&stem->receives, &c->observation.receives);
	COPY(&stem->refusals, &c->observation.refusals);
	COPY(&stem->states, &c->observation.states);
	observation_keep_frames(&c->observation);
}

void stems_return(struct conductor *c, const struct schedule *schedule)
{
	const struct stem *stem = &c->stems.stack[c->stems.len - 1];
	uint32_t known = (uint32_t)c->slots.len;

	region_image_return(&stem->image);
	c->output->len = stem->output_len;
	if (c->output->len)
		c->output->text[c->output->len] = '\0';
	COPY(&c->slots, &stem->slots);
	for (uint32_t i = (uint32_t)c->slots.len; i < known; i++)
		*vec_push(&c->slots) = (struct slot){.announced = {.actor = i}};
	COPY(&c->events, &stem->events);
	COPY(&c->enabled, &stem->enabled);
	COPY(&c->astir, &stem->astir);
	while (c->astir.len < BITSET_WORDS(known))
		*vec_push(&c->astir) = 0;
	COPY(&c->withdrawn, &stem->withdrawn);
	COPY(&c->withdrawn_nodes, &stem->withdrawn_nodes);
	COPY(&c->armed, &stem->armed);
	COPY(&c->observation.nodes, &stem->nodes);
	COPY(&c->observation.receives, &stem->receives);
	COPY(&c->observation.refusals, &stem->refusals);
	COPY(&c->observation.states, &stem->states);
	observation_forget_later(&c->observation);
	c->pending.len = c->notices.len = 0;
	c->deaths.len = c->waiters.len = c->waits.len = 0;
	c->handled.len = c->reasons.len = 0;
	c->timer_changes = stem->timer_changes;
	c->own_signals = stem->own_signals;
	c->void_turns = stem->void_turns;
	c->assumed = stem->assumed;
	follower_start(&c->follower, schedule);
	c->follower.next = c->follower.step = stem->len;
	c->follower.last = stem->last;
}

void stems_release(struct stems *stems)
{
	for (uint32_t i = 0; i < STEMS_MAX; i++) {
		struct stem *stem = &stems->stack[i];

		region_image_release(&stem->image);
		vec_release(&stem->slots);
		vec_release(&stem->events);
		vec_release(&stem->enabled);
		vec_release(&stem->astir);
		vec_release(&stem->withdrawn);
		vec_release(&stem->withdrawn_nodes);
		vec_release(&stem->armed);
		vec_release(&stem->nodes);
		vec_release(&stem->receives);
	}
}
