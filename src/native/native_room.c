/* native_room.c: the facts learned about a program, and the room that its threads need. */
#include "native/knowledge.h"
#include "native/native_parts.h"

/* Each decision copies a set of as many bits, so the room grows in steps. */
static uint32_t larger_room(uint32_t max_actors)
{
	enum { MANY = 256 };

	if (max_actors < MANY)
		return MANY;
	return max_actors < LAYOUT_FEW_ACTORS ? LAYOUT_FEW_ACTORS : CHANNEL_ACTORS_MAX;
}

bool native_give_room(struct native *n, struct trace *trace, struct err *err)
{
	const struct channel *c = n->program.channel;
	uint32_t record_stacks = c->record_stacks, record_callers = c->record_callers;
	uint32_t max_actors = c->max_actors;

	if (!c->wants_actors)
		return true;
	*trace = (struct trace){.end = END_RELEARN, .message = ""};
	program_end(&n->program);
	n->program = (struct program){0};
	n->options.channel.max_actors = larger_room(max_actors);
	n->check_hash = 0;
	if (!program_start(&n->program, &n->options, err))
		return false;
	n->program.channel->record_stacks = record_stacks;
	n->program.channel->record_callers = record_callers;
	return true;
}

void native_save_knowledge(struct target *self, struct strbuf *out)
{
	knowledge_print(native_of(self)->program.channel, out);
}

bool native_load_knowledge(struct target *self, const char *text, struct err *err)
{
	struct native *n = native_of(self);
	struct trace none;

	n->check_hash = 0;
	while (knowledge_actors(text) > n->program.channel->max_actors &&
	       n->program.channel->max_actors < CHANNEL_ACTORS_MAX) {
		n->program.channel->wants_actors = 1;
		if (!native_give_room(n, &none, err))
			return false;
	}
	return knowledge_parse(n->program.channel, text, err);
}
