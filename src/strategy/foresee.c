#include "strategy/foresee.h"

#include <string.h>

#include "base/hash.h"

enum { CHANGED_YES = 1, CHANGED_NO = 2 };

struct foresee_actor {
	uint64_t past;
	uint32_t steps;   /* since the past changed: tells apart the messages that it sends */
	uint32_t last;    /* event of its last receive, plus one */
	uint32_t told;    /* the last event that told it something, plus one */
	bool has_finished;
	bool is_pending;  /* still there when the run ended */
};

/* A process with this past, and a message. */
static uint64_t meeting_of(uint64_t receiver, uint64_t message)
{
	return hash_combine(hash_combine(1, receiver), message);
}

/* ---- the pasts of a run ---- */

/* False for steps that tell their process nothing that it did not know. Others do: the row of a
 * table, the pid behind a name, a timeout. */
static bool tells(const struct event *event)
{
	switch (event->kind) {
	case EVENT_SPAWN:
	case EVENT_SEND:
	case EVENT_DELIVER:
	case EVENT_MONITOR:
	case EVENT_EXIT_SIGNAL:
	case EVENT_FINISH:
	case EVENT_IO:
		return false;
	default:
		return true;
	}
}

static void change_past(struct foresee_actor *actor, uint64_t by)
{
	actor->past = hash_combine(actor->past, by);
	actor->steps = 0;
}

static void take_receive(struct foresee *f, const struct causality *c, uint32_t i)
{
	const struct event *event = &c->trace->events[i];
	struct foresee_actor *actor = &f->actors.items[event->actor];
	uint32_t arrival = causality_feeder(c, event), sent = arrival;

	if (arrival == CAUSALITY_NONE) {
		change_past(actor, event->flags & EVENT_FAILED);
		return;
	}
	if (c->trace->events[arrival].kind == EVENT_DELIVER)
		sent = causality_feeder(c, &c->trace->events[arrival]);
	f->arrivals.items[i] = arrival + 1;
	f->pasts.items[i] = (struct foresee_past){
		actor->past, sent == CAUSALITY_NONE ? 0 : f->sent.items[sent]};
	actor->last = i + 1;
	change_past(actor, f->pasts.items[i].message);
}

static void take_event(struct foresee *f, const struct causality *c, uint32_t i)
{
	const struct event *event = &c->trace->events[i];
	struct foresee_actor *actor = &f->actors.items[event->actor];
	uint32_t owner = event_owner(event), created = event_created(event);

	f->pasts.items[i] = (struct foresee_past){0};
	f->arrivals.items[i] = 0;
	f->sent.items[i] = hash_combine(hash_combine(actor->past, ++actor->steps), event->kind);
	if (event->kind == EVENT_RECEIVE)
		take_receive(f, c, i);
	else if (tells(event))
		change_past(actor, hash_combine(event->kind, event->value));
	if (!actor->has_finished && (event->kind == EVENT_RECEIVE || tells(event)))
		actor->told = i + 1;
	actor->has_finished |= event->kind == EVENT_FINISH;
	if (owner < f->actors.len)
		change_past(&f->actors.items[owner], event->kind);
	if (created < f->actors.len && event->kind != EVENT_SEND)
		f->actors.items[created].past = f->sent.items[i];
}

static void find_pasts(struct foresee *f, const struct trace *trace, const struct causality *c)
{
	f->actors.len = f->pasts.len = f->sent.len = f->arrivals.len = 0;
	vec_reserve(&f->pasts, trace->events_len + 1);
	vec_reserve(&f->sent, trace->events_len + 1);
	vec_reserve(&f->arrivals, trace->events_len + 1);
	for (uint32_t a = 0; a < trace->actors_len; a++)
		*vec_push(&f->actors) = (struct foresee_actor){.past = a + 1};
	for (uint32_t i = 0; i < trace->events_len; i++)
		take_event(f, c, i);
	f->pasts.len = f->sent.len = f->arrivals.len = trace->events_len;
	for (uint32_t p = 0; p < trace->pending_len; p++)
		f->actors.items[trace->pending[p].actor].is_pending = true;
}

void foresee_pasts(const struct foresee *f, const struct receive *receives, uint32_t len,
		   struct foresee_past *pasts)
{
	for (uint32_t i = 0; i < len; i++)
		pasts[i] = f->pasts.items[receives[i].event];
}

/* ---- what it teaches ---- */

/* The past of the message that arrived with this event. */
static uint64_t arrived(const struct foresee *f, const struct causality *c, uint32_t arrival)
{
	const struct event *event = &c->trace->events[arrival];
	uint32_t sent = event->kind == EVENT_DELIVER ? causality_feeder(c, event) : arrival;

	return sent == CAUSALITY_NONE ? 0 : f->sent.items[sent];
}

static void refuse(struct foresee *f, uint64_t receiver, uint64_t message)
{
	*map_put(&f->refused, meeting_of(receiver, message), NULL) = 1;
}

/* Receive i took a message that had come after others, which the same process took later. */
static void learn_passed_over(struct foresee *f, const struct trace *trace, uint32_t i)
{
	for (uint32_t j = i + 1; j < trace->events_len; j++)
		if (trace->events[j].actor == trace->events[i].actor && f->arrivals.items[j] &&
		    f->arrivals.items[j] < f->arrivals.items[i])
			refuse(f, f->pasts.items[i].receiver, f->pasts.items[j].message);
}

static void learn_refusals(struct foresee *f, const struct trace *trace, const struct causality *c)
{
	for (uint32_t r = 0; r < trace->refusals_len; r++) {
		const struct refusal *refusal = &trace->refusals[r];

		if (refusal->receive < trace->events_len && refusal->arrival < trace->events_len &&
		    f->arrivals.items[refusal->receive])
			refuse(f, f->pasts.items[refusal->receive].receiver,
			       arrived(f, c, refusal->arrival));
	}
	for (uint32_t i = 0; i < trace->events_len; i++)
		if (f->arrivals.items[i] && !trace->refusals_len)
			learn_passed_over(f, trace, i);
}

static void learn_changes(struct foresee *f, const struct receives *receives)
{
	for (size_t k = 0; k < receives->items.len; k++) {
		const struct receive *receive = &receives->items.items[k];
		const struct foresee_past *past = &f->pasts.items[receive->event];
		uint64_t seen = receive->changes ? CHANGED_YES : CHANGED_NO;

		*map_put(&f->changes, receive->name, NULL) |= seen;
		*map_put(&f->changes, meeting_of(past->receiver, past->message), NULL) |= seen;
	}
}

static uint64_t name_of_receive(const struct receives *receives, uint32_t event)
{
	for (size_t k = 0; k < receives->items.len; k++)
		if (receives->items.items[k].event == event)
			return receives->items.items[k].name;
	return 0;
}

/* The message taken in the state s ended the actor. It would have done so in each earlier state
 * that was the same; and if all were, it is taken to do so always. */
static void learn_ending(struct foresee *f, const struct trace *trace,
			 const struct receives *receives, uint32_t s)
{
	const struct receive_state *states = trace->states;
	uint32_t last = states[s].receive, same = 0, others = 0;

	for (uint32_t e = 0; e < s; e++) {
		uint32_t event = states[e].receive;

		if (trace->events[event].actor != trace->events[last].actor)
			continue;
		if (states[e].state != states[s].state) {
			others++;
			continue;
		}
		same++;
		*map_put(&f->ends, meeting_of(f->pasts.items[event].receiver,
					      f->pasts.items[last].message), NULL) = 1;
	}
	if (same && !others)
		*map_put(&f->endings, name_of_receive(receives, last), NULL) = 1;
}

/* The last message that an actor took ended it if nothing else told the actor to end. */
static void learn_endings(struct foresee *f, const struct trace *trace,
			  const struct receives *receives)
{
	for (uint32_t s = 0; s < trace->states_len; s++) {
		uint32_t last = trace->states[s].receive;
		const struct foresee_actor *actor =
			&f->actors.items[trace->events[last].actor];

		if (actor->has_finished && actor->told == last + 1 && actor->last == last + 1)
			learn_ending(f, trace, receives, s);
	}
}

void foresee_learn(struct foresee *f, const struct trace *trace, const struct causality *causality,
		   const struct receives *receives)
{
	find_pasts(f, trace, causality);
	learn_refusals(f, trace, causality);
	learn_changes(f, receives);
	learn_endings(f, trace, receives);
}

void foresee_learn_vain(struct foresee *f, const struct trace *trace,
			const struct receives *receives, uint64_t first)
{
	for (size_t k = 0; k < receives->items.len; k++) {
		const struct receive *receive = &receives->items.items[k];
		const struct foresee_actor *actor =
			&f->actors.items[trace->events[receive->event].actor];

		if (receive->name == first && receive->mode == ACCESS_RECV &&
		    !actor->is_pending && actor->last == receive->event + 1)
			*map_put(&f->endings, first, NULL) = 1;
	}
}

/* ---- foreseeing ---- */

struct mailbox {
	const struct generate_source *source;
	const struct foresee_past *pasts;
	uint64_t receiver;
	uint32_t items[RECEIVES_MAX]; /* receives, in the order of arrival */
	uint32_t len;
	uint64_t past; /* of the receiver */
	uint64_t came[BITSET_WORDS(RECEIVES_MAX)]; /* set of receives: in items, or taken */
	uint64_t taken[BITSET_WORDS(RECEIVES_MAX)];
};

static void put(struct mailbox *box, uint32_t index)
{
	box->items[box->len++] = index;
	bitset_add(box->came, index);
}

static uint32_t take(struct mailbox *box, uint32_t at)
{
	uint32_t index = box->items[at];

	bitset_add(box->taken, index);
	box->past = hash_combine(box->past, box->pasts[index].message);
	box->len--;
	memmove(box->items + at, box->items + at + 1, (box->len - at) * sizeof(*box->items));
	return index;
}

/* The messages of the list, and the past of the receiver before it took the first of them. */
static void fill_mailbox(struct mailbox *box, const struct receive_list *list)
{
	const struct generate_source *source = box->source;
	uint32_t earliest = UINT32_MAX;

	for (size_t k = 0; k < list->len; k++)
		if (source->receives[list->items[k]].receiver == box->receiver)
			put(box, list->items[k]);
	for (uint32_t i = 0; i < source->len; i++)
		if (source->receives[i].receiver == box->receiver &&
		    source->receives[i].event < earliest) {
			earliest = source->receives[i].event;
			box->past = box->pasts[i].receiver;
		}
}

/* The place of the message that the receiver takes next; len: it takes none of them. */
static uint32_t next_of(const struct foresee *f, const struct mailbox *box)
{
	for (uint32_t at = 0; at < box->len; at++)
		if (!map_get(&f->refused,
			     meeting_of(box->past, box->pasts[box->items[at]].message)))
			return at;
	return box->len;
}

/* Have all receives of this receiver happened that must come before receive i? */
static bool is_due(const struct mailbox *box, uint32_t i)
{
	for (uint32_t k = 0; k < i; k++)
		if (generate_must(box->source, k, i) && !bitset_has(box->taken, k) &&
		    box->source->receives[k].receiver == box->receiver)
			return false;
	return true;
}

/* When the list has nothing more for the receiver, the run goes on by itself. Probably the message
 * comes that came next in the run from which the list was made. */
static bool put_later(struct mailbox *box)
{
	for (uint32_t i = 0; i < box->source->len; i++)
		if (box->source->receives[i].receiver == box->receiver &&
		    !bitset_has(box->came, i) && is_due(box, i)) {
			put(box, i);
			return true;
		}
	return false;
}

/* Will the receive change the behaviour of a process with this past? */
static bool will_change(const struct foresee *f, uint64_t past, const struct receive *receive,
			uint64_t message)
{
	const uint64_t *seen = map_get(&f->changes, meeting_of(past, message));

	if (!seen)
		seen = map_get(&f->changes, receive->name);
	return seen ? *seen == CHANGED_YES : receive->changes;
}

static const struct receive *find_named(const struct generate_source *source, uint64_t name)
{
	for (uint32_t i = 0; i < source->len; i++)
		if (source->receives[i].name == name)
			return &source->receives[i];
	return NULL;
}

bool foresee_reaches(const struct foresee *f, const struct generate_source *source,
		     const struct foresee_past *pasts, const struct receive_list *list,
		     enum goal_criterion criterion, uint64_t first, uint64_t second)
{
	const struct receive *moved = find_named(source, first);
	struct mailbox box = {.source = source, .pasts = pasts};
	bool has_first = false, has_changed = false;

	if (!moved || moved->mode != ACCESS_RECV)
		return true;
	box.receiver = moved->receiver;
	fill_mailbox(&box, list);
	do {
		for (uint32_t at; (at = next_of(f, &box)) < box.len;) {
			uint64_t past = box.past;
			uint32_t index = take(&box, at);
			const struct receive *taken = &source->receives[index];
			bool changes = criterion == GOAL_PBR &&
				       will_change(f, past, taken, pasts[index].message);

			if (taken->name == second)
				return has_first &&
				       (criterion != GOAL_PBR || has_changed || changes);
			if (has_first && (criterion == GOAL_PCR || changes))
				return false;
			has_changed |= taken->name == first && changes;
			has_first |= taken->name == first;
			if (map_get(&f->endings, taken->name) ||
			    map_get(&f->ends, meeting_of(past, pasts[index].message)))
				return false;
		}
		if (has_first && criterion == GOAL_PCR)
			return false; /* another message will come between the two */
	} while (put_later(&box));
	return true;
}

void foresee_clear(struct foresee *f)
{
	map_clear(&f->refused);
	map_clear(&f->changes);
	map_clear(&f->endings);
	map_clear(&f->ends);
}

void foresee_release(struct foresee *f)
{
	map_release(&f->refused);
	map_release(&f->changes);
	map_release(&f->endings);
	map_release(&f->ends);
	vec_release(&f->actors);
	vec_release(&f->pasts);
	vec_release(&f->sent);
	vec_release(&f->arrivals);
}
