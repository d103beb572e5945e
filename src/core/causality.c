#include "core/causality.h"

#include <string.h>

#include "core/dependence.h"
#include "core/vclock.h"

static uint32_t *clock_of(const struct causality *c, uint32_t i)
{
	return c->clocks.items + (size_t)i * c->width;
}

static uint32_t *actor_clock(const struct causality *c, uint32_t actor)
{
	return c->actors.items + (size_t)actor * c->width;
}

static void join_clock(const struct causality *c, uint32_t *into, const uint32_t *from)
{
	vclock_join(into, from, c->width);
}

/* Joins the events that must be over before an event, and the event itself. */
static void join_event(const struct causality *c, uint32_t *into, uint32_t i)
{
	const struct event *event = &c->trace->events[i];

	join_clock(c, into, clock_of(c, i));
	if (into[event->actor] <= event->ordinal)
		into[event->actor] = event->ordinal + 1;
}

static uint64_t event_key(uint32_t actor, uint32_t ordinal)
{
	return (uint64_t)actor << 32 | ordinal;
}

uint32_t causality_feeder(const struct causality *c, const struct event *event)
{
	const uint64_t *index = NULL;

	if (event_needs_feeder(event))
		index = map_get(&c->event_index, event_key(event->peer, event->peer_ordinal));
	return index ? (uint32_t)*index : CAUSALITY_NONE;
}

static void start_clock(const struct causality *c, const struct event *event, uint32_t *clock)
{
	uint32_t feeder = causality_feeder(c, event);
	const uint64_t *answer = map_get(&c->answer_index, feeder);

	memcpy(clock, actor_clock(c, event->actor), c->width * sizeof(*clock));
	if (answer && event->kind == EVENT_DELIVER)
		join_clock(c, clock, c->answers.items + *answer);
	if (feeder != CAUSALITY_NONE)
		join_event(c, clock, feeder);
	if (event_joined(event) < c->width)
		join_clock(c, clock, actor_clock(c, event_joined(event)));
	if (event_owner(event) < c->width)
		join_clock(c, clock, actor_clock(c, event_owner(event)));
	for (uint32_t a = 0; event_is_last_resort(event) && a < c->width; a++)
		join_clock(c, clock, actor_clock(c, a));
}

/* The clock of the changes of an object; that of all accesses to it follows. */
static uint32_t *object_clocks(struct causality *c, uint64_t object)
{
	bool is_new;
	uint64_t *index = map_put(&c->object_index, object, &is_new);
	size_t room = 2 * (size_t)c->width;

	if (is_new) {
		*index = c->objects.len;
		vec_reserve(&c->objects, c->objects.len + room);
		memset(c->objects.items + c->objects.len, 0, room * sizeof(uint32_t));
		c->objects.len += room;
	}
	return c->objects.items + *index;
}

/* The next steps of an actor that touched an object are after all earlier accesses to it, those of
 * an actor that only looked after all changes of it. */
static void pass_objects(struct causality *c, const struct event *event)
{
	uint32_t *after = actor_clock(c, event->actor);

	for (uint32_t a = 0; a < event->access_len; a++) {
		const struct access *access = &event->accesses[a];
		bool looks = access->mode == ACCESS_READ || access->mode == ACCESS_USE;
		uint32_t *changes, *all;

		if (access_is_mail(access) || access->mode == ACCESS_WORLD)
			continue;
		changes = object_clocks(c, access->object);
		all = changes + c->width;
		join_clock(c, after, looks ? changes : all);
		join_clock(c, all, after);
		if (!looks)
			join_clock(c, changes, after);
	}
}

/* Keeps the clock of a delivery. The receiver may send a signal back because of what was delivered,
 * and that signal is after the delivery. */
static void keep_answer(struct causality *c, uint32_t i)
{
	const uint32_t *after = actor_clock(c, c->trace->events[i].actor);

	*map_put(&c->answer_index, i, NULL) = c->answers.len;
	vec_append(&c->answers, after, c->width);
}

/* Event i is over for the next steps of its actor, of the actor it created and of its owner. */
static void advance(struct causality *c, uint32_t i, enum causality_kind kind)
{
	const struct event *event = &c->trace->events[i];

	join_event(c, actor_clock(c, event->actor), i);
	if (kind == CAUSALITY_OBJECTS)
		pass_objects(c, event);
	if (kind == CAUSALITY_OBJECTS && event->kind == EVENT_DELIVER && !event_sends(event))
		keep_answer(c, i);
	if (event_created(event) < c->width)
		join_clock(c, actor_clock(c, event_created(event)), actor_clock(c, event->actor));
	if (event_owner(event) < c->width)
		join_clock(c, actor_clock(c, event_owner(event)), actor_clock(c, event->actor));
}

void causality_build(struct causality *c, const struct trace *trace, enum causality_kind kind)
{
	size_t width = trace->actors_len;

	c->trace = trace;
	c->width = trace->actors_len;
	c->objects.len = c->answers.len = 0;
	map_clear(&c->object_index);
	map_clear(&c->answer_index);
	map_clear(&c->event_index);
	vec_reserve(&c->clocks, trace->events_len * width + 1);
	vec_reserve(&c->actors, width * width + 1);
	memset(c->actors.items, 0, width * width * sizeof(uint32_t));
	for (uint32_t i = 0; i < trace->events_len; i++) {
		const struct event *event = &trace->events[i];

		start_clock(c, event, clock_of(c, i));
		*map_put(&c->event_index, event_key(event->actor, event->ordinal), NULL) = i;
		advance(c, i, kind);
	}
}

bool causality_before_next(const struct causality *c, uint32_t i, const struct event *announced)
{
	const struct event *first = &c->trace->events[i];
	uint32_t feeder = causality_feeder(c, announced);

	if (feeder != CAUSALITY_NONE && (feeder == i || causality_before(c, i, feeder)))
		return true;
	return actor_clock(c, announced->actor)[first->actor] > first->ordinal;
}

void causality_release(struct causality *c)
{
	vec_release(&c->clocks);
	vec_release(&c->actors);
	vec_release(&c->objects);
	vec_release(&c->answers);
	map_release(&c->answer_index);
	map_release(&c->object_index);
	map_release(&c->event_index);
}
