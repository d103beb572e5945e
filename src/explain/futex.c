/* futex.c: threads that wait for a word in memory to change, as std::atomic::wait and the classes of the
 * C++ library that are built on it do. */
#include <string.h>

#include "core/object.h"
#include "explain/parts.h"

/* The word, if its name says something; else NULL. */
static const char *word_of(struct explainer *x, const struct event *wait)
{
	const char *name;

	if (!wait->access_len || OBJECT_CLASS(wait->accesses[0].object) != OBJECT_MEMORY)
		return NULL;
	name = explain_object(x, wait->accesses[0].object);
	return explain_is_unnamed(name) ? NULL : name;
}

/* The value for which the thread waits is known if it does wait, and not in a search of graphs. */
static bool has_value(const struct explainer *x, const struct event *wait)
{
	return wait->kind == EVENT_FUTEX_WAIT && !(wait->flags & EVENT_FAILED) &&
	       x->trace->memory == MEMORY_SC && wait->value <= UINT32_MAX;
}

bool explain_futex_wait(struct explainer *x, const struct event *event, struct strbuf *out)
{
	const char *word = has_value(x, event) ? word_of(x, event) : NULL;

	if (!word)
		return false;
	strbuf_addf(out, "%s %s while it is %d", event_kind_text(event->kind), word,
		    (int32_t)event->value);
	return true;
}

/* The last step that changed the word, behind `from`, and the value; events_len if there was none. */
static uint32_t find_change(struct explainer *x, uint64_t object, uint32_t from, uint64_t *value)
{
	struct target *inner = target_unwrapped(x->target);
	const struct trace *t = x->trace;

	/* a plain write, whose value may not be known */
	for (uint32_t i = 0; i < t->plains_len; i++)
		if (t->plains[i].is_write && t->plains[i].step > from &&
		    OBJECT_NAME_OF(object) - t->plains[i].address < t->plains[i].size)
			return t->events_len;
	for (uint32_t i = t->events_len; i-- > from + 1;) {
		const struct access *access = event_find_access(&t->events[i], object);

		if (!access || !access_mode_writes(access->mode))
			continue;
		return inner->ops->written_value && inner->ops->written_value(inner, i, value)
			       ? i
			       : t->events_len;
	}
	return t->events_len;
}

/* The last step that wakes those who wait for the word by the other kind of call: the kernel has one futex of the word for
 * private calls, and one for the others. REPORT_NO_STEP if there is none, or if one has woken by the same kind. */
static uint32_t find_other_wake(const struct trace *t, uint64_t futex)
{
	uint32_t found = REPORT_NO_STEP;

	for (uint32_t i = 0; i < t->events_len && OBJECT_CLASS(futex) == OBJECT_FUTEX; i++) {
		if (t->events[i].kind != EVENT_FUTEX_WAKE)
			continue;
		if (event_find_access(&t->events[i], futex))
			return REPORT_NO_STEP;
		if (event_find_access(&t->events[i], explain_other_futex(futex)))
			found = i;
	}
	return found;
}

uint64_t explain_other_futex(uint64_t futex)
{
	return futex ^ 1;
}

void explain_other_wake(struct explainer *x, const struct event *wait, struct strbuf *out)
{
	uint32_t wake = wait->access_len ? find_other_wake(x->trace, wait->accesses[0].object)
					 : REPORT_NO_STEP;
	struct report_frame at;

	if (wake == REPORT_NO_STEP)
		return;
	at = explain_place(x, x->trace->events[wake].site, wake, x->trace->events[wake].actor);
	strbuf_addf(out,
		    "; %s wakes only others (step %u, %s), because one of the two calls is private "
		    "(FUTEX_PRIVATE_FLAG) and the other one is not",
		    explain_actor(x, x->trace->events[wake].actor), wake + 1,
		    explain_place_text(x, &at));
}

void explain_futex(struct explainer *x, uint32_t actor, struct strbuf *out)
{
	const struct trace *t = x->trace;
	uint32_t wait = t->events_len, change;
	const char *word;
	uint64_t now = 0;

	for (uint32_t i = 0; i < t->events_len; i++)
		if (t->events[i].actor == actor)
			wait = i;
	if (wait == t->events_len || !has_value(x, &t->events[wait]))
		return;
	word = word_of(x, &t->events[wait]);
	if (!word)
		return;
	strbuf_addf(out, " while %s is %d", word, (int32_t)t->events[wait].value);
	change = find_change(x, t->events[wait].accesses[0].object, wait, &now);
	if (change < t->events_len && (uint32_t)now != (uint32_t)t->events[wait].value)
		strbuf_addf(out, " (it is %d since step %u)", (int32_t)now, change + 1);
}
