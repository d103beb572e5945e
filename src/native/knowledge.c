#include "native/knowledge.h"

#include <stdio.h>
#include <string.h>

void knowledge_copy(struct channel *to, struct channel *from)
{
	memcpy(channel_at(to, to->facts), channel_at(from, from->facts),
	       CHANNEL_FACTS * sizeof(struct channel_fact));
	memcpy(channel_at(to, to->actors), channel_at(from, from->actors),
	       from->actors_len * sizeof(struct actor));
	to->facts_len = from->facts_len;
	to->racy_len = from->racy_len;
	to->actors_len = from->actors_len;
	to->finish_is_event = from->finish_is_event;
	to->identity_is_event = from->identity_is_event;
	to->cancel_is_event = from->cancel_is_event;
	to->signal_is_event = from->signal_is_event;
	to->signals_sent = from->signals_sent;
	to->signals_to_all = from->signals_to_all;
	to->number_is_event = from->number_is_event;
	to->flags_are_event = from->flags_are_event;
	to->sets_are_event = from->sets_are_event;
	to->files_are_event = from->files_are_event;
	to->key_is_event = from->key_is_event;
	to->openmp_tasks = from->openmp_tasks;
	memcpy(to->loops, from->loops, sizeof(to->loops));
	to->loops_len = from->loops_len;
	to->awaits_off = from->awaits_off;
	to->weaker = from->weaker;
	memcpy(to->uncovered, from->uncovered, sizeof(to->uncovered));
	memcpy(to->orders, from->orders, sizeof(to->orders));
	to->orders_len = from->orders_len;
	memcpy(to->stack_shared, from->stack_shared, sizeof(to->stack_shared));
}

void knowledge_print(struct channel *c, struct strbuf *out)
{
	const struct actor *actors = channel_at(c, c->actors);
	const struct channel_fact *facts = channel_at(c, c->facts);

	for (uint32_t i = 0; i < c->actors_len; i++)
		strbuf_addf(out, "actor %u %u %u\n", actors[i].parent, actors[i].kind,
			    actors[i].nth);
	for (uint32_t i = 0; i < CHANNEL_FACTS; i++)
		if (facts[i].granule)
			strbuf_addf(out, "memory %lx %u %u %u %u\n", facts[i].granule,
				    facts[i].cuts, facts[i].seen, facts[i].whole, facts[i].racy);
	for (uint32_t i = 0; i < sizeof(c->stack_shared); i++)
		if (c->stack_shared[i])
			strbuf_addf(out, "shared-stack %u\n", i);
	for (uint32_t i = 0; i < CHANNEL_LOOPS; i++)
		if (c->loops[i] & CHANNEL_LOOP_AWAITS)
			strbuf_addf(out, "await %lx\n", c->loops[i] & ~CHANNEL_LOOP_AWAITS);
		else if (c->loops[i] & CHANNEL_LOOP_COUNTED)
			strbuf_addf(out, "counted %lx\n", c->loops[i] & CHANNEL_LOOP_NAME);
	if (c->awaits_off)
		strbuf_adds(out, "awaits-off\n");
	if (c->weaker)
		strbuf_adds(out, "weaker-atomics\n");
	if (c->finish_is_event)
		strbuf_adds(out, "finish-is-event\n");
	if (c->identity_is_event)
		strbuf_adds(out, "identity-is-event\n");
	if (c->cancel_is_event)
		strbuf_adds(out, "cancel-is-event\n");
	if (c->signal_is_event)
		strbuf_addf(out, "signals %lx %lx\n", c->signals_sent, c->signals_to_all);
	if (c->number_is_event)
		strbuf_adds(out, "number-is-event\n");
	if (c->flags_are_event)
		strbuf_adds(out, "flags-are-event\n");
	if (c->sets_are_event)
		strbuf_adds(out, "sets-are-event\n");
	if (c->files_are_event)
		strbuf_adds(out, "files-are-event\n");
	if (c->key_is_event)
		strbuf_adds(out, "key-is-event\n");
	if (c->openmp_tasks)
		strbuf_adds(out, "openmp-tasks\n");
}

static bool take_fact(struct channel *c, unsigned long granule, const unsigned *values)
{
	struct channel_fact *fact = granule ? channel_fact_of(c, granule, true) : NULL;

	if (!fact || values[0] > 255 || values[1] > 255)
		return false;
	c->racy_len += values[3] && !fact->racy;
	fact->cuts = (uint8_t)values[0];
	fact->seen = (uint8_t)values[1];
	fact->whole = values[2] != 0;
	fact->racy = values[3] != 0;
	return true;
}

static bool take_actor(struct channel *c, uint32_t parent, uint32_t kind, uint32_t nth)
{
	struct actor *actors = channel_at(c, c->actors);

	if (c->actors_len == c->max_actors || (parent != ACTOR_NONE && parent >= c->actors_len))
		return false;
	actors[c->actors_len++] = (struct actor){parent, kind, nth};
	return true;
}

static bool take_line(struct channel *c, const char *line)
{
	unsigned long granule;
	unsigned a, b, d, values[4];

	if (sscanf(line, "actor %u %u %u", &a, &b, &d) == 3)
		return take_actor(c, a, b, d);
	if (sscanf(line, "memory %lx %u %u %u %u", &granule, &values[0], &values[1], &values[2],
		   &values[3]) == 5)
		return take_fact(c, granule, values);
	if (sscanf(line, "shared-stack %u", &a) == 1 && a < sizeof(c->stack_shared))
		return (c->stack_shared[a] = 1);
	if (sscanf(line, "await %lx", &granule) == 1) {
		channel_add_loop(c, granule | CHANNEL_LOOP_AWAITS);
		return true;
	}
	if (sscanf(line, "counted %lx", &granule) == 1) {
		channel_add_loop(c, granule | CHANNEL_LOOP_COUNTED);
		return true;
	}
	if (strncmp(line, "awaits-off", 10) == 0)
		return (c->awaits_off = 1);
	if (strncmp(line, "weaker-atomics", 14) == 0)
		return (c->weaker = 1);
	if (strncmp(line, "finish-is-event", 15) == 0)
		return (c->finish_is_event = 1);
	if (strncmp(line, "files-are-event", 15) == 0)
		return (c->files_are_event = 1);
	if (strncmp(line, "identity-is-event", 17) == 0)
		return (c->identity_is_event = 1);
	if (strncmp(line, "cancel-is-event", 15) == 0)
		return (c->cancel_is_event = 1);
	if (sscanf(line, "signals %lx %lx", &c->signals_sent, &c->signals_to_all) == 2)
		return (c->signal_is_event = 1);
	if (strncmp(line, "signal-is-event", 15) == 0) { /* of older versions: any */
		c->signals_sent = c->signals_to_all = ~(uint64_t)0;
		return (c->signal_is_event = 1);
	}
	if (strncmp(line, "number-is-event", 15) == 0)
		return (c->number_is_event = 1);
	if (strncmp(line, "flags-are-event", 15) == 0)
		return (c->flags_are_event = 1);
	if (strncmp(line, "sets-are-event", 14) == 0)
		return (c->sets_are_event = 1);
	if (strncmp(line, "key-is-event", 12) == 0)
		return (c->key_is_event = 1);
	if (strncmp(line, "openmp-tasks", 12) == 0)
		return (c->openmp_tasks = 1);
	return false;
}

uint32_t knowledge_actors(const char *text)
{
	uint32_t len = 0;

	for (; *text; text += *text == '\n') {
		len += strncmp(text, "actor ", 6) == 0;
		text += strcspn(text, "\n");
	}
	return len;
}

bool knowledge_parse(struct channel *c, const char *text, struct err *err)
{
	c->actors_len = 0;
	while (*text) {
		if (!take_line(c, text))
			return err_set(err, "the facts learned about the program are not readable");
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return true;
}
