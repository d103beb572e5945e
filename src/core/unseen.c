#include "core/unseen.h"

/* Of an object: 1 + the next event that uses what is in it, and the next that writes it
 * blindly; 0 none. */
struct unseen_use {
	uint32_t look, write;
};

static bool is_memory(const struct access *access)
{
	return access_rules[access->mode].family == ACCESS_FAMILY_MEMORY;
}

static struct unseen_use *use_of(struct unseen *u, uint64_t object)
{
	bool is_new;
	uint64_t *index = map_put(&u->index, object, &is_new);

	if (is_new) {
		*index = u->uses.len;
		*vec_push(&u->uses) = (struct unseen_use){0};
	}
	return &u->uses.items[*index];
}

static void note_uses(struct unseen *u, const struct event *event, uint32_t time)
{
	for (uint32_t a = 0; a < event->access_len; a++) {
		const struct access *access = &event->accesses[a];
		struct unseen_use *use;

		if (!is_memory(access) || access->mode == ACCESS_USE)
			continue;
		use = use_of(u, access->object);
		if (event_writes_blindly(event, access))
			use->write = time;
		else if (access->mode != ACCESS_ADD)
			use->look = time;
	}
}

static bool comes_first(uint32_t a, uint32_t b)
{
	return a && (!b || a < b);
}

/* Will what the event writes with access a be looked at before it is overwritten? What it
 * writes to a part it also adds to a whole (a key, its table), which may be read as such. */
static bool is_looked_at(struct unseen *u, const struct event *event, uint32_t a)
{
	uint32_t write = use_of(u, event->accesses[a].object)->write;

	for (uint32_t i = 0; i < event->access_len; i++)
		if (is_memory(&event->accesses[i]) &&
		    comes_first(use_of(u, event->accesses[i].object)->look, write))
			return true;
	return false;
}

/* Back from the end. */
void unseen_find(struct unseen *u, const struct trace *trace)
{
	map_clear(&u->index);
	u->uses.len = 0;
	vec_reserve(&u->masks, trace->events_len);
	for (uint32_t p = 0; p < trace->pending_len; p++)
		note_uses(u, &trace->pending[p], trace->events_len + 1);
	for (uint32_t i = trace->events_len; i-- > 0;) {
		const struct event *event = &trace->events[i];

		u->masks.items[i] = 0;
		for (uint32_t a = 0; a < event->access_len; a++)
			if (event_writes_blindly(event, &event->accesses[a]) &&
			    !is_looked_at(u, event, a))
				u->masks.items[i] |= (uint8_t)(1u << a);
		note_uses(u, event, i + 1);
	}
}

void unseen_release(struct unseen *u)
{
	vec_release(&u->masks);
	vec_release(&u->uses);
	map_release(&u->index);
}
