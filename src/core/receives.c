#include "core/receives.h"

#include "base/hash.h"
#include "core/object.h"

enum { NAME_START = 1, NAME_CREATED, NAME_SENT, NAME_RECEIVED, NAME_OPERATION };

static uint64_t name_of(uint32_t what, uint64_t a, uint64_t b)
{
	return hash_combine(hash_combine(what, a), b);
}

static void begin_actor(struct receives *r, uint32_t actor, uint64_t name)
{
	r->actors.items[actor] = (struct receives_actor){
		.name = name, .receive = name_of(NAME_START, name, 0)};
}

/* Actors by their place in the spawn tree to begin with: that is the name of the first one
 * and of virtual ones; creation gives the others theirs. */
static void begin_actors(struct receives *r, const struct trace *trace)
{
	r->actors.len = 0;
	vec_reserve(&r->actors, trace->actors_len + 1);
	for (uint32_t a = 0; a < trace->actors_len; a++) {
		const struct actor *actor = &trace->actors[a];
		uint64_t parent = actor->parent < a ? r->actors.items[actor->parent].name : 0;

		begin_actor(r, a, name_of(NAME_START, parent,
					  (uint64_t)actor->kind << 32 | actor->nth));
	}
	r->actors.len = trace->actors_len;
}

static void add(struct receives *r, const struct receive *receive)
{
	if (r->items.len < RECEIVES_MAX)
		*vec_push(&r->items) = *receive;
	else
		r->cut = true;
}

/* ---- messages ---- */

/* The event at which the message got its place, and the message. */
static uint64_t find_message(const struct receives *r, const struct causality *c, uint32_t arrival)
{
	const struct event *event = &c->trace->events[arrival];
	uint32_t sent = arrival;

	if (event->kind == EVENT_DELIVER)
		sent = causality_feeder(c, event);
	return sent == CAUSALITY_NONE ? 0 : r->messages.items[sent];
}

/* If the place or the state in which the receiver waits has changed since its last receive, that
 * receive changed its behaviour. */
static void note_behaviour(struct receives *r, struct receives_actor *actor,
			   const struct event *receive)
{
	uint64_t behaviour = hash_combine(receive->site, receive->waiting);

	if (actor->last && behaviour != actor->behaviour)
		r->items.items[actor->last - 1].changes = true;
	actor->last = 0;
	actor->behaviour = behaviour;
}

static void take_receive(struct receives *r, const struct causality *c, uint32_t i)
{
	const struct event *event = &c->trace->events[i];
	struct receives_actor *actor = &r->actors.items[event->actor];
	uint32_t arrival = causality_feeder(c, event);
	uint64_t message = arrival == CAUSALITY_NONE ? 0 : find_message(r, c, arrival);
	struct receive receive = {
		.receiver = actor->name, .event = i, .arrival = arrival, .mode = ACCESS_RECV};

	if (!message || event->waiting == WAITING_FOR_REPLY)
		return;
	receive.name = name_of(NAME_RECEIVED, actor->name, message);
	note_behaviour(r, actor, event);
	add(r, &receive);
	if (!r->cut)
		actor->last = (uint32_t)r->items.len;
	actor->receive = receive.name;
	actor->created = actor->sent = 0;
}

/* With asynchronous delivery the mailbox is not touched by the sending. A request for a monitor of
 * or a link to a process that does not exist is itself the reason of the message that follows. */
static bool sends(const struct event *event)
{
	switch (event->kind) {
	case EVENT_SEND:
	case EVENT_EXIT_SIGNAL:
	case EVENT_MONITOR:
	case EVENT_LINK:
		return true;
	default:
		return event_sends(event);
	}
}

/* ---- operations ---- */

static bool is_operation(const struct access *access)
{
	switch (OBJECT_CLASS(access->object)) {
	case OBJECT_NONE:
	case OBJECT_ACTOR:
	case OBJECT_CLOCK:
	case OBJECT_SIGNALS:
	case OBJECT_MAILBOX:
	case OBJECT_OUTPUT:
		return false;
	default:
		return !access_mode_unlocks(access->mode) && access->mode != ACCESS_USE &&
		       access_family(access->mode) != ACCESS_FAMILY_LIFE;
	}
}

/* An operation counts by what it announced: an insertion that found the key taken is still that
 * insertion, and its order is shown. */
static void take_operations(struct receives *r, const struct trace *trace, uint32_t i)
{
	const struct event event = event_as_announced(&trace->events[i]);
	uint64_t name = r->actors.items[event.actor].name;

	for (uint32_t a = 0; a < event.access_len; a++) {
		const struct access *access = &event.accesses[a];
		uint64_t place = name_of(NAME_OPERATION, name, access->object);
		struct receive receive = {.receiver = access->object, .event = i, .arrival = i,
					  .mode = access->mode};

		if (!is_operation(access))
			continue;
		receive.name = name_of(NAME_RECEIVED, place,
				       ++*map_put(&r->operations, place, NULL));
		add(r, &receive);
	}
}

/* ---- all ---- */

static void take_event(struct receives *r, const struct causality *c, uint32_t i)
{
	const struct event *event = &c->trace->events[i];
	struct receives_actor *actor = &r->actors.items[event->actor];

	r->messages.items[i] = 0;
	if (event->kind == EVENT_RECEIVE)
		take_receive(r, c, i);
	else if (event->kind != EVENT_DELIVER)
		take_operations(r, c->trace, i);
	if (sends(event))
		r->messages.items[i] = name_of(NAME_SENT, actor->receive, ++actor->sent);
	if (event_created(event) < r->actors.len && event->kind != EVENT_SEND)
		begin_actor(r, event_created(event),
			    name_of(NAME_CREATED, actor->receive, ++actor->created));
}

/* The places where actors wait when the run is over show what their last receives changed. */
static void look_at_end(struct receives *r, const struct trace *trace)
{
	for (uint32_t p = 0; p < trace->pending_len; p++)
		if (trace->pending[p].kind == EVENT_RECEIVE &&
		    trace->pending[p].waiting != WAITING_FOR_REPLY)
			note_behaviour(r, &r->actors.items[trace->pending[p].actor],
				       &trace->pending[p]);
}

void receives_find(struct receives *r, const struct trace *trace, const struct causality *c)
{
	r->items.len = 0;
	r->cut = false;
	map_clear(&r->operations);
	begin_actors(r, trace);
	vec_reserve(&r->messages, trace->events_len + 1);
	for (uint32_t i = 0; i < trace->events_len; i++)
		take_event(r, c, i);
	look_at_end(r, trace);
}

void receives_release(struct receives *r)
{
	vec_release(&r->items);
	vec_release(&r->actors);
	vec_release(&r->messages);
	map_release(&r->operations);
}
