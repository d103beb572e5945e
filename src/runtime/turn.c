/* turn.c: void turns of spin loops.
 *
 * A thread that waits by looking again and again takes steps that change nothing. To
 * explore how often it looks would be endless and tell nothing new: a turn of a loop
 * that wrote nothing and left registers and stack as they were can be deleted from
 * the run. So at each step that may be such a look (a load, a compare-and-swap, a
 * trylock, a sleep …) we hash the state of the thread. When the same state comes back
 * at the same place, and nothing was written in between but the thread's own stack,
 * the turn was void and the thread is parked for the rest of the run. The values that
 * it would see later, it sees in another run, in which it looks later from the start.
 *
 * Taking and releasing locks leaves nothing behind, so it counts as nothing; which
 * locks are held is part of the state. An update that leaves the value as it was
 * (test-and-set on a taken lock) counts as a read.
 *
 * The registers: the runtime is compiled so that it never uses the callee-saved ones
 * but the frame pointer (-ffixed-…, RT_FIXED_REGISTERS), so they are still those of the
 * program wherever we are. Where the compiler cannot do that no turn is void.
 *
 * A loop that looks at the clock waits for time to pass: its turns arm a timer.
 */
#include "runtime/turn.h"

#include "runtime/await.h"
#include "runtime/history.h"
#include "runtime/memory.h"
#include "runtime/stem.h"
#include "runtime/timer.h"

enum {
	FRAMES_MAX = 24,      /* of ours, between here and the program */
	SMALL_STACK = 4096,   /* larger ones are hashed from the second visit on */
	STATE_LATER = 1,      /* seen, not hashed */
	ANCHOR_MAX = 256,     /* looks of a turn; to explore and certify more takes too long */
};

/* ---- the state of a thread ---- */

/* Multiplies two words and folds the product: 16 bytes in a few cycles. */
static uint64_t fold(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t mix(uint64_t hash, uint64_t a, uint64_t b)
{
	return fold(a ^ 0x9e3779b97f4a7c15u, b ^ hash ^ 0xd6e8feb86659fd93u);
}

/* Two chains side by side, because a multiplication takes longer than a load. */
static uint64_t hash_words(const uint64_t *words, const uint64_t *end, uint64_t hash)
{
	uint64_t other = ~hash;

	for (; words + 4 <= end; words += 4) {
		hash = mix(hash, words[0], words[1]);
		other = mix(other, words[2], words[3]);
	}
	for (; words < end; words++)
		other = mix(other, *words, 0);
	return mix(hash, other, 1);
}

/* The frame of the runtime's function that was called by the program at `site`. */
static const uint64_t *find_frame(const struct rt_actor *self, uint64_t site)
{
	const uint64_t *frame = __builtin_frame_address(0);

	for (int i = 0; i < FRAMES_MAX; i++) {
		if ((char *)frame < self->stack_low || (char *)(frame + 2) > self->stack_high)
			return NULL;
		if (frame[1] == site)
			return frame;
		if (frame[0] <= (uint64_t)frame)
			return NULL;
		frame = (const uint64_t *)frame[0];
	}
	return NULL;
}

static uint64_t hash_registers(uint64_t hash)
{
#ifdef RT_FIXED_REGISTERS
	uint64_t rbx, r12, r13, r14, r15;

	__asm__ volatile("movq %%rbx, %0\n\tmovq %%r12, %1\n\tmovq %%r13, %2\n\t"
			 "movq %%r14, %3\n\tmovq %%r15, %4"
			 : "=&r"(rbx), "=&r"(r12), "=&r"(r13), "=&r"(r14), "=&r"(r15));
	hash = mix(mix(mix(hash, rbx, r12), r13, r14), r15, 0);
#endif
	return hash;
}

/* An atomic variable on the stack is not part of the thread's state: the thread sees it by its loads
 * only, and under a weak memory model the memory may hold a value that the thread has not seen. */
static uint64_t hash_stack(const uint64_t *words, const uint64_t *end, uint64_t hash)
{
	const uint64_t *hidden;

	while (rt_history_on() && (hidden = rt_history_find(words, end))) {
		hash = hash_words(words, hidden, hash);
		words = hidden + 1;
	}
	return hash_words(words, end, hash);
}

static uint64_t hash_frame(const struct rt_actor *self, const uint64_t *frame, uint64_t site)
{
	uint64_t hash = hash_registers(mix(site, frame[0], 0));
	const uint64_t *base = (const uint64_t *)((uint64_t)rt_stack_base(self) & ~7ul);

	for (uint32_t i = 0; i < self->held_len; i++)
		hash = mix(hash, self->held[i].object, self->held[i].count);
	hash = hash_stack(frame + 2, base, hash);
	return hash > STATE_LATER ? hash : 2;
}

uint64_t rt_turn_state(const struct rt_actor *self, uint64_t site)
{
	const uint64_t *frame = find_frame(self, site);

#ifndef RT_FIXED_REGISTERS
	return 0;
#endif
	return frame ? hash_frame(self, frame, site) : 0;
}

/* ---- turns ---- */

/* May the step turn out to have changed nothing? */
static bool is_look(const struct event *event)
{
	switch (event->kind) {
	case EVENT_LOAD:
	case EVENT_RMW:
	case EVENT_CAS:
	case EVENT_PLAIN_READ:
	case EVENT_LOCK:
	case EVENT_TRYLOCK:
	case EVENT_RDLOCK:
	case EVENT_TRYRDLOCK:
	case EVENT_SEM_TRYWAIT:
	case EVENT_SEM_GET:
	case EVENT_JOIN:
	case EVENT_TO_CANCEL:
	case EVENT_TO_SIGNAL:
	case EVENT_CANCELLED:
	case EVENT_FUTEX_WAIT:
	case EVENT_CLOCK:
		return true;
	case EVENT_IO_POLL: /* one that waits is not a turn of a loop */
	case EVENT_IO_READ:
		return event->flags & EVENT_TRY;
	case EVENT_SLEEP: /* going to sleep; waking up is the same place, not another turn */
		return event->accesses[0].mode == ACCESS_READ;
	default:
		return false;
	}
}

bool rt_turn_is_write(const struct event *event, uint32_t mode)
{
	switch (mode) {
	case ACCESS_READ:
	case ACCESS_AWAIT:
	case ACCESS_TRY:
	case ACCESS_PEEK:
		return false;
	case ACCESS_WRITE:
	case ACCESS_ADD:
		return !event->unchanged;
	case ACCESS_GIVE:
	case ACCESS_TAKE:
	case ACCESS_JOIN:
		return !(event->flags & EVENT_FAILED);
	default:
		return true;
	}
}

/* Does the step leave something behind that another step of the same thread does not
 * take back? */
static bool has_effect(const struct event *event)
{
	if (event->kind == EVENT_SLEEP || event->kind == EVENT_FENCE)
		return false;
	if (!event->access_len)
		return true;
	for (uint32_t i = 0; i < event->access_len; i++) {
		uint32_t mode = event->accesses[i].mode;

		if (mode >= ACCESS_ACQUIRE && mode <= ACCESS_TRY)
			continue;
		if (rt_turn_is_write(event, mode))
			return true;
	}
	return false;
}

static void forget_turns(struct rt_turn *turn)
{
	turn->sites_len = 0;
	turn->anchor.site = 0;
	turn->looks = 0;
	turn->wrote = false;
}

/* The slot of a site in the table of places that threads come back to; by its stable
 * name, because a replay in another process gets the table. */
static uint64_t *find_loop(uint64_t site)
{
	return channel_loop_of(RT->channel, rt_name((void *)site));
}

bool rt_turn_awaits(uint64_t site)
{
	return RT->channel->loops_len &&
	       (*find_loop(site) & ~CHANNEL_LOOP_NAME) == CHANNEL_LOOP_AWAITS;
}

void rt_turn_make_await(uint64_t site)
{
	channel_add_loop(RT->channel, rt_name((void *)site) | CHANNEL_LOOP_AWAITS);
}

void rt_turn_never_await(uint64_t site)
{
	channel_add_loop(RT->channel, rt_name((void *)site) | CHANNEL_LOOP_NEVER);
}

static bool is_loop(uint64_t site)
{
	return channel_has_all_loops(RT->channel) || *find_loop(site);
}

/* Hashing at every first look would be in vain nearly everywhere: only places are hashed
 * the first time to which a thread once came back. When that is news, the run begins
 * anew with that knowledge. */
static void learn_loop(uint64_t site)
{
	if (is_loop(site))
		return;
	channel_add_loop(RT->channel, rt_name((void *)site));
	RT->channel->again = 1;
	rt_end_now(END_RELEARN, RT->current);
}

static void keep_site(struct rt_turn *turn, uint64_t site, uint64_t state)
{
	uint32_t i;

	if (turn->sites_len == RT_TURN_SITES)
		turn->sites_len = 0;
	i = turn->sites_len++;
	turn->sites[i].site = site;
	turn->sites[i].state = state;
	turn->sites[i].step = RT->channel->events_len;
}

/* A turn may have more looks than there is room for: a loop that counts to 1000 and begins again. One
 * state is kept for longer, another one after twice as many looks each time (Brent's way to find
 * cycles), up to a limit. */
static bool is_anchor(struct rt_turn *turn, uint64_t site, uint64_t state)
{
	if (turn->anchor.site == site && turn->anchor.state == state)
		return true;
	if (!turn->anchor.site || ++turn->anchor.visits == turn->anchor.until) {
		if (!turn->anchor.site)
			turn->anchor.until = RT_TURN_SITES;
		else if (turn->anchor.until < ANCHOR_MAX)
			turn->anchor.until *= 2;
		turn->anchor.site = site;
		turn->anchor.state = state;
		turn->anchor.step = RT->channel->events_len;
		turn->anchor.visits = 0;
	}
	return false;
}

/* The state of the actor before its step `about`. One call may take several steps, which differ
 * in nothing but the object (memcmp reads both its arguments): the object is part of it. */
static uint64_t state_before(const struct rt_actor *actor, const uint64_t *frame,
			     const struct event *about)
{
	uint64_t state = hash_frame(actor, frame, about->site);

	if (about->access_len)
		state = mix(state, about->accesses[0].object, 0);
	return state > STATE_LATER ? state : 2;
}

/* Has this state been seen at this site? Remembers it otherwise. Returns the index of
 * the event with which the turn began, or UINT32_MAX. */
static uint32_t find_turn(struct rt_actor *actor, const struct event *about)
{
	struct rt_turn *turn = &actor->turn;
	uint64_t site = about->site;
	uint64_t state = STATE_LATER;
	const uint64_t *frame;
	bool is_small, is_first;
	uint32_t i;

	for (i = 0; i < turn->sites_len && turn->sites[i].site != site; i++)
		;
	is_first = i == turn->sites_len;
	if (is_first && !is_loop(site)) {
		keep_site(turn, site, state);
		return UINT32_MAX;
	}
	frame = find_frame(actor, site);
	if (!frame)
		return UINT32_MAX;
	is_small = rt_stack_base(actor) - (const char *)frame < SMALL_STACK;
	if (is_small)
		learn_loop(site);
	if (!is_first || is_small)
		state = state_before(actor, frame, about);
	turn->held_state = state;
	for (i = 0; i < turn->sites_len; i++)
		if (turn->sites[i].site == site && turn->sites[i].state == state)
			return turn->sites[i].step;
	if (state != STATE_LATER && is_anchor(turn, site, state))
		return turn->anchor.step;
	keep_site(turn, site, state);
	return UINT32_MAX;
}

static uint32_t find_read(const struct rt_turn *turn, uint64_t object)
{
	uint32_t i = 0;

	while (i < turn->reads_len && turn->reads[i] != object)
		i++;
	return i;
}

static void keep_read(struct rt_turn *turn, const struct access *access, uint32_t step)
{
	uint32_t i = find_read(turn, access->object);

	if (i == RT_TURN_READS) {
		turn->overflow = true;
		return;
	}
	if (i == turn->reads_len) {
		turn->reads_len++;
		turn->reads[i] = access->object;
		turn->read_steps[i] = step;
	}
	if (access->mode == ACCESS_TRY)
		turn->tried |= 1u << i;
}

/* In a search of graphs it is known only at the end whether a look saw the last write of an
 * atomic variable (rt_history_is_stale). */
static bool has_history(const struct event *event)
{
	return event_has_source(event);
}

/* Does the event at `step` change what the turn had read by then? Void turns undo their
 * own changes, so these do not count; but a lock that was found taken may have been
 * taken in a void turn of another. */
static bool writes_what_was_read(const struct event *event, uint32_t step,
				 const struct rt_turn *turn)
{
	for (uint32_t a = 0; a < event->access_len; a++) {
		uint32_t i = find_read(turn, event->accesses[a].object);

		if (!rt_turn_is_write(event, event->accesses[a].mode) ||
		    (has_history(event) && !RT->channel->options.samples))
			continue;
		if (i == turn->reads_len) {
			if (turn->overflow)
				return true;
			continue;
		}
		if (turn->read_steps[i] < step &&
		    (!(event->flags & EVENT_VOID) || turn->tried >> i & 1))
			return true;
	}
	return false;
}

/* Has what the actor read in its void turn been written since? Which turns of others are
 * void we know only when they are over. */
static bool was_overtaken(const struct rt_actor *actor)
{
	for (uint32_t i = actor->turn.from; i < RT->channel->events_len; i++)
		if (RT->events[i].actor != actor->index &&
		    writes_what_was_read(&RT->events[i], i, &actor->turn))
			return true;
	return false;
}

/* In a void turn the thread took a lock, found another one taken and gave the first one back. Where two threads
 * do that to each other they may keep step for ever; that they do not is an assumption. */
static void note_back_off(const struct rt_actor *actor, uint32_t from)
{
	bool took = false;

	for (uint32_t i = from; actor->turn.tried && i < RT->channel->events_len; i++) {
		const struct event *event = &RT->events[i];

		took |= event->actor == actor->index && event->access_len &&
			access_mode_locks(event->accesses[0].mode);
	}
	if (took)
		RT->channel->assumed |= ASSUMED_OUT_OF_STEP;
}

/* The turn from event `from` on was void: marks its events and keeps what it read.
 * Returns whether it read the clock. */
static bool close_turn(struct rt_actor *actor, uint32_t from)
{
	struct channel *channel = RT->channel;
	bool polled = false;

	actor->turn.from = from;
	actor->turn.reads_len = actor->turn.tried = 0;
	actor->turn.overflow = false;
	for (uint32_t i = from; i < channel->events_len; i++) {
		struct event *event = &RT->events[i];

		if (event->actor != actor->index)
			continue;
		event->flags |= EVENT_VOID;
		polled |= event->kind == EVENT_CLOCK;
		for (uint32_t a = 0; a < event->access_len; a++)
			keep_read(&actor->turn, &event->accesses[a], i);
	}
	note_back_off(actor, from);
	rt_stem_forget_behind(from); /* there its events were not marked */
	channel->void_turns++;
	return polled;
}

static void check_spinners(struct rt_actor *new_one)
{
	new_one->spin_woken = was_overtaken(new_one);
	for (uint32_t i = 0; i < RT->actors_high; i++)
		if (RT->actors[i].spinning)
			RT->actors[i].spin_woken = was_overtaken(&RT->actors[i]);
}

/* Has the actor a lock now that it gave up and took again in the turn? An actor that is
 * parked with such a lock would keep other actors from the lock, which its next turn
 * would give them: it is to be parked at a look at which it has given the lock up. */
static bool took_again(const struct rt_actor *actor, uint32_t from)
{
	for (uint32_t i = from; actor->held_len && i < RT->channel->events_len; i++) {
		const struct event *event = &RT->events[i];

		for (uint32_t a = 0; event->actor == actor->index && a < event->access_len; a++) {
			uint32_t mode = event->accesses[a].mode;

			if (!access_mode_unlocks(mode))
				continue;
			for (uint32_t h = 0; h < actor->held_len; h++)
				if (actor->held[h].object == event->accesses[a].object)
					return true;
		}
	}
	return false;
}

bool rt_turn_is_void(struct rt_actor *actor, const struct event *about)
{
	uint32_t from;

#ifndef RT_FIXED_REGISTERS
	return false;
#endif
	if (actor->turn.wrote)
		forget_turns(&actor->turn);
	if (!is_look(about) || actor->turn.in_call)
		return false;
	from = find_turn(actor, about);
	actor->is_counted = from == UINT32_MAX;
	if (actor->is_counted)
		from = rt_turn_find_counted(actor, about);
	if (from == UINT32_MAX || took_again(actor, from))
		return false;
	if (!actor->is_counted)
		rt_await_learn(actor, from);
	if (close_turn(actor, from)) {
		if (actor->deadline_ns)
			return false; /* it waits for a timer anyway */
		rt_timer_poll(actor);
	}
	check_spinners(actor);
	RT->memory.spinners++;
	return true;
}

void rt_turn_took(const struct event *did)
{
	struct rt_actor *actor = &RT->actors[did->actor];

	if (!actor->act && has_effect(did))
		forget_turns(&actor->turn);
	if (!RT->memory.spinners)
		return;
	for (uint32_t i = 0; i < RT->actors_high; i++) {
		struct rt_actor *spinner = &RT->actors[i];

		if (spinner != actor && spinner->spinning && !spinner->spin_woken)
			spinner->spin_woken = writes_what_was_read(
				did, RT->channel->events_len, &spinner->turn);
	}
}

static bool is_named_next(const struct rt_actor *actor)
{
	const struct follower *f = &RT->follower;
	const struct decision *next = &f->schedule.decisions[f->next];

	return f->next < f->schedule.decisions_len && next->actor == actor->index &&
	       decision_matches(next, &actor->announced);
}

/* Under a weak memory model the search of graphs makes the runs in which a spinner looks again. */
bool rt_turn_may_resume(const struct rt_actor *actor)
{
	return actor->spin_woken && !(rt_history_on() && !RT->channel->options.samples) &&
	       (RT->follower.schedule.resumes || is_named_next(actor));
}

void rt_turn_resume(struct rt_actor *actor)
{
	rt_turn_release(actor);
	RT->channel->void_turns--;
}

void rt_turn_release(struct rt_actor *actor)
{
	actor->spinning = false;
	actor->spin_woken = false;
	forget_turns(&actor->turn);
	RT->memory.spinners--;
}

/* The look at which it is parked is the first of the turn that it makes now. Otherwise it would go
 * round twice, and its first turn would seem to change what the others have read. */
void rt_turn_probe(struct rt_actor *actor)
{
	rt_turn_release(actor);
	if (!actor->is_counted && actor->turn.held_state)
		keep_site(&actor->turn, actor->announced.site, actor->turn.held_state);
}
