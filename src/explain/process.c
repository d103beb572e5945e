/* process.c: how processes ended or wait, in the words of the program. */
#include <string.h>

#include "explain/parts.h"

enum { OTHER_WAITERS_MAX = 3 };

const char *explain_last_sent(struct explainer *x, uint32_t actor, uint32_t *step)
{
	struct strbuf text = {0};
	const char *result = NULL;

	for (uint32_t i = x->trace->events_len; i-- > 0 && !result;) {
		if (x->trace->events[i].actor != actor || x->trace->events[i].kind != EVENT_SEND)
			continue;
		*step = i;
		if (x->target->ops->describe_step &&
		    x->target->ops->describe_step(x->target, i, &text))
			result = arena_strdup(x->arena, strbuf_text(&text));
		break;
	}
	strbuf_release(&text);
	return result;
}

uint32_t explain_taken_at(const struct trace *t, const struct event *send)
{
	for (uint32_t i = 0; i < t->events_len; i++)
		if (event_kind_flags(t->events[i].kind) & EVENT_KIND_TAKES &&
		    event_is_fed_by(&t->events[i], send))
			return i;
	return REPORT_NO_STEP;
}

uint32_t explain_waited_for(const struct trace *t, uint32_t actor)
{
	for (uint32_t i = 0; i < t->waits_len; i++)
		if (t->waits[i].from == actor)
			return t->waits[i].to;
	return ACTOR_NONE;
}

const char *explain_patterns(const struct trace *t, uint32_t actor)
{
	for (uint32_t i = 0; i < t->waiters_len; i++)
		if (t->waiters[i].actor == actor)
			return t->waiters[i].patterns;
	return "";
}

/* Does it wait for the end of the other process, and for nothing else? */
static bool waits_for_end(const struct trace *t, const struct wait *wait)
{
	const char *patterns = explain_patterns(t, wait->from);

	return wait->is_end && !strchr(patterns, ';') &&
	       (strncmp(patterns, "{'DOWN', ", strlen("{'DOWN', ")) == 0 ||
		strncmp(patterns, "{:DOWN, ", strlen("{:DOWN, ")) == 0);
}

/* " waits for the reply of P1.2 to its call get", " waits for P1.2, in a receive of {taken, F}" */
static void add_wait(struct explainer *x, const struct wait *wait, struct strbuf *out)
{
	static const char call[] = "call ";
	const char *to = explain_actor(x, wait->to), *patterns = explain_patterns(x->trace, wait->from);
	uint32_t step = 0;
	const char *asked = wait->is_end ? NULL : explain_last_sent(x, wait->from, &step);
	const char *request = asked && strncmp(asked, call, strlen(call)) == 0 ? strstr(asked, ": ") : NULL;

	if (request)
		strbuf_addf(out, " waits for the reply of %s to its call %s", to, request + 2);
	else if (waits_for_end(x->trace, wait))
		strbuf_addf(out, " waits for the end of %s", to);
	else if (patterns[0])
		strbuf_addf(out, " waits for %s, in a receive of %s", to, patterns);
	else
		strbuf_addf(out, " waits for %s", to);
}

static const struct wait *find_wait(const struct trace *t, uint32_t from)
{
	for (uint32_t i = 0; i < t->waits_len; i++)
		if (t->waits[i].from == from)
			return &t->waits[i];
	return NULL;
}

/* The place at which a process waits: " (deadlock.erl:39)". */
static void add_waiting_place(struct explainer *x, uint32_t actor, struct strbuf *out)
{
	for (uint32_t i = 0; i < x->trace->waiters_len; i++) {
		struct report_frame at;

		if (x->trace->waiters[i].actor != actor)
			continue;
		at = explain_place(x, x->trace->waiters[i].site, (uint32_t)TARGET_AT_END, actor);
		if (at.file)
			strbuf_addf(out, " (%s)", explain_place_text(x, &at));
	}
}

/* The one of the circle that took the last step: its request has closed the circle. */
static uint32_t find_last_of_circle(const struct trace *t, uint32_t first)
{
	for (uint32_t i = t->events_len; i-- > 0;)
		for (uint32_t n = 0, at = first; n < t->waits_len && at != ACTOR_NONE; n++) {
			if (t->events[i].actor == at)
				return at;
			at = explain_waited_for(t, at);
		}
	return first;
}

/* Processes that wait for each other: for what, and where. */
void explain_circle(struct explainer *x, const struct finding *finding, struct strbuf *out)
{
	const struct trace *t = x->trace;
	uint32_t first = find_last_of_circle(t, finding->sites_len ? finding->sites[0].actor : 0);
	const struct wait *wait = find_wait(t, first);

	for (uint32_t n = 0; n <= t->waits_len && wait; n++) {
		strbuf_addf(out, "%s%s", n ? "; " : "", explain_actor(x, wait->from));
		add_wait(x, wait, out);
		add_waiting_place(x, wait->from, out);
		wait = wait->to == first ? NULL : find_wait(t, wait->to);
	}
	strbuf_addc(out, '.');
}

static const struct death *find_death(const struct trace *trace, uint32_t actor)
{
	for (uint32_t i = 0; i < trace->deaths_len; i++)
		if (trace->deaths[i].actor == actor)
			return &trace->deaths[i];
	return NULL;
}

/* The end that led to the end of the actor: that of the process which failed first. The actor's own if
 * there is no other; NULL if the actor has not ended. */
static const struct death *find_origin(const struct trace *trace, uint32_t actor)
{
	const struct death *death = find_death(trace, actor), *earlier;

	while (death && death->origin && (earlier = find_death(trace, death->origin - 1)) &&
	       earlier->step < death->step)
		death = earlier;
	return death;
}

/* The reason of an exit as the step of the end has it: in the syntax of the program's language. */
static const char *end_of(struct explainer *x, const struct death *death)
{
	static const char ends[] = "ends: ";
	uint32_t step = death && death->step ? death->step - 1 : REPORT_NO_STEP;
	struct strbuf text = {0};
	const char *result = NULL;

	if (step < x->trace->events_len && x->target->ops->describe_step &&
	    x->target->ops->describe_step(x->target, step, &text) &&
	    strncmp(strbuf_text(&text), ends, strlen(ends)) == 0 && strstr(death->text, "exits with reason") &&
	    !strstr(death->text, "is not on the code path"))
		result = arena_strdup(x->arena, strbuf_text(&text) + strlen(ends));
	strbuf_release(&text);
	return result;
}

/* The place to show for an end. */
static uint64_t place_of(struct explainer *x, const struct death *death)
{
	struct target_frame frame = {0};

	if (death->site && death->place)
		x->target->ops->describe_site(x->target, death->site, &frame);
	return explain_is_framework(frame.file) ? death->place : death->site;
}

uint64_t explain_end_site(struct explainer *x, uint32_t actor)
{
	const struct death *death = find_death(x->trace, actor);

	return death && find_origin(x->trace, actor) == death ? place_of(x, death) : 0;
}

/* "P1.2 exits with reason badarg (pool:take/1, pool.erl:12)" */
static void add_death(struct explainer *x, const struct death *death, struct strbuf *out)
{
	struct report_frame at = explain_place(x, place_of(x, death), (uint32_t)TARGET_AT_END,
						death->actor);
	const char *end = end_of(x, death);

	bool is_exit = strncmp(death->text, "exits ", strlen("exits ")) == 0 ||
		       strncmp(death->text, "is ended ", strlen("is ended ")) == 0;

	strbuf_addf(out, "%s %s%s", explain_actor(x, death->actor), is_exit ? "" : "fails: ",
		    end ? arena_printf(x->arena, "exits with reason %s", end) : death->text);
	if (at.file && !strstr(strbuf_text(out), explain_place_text(x, &at)))
		strbuf_addf(out, " (%s%s%s)", at.function ? at.function : "",
			    at.function ? ", " : "", explain_place_text(x, &at));
}

/* Has the actor taken a message or ended since the step? */
static bool goes_on_after(const struct trace *t, uint32_t actor, uint32_t step)
{
	for (uint32_t i = step + 1; i < t->events_len; i++)
		if (t->events[i].actor == actor &&
		    (t->events[i].kind == EVENT_RECEIVE || t->events[i].kind == EVENT_FINISH))
			return true;
	return false;
}

/* A process that waits inside of a call: the patterns of the library's receive say nothing. " waits for
 * ever for the reply of P1.1 to its call checkout, which P1.1 took in step 21." False if it is another
 * receive. */
static bool add_open_call(struct explainer *x, uint32_t actor, struct strbuf *out)
{
	static const char call[] = "call ";
	const struct trace *t = x->trace;
	uint32_t step = 0, taken;
	const char *asked = explain_last_sent(x, actor, &step), *request;
	int name;

	if (!asked || strncmp(asked, call, strlen(call)) != 0 || goes_on_after(t, actor, step))
		return false;
	asked += strlen(call);
	request = strstr(asked, ": ");
	if (!request)
		return false;
	name = (int)(request - asked);
	strbuf_addf(out, " waits for ever for the reply of %.*s to its call %s", name, asked,
		    request + 2);
	taken = explain_taken_at(t, &t->events[step]);
	if (taken == REPORT_NO_STEP)
		strbuf_addf(out, ", which %.*s has not taken", name, asked);
	else
		strbuf_addf(out, ", which %.*s took in step %u and has not answered", name, asked,
			    taken + 1);
	return true;
}

bool explain_waits_too(const struct trace *t, uint32_t i, uint32_t actor)
{
	uint32_t before = 0;

	if (!t->waiters[i].text[0] || t->waiters[i].actor == actor)
		return false;
	for (uint32_t j = 0; j < i; j++)
		before += t->waiters[j].text[0] && t->waiters[j].actor != actor;
	return before < OTHER_WAITERS_MAX;
}

/* " P1.1 waits for ever in a receive that does not take what is there: {ready,1}; it waits for {ready,
 * X} when X > 1 (pool:worker/0, pool.erl:4)." */
static void add_other_waiters(struct explainer *x, uint32_t actor, struct strbuf *out)
{
	const struct trace *t = x->trace;

	for (uint32_t i = 0; i < t->waiters_len; i++) {
		const struct waiter *waiter = &t->waiters[i];
		struct report_frame at;

		if (!explain_waits_too(t, i, actor))
			continue;
		at = explain_place(x, waiter->site, (uint32_t)TARGET_AT_END, waiter->actor);
		strbuf_addf(out, "%s%s", out->len ? " " : "", explain_actor(x, waiter->actor));
		if (!add_open_call(x, waiter->actor, out))
			strbuf_addf(out, " %s", waiter->text);
		if (at.file)
			strbuf_addf(out, " (%s%s%s)", at.function ? at.function : "",
				    at.function ? ", " : "", explain_place_text(x, &at));
		strbuf_addc(out, '.');
	}
}

/* " and P1": the actors that ended because the process of `origin` had ended; "" if there are none. */
static uint32_t list_followers(struct explainer *x, const struct death *origin, struct strbuf *out)
{
	const struct trace *t = x->trace;
	uint32_t count = 0, n = 0;

	for (uint32_t i = 0; i < t->deaths_len; i++)
		count += &t->deaths[i] != origin && find_origin(t, t->deaths[i].actor) == origin;
	for (uint32_t i = 0; i < t->deaths_len; i++)
		if (&t->deaths[i] != origin && find_origin(t, t->deaths[i].actor) == origin)
			strbuf_addf(out, "%s%s", !n++ ? "" : n == count ? " and " : ", ",
				    explain_actor(x, t->deaths[i].actor));
	return count;
}

uint32_t explain_ended_at(const struct trace *t, const struct event *send)
{
	uint64_t mailbox = 0;

	for (uint32_t a = 0; a < send->access_len; a++)
		if (OBJECT_CLASS(send->accesses[a].object) == OBJECT_MAILBOX)
			mailbox = send->accesses[a].object;
	for (uint32_t i = 0; mailbox && i < t->events_len; i++)
		if (t->events[i].kind == EVENT_FINISH &&
		    event_find_access(&t->events[i], OBJECT(OBJECT_ACTOR, OBJECT_NAME_OF(mailbox))))
			return i;
	return REPORT_NO_STEP;
}

/* "P1.2 exits with reason badarg (pool:take/1, pool.erl:12). By that P1.1 and P1 end, too." */
static void add_end(struct explainer *x, const struct death *origin, struct strbuf *out)
{
	struct strbuf followers = {0};
	uint32_t count = list_followers(x, origin, &followers);

	add_death(x, origin, out);
	strbuf_addc(out, '.');
	if (origin->step && strstr(origin->text, "timeout"))
		explain_unanswered(x, origin->actor, origin->step - 1, out);
	if (count && origin->actor != 0) /* what a test has started and linked ends with it */
		strbuf_addf(out, " By that %s end%s, too.", strbuf_text(&followers),
			    count == 1 ? "s" : "");
	if (!count)
		explain_told(x, origin, out);
	strbuf_release(&followers);
}

uint32_t explain_lost_at(const struct trace *t, uint32_t send)
{
	const struct event *event = send < t->events_len ? &t->events[send] : NULL;

	return event && event->kind == EVENT_SEND && explain_taken_at(t, event) == REPORT_NO_STEP
		       ? explain_ended_at(t, event) : REPORT_NO_STEP;
}

const char *explain_message_sent(struct explainer *x, uint32_t send, int *len)
{
	static const char *const verbs[] = {"send ", "deliver "};
	const char *text = explain_step(x, &x->trace->events[send], send), *to = NULL;

	for (const char *at = text; (at = strstr(at, " to ")); at++)
		to = at;
	for (size_t i = 0; to && i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strncmp(text, verbs[i], strlen(verbs[i])) == 0) {
			*len = (int)(to - text - (long)strlen(verbs[i]));
			return text + strlen(verbs[i]);
		}
	return NULL;
}

/* " P1.1 ended in step 10 and did not take {add,1}, which P1 sent in step 8.", or " P1.1 had ended in step 6 when P1
 * sent it {add,1} in step 8." of a message whose receiver has ended. False, and nothing is appended, if it has not. */
static bool add_lost(struct explainer *x, uint32_t send, struct strbuf *out)
{
	const struct trace *t = x->trace;
	uint32_t end = explain_lost_at(t, send);
	int len = 0;
	const char *text = end != REPORT_NO_STEP ? explain_message_sent(x, send, &len) : NULL;
	const char *receiver = end != REPORT_NO_STEP ? explain_actor(x, t->events[end].actor) : "";

	if (!text)
		return false;
	if (end < send)
		strbuf_addf(out, " %s had ended in step %u when %s sent it %.*s in step %u.", receiver, end + 1,
			    explain_actor(x, t->events[send].actor), len, text, send + 1);
	else
		strbuf_addf(out, " %s ended in step %u and did not take %.*s, which %s sent in step %u.",
			    receiver, end + 1, len, text, explain_actor(x, t->events[send].actor), send + 1);
	return true;
}

/* The same of a message that the process has sent since its own last receive, because it may wait for the answer. */
static bool add_lost_message(struct explainer *x, uint32_t actor, struct strbuf *out)
{
	for (uint32_t i = x->trace->events_len; i-- > 0;) {
		const struct event *event = &x->trace->events[i];

		if (event->actor != actor)
			continue;
		if (event->kind == EVENT_RECEIVE)
			return false;
		if (add_lost(x, i, out))
			return true;
	}
	return false;
}

/* The same of the last message that was lost so: it may have been a request that the process waits for. */
static void add_lost_of_others(struct explainer *x, struct strbuf *out)
{
	for (uint32_t i = x->trace->events_len; i-- > 0;)
		if (!explain_is_of_framework(x, i) && add_lost(x, i, out))
			return;
}

/* The same of one of the others that wait, too. */
static void add_message_of_other(struct explainer *x, uint32_t actor, struct strbuf *out)
{
	for (uint32_t i = 0; i < x->trace->waiters_len; i++)
		if (explain_waits_too(x->trace, i, actor) &&
		    add_lost_message(x, x->trace->waiters[i].actor, out))
			return;
}

/* Does the actor wait only for the end of another one, which waits for ever itself? */
static const struct wait *find_end_wait(const struct trace *t, uint32_t actor)
{
	for (uint32_t i = 0; i < t->waits_len; i++)
		for (uint32_t j = 0; j < t->waiters_len; j++)
			if (t->waits[i].from == actor && waits_for_end(t, &t->waits[i]) &&
			    t->waits[i].to == t->waiters[j].actor && explain_waits_too(t, j, actor))
				return &t->waits[i];
	return NULL;
}

bool explain_is_left(const struct trace *t, const struct finding *finding)
{
	if (finding->kind != FINDING_STUCK || !finding->sites_len || !finding->sites[0].actor)
		return false;
	for (uint32_t i = 0; i < t->events_len; i++)
		if (t->events[i].actor == 0 && t->events[i].kind == EVENT_FINISH)
			return true;
	return false;
}

/* " P1 started it at sess.erl:32, and nothing has ended it." */
static void add_start(struct explainer *x, uint32_t actor, struct strbuf *out)
{
	const struct trace *t = x->trace;

	for (uint32_t i = 0; i < t->events_len; i++) {
		struct report_frame at;

		if (t->events[i].kind != EVENT_SPAWN || event_created(&t->events[i]) != actor)
			continue;
		at = explain_place(x, t->events[i].site, i, t->events[i].actor);
		if (at.file)
			strbuf_addf(out, " %s started it at %s, and nothing has ended it.",
				    explain_actor(x, t->events[i].actor),
				    explain_place_text(x, &at));
	}
}

/* "P1: waits for ever in a receive" -> "P1 waits for ever in a receive (ping_pong:pong/0,
 * ping_pong.erl:18)" */
static void add_stuck(struct explainer *x, const struct finding *finding, struct strbuf *out)
{
	const char *colon = strstr(finding->message, ": ");
	const struct report_frame *at = x->out->sites_len ? &x->out->sites[0].at : NULL;
	bool is_stuck = finding->kind == FINDING_STUCK && finding->sites_len;
	const struct wait *end = is_stuck ? find_end_wait(x->trace, finding->sites[0].actor) : NULL;
	bool is_left = explain_is_left(x->trace, finding);

	if (end) { /* first those that it waits for */
		add_other_waiters(x, end->from, out);
		strbuf_addf(out, " %s", explain_actor(x, end->from));
		add_wait(x, end, out);
		add_waiting_place(x, end->from, out);
		strbuf_addc(out, '.');
		add_message_of_other(x, end->from, out);
		return;
	}
	if (is_left)
		strbuf_addf(out, "%s has ended and left ", explain_actor(x, 0));
	if (colon) {
		strbuf_addf(out, "%.*s%s", (int)(colon - finding->message), finding->message,
			    is_left ? " behind: it" : "");
		if (!add_open_call(x, finding->sites[0].actor, out))
			strbuf_addf(out, " %s", colon + 2);
	} else {
		strbuf_adds(out, finding->message);
	}
	if (at && at->file)
		strbuf_addf(out, " (%s%s%s)", at->function ? at->function : "",
			    at->function ? ", " : "", explain_place_text(x, at));
	strbuf_addc(out, '.');
	if (!is_stuck)
		return;
	if (is_left)
		add_start(x, finding->sites[0].actor, out);
	if (!add_lost_message(x, finding->sites[0].actor, out))
		add_lost_of_others(x, out);
	add_other_waiters(x, finding->sites[0].actor, out);
	for (uint32_t a = 0; a < x->trace->actors_len; a++) /* one that never comes to its message */
		if (a != finding->sites[0].actor && explain_is_polling(x->trace, a))
			explain_polling(x, a, out);
}

void explain_process(struct explainer *x, const struct finding *finding, struct strbuf *out)
{
	const struct death *origin = finding->kind != FINDING_STUCK && finding->sites_len
					     ? find_death(x->trace, finding->sites[0].actor)
					     : NULL;

	if (origin)
		add_end(x, origin, out);
	else
		add_stuck(x, finding, out);
}

void explain_property(struct explainer *x, const struct finding *finding, struct strbuf *out)
{
	static const char property[] = "the property ";
	const char *words = strstr(finding->message, property);
	const char *name = x->out->sites_len ? x->out->sites[0].at.function : NULL;
	struct target_facts facts = {0};

	x->target->ops->facts(x->target, &facts);
	if (!facts.instance || !words) {
		strbuf_adds(out, finding->message);
		return;
	}
	words += strlen(property);
	name = name ? name : "the property";
	strbuf_adds(out, name);
	if (strcmp(words, "is false") == 0)
		strbuf_addf(out, " is false for %s", facts.instance);
	else
		strbuf_addf(out, ", evaluated for %s, %s", facts.instance, words);
}

void explain_head(struct explainer *x, struct finding *finding)
{
	const struct death *origin = finding->kind == FINDING_EXIT && finding->sites_len
					     ? find_origin(x->trace, finding->sites[0].actor)
					     : NULL;

	if (!origin)
		return;
	finding->sites[0].actor = origin->actor;
	finding->sites[0].site = place_of(x, origin);
	finding->sites[0].step = origin->step ? origin->step - 1 : UINT32_MAX;
}
