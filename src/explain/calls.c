/* calls.c: steps of C and C++ whose words are not their kind and their object. */
#include <string.h>

#include "core/object.h"
#include "explain/parts.h"

bool explain_is_exit(struct explainer *x, const struct event *event)
{
	return event->kind == EVENT_ONCE && event->access_len &&
	       strcmp(explain_object(x, event->accesses[0].object), TARGET_EXIT) == 0;
}

/* A detached thread is cancelled or signalled. If it has not ended, a step follows that does so. */
static void add_look(struct explainer *x, const struct event *event, struct strbuf *out)
{
	const char *thread = explain_object(x, event->accesses[0].object);

	if (event->flags & EVENT_FAILED)
		strbuf_addf(out, "look whether %s has ended: no", thread);
	else
		strbuf_addf(out, "%s %s",
			    event->kind == EVENT_TO_CANCEL ? "cancel" : "send a signal to", thread);
}

/* Is it a lock that readers share? Then its other way to lock is for writing. */
static bool is_read_by_others(const struct trace *t, uint64_t lock)
{
	for (uint32_t i = 0; i < t->events_len + t->pending_len; i++) {
		const struct event *event = i < t->events_len ? &t->events[i]
							      : &t->pending[i - t->events_len];

		if ((event->kind == EVENT_RDLOCK || event->kind == EVENT_TRYRDLOCK) &&
		    event->access_len && event->accesses[0].object == lock)
			return true;
	}
	return false;
}

static void add_abort(struct explainer *x, struct strbuf *out)
{
	const char *reason = x->trace->end == END_ABORT ? explain_abort(x) : NULL;

	strbuf_addf(out, "%s%s%s", event_kind_text(EVENT_ABORT), reason ? ": " : "",
		    reason ? reason : "");
}

bool explain_call(struct explainer *x, const struct event *event, struct strbuf *out)
{
	switch (event->kind) {
	case EVENT_TO_CANCEL:
	case EVENT_TO_SIGNAL:
		add_look(x, event, out);
		return true;
	case EVENT_FINISH: /* the actor is in the head of the column */
		strbuf_adds(out, event_kind_text(event->kind));
		return true;
	case EVENT_ONCE:
		if (explain_is_exit(x, event))
			strbuf_adds(out, TARGET_EXIT);
		return out->len > 0;
	case EVENT_LOCK:
	case EVENT_TRYLOCK:
		if (!event->access_len || !is_read_by_others(x->trace, event->accesses[0].object))
			return false;
		strbuf_addf(out, "%s %s",
			    event->kind == EVENT_LOCK ? "write-lock" : "try-write-lock",
			    explain_object(x, event->accesses[0].object));
		return true;
	case EVENT_FUTEX_WAIT:
		return explain_futex_wait(x, event, out);
	case EVENT_ABORT:
		add_abort(x, out);
		return true;
	default:
		return false;
	}
}
