#include "runtime/await.h"

#include "runtime/history.h"
#include "runtime/memory.h"
#include "runtime/rt_sys.h"
#include "runtime/turn.h"

enum answer { UNSURE, STAYS, GETS_ON };

/* ---- what is known ---- */

static uint64_t mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)(a ^ 0x9e3779b97f4a7c15u) *
				    (b ^ 0xd6e8feb86659fd93u);

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* The slot of an answer; empty slots are 0, the lowest bit of the others is the answer. */
static uint64_t *find_answer(uint64_t key)
{
	uint64_t *answers = RT->channel->answers;
	uint64_t i = key >> 8;

	for (;; i++) {
		uint64_t *slot = &answers[i % CHANNEL_ANSWERS];

		if (!*slot || (*slot | 1) == (key | 1))
			return slot;
	}
}

static uint64_t key_of(const struct rt_actor *actor, uint64_t value)
{
	return mix(mix(actor->announced.site, actor->await_state), value) | 2;
}

static enum answer would_go_on(const struct rt_actor *actor, uint64_t value)
{
	uint64_t slot = *find_answer(key_of(actor, value));

	return !slot ? UNSURE : slot & 1 ? GETS_ON : STAYS;
}

/* The tables are full: loads wait no longer, and the exploration begins anew. */
static void give_up(void)
{
	RT->channel->awaits_off = 1;
	RT->trying = NULL;
	rt_relearn();
}

static void keep_answer(uint64_t key, bool gets_on)
{
	uint64_t *slot = find_answer(key);

	if (!*slot && ++RT->channel->answers_len > CHANNEL_ANSWERS / 2)
		give_up();
	*slot = (key & ~1ul) | gets_on;
}

static bool can_wait(void)
{
	return !RT->channel->awaits_off && !RT->channel->signal_is_event &&
	       (!rt_history_on() || rt_history_in_graphs());
}

bool rt_await_is(uint64_t site)
{
	return can_wait() && rt_turn_awaits(site);
}

void rt_await_learn(const struct rt_actor *actor, uint32_t from)
{
	const struct channel *channel = RT->channel;
	const struct event *look = NULL;

	if (!can_wait())
		return;
	for (uint32_t i = from; i < channel->events_len; i++) {
		if (RT->events[i].actor != actor->index)
			continue;
		if (look)
			return;
		look = &RT->events[i];
	}
	if (!look || look->kind != EVENT_LOAD || look->access_len != 1 ||
	    access_bytes(&look->accesses[0]) > sizeof(uint64_t) || rt_turn_awaits(look->site))
		return;
	rt_turn_make_await(look->site);
	if (rt_turn_awaits(look->site))
		rt_relearn();
}

/* ---- the values that were there ---- */

static uint64_t awaited_object(const struct rt_actor *actor)
{
	return actor->announced.accesses[0].object;
}

/* The number of what the actor awaits; several variables may be one object. */
static uint32_t find_awaited(const struct rt_actor *actor, uint64_t object)
{
	const struct channel *channel = RT->channel;
	uint32_t i = 0;

	while (i < channel->awaited_len &&
	       (channel->awaited[i].object != object ||
		channel->awaited[i].at != (uint64_t)actor->await_at ||
		channel->awaited[i].size != actor->await_size))
		i++;
	return i;
}

/* From now on its values are noted, in this run from its start. */
static void add_awaited(const struct rt_actor *actor, uint64_t object)
{
	struct channel *channel = RT->channel;

	if (channel->awaited_len == CHANNEL_AWAITED)
		give_up();
	channel->awaited[channel->awaited_len++] = (struct channel_awaited){
		.object = object, .at = (uint64_t)actor->await_at, .size = actor->await_size};
	channel->again = 1;
	rt_relearn();
}

static void keep_value(const struct event *did, uint32_t which)
{
	const struct channel_awaited *awaited = &RT->channel->awaited[which];

	if (RT->awaited_len == RT_MAX_AWAITED)
		give_up();
	RT->awaited[RT->awaited_len++] = (struct rt_awaited){
		.value = rt_load_value((void *)awaited->at, awaited->size),
		.which = which,
		.step = (uint32_t)(did - RT->events),
	};
}

static bool is_write(uint32_t mode)
{
	return mode == ACCESS_WRITE || mode == ACCESS_ADD;
}

void rt_await_before(const struct event *did)
{
	const struct channel *channel = RT->channel;

	for (uint32_t a = 0; a < did->access_len; a++) {
		const struct access *access = &did->accesses[a];

		if (!is_write(access->mode))
			continue;
		for (uint32_t i = 0; i < channel->awaited_len; i++)
			if (channel->awaited[i].object == access->object)
				keep_value(did, i);
	}
}

/* Did it write in the end? A compare-and-swap may have found something else. */
static bool has_written(const struct event *did, uint64_t object)
{
	for (uint32_t a = 0; a < did->access_len; a++)
		if (did->accesses[a].object == object && is_write(did->accesses[a].mode))
			return true;
	return false;
}

void rt_await_name_race(const struct rt_actor *actor, struct event *event)
{
	uint64_t object = awaited_object(actor);
	uint32_t which = find_awaited(actor, object);

	event_clear_peer(event);
	for (uint32_t i = RT->awaited_len; i-- > 0;) {
		const struct rt_awaited *was = &RT->awaited[i];
		const struct event *did = &RT->events[was->step];

		if (was->which != which || did->actor == actor->index ||
		    !has_written(did, object) || would_go_on(actor, was->value) != GETS_ON)
			continue;
		event_set_feeder(event, did->actor, did->ordinal);
		return;
	}
}

/* ---- trying ---- */

static void store_value(void *at, uint32_t size, uint64_t value)
{
	rt_memcpy(at, &value, size);
}

static void begin_trial(struct rt_actor *actor, uint64_t value)
{
	RT->trying = actor;
	RT->trial_key = key_of(actor, value);
	RT->trial_site = actor->announced.site;
	RT->trial_state = actor->await_state;
	RT->trial_was = rt_load_value(actor->await_at, actor->await_size);
	RT->trial_plains = RT->channel->plains_len;
	RT->trial_notices = RT->channel->notices_len;
	store_value(actor->await_at, actor->await_size, value);
	RT->trial_wrote = actor->turn.wrote;
	RT->trial_read = false;
	actor->turn.wrote = false;
}

static bool find_unsure_in_history(const struct rt_actor *actor, uint64_t *value)
{
	const struct rt_write *w = rt_history_first(actor->await_at, actor->await_size);

	for (; w; w = rt_history_next(w)) {
		*value = rt_load_value(w->value, actor->await_size);
		if (would_go_on(actor, *value) == UNSURE)
			return true;
	}
	return false;
}

/* The value now, and all that the variable had in this run. */
static bool find_unsure(const struct rt_actor *actor, uint64_t *value)
{
	uint32_t which;

	if (actor->is_late)
		return find_unsure_in_history(actor, value);
	which = find_awaited(actor, awaited_object(actor));

	*value = rt_load_value(actor->await_at, actor->await_size);
	if (would_go_on(actor, *value) == UNSURE)
		return true;
	for (uint32_t i = 0; i < RT->awaited_len; i++) {
		*value = RT->awaited[i].value;
		if (RT->awaited[i].which == which && would_go_on(actor, *value) == UNSURE)
			return true;
	}
	return false;
}

struct rt_actor *rt_await_unsure(void)
{
	uint64_t value;

	for (uint32_t i = 0; i < RT->actors_high; i++) {
		struct rt_actor *actor = &RT->actors[i];

		if (actor->state != RT_ANNOUNCED || actor->spinning ||
		    !(actor->awaiting || actor->is_late) || !find_unsure(actor, &value))
			continue;
		begin_trial(actor, value);
		return actor;
	}
	return NULL;
}

void rt_await_got_on(void)
{
	keep_answer(RT->trial_key, true);
	RT->trying = NULL;
	RT->channel->again = 1;
	rt_relearn();
}

/* Whether the loop goes on depends on other memory too, which is not part of the state: loads at
 * this place wait no longer, and the exploration begins anew. */
static void stop_waiting(uint64_t site)
{
	rt_turn_never_await(site);
	RT->trying = NULL;
	rt_relearn();
}

void rt_await_came_back(struct rt_actor *self, const struct event *event)
{
	struct channel *channel = RT->channel;

	if (event->site != RT->trial_site || !(self->awaiting || self->is_late) ||
	    self->await_state != RT->trial_state || self->turn.wrote ||
	    channel->notices_len != RT->trial_notices)
		rt_await_got_on();
	if (RT->trial_read)
		stop_waiting(RT->trial_site);
	keep_answer(RT->trial_key, false);
	RT->trying = NULL;
	self->turn.wrote = RT->trial_wrote;
	channel->plains_len = RT->trial_plains;
	store_value(self->await_at, self->await_size, RT->trial_was);
}

/* ---- the step ---- */

static bool can_get_on(struct rt_actor *actor, void *thing)
{
	return would_go_on(actor, rt_load_value(actor->await_at, actor->await_size)) == GETS_ON;
}

/* The awaited variable may be on the thread's own stack; its value is not part of the state. */
static uint64_t state_without(struct rt_actor *self, uint64_t site, void *at, uint32_t size)
{
	uint64_t value, state;

	if (!rt_stack_has(self, at))
		return rt_turn_state(self, site);
	value = rt_load_value(at, size);
	store_value(at, size, 0);
	state = rt_turn_state(self, site);
	store_value(at, size, value);
	return state;
}

/* ---- in a search of graphs ---- */

static bool looks_in_vain(const struct rt_actor *actor)
{
	return actor->state == RT_ANNOUNCED && actor->is_late && !actor->spinning &&
	       would_go_on(actor, rt_load_value(actor->await_at, actor->await_size)) == STAYS;
}

const uint64_t *rt_await_find_late(uint32_t words)
{
	bool any = false;

	if (!RT->late_len)
		return NULL;
	for (uint32_t w = 0; w < words; w++)
		RT->late[w] = 0;
	for (uint32_t i = 0; i < RT->actors_high; i++)
		if (looks_in_vain(&RT->actors[i])) {
			bitset_add(RT->late, i);
			any = true;
		}
	return any ? RT->late : NULL;
}

void rt_await_match(struct event *did)
{
	const struct rt_actor *self = rt_self();
	const struct rt_write *w = rt_history_first(self->await_at, self->await_size);

	for (uint64_t bit = 1; w && bit && self->await_state; w = rt_history_next(w), bit <<= 1)
		if (would_go_on(self, rt_load_value(w->value, self->await_size)) == STAYS)
			did->weak.matches &= ~bit;
}

static struct event *step_late(struct rt_actor *self, const struct event *event)
{
	struct event *did;

	self->is_late = true;
	RT->late_len++;
	did = rt_step(event, NULL, NULL);
	RT->late_len--;
	self->is_late = false;
	return RT->trying ? &RT->scratch : did;
}

/* ---- the step of a load ---- */

struct event *rt_await_step(struct event *event, const volatile void *address, size_t size)
{
	struct rt_actor *self = rt_self();
	uint64_t before = self->await_state;
	struct event *did;

	self->await_state = event->access_len == 1 && size <= sizeof(uint64_t)
				    ? state_without(self, event->site, (void *)address,
						    (uint32_t)size)
				    : 0;
	self->await_at = (void *)address;
	self->await_size = (uint32_t)size;
	if (!self->await_state)
		return rt_step(event, NULL, NULL);
	if (rt_history_on())
		return step_late(self, event);
	if (!RT->trying && self->await_site == event->site && self->ordinal &&
	    self->await_ordinal == self->ordinal && before == self->await_state)
		stop_waiting(event->site); /* it did not get on */
	self->awaiting = true;
	event->accesses[0].mode = event->accesses[0].announced = ACCESS_AWAIT;
	if (!RT->trying &&
	    find_awaited(self, event->accesses[0].object) == RT->channel->awaited_len)
		add_awaited(self, event->accesses[0].object);
	did = rt_step(event, can_get_on, NULL);
	self->awaiting = false;
	if (RT->trying)
		return &RT->scratch;
	self->await_site = event->site;
	self->await_ordinal = self->ordinal;
	rt_await_name_race(self, did);
	return did;
}
