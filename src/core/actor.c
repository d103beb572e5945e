#include "core/actor.h"

#include <stdio.h>

#include "base/hash.h"

static size_t print_parent(const struct actor *actors, uint32_t index, char *out, size_t room)
{
	const struct actor *actor = &actors[index];
	size_t used;

	if (actor->parent == ACTOR_NONE)
		return (size_t)snprintf(out, room, "P%u", actor->nth);
	used = print_parent(actors, actor->parent, out, room);
	if (used + 16 > room) /* a name deeper than anyone reads is cut, not overrun */
		return used;
	switch (actor->kind) {
	case ACTOR_REAL:
		return used + (size_t)snprintf(out + used, room - used, ".%u", actor->nth);
	case ACTOR_TIMER:
		return used + (size_t)snprintf(out + used, room - used, "/timer%u", actor->nth);
	case ACTOR_SPURIOUS:
		return used + (size_t)snprintf(out + used, room - used, "/spurious");
	default:
		out[used++] = '>';
		return used + print_parent(actors, actor->nth, out + used, room - used);
	}
}

uint64_t actor_hash(const struct actor *actors, uint32_t index)
{
	const struct actor *actor = &actors[index];
	uint64_t parent = 0;

	if (actor->parent != ACTOR_NONE)
		parent = actor_hash(actors, actor->parent);
	return hash_combine(parent, (uint64_t)actor->kind << 32 | actor->nth);
}

size_t actor_name(const struct actor *actors, uint32_t index, char out[ACTOR_NAME_MAX])
{
	return print_parent(actors, index, out, ACTOR_NAME_MAX);
}
