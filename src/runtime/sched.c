/* sched.c: the conductor's baton inside the program: announce, decide, go on.
 * decide() runs on the stack of the fiber that stopped last. It returns if that fiber
 * is chosen again; otherwise it switches to the chosen fiber. */
#include "runtime/sched.h"

#include <signal.h>

#include "core/dependence.h"
#include "runtime/await.h"
#include "runtime/fiber.h"
#include "runtime/history.h"
#include "runtime/memory.h"
#include "runtime/record.h"
#include "runtime/rt_sys.h"
#include "runtime/seen.h"
#include "runtime/server.h"
#include "runtime/stem.h"
#include "runtime/timer.h"
#include "runtime/turn.h"

enum { PROBE_STEPS = 64 }; /* a spinner that takes more is getting somewhere */

static struct follower_view view_now(void)
{
	return (struct follower_view){
		.enabled = RT->enabled,
		.words = BITSET_WORDS(RT->actors_high), /* of RT->enabled, the rest is empty */
		.actors_len = RT->actors_high,
		.announced = (const char *)&RT->actors[0].announced,
		.stride = sizeof(struct rt_actor),
		.actors = channel_at(RT->channel, RT->channel->actors),
		.known_len = RT->channel->actors_len,
	};
}

static struct withdrawn *add_withdrawn(const struct event *event, uint32_t step)
{
	struct channel *channel = RT->channel;
	struct withdrawn *withdrawn = channel_at(channel, channel->withdrawn);

	if (channel->withdrawn_len == CHANNEL_WITHDRAWN)
		rt_lost("more than %u steps withdrawn in one run", CHANNEL_WITHDRAWN);
	withdrawn += channel->withdrawn_len++;
	*withdrawn = (struct withdrawn){.event = *event, .step = step};
	event_fix_announced(&withdrawn->event);
	return withdrawn;
}

/* The event of the last decision has happened: its accesses now say what was done. The follower hears of it when a
 * thread that it created has come to its first step: if that has a time limit, the event has read the clock. */
static void complete_last_event(void)
{
	struct event *did;

	if (!RT->undecided && !RT->untold)
		return;
	did = &RT->events[RT->channel->events_len - 1];
	if (RT->undecided) {
		RT->undecided = false;
		RT->untold = true;
		rt_record_settle();
		rt_turn_took(did);
		if (RT->channel->withdrawn_len)
			rt_wait_note_opened();
	}
	if (RT->newborns)
		return;
	RT->untold = false;
	struct follower_view view = view_now();
	follower_took(&RT->follower, &view, did);
}

static bool is_enabled(struct rt_actor *actor)
{
	return actor->state == RT_ANNOUNCED && (!actor->spinning || rt_turn_may_resume(actor)) &&
	       (!actor->can || actor->can(actor, actor->thing));
}

static bool may_end_idleness(struct rt_actor *actor)
{
	return actor->idle_only && actor->state == RT_ANNOUNCED &&
	       (!actor->can || actor->can(actor, actor->thing));
}

/* Timers that fire only when no other actor can go: the earliest deadline first, and any of those
 * that end at the same moment. Virtual time stands still between two steps, so that is not rare. */
static void enable_idle_timers(void)
{
	uint64_t first = UINT64_MAX;

	for (uint32_t i = 0; i < RT->actors_high; i++)
		if (RT->actors[i].deadline_ns < first && may_end_idleness(&RT->actors[i]))
			first = RT->actors[i].deadline_ns;
	for (uint32_t i = 0; first != UINT64_MAX && i < RT->actors_high; i++)
		if (RT->actors[i].deadline_ns == first && may_end_idleness(&RT->actors[i])) {
			RT->channel->assumed |= ASSUMED_IDLE_TIMERS;
			RT->actors[i].was_due = true;
			bitset_add(RT->enabled, i);
		}
}

/* Fills RT->enabled; false if no actor is enabled. */
static bool find_enabled(void)
{
	uint32_t words = RT->channel->enabled_words, used = BITSET_WORDS(RT->actors_high);
	bool any = false;

	for (uint32_t w = used; w < words; w++)
		RT->enabled[w] = 0;
	for (uint32_t w = 0; w < used; w++) {
		uint64_t enabled = RT->ready[w];

		for (uint64_t bits = RT->asked[w]; bits; bits &= bits - 1) {
			struct rt_actor *actor = &RT->actors[w * 64 + __builtin_ctzll(bits)];

			if (!actor->idle_only && is_enabled(actor))
				enabled |= bits & -bits;
		}
		RT->enabled[w] = enabled;
		any |= enabled != 0;
	}
	if (!any) {
		enable_idle_timers();
		any = !bitset_is_empty(RT->enabled, words);
	}
	return any;
}

/* Has no other actor taken a step since the actor's void turn began? */
static bool spun_alone(const struct rt_actor *actor)
{
	for (uint32_t i = actor->turn.from; i < RT->channel->events_len; i++)
		if (RT->events[i].actor != actor->index)
			return false;
	return true;
}

/* Only spinners are left. Each was parked because it changed nothing; but what they looked
 * at may have come and gone in void turns of each other (a lock taken, given back). Before
 * it is called a livelock, each goes round once more while all others stand still: a
 * probe, which only decides how the run ended and is not part of its trace (rt_end_now).
 * One probe each is enough: a probe that ends in a void turn has changed nothing for the
 * others. */
static bool probe_spinner(void)
{
	for (uint32_t i = 0; i < RT->actors_high; i++) {
		struct rt_actor *actor = &RT->actors[i];

		if (actor->state != RT_ANNOUNCED || !actor->spinning || actor->probed ||
		    spun_alone(actor))
			continue;
		actor->probed = true;
		if (!RT->probing)
			RT->probe_from = RT->channel->events_len;
		RT->probing = true;
		rt_turn_probe(actor);
		return true;
	}
	return false;
}

/* Does the step change an object? One that failed does not, except that a thread leaves the waiting
 * set of a futex whose word has changed. */
static bool changes(const struct event *e, uint64_t object)
{
	return e->access_len && e->accesses[0].object == object &&
	       (!(e->flags & EVENT_FAILED) || e->kind == EVENT_FUTEX_WAIT);
}

/* Does the actor wait for an object that was changed since it looked, or in a loop that has read
 * a value which is not the last? */
static bool is_cut(const struct rt_actor *actor)
{
	uint64_t object = actor->announced.accesses[0].object;

	for (uint32_t i = actor->stays_since; i && i < RT->channel->events_len; i++)
		if (changes(&RT->events[i], object))
			return true;
	return actor->spinning &&
	       (actor->spin_woken || (rt_history_on() && rt_history_is_stale(actor)));
}

/* No actor can go on: finished, deadlocked, or spinning for ever? Returns if somebody
 * can after all. */
static void end_without_enabled(void)
{
	enum trace_end end = END_DONE;

	for (uint32_t i = 0; i < RT->actors_high; i++) {
		struct rt_actor *actor = &RT->actors[i];

		if (actor->state != RT_ANNOUNCED || actor->act)
			continue;
		if (is_cut(actor))
			rt_end_now(END_PARKED, i);
		if (actor->spinning || actor->awaiting)
			end = END_SPIN;
		else if (end != END_SPIN)
			end = END_DEADLOCK;
	}
	if (end == END_SPIN && (rt_turn_count_on() || probe_spinner()))
		return;
	if (end != END_DONE && RT->ringer)
		rt_lost("every thread waits, perhaps for the signal of %s, which is not controlled",
			RT->ringer);
	rt_end_now(end, ACTOR_NONE);
}

/* A timer of the actor may have fired while it waited: is the step possible without that? Not if
 * the timer took it out of a waiting set, where a spurious wake-up may have come before, or out of a
 * loop that goes round in vain. A timer of last resort fired because the step was not possible; it
 * may have been earlier, before another actor took the lock or the semaphore, and there is no run in
 * which the timer fires earlier. */
static bool is_unaided(struct rt_actor *actor)
{
	bool is_unaided;

	if (actor->timed_out && actor->freed)
		return false;
	if (!actor->can || actor->may_fail)
		return true;
	if (!actor->timed_out)
		return false;
	if (actor->timer->idle_only)
		return true;
	actor->timed_out = false;
	is_unaided = actor->can(actor, actor->thing);
	actor->timed_out = true;
	return is_unaided;
}

/* Copies an event but for the actor and its ordinal, which come first and are known to the caller. A processor waits
 * where it loads as one word what was stored in parts, as those two are, shortly before. */
static inline void copy_event(struct event *to, const struct event *from)
{
	enum { FROM = offsetof(struct event, kind) };

	_Static_assert(FROM == sizeof(to->actor) + sizeof(to->ordinal), "they come first");
	__builtin_memcpy((char *)to + FROM, (const char *)from + FROM, sizeof(*to) - FROM);
}

static struct event *record_event(struct rt_actor *actor)
{
	struct channel *channel = RT->channel;
	struct event *did = &RT->events[channel->events_len++];

	copy_event(did, &actor->announced);
	did->actor = actor->index;
	did->ordinal = actor->ordinal++;
	event_fix_announced(did);
	did->unaided = is_unaided(actor);
	if (rt_await_has_any())
		rt_await_before(did);
	actor->left = 0;
	RT->undecided = true;
	if (channel->record_stacks)
		rt_stack_keep_announced(actor, channel->events_len - 1);
	return did;
}

static uint32_t pick_actor(void)
{
	struct channel *channel = RT->channel;
	uint64_t *enabled_set;
	int pick;

	while (!find_enabled())
		end_without_enabled();
	enabled_set = RT->enabled_sets + (size_t)channel->events_len * channel->enabled_words;
	for (uint32_t w = 0; w < channel->enabled_words; w++)
		enabled_set[w] = RT->enabled[w];
	if (RT->probing && channel->events_len > RT->probe_from + PROBE_STEPS)
		rt_end_now(END_PARKED, RT->current);
	if (channel->events_len >= channel->options.max_steps)
		rt_end_now(END_STEPS, RT->current);
	struct follower_view view = view_now();
	view.later = rt_await_find_late(view.words);
	pick = follower_pick(&RT->follower, &view);
	if (pick < 0)
		rt_end_now(RT->follower.end, RT->current);
	return (uint32_t)pick;
}

/* A thread that was just created runs to its first announcement before any decision. */
static struct rt_actor *newborn(void)
{
	if (!RT->newborns)
		return NULL;
	for (uint32_t i = 0; i < RT->actors_high; i++)
		if (RT->actors[i].state == RT_NEW) {
			RT->newborns--;
			return &RT->actors[i];
		}
	return NULL;
}

static void stop_for_debugger(void)
{
	if (RT->channel->stop_step && RT->channel->stop_step == RT->channel->events_len + 1)
		rt_syscall(SYS_kill, rt_syscall(SYS_getpid, 0, 0, 0), SIGSTOP, 0);
}

/* Picks the thread that runs next. Takes the steps of virtual actors on the way. */
static struct rt_actor *decide(void)
{
	struct rt_actor *next = newborn();

	while (!next) {
		struct rt_actor *picked;
		struct event *did;

		next = rt_await_has_any() ? rt_await_unsure() : NULL;
		if (next)
			break;
		rt_stem_pass();
		picked = &RT->actors[pick_actor()];
		if (picked->spinning)
			rt_turn_resume(picked);
		stop_for_debugger();
		did = record_event(picked);
		if (picked->act) {
			picked->act(picked, did);
			complete_last_event();
		} else {
			next = picked;
		}
	}
	return next;
}

/* Takes the step in phase ALONE, if need be when the time it waits for has passed. */
static bool can_alone(const struct event *event, rt_can *can, void *thing)
{
	struct rt_actor *self = rt_self();
	bool can_now = !can || can(self, thing);

	if (!can_now) {
		self->announced = *event;
		self->thing = thing;
		can_now = rt_timer_pass(self) && can(self, thing);
		self->announced = (struct event){0}; /* nobody finds it waiting any more */
		self->thing = NULL;
	}
	RT->scratch = *event;
	return can_now;
}

struct event *rt_step(const struct event *event, rt_can *can, void *thing)
{
	struct rt_actor *self;
	struct rt_actor *next;
	bool was_tried = RT->trying;

	if (RT->phase == RT_ALONE) {
		if (can_alone(event, can, thing))
			return &RT->scratch;
		rt_begin();
	}
	rt_mem_settle();
	rt_record_settle_plain();
	if (RT->trying)
		rt_await_came_back(rt_self(), event);
	complete_last_event();
	self = rt_self();
	if ((event->kind == EVENT_LOAD || event->kind == EVENT_PLAIN_READ) &&
	    rt_turn_passes(self, event)) {
		rt_seen_close(); /* the turn has begun anew: the next write counts */
		RT->scratch = *event;
		return &RT->scratch;
	}
	if (RT->channel->signal_is_event && !self->looking)
		return rt_signals_step(event, can, thing);
	if (self->foreign_low)
		rt_mem_end_frames(self, event->site);
	copy_event(&self->announced, event);
	self->announced.actor = self->index;
	self->announced.ordinal = self->ordinal;
	self->can = can;
	self->thing = thing;
	self->state = RT_ANNOUNCED;
	if (RT->channel->record_stacks)
		rt_stack_note(self, event->site);
	if (RT->channel->record_callers)
		self->announced.context = rt_stack_context(self, event->site);
	if (!self->awaiting && !was_tried && rt_turn_is_void(self, &self->announced))
		self->spinning = true;
	rt_ask(self->index, can || self->spinning, true);
	next = decide();
	RT->current = next->index;
	rt_seen_begin();
	if (next != self)
		rt_fiber_switch(self, next);
	return &RT->events[RT->channel->events_len - 1];
}

void rt_thread_finish(void *result)
{
	struct rt_actor *self = rt_self();
	struct rt_actor *next;

	if (RT->trying)
		rt_await_got_on();
	if (RT->probing)
		rt_end_now(END_PARKED, self->index);
	rt_mem_settle();
	complete_last_event();
	self->result = result;
	self->state = RT_FINISHED;
	rt_ask(self->index, false, false);
	next = decide();
	RT->current = next->index;
	rt_seen_begin();
	rt_fiber_jump(next);
}

/* The first function of every fiber but the first. */
static void begin_thread(void)
{
	struct rt_actor *self = rt_self();
	void *result;

	if (self->start_c11)
		result = (void *)(intptr_t)self->start_c11(self->arg);
	else
		result = self->start(self->arg);
	rt_thread_exit(result);
}

/* Looks an actor up in the table that lives as long as the exploration. */
static uint32_t actor_index(uint32_t parent, uint32_t kind, uint32_t nth)
{
	struct channel *channel = RT->channel;
	struct actor *actors = channel_at(channel, channel->actors);
	uint32_t i;

	/* Mostly it is the one behind the actor that was looked up last. */
	for (uint32_t n = 0; n < channel->actors_len; n++) {
		i = (RT->looked_up + 1 + n) % channel->actors_len;
		if (actors[i].parent == parent && actors[i].kind == kind && actors[i].nth == nth)
			return RT->looked_up = i;
	}
	i = channel->actors_len;
	if (i == channel->max_actors && i < RT_MAX_ACTORS) {
		channel->wants_actors = 1; /* the tool starts the program with more room */
		rt_relearn();
	}
	if (i == channel->max_actors)
		rt_lost("more than %u threads and timers", channel->max_actors);
	actors[i] = (struct actor){.parent = parent, .kind = kind, .nth = nth};
	channel->actors_len++;
	return RT->looked_up = i;
}

static void clear_actor(uint32_t index)
{
	rt_memset(&RT->actors[index], 0, RT_ACTOR_HEAD);
	rt_ask(index, true, false);
	RT->actors[index].index = index;
}

static struct rt_actor *new_actor(uint32_t parent, uint32_t kind, uint32_t nth)
{
	uint32_t index = actor_index(parent, kind, nth);
	struct rt_actor *actor = &RT->actors[index];

	if (index < RT->actors_high)
		clear_actor(index);
	for (; RT->actors_high <= index; RT->actors_high++)
		clear_actor(RT->actors_high);
	return actor;
}

struct rt_actor *rt_thread_new(struct rt_actor *parent)
{
	struct rt_actor *actor;
	struct fiber_donor *donor;

	parent->children = follower_child(&RT->follower, parent->children);
	actor = new_actor(parent->index, ACTOR_REAL, parent->children);
	donor = &RT->donors[actor->index];
	if (!donor->fs_base) {
		RT->channel->again = 1;
		rt_end_now(END_RELEARN, actor->index);
	}
	rt_fiber_prepare(actor, donor, begin_thread);
	actor->state = RT_NEW;
	RT->newborns++;
	return actor;
}

struct rt_actor *rt_virtual(struct rt_actor *owner, enum actor_kind kind, uint32_t nth)
{
	struct rt_actor *actor;
	uint32_t index = actor_index(owner->index, kind, nth);

	if (index < RT->actors_high && RT->actors[index].owner)
		return &RT->actors[index];
	actor = new_actor(owner->index, kind, nth);
	actor->owner = owner;
	return actor;
}

/* Has the last event withdrawn an announcement of the actor? */
static bool was_withdrawn(const struct rt_actor *actor)
{
	const struct channel *channel = RT->channel;
	const struct withdrawn *withdrawn = channel_at(RT->channel, channel->withdrawn);

	for (uint32_t i = channel->withdrawn_len; i-- > 0;)
		if (withdrawn[i].step + 1 != channel->events_len)
			return false;
		else if (withdrawn[i].event.actor == actor->index)
			return true;
	return false;
}

/* The last event withdraws the announcement. Returns the event for the trace, or NULL. */
static struct event *note_withdrawn(const struct rt_actor *actor)
{
	if (actor->state != RT_ANNOUNCED || RT->phase != RT_RUNNING || was_withdrawn(actor))
		return NULL;
	return &add_withdrawn(&actor->announced, RT->channel->events_len - 1)->event;
}

void rt_withdraw_wait(struct rt_actor *actor)
{
	/* If not, it is in a handler, which came between. */
	bool is_announced = event_is_woken(&actor->announced);
	struct event *event = is_announced ? note_withdrawn(actor) : NULL;

	if (event && !rt_wait_has_token(actor))
		event->flags |= EVENT_UNFED |
				(actor->can(actor, actor->thing) ? 0 : EVENT_BLOCKED);
	else if (event)
		rt_wait_name_feeder(actor, event);
	if (event && (event->flags & EVENT_BLOCKED))
		actor->left = RT->channel->withdrawn_len;
}

void rt_withdraw_late(struct rt_actor *actor)
{
	const struct withdrawn *all = channel_at(RT->channel, RT->channel->withdrawn);
	const struct withdrawn *was = &all[actor->left - 1];
	struct withdrawn *late = add_withdrawn(&was->event, was->step);

	late->event.flags &= (uint8_t)~(EVENT_UNFED | EVENT_BLOCKED);
	late->opened = RT->channel->events_len;
	actor->left = 0;
}

void rt_withdraw(struct rt_actor *virtual_actor)
{
	struct channel *channel = RT->channel;

	/* One that could not have gone anyway (idle only) leaves no alternative behind. */
	if (!virtual_actor->idle_only || virtual_actor->was_due)
		note_withdrawn(virtual_actor);
	if (virtual_actor->state == RT_ANNOUNCED && virtual_actor->idle_only)
		channel->assumed |= ASSUMED_IDLE_TIMERS;
	virtual_actor->state = RT_FREE;
}

void rt_withdraw_and_stay(const struct rt_actor *owner)
{
	for (uint32_t i = 0; i < RT->actors_high; i++)
		if (RT->actors[i].owner == owner && !RT->actors[i].idle_only)
			note_withdrawn(&RT->actors[i]);
}

struct rt_actor *rt_thread_of(uint64_t pthread_self_value)
{
	for (uint32_t i = 0; i < RT->actors_high; i++)
		if (RT->actors[i].state != RT_FREE && !RT->actors[i].owner &&
		    RT->actors[i].fs_base == pthread_self_value)
			return &RT->actors[i];
	return NULL;
}

uint64_t rt_pthread_self(const struct rt_actor *actor)
{
	return actor->fs_base;
}

uint64_t rt_name_in_module(const void *thing)
{
	const struct channel *channel = RT->channel;
	uint64_t address = (uint64_t)thing;

	for (uint32_t m = 0; m < channel->modules_len; m++)
		if (address >= channel->modules[m].start && address < channel->modules[m].end)
			return (uint64_t)(m + 1) << 48 | (address - channel->modules[m].base);
	for (uint32_t i = 0; i < RT->actors_high; i++) {
		const struct rt_actor *actor = &RT->actors[i];

		if (address >= (uint64_t)actor->stack_low && address < (uint64_t)actor->stack_high)
			return (uint64_t)0x80 << 48 | (uint64_t)i << 32 |
			       (address - (uint64_t)actor->stack_low);
	}
	return address; /* the heap is at fixed addresses in any case */
}
