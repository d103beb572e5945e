/* waiting.c: for what a thread waits at a semaphore, at a barrier, or for its own lock. */
#include <string.h>

#include "explain/parts.h"

static bool does(const struct trace *t, uint32_t actor, uint32_t kind, uint64_t object)
{
	for (uint32_t i = 0; i < t->events_len; i++)
		if (t->events[i].actor == actor && t->events[i].kind == kind &&
		    event_find_access(&t->events[i], object))
			return true;
	return false;
}

/* Do some post the semaphore and others take it? Then those who take it need not give it back. */
static bool passes_on(const struct trace *t, uint64_t object)
{
	bool is_posted = false;

	for (uint32_t a = 0; a < t->actors_len; a++) {
		if (!does(t, a, EVENT_SEM_POST, object))
			continue;
		if (does(t, a, EVENT_SEM_WAIT, object))
			return false;
		is_posted = true;
	}
	return is_posted;
}

/* The last step that took the semaphore and was not followed by a post of its actor; or events_len. */
static uint32_t find_taker(const struct trace *t, uint64_t object)
{
	uint32_t took = t->events_len;

	for (uint32_t i = 0; i < t->events_len; i++) {
		const struct event *event = &t->events[i];

		if (!event_find_access(event, object))
			continue;
		if (event->kind == EVENT_SEM_WAIT && !(event->flags & EVENT_FAILED))
			took = i;
		else if (event->kind == EVENT_SEM_POST && took < t->events_len &&
			 event->actor == t->events[took].actor)
			took = t->events_len;
	}
	return took;
}

/* "waits for semaphore full, which read posts at q.c:29" if others wait that do not come to their post, or "…, which
 * write took in step 7 and posts at q.c:17". Else "…, and nobody is left to post it (use#2 took it last, in step 8, and
 * has not posted it since)"; without the last words if those who take it do not give it back. */
void explain_semaphore(struct explainer *x, const struct event *wait, struct strbuf *out)
{
	const struct trace *t = x->trace;
	uint64_t object = wait->accesses[0].object;
	uint32_t took = find_taker(t, object);
	const char *taker = took < t->events_len ? explain_actor(x, t->events[took].actor) : NULL;
	const struct report_event *post = explain_post(x, wait);
	struct report_frame at = {.file = post ? post->file : NULL, .line = post ? post->line : 0};

	strbuf_addf(out, "waits for semaphore %s, ", explain_object(x, object));
	if (post && taker && strcmp(taker, post->actor) == 0)
		strbuf_addf(out, "which %s took in step %u and posts at %s", taker, took + 1,
			    explain_place_text(x, &at));
	else if (post && taker && t->events[took].actor != wait->actor)
		strbuf_addf(out, "which %s took in step %u and %s posts at %s", taker, took + 1,
			    post->actor, explain_place_text(x, &at));
	else if (post)
		strbuf_addf(out, "which %s posts at %s", post->actor, explain_place_text(x, &at));
	else if (taker)
		strbuf_addf(out, "and nobody is left to post it (%s took it last, in step %u%s)", taker,
			    took + 1, passes_on(t, object) ? "" : ", and has not posted it since");
	else
		strbuf_adds(out, "and nobody is left to post it");
}

bool explain_enters_queue(const struct event *event)
{
	return (event->kind == EVENT_LOCK || event->kind == EVENT_RDLOCK) && event->flags & EVENT_FAILED &&
	       event->access_len == 2 && event->accesses[1].mode == ACCESS_ENTER;
}

const struct event *explain_queued(const struct explainer *x, const struct event *wait)
{
	const struct trace *t = x->trace;

	if (wait->kind != EVENT_FUTEX_BLOCK || wait < t->pending || wait >= t->pending + t->pending_len)
		return NULL;
	for (uint32_t i = t->events_len; i-- > 0;)
		if (t->events[i].actor == wait->actor)
			return explain_enters_queue(&t->events[i]) ? &t->events[i] : NULL;
	return NULL;
}

/* The actor that waits to lock it for writing, or, for a writer, the one that holds it, or ACTOR_NONE. */
static uint32_t find_in_front(struct explainer *x, const struct event *queued)
{
	const struct trace *t = x->trace;
	uint64_t lock = queued->accesses[0].object;

	for (uint32_t i = 0; i < t->held_len; i++)
		if (t->held[i].object == lock && t->held[i].actor != queued->actor)
			return t->held[i].actor;
	for (uint32_t i = 0; i < t->pending_len; i++) {
		const struct event *other = explain_queued(x, &t->pending[i]);

		if (other && other != queued && other->kind == EVENT_LOCK && other->accesses[0].object == lock)
			return other->actor;
	}
	return ACTOR_NONE;
}

void explain_queue(struct explainer *x, const struct event *queued, struct strbuf *out)
{
	const struct trace *t = x->trace;
	uint64_t lock = queued->accesses[0].object;
	uint32_t front = find_in_front(x, queued);

	strbuf_addf(out, "waits to lock %s for %s", explain_object(x, lock),
		    queued->kind == EVENT_LOCK ? "writing" : "reading");
	for (uint32_t i = 0; i < t->held_len; i++)
		if (t->held[i].object == lock && t->held[i].actor == front) {
			strbuf_addf(out, ", which %s holds%s", explain_actor(x, front),
				    t->held[i].mode == ACCESS_SHARE ? " for reading" : "");
			return;
		}
	if (front != ACTOR_NONE)
		strbuf_addf(out, " behind %s, which waits to lock it for writing: this lock prefers writers",
			    explain_actor(x, front));
}

/* " (it took it in step 2, and waits in on_hup, the handler of a signal that came in step 5)" of a lock that the handler of a signal
 * takes as well. */
void explain_interrupted(struct explainer *x, uint32_t actor, uint64_t object, struct strbuf *out)
{
	struct held_lock held[LOCKS_MAX];
	uint32_t len = explain_locks(x->trace, actor, x->trace->events_len, held);
	uint32_t met = 0;
	const char *handler = explain_interrupting(x, actor, &met);

	for (uint32_t i = 0; i < len && handler; i++)
		if (held[i].object == object && held[i].step < met)
			strbuf_addf(out, " (it took it in step %u, and waits in %s, the handler of a signal that came in "
				    "step %u)", held[i].step + 1, handler, met + 1);
}

/* "waits at barrier b, which is for 3 threads; 1 of them has arrived, and no more will" */
void explain_barrier(struct explainer *x, const struct event *leave, const char *name, struct strbuf *out)
{
	const struct trace *t = x->trace;
	uint32_t arrived = 0;

	for (uint32_t i = 0; i < t->events_len; i++)
		arrived += t->events[i].kind == EVENT_BARRIER_ARRIVE &&
			   event_find_access(&t->events[i], leave->accesses[0].object);
	strbuf_addf(out, "waits at barrier %s, which is for %lu threads; %u of them ha%s arrived, and no more will", name,
		    (unsigned long)leave->value, arrived, arrived == 1 ? "s" : "ve");
}
