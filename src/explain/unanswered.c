/* unanswered.c: why a call of a server was not answered in time.
 *
 * "stock took it in step 19 and was waiting for the reply of billing to its call {price,pen} (shop.erl:18);
 * billing was waiting for the reply of stock to its call {amount,pen} (shop.erl:23)." */
#include <string.h>

#include "core/object.h"
#include "explain/parts.h"

enum { CHAIN_MAX = 4 };

static const char call[] = "call ";

/* The last message that the actor has sent before the step, if that is a call and the actor has taken no message
 * since; or REPORT_NO_STEP. The words for it are left in `asked`: "call counter: {add,1}". */
static uint32_t find_open_call(struct explainer *x, uint32_t actor, uint32_t before, const char **asked)
{
	for (uint32_t i = before; i-- > 0;) {
		const struct event *event = &x->trace->events[i];

		if (event->actor != actor || (event->kind != EVENT_SEND && event->kind != EVENT_RECEIVE &&
					      event->kind != EVENT_FINISH))
			continue;
		if (event->kind == EVENT_RECEIVE && (event->flags & EVENT_FAILED))
			continue; /* it has looked for a message and found none */
		*asked = explain_step(x, event, i);
		return event->kind == EVENT_SEND && strncmp(*asked, call, strlen(call)) == 0 &&
				       strstr(*asked, ": ")
			       ? i
			       : REPORT_NO_STEP;
	}
	return REPORT_NO_STEP;
}

/* Has the process stopped to wait for the answer of the call, because that came too late? */
static bool has_given_up(const struct trace *t, uint32_t step, uint32_t before)
{
	for (uint32_t i = step + 1; i < before; i++)
		if (t->events[i].actor == t->events[step].actor && t->events[i].kind == EVENT_DEMONITOR)
			return true;
	return false;
}

/* The process into whose mailbox the message goes; ACTOR_NONE if it never takes any. */
static uint32_t find_receiver(const struct trace *t, const struct event *send)
{
	for (uint32_t a = 0; a < send->access_len; a++) {
		uint64_t object = send->accesses[a].object;

		for (uint32_t i = 0; i < t->events_len && OBJECT_CLASS(object) == OBJECT_MAILBOX; i++)
			if (t->events[i].kind == EVENT_RECEIVE && event_find_access(&t->events[i], object))
				return t->events[i].actor;
	}
	return ACTOR_NONE;
}

/* "was waiting for the reply of billing to its call {price,pen} (shop.erl:18)" */
static void add_open(struct explainer *x, uint32_t actor, uint32_t step, const char *asked, struct strbuf *out)
{
	struct report_frame at = explain_place(x, x->trace->events[step].site, step, actor);
	const char *to = asked + strlen(call), *request = strstr(to, ": ");

	strbuf_addf(out, " was waiting for the reply of %.*s to its call %s", (int)(request - to), to,
		    request + 2);
	if (at.file && !explain_is_framework(at.file))
		strbuf_addf(out, " (%s)", explain_place_text(x, &at));
}

/* " By then Task was waiting for the reply of cache to its call rows.": others whose call the server has not taken
 * either, for whom it may wait in another way. */
static void add_other_callers(struct explainer *x, uint32_t server, uint32_t caller, uint32_t before,
			      struct strbuf *out)
{
	for (uint32_t a = 0; a < x->trace->actors_len; a++) {
		const char *asked;
		uint32_t step = a == caller || a == server ? REPORT_NO_STEP
							   : find_open_call(x, a, before, &asked);

		if (step == REPORT_NO_STEP || has_given_up(x->trace, step, before) ||
		    find_receiver(x->trace, &x->trace->events[step]) != server ||
		    explain_taken_at(x->trace, &x->trace->events[step]) < before)
			continue;
		strbuf_addf(out, " By then %s", explain_actor(x, a));
		add_open(x, a, step, asked, out);
		strbuf_addf(out, ", which %s had not taken.", explain_actor(x, server));
		return;
	}
}

void explain_unanswered(struct explainer *x, uint32_t caller, uint32_t before, struct strbuf *out)
{
	const struct trace *t = x->trace;
	const char *asked;
	uint32_t step = find_open_call(x, caller, before, &asked), server, taken;
	uint32_t seen[CHAIN_MAX], len = 0;

	if (step == REPORT_NO_STEP || (server = find_receiver(t, &t->events[step])) == ACTOR_NONE)
		return;
	taken = explain_taken_at(t, &t->events[step]);
	strbuf_addf(out, " %s", explain_actor(x, server));
	if (taken < before)
		strbuf_addf(out, " took this call in step %u", taken + 1);
	else
		strbuf_adds(out, " had not taken this call");
	while (len < CHAIN_MAX) {
		uint32_t next = find_open_call(x, server, before, &asked);

		if (next == REPORT_NO_STEP || has_given_up(t, next, before) ||
		    (taken < before && len == 0 && next < taken))
			break;
		strbuf_adds(out, len ? "; " : " and");
		strbuf_adds(out, len ? explain_actor(x, server) : "");
		add_open(x, server, next, asked, out);
		seen[len++] = server;
		server = find_receiver(t, &t->events[next]);
		for (uint32_t i = 0; i < len && server != ACTOR_NONE; i++)
			if (seen[i] == server)
				server = ACTOR_NONE; /* they wait for each other */
		if (server == ACTOR_NONE)
			break;
	}
	if (len == 0 && taken < before)
		strbuf_adds(out, " and had not answered");
	strbuf_addc(out, '.');
	if (len == 0)
		add_other_callers(x, server, caller, before, out);
}
