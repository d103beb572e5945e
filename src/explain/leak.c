/* leak.c: how the last pointer to a block was lost that a run does not free.
 *
 * The blocks of the allocation site are known by the pointers to them that the run wrote to variables.
 * Such a pointer is lost when it is overwritten, or freed with the block that it lies in. */
#include <string.h>

#include "core/object.h"
#include "explain/parts.h"

/* So many places are followed; a run with more is not explained so. */
enum { PLACES_MAX = 64 };

/* A place in memory that holds, or held, a pointer to a block that is not freed. */
struct holder {
	uint64_t address, block;
	uint32_t actor, step; /* who took the pointer away, and how many steps came before */
	struct report_frame at;
	bool is_lost, is_freed;
};

struct leak {
	struct explainer *x;
	const struct report_frame *allocated;
	struct holder holders[PLACES_MAX];
	uint32_t len;
};

/* Does the value point to a block of the site that the run does not free? */
static bool is_leaked(const struct leak *l, uint64_t value)
{
	struct target *inner = target_unwrapped(l->x->target);
	struct target_block block;

	return value > UINT32_MAX && OBJECT_NAME_OF(OBJECT(OBJECT_MEMORY, value)) == value &&
	       inner->ops->describe_block(inner, OBJECT(OBJECT_MEMORY, value), &block) &&
	       !block.offset && !block.freed.function && block.allocated.file &&
	       block.allocated.line == l->allocated->line &&
	       strcmp(explain_frame(l->x, &block.allocated).file, l->allocated->file) == 0;
}

/* The bytes [address, address + size) are written or freed. */
static void lose(struct leak *l, uint64_t address, uint64_t size, const struct holder *by)
{
	for (uint32_t i = 0; i < l->len; i++) {
		struct holder *holder = &l->holders[i];

		if (holder->is_lost || holder->address - address >= size || holder->block == by->block)
			continue;
		holder->is_lost = true;
		holder->is_freed = by->is_freed;
		holder->actor = by->actor;
		holder->step = by->step;
		holder->at = by->at;
	}
}

static void gain(struct leak *l, uint64_t address, uint64_t value)
{
	if (is_leaked(l, value) && l->len < PLACES_MAX)
		l->holders[l->len++] = (struct holder){.address = address, .block = value};
}

static void follow_plain(struct leak *l, uint32_t i)
{
	const struct plain *plain = &l->x->trace->plains[i];
	struct target *inner = target_unwrapped(l->x->target);
	struct holder by = {.actor = plain->actor, .step = plain->step,
			    .is_freed = plain->is_write == PLAIN_FREED};
	uint64_t before, after = 0;
	bool is_known;

	if (!plain->is_write)
		return;
	is_known = !by.is_freed && inner->ops->plain_values &&
		   inner->ops->plain_values(inner, i, &before, &after) & TARGET_KNOWS_AFTER;
	by.block = is_known ? after : 0;
	by.at = explain_place(l->x, plain->site, i | (uint32_t)TARGET_OF_PLAIN, plain->actor);
	lose(l, plain->address, plain->size, &by);
	if (is_known && plain->size == sizeof(void *))
		gain(l, plain->address, after);
}

static void follow_step(struct leak *l, uint32_t step)
{
	const struct event *event = &l->x->trace->events[step];
	struct target *inner = target_unwrapped(l->x->target);
	struct holder by = {.actor = event->actor, .step = step};
	uint64_t address;

	if (!event->access_len || OBJECT_CLASS(event->accesses[0].object) != OBJECT_MEMORY ||
	    event->flags & EVENT_FAILED || !inner->ops->written_value ||
	    !inner->ops->written_value(inner, step, &by.block))
		return;
	address = OBJECT_NAME_OF(event->accesses[0].object);
	by.at = explain_place(l->x, event->site, step, event->actor);
	lose(l, address, 1, &by);
	gain(l, address, by.block);
}

/* The place that held a pointer to a leaked block as the last one: it lost it, and so did all others. */
static const struct holder *find_last(const struct leak *l)
{
	const struct holder *last = NULL;

	for (uint32_t i = 0; i < l->len; i++) {
		const struct holder *holder = &l->holders[i];
		bool is_alone = holder->is_lost;

		for (uint32_t j = 0; j < l->len && is_alone; j++)
			is_alone = l->holders[j].block != holder->block ||
				   (l->holders[j].is_lost && l->holders[j].step <= holder->step);
		if (is_alone && (!last || last->step <= holder->step))
			last = holder;
	}
	return last;
}

/* A place that holds a pointer to a leaked block at the end, or NULL. */
static const struct holder *find_left(const struct leak *l)
{
	for (uint32_t i = l->len; i-- > 0;)
		if (!l->holders[i].is_lost)
			return &l->holders[i];
	return NULL;
}

/* The name of the place; NULL if it has none. */
static const char *name_of(struct explainer *x, const struct holder *holder)
{
	const char *name = holder ? explain_object(x, OBJECT(OBJECT_MEMORY, holder->address)) : NULL;

	return name && !explain_is_unnamed(name) ? name : NULL;
}

void explain_lost_pointer(struct explainer *x, const struct report_frame *allocated,
			  struct strbuf *out)
{
	const struct trace *t = x->trace;
	struct leak *l = arena_zalloc(x->arena, sizeof(*l));
	const struct holder *last, *left;
	uint32_t plain = 0;

	l->x = x;
	l->allocated = allocated;
	if (!target_unwrapped(x->target)->ops->describe_block)
		return;
	for (uint32_t i = 0; i <= t->events_len; i++) {
		for (; plain < t->plains_len && t->plains[plain].step <= i; plain++)
			follow_plain(l, plain);
		if (i < t->events_len)
			follow_step(l, i);
	}
	if (l->len == PLACES_MAX)
		return;
	last = find_last(l);
	left = find_left(l);
	if (name_of(x, last))
		strbuf_addf(out, ". The last pointer to it was in %s, which %s %s at %s",
			    name_of(x, last), explain_actor(x, last->actor),
			    last->is_freed ? "frees" : "overwrites",
			    explain_place_text(x, &last->at));
	else if (!last && name_of(x, left))
		strbuf_addf(out, ". At the end %s still points to it", name_of(x, left));
}
