#include "core/follower.h"

#include "core/dependence.h"
#include "core/follow_guide.h"
#include "core/follow_spin.h"
#include "core/trace.h"

static void start_pct(struct follower *f)
{
	uint32_t steps = f->schedule.steps_estimate ? f->schedule.steps_estimate : 1;

	if (f->schedule.depth > FOLLOWER_DEPTH)
		f->schedule.depth = FOLLOWER_DEPTH;
	for (uint32_t i = 0; i + 1 < f->schedule.depth; i++)
		f->change_points[i] = (uint32_t)rng_below(&f->rng, steps);
}

static bool draws_priorities(const struct follower *f)
{
	return f->schedule.tail == TAIL_PCT || f->schedule.tail == TAIL_POS ||
	       f->schedule.tail == TAIL_RFF;
}

void follower_make_room(struct follower *f, uint32_t words)
{
	for (; f->words < words; f->words++) {
		uint32_t first = f->words * BITSET_WORD;

		f->asleep[f->words] = 0;
		for (uint32_t a = first; a < first + BITSET_WORD && draws_priorities(f); a++)
			f->priority[a] = 0;
		for (uint32_t a = first; a < first + BITSET_WORD && f->schedule.guides_len; a++)
			f->remaining[a] = 0;
	}
}

void follower_start(struct follower *f, const struct schedule *schedule)
{
	f->schedule = *schedule;
	f->next = 0;
	f->step = 0;
	f->last = ACTOR_NONE;
	f->dropped = 0;
	f->asleep_len = 0;
	f->sleep_started = false;
	f->rng = rng_seeded(schedule->seed);
	f->words = 0;
	if (schedule->tail == TAIL_PCT)
		start_pct(f);
	if (schedule->guides_len)
		follow_guide_start(f);
	if (schedule->resumes)
		follow_spin_start(f);
}

static bool is_possible(const struct follower *f, const struct follower_view *view,
			const struct decision *d)
{
	const struct event *announced;
	struct decision wanted;

	if (d->actor >= view->actors_len || !bitset_has(view->enabled, d->actor))
		return false;
	announced = follower_announced(view, d->actor);
	if (f->schedule.relaxed != FOLLOW_LOOSE)
		return decision_matches(d, announced);
	wanted = *d;
	wanted.ordinal = announced->ordinal;
	return decision_matches(&wanted, announced);
}

static void read_child(struct follower *f, const struct follower_view *view,
		       const struct decision *d)
{
	uint32_t known = view->known_len ? view->known_len : view->actors_len;

	if (f->schedule.relaxed == FOLLOW_LOOSE && d->creates && d->creates <= known)
		f->child = view->actors[d->creates - 1].nth;
}

/* The details of a decision that is followed. */
static void take_decision(struct follower *f, const struct follower_view *view)
{
	const struct decision *d = &f->schedule.decisions[f->next++];

	read_child(f, view, d);
	f->source = d->source;
	f->source_ordinal = d->source_ordinal;
}

/* PULSE's grain: an actor goes on by itself up to its next inward step. */
static bool goes_on(const struct follower *f, const struct follower_view *view)
{
	return f->schedule.grain == GRAIN_PULSE && f->last != ACTOR_NONE &&
	       f->last < view->actors_len && bitset_has(view->enabled, f->last) &&
	       !(event_kind_flags(follower_announced(view, f->last)->kind) & EVENT_KIND_INWARD);
}

/* If the step is the next decision, too, that decision is used up. */
static int go_on(struct follower *f, const struct follower_view *view)
{
	if (f->next < f->schedule.decisions_len &&
	    f->schedule.decisions[f->next].actor == f->last &&
	    is_possible(f, view, &f->schedule.decisions[f->next]))
		take_decision(f, view);
	return (int)f->last;
}

/* The next decision that can be followed, or -1 when they are used up or diverge. */
static int pick_decided(struct follower *f, const struct follower_view *view)
{
	while (f->next < f->schedule.decisions_len) {
		const struct decision *d = &f->schedule.decisions[f->next];

		if (is_possible(f, view, d)) {
			take_decision(f, view);
			return (int)d->actor;
		}
		if (!f->schedule.relaxed) {
			f->end = END_DIVERGED;
			return -1;
		}
		f->next++;
		f->dropped++;
	}
	return -1;
}

bool follower_is_choosable(const struct follower *f, const struct follower_view *view,
			   uint32_t actor)
{
	return bitset_has(view->enabled, actor) && !(f->asleep_len && bitset_has(f->asleep, actor));
}

#define EACH_BYTE 0x0101010101010101u

/* How many bits each byte has together with the bytes below it. Without the instruction for that,
 * which not every processor has. */
static uint64_t count_upwards(uint64_t bits)
{
	bits -= bits >> 1 & EACH_BYTE * 0x55;
	bits = (bits & EACH_BYTE * 0x33) + (bits >> 2 & EACH_BYTE * 0x33);
	return ((bits + (bits >> 4)) & EACH_BYTE * 0x0f) * EACH_BYTE;
}

static uint64_t count_bits(uint64_t bits)
{
	return count_upwards(bits) >> 56;
}

/* The place of the n-th bit; there are more than n. */
static uint32_t nth_bit(uint64_t bits, uint64_t n)
{
	uint64_t upwards = count_upwards(bits);
	/* the top bit of each byte that has, with those below it, no more than n */
	uint64_t below = (((n | 0x80) * EACH_BYTE) - upwards) & EACH_BYTE * 0x80;
	uint32_t byte = (uint32_t)((below >> 7) * EACH_BYTE >> 56) * 8;

	n -= byte ? upwards >> (byte - 8) & 0xff : 0;
	bits >>= byte;
	for (; n; n--)
		bits &= bits - 1;
	return byte + (uint32_t)__builtin_ctzll(bits);
}

static uint64_t choosable_word(const struct follower *f, const struct follower_view *view,
			       uint32_t w)
{
	return view->enabled[w] & ~f->asleep[w];
}

/* The n-th choosable actor in table order, or -1. */
static int nth_choosable(const struct follower *f, const struct follower_view *view, uint64_t n)
{
	for (uint32_t w = 0; w < view->words; w++) {
		uint64_t bits = choosable_word(f, view, w), count = bits ? count_bits(bits) : 0;

		if (n < count)
			return (int)(w * 64 + nth_bit(bits, n));
		n -= count;
	}
	return -1;
}

static int pick_first(const struct follower *f, const struct follower_view *view)
{
	if (f->last != ACTOR_NONE && follower_is_choosable(f, view, f->last))
		return (int)f->last;
	return nth_choosable(f, view, 0);
}

/* A function of the state alone, not of the order that led to it. The end of the program, also by a
 * failed assertion, would hide the steps of threads that could go on, so it comes last. Of two ends
 * exit() comes last, because it would hide the failed assertion of another thread. */
static int pick_lowest(const struct follower *f, const struct follower_view *view)
{
	int later = -1, failed = -1, end = -1;

	for (uint32_t w = 0; w < view->words; w++)
		for (uint64_t bits = choosable_word(f, view, w); bits; bits &= bits - 1) {
			uint32_t actor = w * 64 + (uint32_t)__builtin_ctzll(bits);
			uint32_t kind = follower_announced(view, actor)->kind;

			if (view->later && bitset_has(view->later, actor))
				later = later < 0 ? (int)actor : later;
			else if (!(event_kind_flags(kind) & EVENT_KIND_ENDS))
				return (int)actor;
			else if (kind == EVENT_EXIT)
				end = end < 0 ? (int)actor : end;
			else
				failed = failed < 0 ? (int)actor : failed;
		}
	if (later >= 0)
		return later;
	return failed < 0 ? end : failed;
}

static int pick_random(struct follower *f, const struct follower_view *view)
{
	uint64_t count = 0;

	for (uint32_t w = 0; w < view->words; w++) {
		uint64_t bits = choosable_word(f, view, w);

		count += bits ? count_bits(bits) : 0;
	}
	return count ? nth_choosable(f, view, rng_below(&f->rng, count)) : -1;
}

/* PCT, POS and RFF run the highest priority; they differ in when priorities change and in which
 * actors are postponed. A drawn priority has its top bit set, so that it lies above all of PCT's
 * lowered ones. */
static int pick_priority(struct follower *f, const struct follower_view *view)
{
	bool postpones = f->schedule.tail == TAIL_RFF && follow_guide_leaves_any(f, view);
	int best = -1;

	bitset_foreach(actor, view->enabled, view->words) {
		if (!f->priority[actor])
			f->priority[actor] = rng_next(&f->rng) | (uint64_t)1 << 63;
		if (postpones && follow_guide_is_postponed(f, view, (uint32_t)actor))
			continue;
		if (follower_is_choosable(f, view, (uint32_t)actor) &&
		    (best < 0 || f->priority[actor] > f->priority[best]))
			best = (int)actor;
	}
	return best;
}

/* PCT (Burckhardt and others, ASPLOS 2010): at change point i the actor that would
 * run falls to priority depth - 1 - i, below all initial ones. */
static int pick_pct(struct follower *f, const struct follower_view *view)
{
	int best = pick_priority(f, view);

	for (uint32_t i = 0; i + 1 < f->schedule.depth && best >= 0; i++)
		if (f->change_points[i] == f->step) {
			f->priority[best] = f->schedule.depth - 1 - i;
			best = pick_priority(f, view);
		}
	return best;
}

static void start_sleep(struct follower *f)
{
	f->sleep_started = true;
	for (uint32_t i = 0; i < f->schedule.sleepers_len; i++) {
		follower_make_room(f, (uint32_t)BITSET_WORDS(f->schedule.sleepers[i].actor + 1));
		bitset_add(f->asleep, f->schedule.sleepers[i].actor);
		f->asleep_len++;
	}
}

static int pick_by_tail(struct follower *f, const struct follower_view *view)
{
	switch (f->schedule.tail) {
	case TAIL_RANDOM:
		return pick_random(f, view);
	case TAIL_PCT:
		return pick_pct(f, view);
	case TAIL_POS:
	case TAIL_RFF:
		return pick_priority(f, view);
	case TAIL_SURW:
		return follow_guide_pick_surw(f, view);
	case TAIL_LOWEST:
		return pick_lowest(f, view);
	default:
		return pick_first(f, view);
	}
}

/* The same without actors that doze, if there are others. */
static int pick_awake(struct follower *f, const struct follower_view *view)
{
	uint64_t awake[BITSET_WORDS(FOLLOWER_ACTORS)];
	struct follower_view fewer = *view;

	if (!follow_spin_awake(f, view, awake))
		return pick_by_tail(f, view);
	fewer.enabled = awake;
	return pick_by_tail(f, &fewer);
}

static inline __attribute__((always_inline)) int choose(struct follower *f, const struct follower_view *view)
{
	int pick;

	if (!f->sleep_started && f->step >= f->schedule.sleep_from)
		start_sleep(f);
	f->end = END_STOPPED;
	f->child = 0;
	f->source = f->source_ordinal = 0;
	if (goes_on(f, view))
		return go_on(f, view);
	if (f->next < f->schedule.decisions_len) {
		pick = pick_decided(f, view);
		if (pick >= 0 || f->end == END_DIVERGED)
			return pick;
	}
	if (f->schedule.tail == TAIL_STOP)
		return -1;
	pick = f->schedule.resumes && f->dozing_len ? pick_awake(f, view) : pick_by_tail(f, view);
	if (pick < 0)
		f->end = END_ASLEEP;
	return pick;
}

/* The same without the ends of the first actor's sleeps, if there are other actors. */
static __attribute__((noinline)) int pick_patiently(struct follower *f, const struct follower_view *view)
{
	uint64_t others[BITSET_WORDS(FOLLOWER_ACTORS)];
	struct follower_view fewer = *view;

	for (uint32_t w = 0; w < view->words; w++)
		others[w] = view->enabled[w];
	bitset_foreach(actor, view->enabled, view->words)
		if (event_ends_test_sleep(follower_announced(view, (uint32_t)actor)))
			bitset_remove(others, actor);
	if (!bitset_is_empty(others, view->words))
		fewer.enabled = others;
	return choose(f, &fewer);
}

int follower_pick(struct follower *f, const struct follower_view *view)
{
	follower_make_room(f, view->words);
	return f->schedule.is_patient ? pick_patiently(f, view) : choose(f, view);
}

static void wake_sleepers(struct follower *f, const struct event *did)
{
	for (uint32_t i = 0; i < f->schedule.sleepers_len; i++) {
		const struct event *sleeper = &f->schedule.sleepers[i];

		if (bitset_has(f->asleep, sleeper->actor) &&
		    event_dependent_anyhow(sleeper, did)) {
			bitset_remove(f->asleep, sleeper->actor);
			f->asleep_len--;
		}
	}
}

/* POS (Yuan and others, CAV 2018): the priorities of announced events that conflict with the
 * event that ran are drawn anew. */
static void redraw_dependent(struct follower *f, const struct follower_view *view,
			     const struct event *did)
{
	f->priority[did->actor] = 0;
	bitset_foreach(actor, view->enabled, view->words)
		if (event_conflict(follower_announced(view, (uint32_t)actor), did))
			f->priority[actor] = 0;
}

void follower_look(struct follower *f, const struct follower_view *view, const struct event *did)
{
	if (f->asleep_len)
		wake_sleepers(f, did);
	if ((f->schedule.tail == TAIL_POS || f->schedule.tail == TAIL_RFF) &&
	    f->next >= f->schedule.decisions_len)
		redraw_dependent(f, view, did);
	if (f->schedule.guides_len)
		follow_guide_took(f, did);
	if (f->schedule.resumes)
		follow_spin_took(f, did);
}
