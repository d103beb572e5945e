/* spin.c: loops that wait for a change that no actor will make.
 *
 * The reader wants to know who loops, where, what the loop looks at and what it finds there. */
#include <string.h>

#include "core/object.h"
#include "explain/parts.h"

static bool is_loop(const struct trace *t, const struct finding_site *site)
{
	const struct event *next = explain_pending(t, site->actor);

	return next && next->flags & EVENT_VOID;
}

/* ---- threads ---- */

/* The last step that wrote the object; events_len if none did, or if a plain access has written it since. */
static uint32_t find_last_write(const struct trace *t, uint64_t object)
{
	uint32_t last = t->events_len;

	for (uint32_t i = 0; i < t->events_len; i++) {
		const struct access *access = event_find_access(&t->events[i], object);

		if (access && explain_is_memory(t->events[i].kind) && access_mode_writes(access->mode))
			last = i;
	}
	for (uint32_t i = 0; i < t->plains_len; i++)
		if (t->plains[i].is_write && t->plains[i].step > last &&
		    OBJECT_NAME_OF(object) - t->plains[i].address < t->plains[i].size)
			return t->events_len;
	return last;
}

/* " x is 3 since step 4." */
static void add_found(struct explainer *x, const struct event *next, struct strbuf *out)
{
	uint64_t object = next->access_len ? next->accesses[0].object : 0;
	uint32_t write = explain_is_memory(next->kind) ? find_last_write(x->trace, object)
						       : x->trace->events_len;
	struct strbuf value = {0};
	const char *now = NULL;

	if (write < x->trace->events_len)
		explain_value(x, write, &value);
	if (value.len) {
		now = strstr(strbuf_text(&value), " → ");
		now = now ? now + strlen(" → ") : strstr(strbuf_text(&value), " = ");
	}
	if (now)
		strbuf_addf(out, " %s is %s since step %u.", explain_object(x, object),
			    now + strspn(now, " ="), write + 1);
	strbuf_release(&value);
}

/* " poll reads work = 0 there." of a loop that takes a lock in order to look. */
static void add_read(struct explainer *x, const struct event *next, struct strbuf *out)
{
	const struct trace *t = x->trace;
	uint32_t last = t->plains_len;

	if (next->kind != EVENT_LOCK && next->kind != EVENT_RDLOCK)
		return;
	for (uint32_t i = 0; i < t->plains_len; i++)
		last = t->plains[i].actor == next->actor ? i : last;
	if (last < t->plains_len && !t->plains[last].is_write) {
		uint64_t object = OBJECT(OBJECT_MEMORY, t->plains[last].address);
		const char *name = explain_object(x, object);

		if (!explain_is_unnamed(name))
			strbuf_addf(out, " %s reads %s%s there.", explain_actor(x, next->actor), name,
				    explain_is_inside(x, object) ? "" : explain_plain_value(x, last, false));
	}
}

/* "spin waits in a loop at gate.c:8 (load x), and nobody is left to write what it waits for. x is 3 since step 4." */
static void add_threads(struct explainer *x, const struct finding *finding, struct strbuf *out)
{
	struct strbuf found = {0};
	uint32_t loops = 0;

	for (uint32_t i = 0; i < finding->sites_len; i++) {
		const struct event *next = explain_pending(x->trace, finding->sites[i].actor);

		if (!is_loop(x->trace, &finding->sites[i]))
			continue;
		strbuf_addf(out, "%s%s waits in a loop at %s (%s)", loops++ ? "; " : "",
			    x->out->sites[i].actor, explain_place_text(x, &x->out->sites[i].at),
			    explain_announced(x, next));
		add_found(x, next, &found);
		add_read(x, next, &found);
	}
	strbuf_addf(out, ", and nobody is left to write what %s for.%s",
		    loops == 1 ? "it waits" : "they wait", strbuf_text(&found));
	strbuf_release(&found);
}

/* ---- processes ---- */

/* " Its last look: ets:member(t, done) → false (step 8)." */
static void add_last_look(struct explainer *x, uint32_t actor, struct strbuf *out)
{
	const struct trace *t = x->trace;

	for (uint32_t i = t->events_len; i-- > 0;) {
		const char *text = t->events[i].actor == actor ? explain_step(x, &t->events[i], i)
							       : NULL;

		if (text && strstr(text, " → "))
			strbuf_addf(out, " Its last look: %s (step %u).", text, i + 1);
		if (text)
			return;
	}
}

/* The mailbox of a process that looks for messages: it has looked, or the time has passed in which it waited for one. */
static uint64_t mailbox_of(const struct trace *t, uint32_t actor)
{
	for (uint32_t i = t->events_len; i-- > 0;) {
		const struct event *event = &t->events[i];
		const struct actor *by = &t->actors[event->actor];

		if (!(event->actor == actor && event->kind == EVENT_RECEIVE) &&
		    !(by->kind == ACTOR_TIMER && by->parent == actor))
			continue;
		for (uint32_t a = 0; a < event->access_len; a++)
			if (OBJECT_CLASS(event->accesses[a].object) == OBJECT_MAILBOX)
				return event->accesses[a].object;
	}
	return 0;
}

uint32_t explain_unread(const struct trace *t, uint32_t actor, uint32_t from)
{
	uint64_t mailbox = mailbox_of(t, actor);

	for (uint32_t i = from; mailbox && i < t->events_len; i++)
		if (t->events[i].kind == EVENT_SEND && event_find_access(&t->events[i], mailbox) &&
		    explain_taken_at(t, &t->events[i]) == REPORT_NO_STEP)
			return i;
	return REPORT_NO_STEP;
}

/* " It does not take noise, which talker has sent in step 2." */
static void add_unread(struct explainer *x, uint32_t actor, struct strbuf *out)
{
	enum { MOST = 2 };
	uint32_t count = 0;

	for (uint32_t i = 0; (i = explain_unread(x->trace, actor, i)) != REPORT_NO_STEP && count < MOST; i++) {
		int len = 0;
		const char *message = explain_message_sent(x, i, &len);

		if (message)
			strbuf_addf(out, "%s %.*s, which %s has sent in step %u",
				    count++ ? ", nor" : " It does not take", len, message,
				    explain_actor(x, x->trace->events[i].actor), i + 1);
	}
	if (count)
		strbuf_addc(out, '.');
}

void explain_polling(struct explainer *x, uint32_t actor, struct strbuf *out)
{
	const struct event *next = explain_pending(x->trace, actor);
	struct report_frame at = explain_place(x, next->site, (uint32_t)TARGET_AT_END, actor);

	strbuf_addf(out, "%s%s looks again and again", out->len ? " " : "", explain_actor(x, actor));
	if (at.file)
		strbuf_addf(out, " (%s)", explain_place_text(x, &at));
	strbuf_adds(out, ", and nobody is left who could change what it sees.");
	add_last_look(x, actor, out);
	add_unread(x, actor, out);
}

bool explain_is_polling(const struct trace *t, uint32_t actor)
{
	const struct event *next = explain_pending(t, actor);

	return next && next->flags & EVENT_VOID && next->kind == EVENT_RECEIVE;
}

bool explain_loop(struct explainer *x, const struct finding *finding, struct strbuf *out)
{
	const struct trace *t = x->trace;
	size_t before = out->len;

	if (finding->kind != FINDING_LIVELOCK || t->end != END_SPIN || !finding->sites_len ||
	    !is_loop(t, &finding->sites[0]))
		return false;
	for (uint32_t i = 0; i < finding->sites_len; i++)
		if (explain_is_polling(t, finding->sites[i].actor))
			explain_polling(x, finding->sites[i].actor, out);
	if (out->len == before)
		add_threads(x, finding, out);
	return true;
}
