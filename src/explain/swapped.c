/* swapped.c: a compare-and-swap that succeeds though others have changed the variable since it was loaded.
 *
 * The value is the same again (A, B, A), what it stands for is not: the head of a list whose first node was
 * taken and put back. The reader of a table does not see that in the row of the compare-and-swap. */
#include "core/object.h"
#include "explain/parts.h"

enum { CHANGES_MAX = 8 };

static bool changes(const struct event *event, uint64_t object)
{
	const struct access *access = event_find_access(event, object);

	return access && explain_is_memory(event->kind) && access_mode_writes(access->mode);
}

/* The last step, earlier than step `before`, at which the actor saw the value; or events_len. */
static uint32_t find_load(const struct trace *t, uint32_t before)
{
	const struct event *swap = &t->events[before];

	for (uint32_t i = before; i-- > 0;)
		if (t->events[i].actor == swap->actor && explain_is_memory(t->events[i].kind) &&
		    event_find_access(&t->events[i], swap->accesses[0].object))
			return t->events[i].kind == EVENT_LOAD && t->events[i].value == swap->value
				       ? i
				       : t->events_len;
	return t->events_len;
}

const char *explain_swapped(struct explainer *x, uint32_t step)
{
	const struct trace *t = x->trace;
	const struct event *swap = step < t->events_len ? &t->events[step] : NULL;
	uint32_t steps[CHANGES_MAX], len = 0, load;
	struct strbuf list = {0};
	const char *result;

	if (!swap || swap->kind != EVENT_CAS || swap->flags & EVENT_FAILED || !swap->access_len ||
	    !changes(swap, swap->accesses[0].object))
		return NULL;
	load = find_load(t, step);
	for (uint32_t i = load; i < step; i++)
		if (t->events[i].actor != swap->actor &&
		    changes(&t->events[i], swap->accesses[0].object)) {
			if (len == CHANGES_MAX)
				return NULL;
			steps[len++] = i;
		}
	if (len < 2)
		return NULL;
	for (uint32_t i = 0; i < len; i++)
		strbuf_addf(&list, "%s%u",
			    i == 0	  ? ""
			    : i + 1 < len ? ", "
					  : " and ",
			    steps[i] + 1);
	result = arena_printf(
		x->arena,
		"The compare-and-swap of step %u succeeds although %s has changed in steps %s, since "
		"%s loaded it in step %u.",
		step + 1, explain_object(x, swap->accesses[0].object), strbuf_text(&list),
		explain_actor(x, swap->actor), load + 1);
	strbuf_release(&list);
	return result;
}
