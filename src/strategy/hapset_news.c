#include "strategy/hapset_news.h"

/* Pairs that lie further apart are not looked at, and of one trace not more than these. */
enum { LOOK_AHEAD = 512, PAIRS_MAX = 4096 };

static const struct event *event_at(const struct trace *trace, uint32_t f)
{
	return f < trace->events_len ? &trace->events[f] : &trace->pending[f - trace->events_len];
}

/* Must event i happen before event or pending event f can? */
static bool is_before(const struct hapset_news *news, uint32_t i, uint32_t f)
{
	const struct trace *trace = news->causality.trace;

	if (f < trace->events_len)
		return i == f || causality_before(&news->causality, i, f);
	return causality_before_next(&news->causality, i, event_at(trace, f));
}

static bool is_news(struct hapset_news *news, struct hapset *set, uint32_t e, uint32_t f)
{
	const struct trace *trace = news->causality.trace;
	const struct event *first = &trace->events[e];
	struct event second = event_as_announced(event_at(trace, f));

	return first->actor != second.actor && hapset_conflict(first, &second) &&
	       !is_before(news, e, f) &&
	       hapset_race(set, statement_of(&set->statements, first),
			   statement_of(&set->statements, &second));
}

void hapset_news_find(struct hapset_news *news, struct hapset *set, const struct trace *trace)
{
	uint32_t all = trace->events_len + trace->pending_len;

	causality_build(&news->causality, trace, CAUSALITY_PLAIN);
	news->pairs.len = 0;
	for (uint32_t e = 0; e < trace->events_len; e++)
		for (uint32_t f = e + 1; f < all && f - e < LOOK_AHEAD; f++)
			if (news->pairs.len < PAIRS_MAX && is_news(news, set, e, f))
				*vec_push(&news->pairs) = (struct hapset_news_pair){e, f};
}

/* The next event of the actor from event i on, or its pending one. */
static uint32_t find_next(const struct trace *trace, uint32_t i, uint32_t actor)
{
	uint32_t all = trace->events_len + trace->pending_len;

	for (uint32_t k = i; k < all; k++)
		if (event_at(trace, k)->actor == actor)
			return k;
	return all;
}

bool hapset_news_of(const struct hapset_news *news, uint32_t i, uint32_t actor)
{
	const struct trace *trace = news->causality.trace;
	uint32_t next = find_next(trace, i, actor);

	if (next == trace->events_len + trace->pending_len)
		return false;
	for (size_t k = 0; k < news->pairs.len; k++) {
		const struct hapset_news_pair *pair = &news->pairs.items[k];
		bool is_reached = event_at(trace, pair->f)->actor == actor ||
				  (next < trace->events_len && is_before(news, next, pair->f));

		if (pair->e >= i && pair->f > i && is_reached && !is_before(news, i, pair->f))
			return true;
	}
	return false;
}

void hapset_news_release(struct hapset_news *news)
{
	causality_release(&news->causality);
	vec_release(&news->pairs);
}
