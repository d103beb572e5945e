#include "explore/repeats.h"

#include "base/bug.h"

/* Equal in all that detectors use. A step may become part of a void turn by what follows it. */
static bool are_equal(const struct event *a, const struct event *b)
{
	if (a->actor != b->actor || a->ordinal != b->ordinal || a->kind != b->kind ||
	    a->access_len != b->access_len || ((a->flags ^ b->flags) & EVENT_FAILED) ||
	    a->memory_order != b->memory_order || event_created(a) != event_created(b) ||
	    event_joined(a) != event_joined(b) || event_has_source(a) != event_has_source(b))
		return false;
	for (uint32_t i = 0; i < a->access_len; i++)
		if (a->accesses[i].object != b->accesses[i].object ||
		    a->accesses[i].mode != b->accesses[i].mode)
			return false;
	return true;
}

static void check_events(const struct repeats *r, const struct trace *trace)
{
	BUG_ON(trace->repeats > r->events.len, "a run repeats %u of %zu steps", trace->repeats,
	       r->events.len);
	for (uint32_t i = 0; i < trace->repeats; i++)
		BUG_ON(!are_equal(&r->events.items[i], &trace->events[i]),
		       "step %u of %u that a run repeats is not the same", i + 1, trace->repeats);
}

static void check_plains(const struct repeats *r, const struct trace *trace)
{
	for (uint32_t i = 0; i < trace->plains_len && trace->plains[i].step < trace->repeats; i++)
		BUG_ON(i >= r->plains.len || memcmp(&r->plains.items[i], &trace->plains[i],
						    sizeof(struct plain)) != 0,
		       "plain access %u that a run repeats is not the same", i + 1);
}

void repeats_check(struct repeats *r, const struct trace *trace)
{
	check_events(r, trace);
	check_plains(r, trace);
	r->events.len = r->plains.len = 0;
	vec_append(&r->events, trace->events, trace->events_len);
	vec_append(&r->plains, trace->plains, trace->plains_len);
}

void repeats_release(struct repeats *r)
{
	vec_release(&r->events);
	vec_release(&r->plains);
}
