/* wait.c: waiting sets with tokens.
 *
 * A signal leaves a token that any of those waiting at that moment may take, so
 * which of them wakes is a choice like any other. A thread that may take several takes
 * the oldest. The sets of those eligible grow with the age of the waiting set (every
 * thread that may take an older token may take a newer one, and so may the threads that
 * came since). So a thread that takes the oldest token never takes the last chance of
 * another thread. */
#include "runtime/calls/sync.h"

static bool is_waiting(uint32_t index, uint64_t object)
{
	return RT->actors[index].state != RT_FREE && RT->actors[index].waiting_on == object;
}

static uint32_t count_waiting(uint64_t object)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < RT->actors_high; i++)
		count += is_waiting(i, object);
	return count;
}

static uint32_t count_tokens(uint64_t object)
{
	uint32_t count = 0;

	for (uint32_t t = 0; t < RT->tokens_len; t++)
		count += RT->tokens[t].object == object;
	return count;
}

void rt_wait_enter(struct rt_actor *actor, uint64_t object)
{
	actor->waiting_on = object;
	actor->timed_out = actor->woken = false;
}

static void add_token(uint64_t object)
{
	struct rt_token *token;

	if (RT->tokens_len == RT_MAX_TOKENS)
		rt_lost("more than %u signals under way", RT_MAX_TOKENS);
	token = &RT->tokens[RT->tokens_len++];
	token->object = object;
	token->signal_actor = RT->current;
	token->signal_ordinal = rt_self()->ordinal - 1;
	for (uint32_t w = 0; w < RT->channel->enabled_words; w++)
		token->eligible[w] = 0;
	for (uint32_t i = 0; i < RT->actors_high; i++)
		if (is_waiting(i, object))
			bitset_add(token->eligible, i);
}

/* Nobody there to wake: misses of the same set commute, real signals do not. */
static void note_miss(uint64_t object)
{
	struct event *did;

	if (RT->phase != RT_RUNNING)
		return;
	did = &RT->events[RT->channel->events_len - 1];
	for (uint32_t a = 0; a < did->access_len; a++)
		if (did->accesses[a].object == object && did->accesses[a].mode == ACCESS_SIGNAL)
			did->accesses[a].mode = ACCESS_MISS;
}

uint32_t rt_wait_signal(uint64_t object, uint32_t n)
{
	uint32_t without = rt_wait_unsignalled(object);

	if (n > without)
		n = without;
	for (uint32_t i = 0; i < n; i++)
		add_token(object);
	if (!n)
		note_miss(object);
	return n;
}

uint32_t rt_wait_unsignalled(uint64_t object)
{
	return count_waiting(object) - count_tokens(object);
}

static uint32_t count_tokens_for(const struct rt_actor *actor)
{
	uint32_t count = 0;

	for (uint32_t t = 0; t < RT->tokens_len; t++)
		count += RT->tokens[t].object == actor->waiting_on &&
			 bitset_has(RT->tokens[t].eligible, actor->index);
	return count;
}

bool rt_wait_has_token(const struct rt_actor *actor)
{
	return actor->waiting_on && count_tokens_for(actor) > 0;
}

static void remove_token(uint32_t t)
{
	RT->tokens_len--;
	for (; t < RT->tokens_len; t++)
		RT->tokens[t] = RT->tokens[t + 1];
}

/* Should it come back later, the tokens of today are not for it. */
static void leave_set(struct rt_actor *actor)
{
	for (uint32_t t = 0; t < RT->tokens_len; t++)
		if (RT->tokens[t].object == actor->waiting_on)
			bitset_remove(RT->tokens[t].eligible, actor->index);
	actor->waiting_on = 0;
}

static struct rt_token *oldest_token_for(const struct rt_actor *actor)
{
	for (uint32_t t = 0; t < RT->tokens_len; t++)
		if (RT->tokens[t].object == actor->waiting_on &&
		    bitset_has(RT->tokens[t].eligible, actor->index))
			return &RT->tokens[t];
	return NULL;
}

void rt_wait_name_feeder(const struct rt_actor *actor, struct event *event)
{
	const struct rt_token *token = oldest_token_for(actor);

	if (!token)
		return;
	event_set_feeder(event, token->signal_actor, token->signal_ordinal);
}

void rt_wait_leave(struct rt_actor *actor)
{
	const struct rt_token *token = oldest_token_for(actor);

	if (token) {
		rt_wait_name_feeder(actor, &RT->events[RT->channel->events_len - 1]);
		remove_token((uint32_t)(token - RT->tokens));
	}
	leave_set(actor);
}

void rt_wait_expire(struct rt_actor *actor)
{
	leave_set(actor);
}

/* Without it, can all tokens still be taken? The k oldest need k takers among those
 * eligible for the k-th. */
bool rt_wait_may_expire(const struct rt_actor *actor)
{
	uint32_t older = 0;

	for (uint32_t t = 0; t < RT->tokens_len; t++) {
		const struct rt_token *token = &RT->tokens[t];

		if (token->object != actor->waiting_on)
			continue;
		older++;
		if (bitset_count(token->eligible, RT->channel->enabled_words) -
			    bitset_has(token->eligible, actor->index) < older)
			return false;
	}
	return true;
}

/* Cancelled: it goes whether others can take its token or not. The cancellation and not the signal
 * lets it go, so its event names no feeder. */
void rt_wait_abandon(struct rt_actor *actor)
{
	const struct rt_token *token = oldest_token_for(actor);

	if (token && !rt_wait_may_expire(actor))
		remove_token((uint32_t)(token - RT->tokens));
	leave_set(actor);
}
