#include "explore/statistics.h"

#include "base/hash.h"

static uint64_t place_of(const struct event *event)
{
	return hash_combine(event->site, event->kind);
}

void statistics_add(struct statistics *s, const struct trace *trace)
{
	s->dropped += trace->dropped;
	if (s->work >= STATISTICS_WORK)
		return;
	s->work += (uint64_t)trace->events_len * trace->actors_len;
	s->runs++;
	order_build(&s->order, trace, 0);
	map_put(&s->traces, order_class_hash(&s->order), NULL);
	for (size_t i = 0; i < s->order.races.len; i++) {
		const struct order_race *race = &s->order.races.items[i];
		uint64_t a = place_of(order_event(&s->order, race->first));
		uint64_t b = place_of(order_event(&s->order, race->second));

		map_put(&s->races, a < b ? hash_combine(a, b) : hash_combine(b, a), NULL);
	}
}

void statistics_clear(struct statistics *s)
{
	map_clear(&s->traces);
	map_clear(&s->races);
	s->runs = s->work = s->dropped = 0;
}

void statistics_release(struct statistics *s)
{
	map_release(&s->traces);
	map_release(&s->races);
	order_release(&s->order);
}
