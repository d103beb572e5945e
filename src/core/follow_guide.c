#include "core/follow_guide.h"

#include "core/dependence.h"

/* ---- SURW ---- */

static void start_surw(struct follower *f)
{
	f->intent = ACTOR_NONE;
	for (uint32_t i = 1; i < f->schedule.guides_len; i++) {
		uint32_t actor = f->schedule.guides[i].actor;

		if (actor >= FOLLOWER_ACTORS)
			continue;
		follower_make_room(f, (uint32_t)BITSET_WORDS(actor + 1));
		f->remaining[actor] = f->schedule.guides[i].number;
	}
}

static bool counts(const struct follower *f, const struct event *event)
{
	uint64_t object = f->schedule.guides[0].object;

	for (uint32_t a = 0; a < event->access_len; a++)
		if (event->accesses[a].object == object)
			return true;
	return !object;
}

/* An actor, drawn by the number of its remaining steps; ACTOR_NONE when none are expected. */
static uint32_t draw_intent(struct follower *f)
{
	uint64_t sum = 0, at;

	for (uint32_t i = 1; i < f->schedule.guides_len; i++)
		sum += f->remaining[f->schedule.guides[i].actor];
	if (!sum)
		return ACTOR_NONE;
	at = rng_below(&f->rng, sum);
	for (uint32_t i = 1; i < f->schedule.guides_len; i++) {
		uint32_t actor = f->schedule.guides[i].actor;

		if (at < f->remaining[actor])
			return actor;
		at -= f->remaining[actor];
	}
	return ACTOR_NONE;
}

static bool may_go(const struct follower *f, const struct follower_view *view, uint32_t actor)
{
	return follower_is_choosable(f, view, actor) &&
	       (f->intent == ACTOR_NONE || actor == f->intent ||
		!counts(f, follower_announced(view, actor)));
}

static int pick_among(struct follower *f, const struct follower_view *view)
{
	uint64_t count = 0, n;

	bitset_foreach(actor, view->enabled, view->words)
		count += may_go(f, view, (uint32_t)actor);
	if (!count)
		return -1;
	n = rng_below(&f->rng, count);
	bitset_foreach(actor, view->enabled, view->words)
		if (may_go(f, view, (uint32_t)actor) && n-- == 0)
			return (int)actor;
	return -1;
}

int follow_guide_pick_surw(struct follower *f, const struct follower_view *view)
{
	int pick;

	if (!f->schedule.guides_len)
		f->intent = ACTOR_NONE;
	else if (f->intent == ACTOR_NONE)
		f->intent = draw_intent(f);
	pick = pick_among(f, view);
	if (pick < 0 && f->intent != ACTOR_NONE) { /* it cannot come now: another actor may */
		f->intent = ACTOR_NONE;
		pick = pick_among(f, view);
	}
	return pick;
}

static void take_surw(struct follower *f, const struct event *did)
{
	if (!counts(f, did))
		return;
	if (did->actor < FOLLOWER_ACTORS && f->remaining[did->actor])
		f->remaining[did->actor]--;
	f->intent = ACTOR_NONE;
}

/* ---- RFF ---- */

enum hold { HOLD_WAITING, HOLD_READY, HOLD_OVER };

static uint32_t pairs_of(const struct follower *f)
{
	uint32_t pairs = f->schedule.guides_len / 2;

	return pairs < FOLLOWER_HOLDS ? pairs : FOLLOWER_HOLDS;
}

static void start_rff(struct follower *f)
{
	for (uint32_t i = 0; i < pairs_of(f); i++)
		f->holds[i] = f->schedule.guides[2 * i + 1].object ? HOLD_WAITING : HOLD_READY;
}

static bool is_step(const struct guide *guide, const struct event *event)
{
	if ((guide->site && guide->site != event->site) ||
	    (guide->actor != ACTOR_NONE && guide->actor != event->actor))
		return false;
	for (uint32_t a = 0; a < event->access_len; a++)
		if (event->accesses[a].object == guide->object)
			return true;
	return false;
}

/* Does the event conflict with the step on the object of the step? */
static bool comes_between(const struct guide *step, const struct event *event)
{
	for (uint32_t a = 0; a < event->access_len; a++)
		if (event->accesses[a].object == step->object &&
		    access_modes_conflict(step->number, event->accesses[a].mode))
			return true;
	return false;
}

bool follow_guide_is_postponed(const struct follower *f, const struct follower_view *view,
			       uint32_t actor)
{
	const struct event *event = follower_announced(view, actor);

	for (uint32_t i = 0; i < pairs_of(f); i++) {
		const struct guide *step = &f->schedule.guides[2 * i];

		if (f->holds[i] == HOLD_OVER)
			continue;
		if (f->holds[i] == HOLD_WAITING
			    ? is_step(step, event)
			    : !is_step(step, event) && comes_between(step, event))
			return true;
	}
	return false;
}

bool follow_guide_leaves_any(const struct follower *f, const struct follower_view *view)
{
	bitset_foreach(actor, view->enabled, view->words)
		if (follower_is_choosable(f, view, (uint32_t)actor) &&
		    !follow_guide_is_postponed(f, view, (uint32_t)actor))
			return true;
	return false;
}

static void take_rff(struct follower *f, const struct event *did)
{
	for (uint32_t i = 0; i < pairs_of(f); i++) {
		const struct guide *step = &f->schedule.guides[2 * i];

		if (f->holds[i] == HOLD_OVER)
			continue;
		if (is_step(step, did) && f->holds[i] == HOLD_READY)
			f->holds[i] = HOLD_OVER;
		else if (step[1].object && is_step(&step[1], did))
			f->holds[i] = HOLD_READY;
		else if (comes_between(step, did))
			f->holds[i] = step[1].object ? HOLD_WAITING : HOLD_OVER;
	}
}

/* ---- both ---- */

void follow_guide_start(struct follower *f)
{
	if (f->schedule.tail == TAIL_SURW)
		start_surw(f);
	else if (f->schedule.tail == TAIL_RFF)
		start_rff(f);
}

void follow_guide_took(struct follower *f, const struct event *did)
{
	if (f->schedule.tail == TAIL_SURW)
		take_surw(f, did);
	else if (f->schedule.tail == TAIL_RFF)
		take_rff(f, did);
}
