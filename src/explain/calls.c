/* calls.c: steps of C and C++ whose words are not their kind and their object. */
#include <signal.h>
#include <string.h>

#include "core/object.h"
#include "explain/parts.h"

bool explain_is_exit(struct explainer *x, const struct event *event)
{
	return event->kind == EVENT_ONCE && event->access_len &&
	       strcmp(explain_object(x, event->accesses[0].object), TARGET_EXIT) == 0;
}

bool explain_is_system_call(const struct event *event)
{
	return (event->kind == EVENT_IO_READ || event->kind == EVENT_IO_WRITE) &&
	       !(event->access_len && event->accesses[0].object);
}

/* A thread is cancelled or signalled that is detached, or that others join. If it has not ended or was not
 * joined, a step follows that does so. */
static void add_look(struct explainer *x, const struct event *event, struct strbuf *out)
{
	const char *thread = explain_object(x, event->accesses[0].object);

	if (event->value == EVENT_LOOK_NOT_JOINED)
		strbuf_addf(out, "look whether %s was joined: no", thread);
	else if (event->value != EVENT_LOOK_JOINED && event->flags & EVENT_FAILED)
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

/* ---- signals of the operating system ---- */

static const struct access *find_taken_signal(const struct event *event)
{
	for (uint32_t a = 0; a < event->access_len; a++)
		if (OBJECT_CLASS(event->accesses[a].object) == OBJECT_SIGNALS &&
		    event->accesses[a].mode == ACCESS_TAKE)
			return &event->accesses[a];
	return NULL;
}

/* Is it a wait that ended because another thread has cancelled this one? It takes what that step has given. */
static bool is_cancellation(const struct explainer *x, const struct event *event)
{
	const struct access *taken = find_taken_signal(event);

	for (uint32_t i = 0; taken && i < x->trace->events_len; i++)
		if (x->trace->events[i].kind == EVENT_CANCEL && event_find_access(&x->trace->events[i], taken->object))
			return true;
	return false;
}

bool explain_takes_signal(const struct event *event)
{
	return event->kind == EVENT_SIGNAL_TAKE && find_taken_signal(event);
}

bool explain_meets_signal(const struct event *event)
{
	return event->kind != EVENT_SIGNAL_TAKE && event->flags & EVENT_FAILED &&
	       find_taken_signal(event);
}

static void add_signal_name(uint64_t number, struct strbuf *out)
{
	const char *name = number < NSIG ? sigabbrev_np((int)number) : NULL;

	if (name)
		strbuf_addf(out, "SIG%s", name);
	else
		strbuf_addf(out, number ? "signal %lu" : "a signal", number);
}

/* "send SIGUSR1 to main": the receiver is known if it takes the signal. */
static void add_signal_send(struct explainer *x, const struct event *send, struct strbuf *out)
{
	const struct trace *t = x->trace;

	strbuf_adds(out, "send ");
	add_signal_name(send->value, out);
	for (uint32_t i = 0; i < t->events_len; i++) {
		const struct access *taken = find_taken_signal(&t->events[i]);

		if (taken && taken->object == send->accesses[0].object) {
			strbuf_addf(out, " to %s", explain_actor(x, t->events[i].actor));
			return;
		}
	}
}

/* The function on top of the stack that the actor had at a step, by its stack at `key`; NULL if that stack is not
 * there any more, or has nothing on top. */
static const char *find_on_top(struct explainer *x, uint32_t step, uint32_t key)
{
	struct target_frame before[FRAMES_MAX], frames[FRAMES_MAX];
	uint32_t actor = x->trace->events[step].actor;
	uint32_t outer = explain_stack(x->target, step, actor, before);
	uint32_t len = explain_stack(x->target, key, actor, frames);

	if (!outer || len <= outer)
		return NULL;
	for (uint32_t i = 0; i < outer; i++)
		if (frames[len - outer + i].address != before[i].address)
			return NULL;
	return frames[len - outer - 1].function;
}

/* The function that the wait of step `wait` runs as a handler, by the stack of what the thread does next: it is on top
 * of the stack of the wait. NULL if the wait took the signal itself, or if its handler does nothing that is seen. */
static const char *find_handler(struct explainer *x, uint32_t wait)
{
	const struct trace *t = x->trace;
	uint32_t actor = t->events[wait].actor, key = wait + 1;

	while (key < t->events_len && t->events[key].actor != actor)
		key++;
	for (uint32_t i = t->plains_len; i-- > 0;)
		if (t->plains[i].actor == actor && t->plains[i].step > wait && t->plains[i].step <= key)
			key = i | (uint32_t)TARGET_OF_PLAIN;
	return find_on_top(x, wait, key);
}

/* The handler runs before the step, which is announced again: "take SIGUSR1 before write count: on_user runs". */
void explain_met_signal(struct explainer *x, const struct event *event, struct strbuf *out)
{
	const struct trace *t = x->trace;
	uint64_t signals = find_taken_signal(event)->object, number = 0;
	bool is_step = event >= t->events && event < t->events + t->events_len;
	const char *handler = is_step ? find_handler(x, (uint32_t)(event - t->events)) : NULL;

	for (uint32_t i = 0; i < t->events_len && &t->events[i] != event; i++)
		if (t->events[i].kind == EVENT_SIGNAL_SEND && t->events[i].access_len &&
		    t->events[i].accesses[0].object == signals)
			number = t->events[i].value;
	if (is_cancellation(x, event)) {
		strbuf_addf(out, "is cancelled in %s", explain_announced(x, event));
		return;
	}
	strbuf_adds(out, "take ");
	add_signal_name(number, out);
	strbuf_addf(out, " before %s", explain_announced(x, event));
	if (handler)
		strbuf_addf(out, ": %s runs", handler);
}

const char *explain_interrupting(struct explainer *x, uint32_t actor, uint32_t *step)
{
	const struct trace *t = x->trace;

	for (uint32_t i = t->events_len; i-- > 0;)
		if (t->events[i].actor == actor && explain_meets_signal(&t->events[i])) {
			*step = i;
			return find_on_top(x, i, (uint32_t)TARGET_AT_END);
		}
	return NULL;
}

/* "take SIGUSR2", or "take SIGUSR2: on_alarm runs, then EINTR" if the signal is not one of those for which the call
 * waits: the handler runs, and most calls then fail with EINTR. */
static void add_signal_take(struct explainer *x, const struct event *event, struct strbuf *out)
{
	static const char *const ended[] = {"sigwaitinfo", "sigtimedwait", "sigsuspend", "pause"};
	const struct trace *t = x->trace;
	bool is_step = event >= t->events && event < t->events + t->events_len;
	const char *handler = is_step ? find_handler(x, (uint32_t)(event - t->events)) : NULL;
	struct report_frame at;
	const char *line;

	if (is_cancellation(x, event)) {
		strbuf_adds(out, "is cancelled");
		return;
	}
	strbuf_adds(out, "take ");
	add_signal_name(event->value, out);
	if (!handler)
		return;
	strbuf_addf(out, ": %s runs", handler);
	at = explain_place(x, event->site, (uint32_t)(event - t->events), event->actor);
	line = explain_line(x, &at);
	for (size_t i = 0; line && i < sizeof(ended) / sizeof(ended[0]); i++)
		if (strstr(line, ended[i])) {
			strbuf_adds(out, ", then EINTR");
			return;
		}
}

static void add_abort(struct explainer *x, struct strbuf *out)
{
	const char *reason = x->trace->end == END_ABORT ? explain_abort(x) : NULL;

	strbuf_addf(out, "%s%s%s", event_kind_text(EVENT_ABORT), reason ? ": " : "",
		    reason ? reason : "");
}

uint32_t explain_cancelled(const struct explainer *x, const struct event *cancel)
{
	uint64_t object = cancel->access_len ? cancel->accesses[0].object : 0;

	return OBJECT_CLASS(object) == OBJECT_SIGNALS && OBJECT_NAME_OF(object) < x->trace->actors_len
		       ? (uint32_t)OBJECT_NAME_OF(object)
		       : ACTOR_NONE;
}

bool explain_is_cancelled(const struct event *event)
{
	return event->kind == EVENT_CANCELLED && !(event->flags & EVENT_FAILED);
}

/* A step by which the threads of a parallel region of OpenMP share out the turns of a loop, the sections or a single part,
 * or meet: "ask for piece 2 of the shared work". */
static bool add_team_step(struct explainer *x, const struct event *event, struct strbuf *out)
{
	const struct trace *t = x->trace;
	struct target *inner = target_unwrapped(x->target);
	uint64_t written = 0;

	if (!explain_is_memory(event->kind) || !event->access_len ||
	    !explain_is_team(explain_object(x, event->accesses[0].object)))
		return false;
	if (event->kind == EVENT_LOAD) {
		strbuf_adds(out, "wait for the other threads of the parallel region");
	} else if (event->accesses[0].mode == ACCESS_ADD) {
		strbuf_adds(out, "come to where the threads of the parallel region meet");
	} else if (event >= t->events && event < t->events + t->events_len && inner->ops->written_value &&
		   inner->ops->written_value(inner, (uint32_t)(event - t->events), &written)) {
		strbuf_addf(out, "ask for piece %u of the shared work", (uint32_t)written);
	} else {
		strbuf_adds(out, "ask for a piece of the shared work");
	}
	return true;
}

bool explain_call(struct explainer *x, const struct event *event, struct strbuf *out)
{
	if (add_team_step(x, event, out))
		return true;
	switch (event->kind) {
	case EVENT_TO_CANCEL:
	case EVENT_TO_SIGNAL:
		add_look(x, event, out);
		return true;
	case EVENT_CANCEL:
		if (explain_cancelled(x, event) != ACTOR_NONE)
			strbuf_addf(out, "cancel %s", explain_actor(x, explain_cancelled(x, event)));
		return out->len > 0;
	case EVENT_CANCELLED:
		strbuf_adds(out, explain_is_cancelled(event) ? "is cancelled"
							     : "look whether it is cancelled: no");
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
	case EVENT_SIGNAL_SEND:
		add_signal_send(x, event, out);
		return true;
	case EVENT_SIGNAL_TAKE: /* sigpending only looks; a wait whose time is up takes none */
		if (find_taken_signal(event))
			add_signal_take(x, event, out);
		else
			strbuf_adds(out, "look for signals");
		return true;
	case EVENT_IO_READ:
	case EVENT_IO_WRITE:
		if (explain_is_system_call(event))
			strbuf_adds(out, "system call");
		return out->len > 0 || explain_library_call(x, event, out);
	case EVENT_FUTEX_BLOCK:
		if (explain_queued(x, event))
			strbuf_addf(out, "%s %s", explain_queued(x, event)->kind == EVENT_LOCK ? "write-lock" : "read-lock",
				    explain_object(x, explain_queued(x, event)->accesses[0].object));
		return out->len > 0;
	case EVENT_FUTEX_WAIT:
		return explain_futex_wait(x, event, out);
	case EVENT_ABORT:
		add_abort(x, out);
		return true;
	default:
		return explain_library_call(x, event, out);
	}
}

const char *explain_announced(struct explainer *x, const struct event *event)
{
	struct strbuf text = {0};
	const char *words;

	if (event->kind == EVENT_CANCELLED) /* whether it is cancelled there is not known before */
		strbuf_adds(&text, "cancellation point");
	else if (!explain_call(x, event, &text))
		strbuf_addf(&text, "%s%s%s", event_kind_text(event->kind),
			    event->access_len ? " " : "",
			    event->access_len ? explain_object(x, event->accesses[0].object) : "");
	words = arena_strdup(x->arena, strbuf_text(&text));
	strbuf_release(&text);
	return words;
}
