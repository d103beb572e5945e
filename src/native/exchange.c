#include "native/exchange.h"

#include <string.h>

#include "native/check.h"

/* ---- schedules to the program ---- */

static bool has_room(const struct channel *c, const struct schedule *s)
{
	return s->decisions_len <= c->max_decisions && s->sleepers_len <= c->max_sleepers &&
	       s->guides_len <= CHANNEL_GUIDES;
}

bool exchange_write(struct channel *c, const struct schedule *s, struct err *err)
{
	if (!has_room(c, s))
		return err_set_unsupported(err, "a schedule of %u decisions is too long (--max-steps)",
					   s->decisions_len);
	if (s->decisions_len)
		memcpy(channel_at(c, c->decisions), s->decisions,
		       s->decisions_len * sizeof(*s->decisions));
	if (s->sleepers_len)
		memcpy(channel_at(c, c->sleepers), s->sleepers,
		       s->sleepers_len * sizeof(*s->sleepers));
	c->schedule = *s;
	if (s->guides_len)
		memcpy(c->guides, s->guides, s->guides_len * sizeof(*s->guides));
	return true;
}

uint32_t exchange_write_more(struct channel *c, const struct schedule *schedules, uint32_t len)
{
	uint64_t at = c->more;
	uint32_t i;

	for (i = 0; i < len; i++) {
		const struct schedule *s = &schedules[i];
		uint64_t decisions = s->decisions_len * sizeof(*s->decisions);
		uint64_t sleepers = s->sleepers_len * sizeof(*s->sleepers);
		uint64_t guides = s->guides_len * sizeof(*s->guides);

		if (at + sizeof(*s) + decisions + sleepers + guides > c->more + c->more_size ||
		    !has_room(c, s))
			break;
		*(struct schedule *)channel_at(c, at) = *s;
		at += sizeof(*s);
		if (decisions)
			memcpy(channel_at(c, at), s->decisions, decisions);
		if (sleepers)
			memcpy(channel_at(c, at + decisions), s->sleepers, sleepers);
		if (guides)
			memcpy(channel_at(c, at + decisions + sleepers), s->guides, guides);
		at += decisions + sleepers + guides;
	}
	return i;
}

/* ---- traces from the program ---- */

/* Without fixed addresses a code site is named by module and offset, like a global. */
static uint64_t stable_site(const struct channel *c, uint64_t site)
{
	for (uint32_t m = 0; m < c->modules_len; m++)
		if (site >= c->modules[m].start && site < c->modules[m].end)
			return (uint64_t)(m + 1) << 48 | (site - c->modules[m].base);
	return site;
}

static void stabilise_sites(struct channel *c)
{
	struct event *events = channel_at(c, c->events), *pending = channel_at(c, c->pending);
	struct plain *plains = channel_at(c, c->plains);
	struct notice *notices = channel_at(c, c->notices);

	for (uint32_t i = 0; i < c->events_len; i++)
		events[i].site = stable_site(c, events[i].site);
	for (uint32_t i = 0; i < c->pending_len; i++)
		pending[i].site = stable_site(c, pending[i].site);
	for (uint32_t i = 0; i < c->plains_len; i++)
		plains[i].site = stable_site(c, plains[i].site);
	for (uint32_t i = 0; i < c->notices_len; i++) {
		notices[i].site = stable_site(c, notices[i].site);
		notices[i].other_site = stable_site(c, notices[i].other_site);
	}
	for (uint32_t i = 0; i < c->lives_len; i++)
		c->lives[i].site = stable_site(c, c->lives[i].site);
	for (uint32_t i = 0; i < c->held_len; i++)
		c->held[i].site = stable_site(c, c->held[i].site);
}

void exchange_give_up(struct native *n, struct trace *t)
{
	const struct channel *laid_out = n->program.laid_out;

	check_repair(n->program.channel, laid_out);
	n->is_overwritten = true;
	*t = (struct trace){
		.actors = channel_at(n->program.channel, laid_out->actors),
		.end = END_LOST,
		.end_actor = ACTOR_NONE,
		.message = "the program has overwritten the memory by which it is controlled",
	};
}

uint32_t exchange_memory(const struct channel *c)
{
	return c->options.memory == MEMORY_RF && !c->weaker ? MEMORY_SC : c->options.memory;
}

bool exchange_read(struct native *n, struct trace *t)
{
	struct channel *c = n->program.channel;

	if (!check_channel(c, n->program.laid_out)) {
		exchange_give_up(n, t);
		return false;
	}
	if (!c->fixed_addresses)
		stabilise_sites(c);
	*t = (struct trace){
		.actors = channel_at(c, c->actors),
		.actors_len = c->actors_len,
		.enabled_words = c->enabled_words,
		.events = channel_at(c, c->events),
		.events_len = c->events_len,
		.pending = channel_at(c, c->pending),
		.pending_len = c->pending_len,
		.enabled = channel_at(c, c->enabled),
		.plains = channel_at(c, c->plains),
		.plains_len = c->plains_len,
		.notices = channel_at(c, c->notices),
		.notices_len = c->notices_len,
		.withdrawn = channel_at(c, c->withdrawn),
		.withdrawn_len = c->withdrawn_len,
		.lives = c->lives,
		.lives_len = c->lives_len,
		.held = c->held,
		.held_len = c->held_len,
		.end = c->end,
		.end_actor = c->end_actor,
		.code = c->code,
		.void_turns = c->void_turns,
		.dropped = c->dropped,
		.bounded = c->bounded,
		.assumed = c->assumed,
		.memory = exchange_memory(c),
		.address = c->address,
		.message = c->message,
		.output = n->program.output,
		.output_len = c->output_len < c->max_output ? c->output_len : c->max_output,
	};
	if (check_trace(c, t))
		return true;
	exchange_give_up(n, t);
	return false;
}

static const void *next_array(struct channel *c, uint64_t *at, uint64_t bytes)
{
	const void *array = channel_at(c, *at);

	*at += channel_round(bytes);
	return array;
}

bool exchange_read_done(struct native *n, uint64_t *next, struct trace *t)
{
	struct channel *c = n->program.channel;
	const struct channel_done *d = channel_at(c, *next);
	uint64_t at = *next + sizeof(*d);

	if (!check_done(c, *next, d))
		return false;
	*next += d->size;
	*t = (struct trace){
		.actors = channel_at(c, c->actors), .actors_len = d->actors_len,
		.enabled_words = c->enabled_words, .events_len = d->events_len,
		.pending_len = d->pending_len, .plains_len = d->plains_len,
		.withdrawn_len = d->withdrawn_len, .lives_len = d->lives_len,
		.held_len = d->held_len, .end = d->end, .end_actor = d->end_actor,
		.code = d->code, .void_turns = d->void_turns, .dropped = d->dropped,
		.bounded = d->bounded, .assumed = d->assumed, .message = "",
		.memory = exchange_memory(c),
		.output_len = d->output_len,
	};
	t->events = next_array(c, &at, d->events_len * sizeof(*t->events));
	t->enabled = next_array(c, &at, (d->events_len + 1ull) * c->enabled_words * 8);
	t->pending = next_array(c, &at, d->pending_len * sizeof(*t->pending));
	t->plains = next_array(c, &at, d->plains_len * sizeof(*t->plains));
	t->withdrawn = next_array(c, &at, d->withdrawn_len * sizeof(*t->withdrawn));
	t->lives = next_array(c, &at, d->lives_len * sizeof(*t->lives));
	t->held = next_array(c, &at, d->held_len * sizeof(*t->held));
	t->output = next_array(c, &at, d->output_len);
	return check_trace(c, t);
}
