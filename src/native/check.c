#include "native/check.h"

#include <string.h>

#include "core/finding.h"

/* The part of the channel that only the tool writes, before the program starts. */
enum { FIXED = offsetof(struct channel, phase) };

static bool has_sound_lengths(const struct channel *c)
{
	return c->events_len <= c->max_events && c->pending_len <= c->max_actors &&
	       c->plains_len <= c->max_plains && c->notices_len <= c->max_notices &&
	       c->stacks_len <= c->max_stacks && c->lives_len <= CHANNEL_LIVES &&
	       c->withdrawn_len <= CHANNEL_WITHDRAWN && c->held_len <= CHANNEL_HELD &&
	       c->actors_len <= c->max_actors && c->modules_len <= CHANNEL_MODULES &&
	       c->done_len <= c->more_len && c->end <= END_LOST &&
	       c->facts_len <= CHANNEL_FACTS && c->loops_len <= CHANNEL_LOOPS &&
	       c->awaited_len <= CHANNEL_AWAITED;
}

/* Are all modes of the event indices of tables? */
static bool are_modes_sound(const struct event *e)
{
	for (uint32_t a = 0; a < e->access_len; a++)
		if (e->accesses[a].mode >= ACCESS_MODES || e->accesses[a].announced >= ACCESS_MODES)
			return false;
	return true;
}

/* Numbers that the tool uses as indices, of so many events. */
static bool are_events_sound(const struct event *events, uint32_t len, uint32_t actors_len)
{
	bool bad = false;

	for (uint32_t i = 0; i < len; i++) {
		const struct event *e = &events[i];

		bad |= e->kind >= EVENT_KINDS || e->actor >= actors_len ||
		       e->access_len > event_room(e) || !are_modes_sound(e) ||
		       (e->is_weak && e->weak.source >= source_of_actor(actors_len));
	}
	return !bad;
}

static bool are_plains_sound(const struct plain *plains, uint32_t len, uint32_t actors_len)
{
	bool bad = false;

	for (uint32_t i = 0; i < len; i++)
		bad |= (plains[i].actor >= actors_len) | (plains[i].is_write > PLAIN_MAPPED);
	return !bad;
}

static bool are_actors_sound(const struct actor *actors, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		if (actors[i].parent != ACTOR_NONE && actors[i].parent >= i)
			return false;
	return true;
}

static bool are_withdrawn_sound(const struct withdrawn *withdrawn, uint32_t len,
				uint32_t actors_len, uint32_t events_len)
{
	for (uint32_t i = 0; i < len; i++)
		if (!are_events_sound(&withdrawn[i].event, 1, actors_len) ||
		    withdrawn[i].opened > events_len)
			return false;
	return true;
}

static bool are_held_sound(const struct held *held, uint32_t len, uint32_t actors_len)
{
	for (uint32_t i = 0; i < len; i++)
		if (held[i].actor >= actors_len)
			return false;
	return true;
}

static bool are_notices_sound(const struct notice *notices, uint32_t len, uint32_t actors_len)
{
	for (uint32_t i = 0; i < len; i++)
		if (notices[i].kind >= FINDING_KINDS || notices[i].actor >= actors_len ||
		    !memchr(notices[i].message, '\0', sizeof(notices[i].message)))
			return false;
	return true;
}

static bool are_stacks_sound(const struct channel_stack *stacks, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		if (stacks[i].frames_len > CHANNEL_FRAMES)
			return false;
	return true;
}

static bool are_texts_sound(const struct channel *c)
{
	for (uint32_t m = 0; m < c->modules_len; m++)
		if (!memchr(c->modules[m].path, '\0', sizeof(c->modules[m].path)))
			return false;
	return memchr(c->message, '\0', sizeof(c->message)) &&
	       memchr(c->restart_reason, '\0', sizeof(c->restart_reason)) &&
	       memchr(c->warnings, '\0', sizeof(c->warnings)) &&
	       memchr(c->uncontrolled, '\0', sizeof(c->uncontrolled)) &&
	       memchr(c->removed, '\0', sizeof(c->removed));
}

bool check_trace(struct channel *c, const struct trace *t)
{
	return t->actors_len <= c->max_actors && t->end <= END_LOST &&
	       (t->end_actor == ACTOR_NONE || t->end_actor < c->max_actors) &&
	       are_events_sound(t->events, t->events_len, t->actors_len) &&
	       are_events_sound(t->pending, t->pending_len, t->actors_len) &&
	       are_plains_sound(t->plains, t->plains_len, t->actors_len) &&
	       are_withdrawn_sound(t->withdrawn, t->withdrawn_len, t->actors_len,
				   t->events_len) &&
	       are_held_sound(t->held, t->held_len, t->actors_len) &&
	       are_notices_sound(t->notices, t->notices_len, t->actors_len);
}

bool check_layout(const struct channel *c, const struct channel *laid_out)
{
	return memcmp(c, laid_out, FIXED) == 0 && c->more_size == laid_out->more_size &&
	       c->more == laid_out->more && c->done == laid_out->done &&
	       c->done_size == laid_out->done_size;
}

bool check_channel(struct channel *c, const struct channel *laid_out)
{
	return check_layout(c, laid_out) && has_sound_lengths(c) &&
	       are_actors_sound(channel_at(c, c->actors), c->actors_len) &&
	       are_stacks_sound(channel_at(c, c->stacks), c->stacks_len) && are_texts_sound(c);
}

bool check_done(const struct channel *c, uint64_t at, const struct channel_done *d)
{
	uint64_t end = c->done + c->done_size;
	uint64_t bytes;

	if (at < c->done || at + sizeof(*d) > end)
		return false;
	if (d->events_len > c->max_events || d->pending_len > c->max_actors ||
	    d->plains_len > c->max_plains || d->withdrawn_len > CHANNEL_WITHDRAWN ||
	    d->lives_len > CHANNEL_LIVES || d->held_len > CHANNEL_HELD ||
	    d->output_len > c->max_output)
		return false;
	bytes = sizeof(*d) + d->events_len * sizeof(struct event) +
		(d->events_len + 1ull) * c->enabled_words * sizeof(uint64_t) +
		d->pending_len * sizeof(struct event) + d->plains_len * sizeof(struct plain) +
		d->withdrawn_len * sizeof(struct withdrawn) + d->lives_len * sizeof(struct live) +
		d->held_len * sizeof(struct held) + d->output_len;
	return d->size >= bytes && d->size <= end - at;
}

void check_repair(struct channel *c, const struct channel *laid_out)
{
	*c = *laid_out;
	/* The program may still be overwriting: no place is read from the channel. */
	memset(channel_at(c, laid_out->facts), 0, CHANNEL_FACTS * sizeof(struct channel_fact));
}
