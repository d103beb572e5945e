/* reversed.c: the two steps whose order matters, which the nearest passing run has the other way round. */
#include <string.h>

#include "explain/parts.h"


static const struct report_event *find_row(const struct report_finding *out, uint32_t step)
{
	for (uint32_t i = 0; i < out->interleaving_len; i++)
		if (out->interleaving[i].step == step)
			return &out->interleaving[i];
	return NULL;
}

static const struct report_event *find_waiting(const struct report_finding *out, const char *actor)
{
	for (uint32_t i = out->interleaving_len; i-- > 0;)
		if (out->interleaving[i].step == REPORT_NO_STEP &&
		    strcmp(out->interleaving[i].actor, actor) == 0)
			return &out->interleaving[i];
	return NULL;
}

/* The words for a step without what came of it: "ets:lookup(t, n)" of "ets:lookup(t, n) → []". */
static size_t deed_len(const char *text)
{
	const char *result = strstr(text, " → "), *fails = strstr(text, " (fails");

	return result ? (size_t)(result - text) : fails ? (size_t)(fails - text) : strlen(text);
}

/* Is it another step in the passing run, by its words? */
static bool is_other_step(const char *failing, const char *passing)
{
	size_t len = deed_len(failing);

	return len != deed_len(passing) || strncmp(failing, passing, len) != 0;
}

/* The second step of the pair as the passing run has it. */
static const struct report_event *find_passing(const struct explainer *x, const struct found *found)
{
	return x->out->passing ? find_row(x->out->passing, found->reversed.passing) : NULL;
}

void explain_name_missing(struct explainer *x, const struct found *found)
{
	const struct report_finding *passing = x->out->passing;
	const char *id = found_has_pair(found) ? explain_actor(x, found->reversed.actor) : NULL;

	for (uint32_t i = 0; i < x->names.len && id; i++)
		if (x->names.items[i].actor == found->reversed.actor)
			return;
	for (uint32_t i = 0; i < (id ? passing->actors_len : 0); i++)
		if (strcmp(passing->actors[i].id, id) == 0)
			x->names.items[x->names.len++] = (struct name){
				.id = id, .text = passing->actors[i].name, .actor = found->reversed.actor, .is_taken = true};
}

bool explain_has_second(struct explainer *x, const struct found *found)
{
	const struct report_event *second = find_row(x->out, found->reversed.second);

	return second && (!x->passing_step || !is_other_step(second->text, x->passing_step));
}

/* " at pool.erl:12" */
static const char *at_place(struct explainer *x, const struct report_event *row)
{
	struct report_frame at = {.file = row ? row->file : NULL, .line = row ? row->line : 0};

	return at.file ? arena_printf(x->arena, " at %s", explain_place_text(x, &at)) : "";
}

/* Does the actor have a lock, or a turn, after the step, which is there for the accesses behind it? */
static bool opens_section(const struct report_event *row)
{
	static const uint32_t kinds[] = {EVENT_LOCK, EVENT_RDLOCK, EVENT_COND_WAKE, EVENT_SEM_WAIT};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (row->kind && strcmp(row->kind, event_kind_text(kinds[i])) == 0)
			return true;
	return false;
}

/* In the run that ends well the memory is not freed by then. */
static const char *without_end(struct explainer *x, const char *text)
{
	const char *end = strstr(text, EXPLAIN_FREED);

	return end ? arena_strndup(x->arena, text, (size_t)(end - text)) : text;
}

/* The step in words. A lock says nothing about what it is for, so the first access under it is added:
 * "lock m, then update balance 20 → -30". */
static const char *text_in(struct explainer *x, const struct report_finding *run,
			   const struct report_event *row)
{
	const struct report_event *end = run->interleaving + run->interleaving_len;

	if (row->step >= REPORT_BETWEEN || !opens_section(row))
		return row->text;
	for (const struct report_event *next = row + 1; next < end; next++) {
		const char *line = strstr(next->text, ": `");

		if (strcmp(next->actor, row->actor) != 0)
			continue;
		if (next->step != REPORT_BETWEEN || strstr(next->text, EXPLAIN_WAS_FREED))
			break;
		return arena_printf(x->arena, "%s, then %s", row->text,
				    line ? line + strlen(": ") : without_end(x, next->text));
	}
	return row->text;
}

static const char *text_of_step(struct explainer *x, const struct report_event *row)
{
	return text_in(x, x->out, row);
}

/* The place in a text at which the value begins in which it first differs from the other text; NULL if it is not in a
 * value: "read balance" of "read balance = 30" and "read balance = 100", or of "update balance 30 → -40" and "update
 * balance 100 → 30" the words "update balance". */
static const char *find_other_value(const char *text, const char *other)
{
	static const char arrow[] = " → ";
	const char *part = text, *value = NULL, *at;
	size_t same = 0;

	while (text[same] && text[same] == other[same])
		same++;
	if (!text[same] && !other[same])
		return NULL;
	for (at = text; at < text + same; at++)
		part = strncmp(at, ", ", 2) == 0 || strncmp(at, "; ", 2) == 0 ? at + 2 : part;
	for (at = part; at < text + same; at++)
		value = strncmp(at, " = ", 3) == 0 ? at : value;
	at = strstr(part, arrow);
	if (value || !at || !strstr(other, arrow))
		return value;
	while (at > part && at[-1] != ' ') /* the old value is before the arrow */
		at--;
	return at > part && at <= text + same ? at - 1 : NULL;
}

/* The second step in words, without a value that it does not have in the run that ends well: "step 5 (load x = 3) before
 * step 4 (store x = 3)" would name an effect before its cause. */
static const char *text_of_second(struct explainer *x, const struct report_event *second,
				  const struct report_event *passing)
{
	const char *text = text_of_step(x, second), *value = NULL;
	struct strbuf raw = {0};

	if (x->passing_step) /* the text may have got the reply of a server, the two of the steps have not */
		x->target->ops->describe_step(x->target, second->step, &raw);
	if (x->passing_step && strcmp(x->passing_step, strbuf_text(&raw) + (strbuf_text(&raw)[0] ==
									    TARGET_FRAMEWORK)) != 0)
		value = strstr(text, " → ");
	else if (!x->passing_step && passing)
		value = find_other_value(text, text_in(x, x->out->passing, passing));
	strbuf_release(&raw);
	return value ? arena_strndup(x->arena, text, (size_t)(value - text)) : text;
}

/* Two sleeps or timeouts of one length decide: the clock does not say which ends first. */
static const char *add_same_time(struct explainer *x, const struct report_event *first,
				 const char *order)
{
	if (!x->same_time)
		return order;
	return arena_printf(x->arena,
			    "%s %s and %s are due at the same time: either may fire first.", order,
			    first->actor, x->same_time);
}

/* Does the call of the step take a signal that it does not take in the run that ends well? Example: the call blocks the
 * signal there before it is sent. */
static bool takes_signal(const struct explainer *x, const struct report_event *row, const struct report_event *passing)
{
	return row && passing && row->step < x->trace->events_len &&
	       explain_takes_signal(&x->trace->events[row->step]) && strncmp(passing->text, "take ", 5) != 0;
}

/* In the run that ends well the step is taken, and the signal or the cancellation comes later. */
static bool meets_signal(const struct explainer *x, const struct report_event *row)
{
	return row && row->step < x->trace->events_len &&
	       (explain_meets_signal(&x->trace->events[row->step]) ||
		explain_is_cancelled(&x->trace->events[row->step]));
}

/* A step that its actor did not take. If the actor announced it, it has the names of this run. */
static const char *describe_missing(struct explainer *x, const struct found *found)
{
	const struct event *announced = explain_pending(x->trace, found->reversed.actor);
	const struct report_event *passing = find_passing(x, found);
	const char *words = announced ? explain_announced(x, announced) : "next step";
	bool is_it = announced && announced->ordinal == x->passing_ordinal;

	if (!passing)
		return words;
	if (is_it && strncmp(passing->text, words, strlen(words)) != 0)
		return words;
	return text_in(x, x->out->passing, passing);
}

/* The row of the passing run for the step of this run; NULL if it is not there. */
static const struct report_event *find_in_passing(const struct explainer *x, uint32_t step)
{
	const struct trace *passing = x->passing;
	const struct event *event = &x->trace->events[step];

	for (uint32_t i = 0; passing && i < passing->events_len; i++)
		if (passing->events[i].actor == event->actor && passing->events[i].ordinal == event->ordinal)
			return find_row(x->out->passing, i);
	return NULL;
}

/* "Had step 4 (…), step 5 (…) and step 7 (…) come before step 3 (…)": steps of several actors, each of which matters. */
static const char *order_of_all(struct explainer *x, const struct found *found, const char *last)
{
	const struct found_pair *pair = &found->reversed;
	const struct report_event *first = find_row(x->out, pair->first);
	struct strbuf text = {0};
	const char *result;

	for (uint32_t i = 0; i < pair->also_len; i++) {
		const struct report_event *row = find_row(x->out, pair->also[i]);
		const struct report_event *other = find_in_passing(x, pair->also[i]);
		const char *words = row ? text_of_step(x, row) : "", *value = NULL;

		if (!row)
			continue;
		value = other ? find_other_value(words, text_in(x, x->out->passing, other)) : NULL;
		strbuf_addf(&text, "%s step %u (%s: %.*s)", text.len ? "," : "Had", pair->also[i] + 1,
			    row->actor, value ? (int)(value - words) : (int)strlen(words), words);
	}
	strbuf_addf(&text, "%s step %u (%s: %s) come before step %u (%s: %s)", text.len ? " and" : "Had",
		    pair->second + 1, explain_actor(x, pair->actor), last, pair->first + 1, first->actor,
		    text_of_step(x, first));
	result = arena_strdup(x->arena, strbuf_text(&text));
	strbuf_release(&text);
	return result;
}

/* "Had step 5 (…) come before step 3 (…)" */
static const char *order_of(struct explainer *x, const struct found *found)
{
	const struct found_pair *pair = &found->reversed;
	const struct report_event *first = find_row(x->out, pair->first);
	const char *actor = explain_actor(x, pair->actor), *words, *quote = "";
	const struct report_event *second = find_row(x->out, pair->second);
	const struct report_event *passing = find_passing(x, found);

	if (!found_has_pair(found) || !first || !actor)
		return NULL;
	if (takes_signal(x, second, passing)) {
		struct report_frame at = {.file = second->file, .line = second->line};
		const char *line = explain_line(x, &at);

		if (line)
			return arena_printf(x->arena, "Had %s come to `%s`%s before step %u (%s: %s)", actor, line,
					    at_place(x, second), pair->first + 1, first->actor,
					    text_of_step(x, first));
	}
	if (explain_has_second(x, found) && !meets_signal(x, second) && pair->also_len)
		return order_of_all(x, found, text_of_second(x, second, passing));
	if (explain_has_second(x, found) && !meets_signal(x, second))
		return arena_printf(x->arena, "Had step %u (%s: %s) come before step %u (%s: %s)",
				    pair->second + 1, actor, text_of_second(x, second, passing),
				    pair->first + 1, first->actor, text_of_step(x, first));
	if (x->trace->actors[pair->actor].kind == ACTOR_TIMER)
		return arena_printf(x->arena, "Had %s fired before step %u (%s: %s)", actor,
				    pair->first + 1, first->actor, text_of_step(x, first));
	if (passing && strcmp(passing->text, TARGET_FOUND_NONE) == 0)
		return arena_printf(x->arena, "Had %s looked for a message%s before step %u (%s: %s)",
				    actor, at_place(x, passing), pair->first + 1, first->actor,
				    text_of_step(x, first));
	if (x->target->ops->describe_step && passing) {
		words = passing->text;
		quote = "\"";
	} else if (meets_signal(x, second)) {
		words = explain_announced(x, &x->trace->events[second->step]);
		passing = second;
	} else {
		words = describe_missing(x, found);
		passing = passing ? passing : find_waiting(x->out, actor);
	}
	return arena_printf(x->arena, "Had %s come to %s%s%s%s before step %u (%s: %s)", actor,
			    quote[0] ? quote : "its ", words, quote, at_place(x, passing),
			    pair->first + 1, first->actor, text_of_step(x, first));
}

/* Does the step do more than to give back a lock? */
static bool is_more(const struct event *event)
{
	for (uint32_t a = 0; a < event->access_len; a++)
		if (access_mode_unlocks(event->accesses[a].mode))
			return false;
	return event->kind != EVENT_FINISH;
}

uint32_t explain_ending(struct explainer *x, const struct found *found)
{
	const struct found_pair *pair = &found->reversed;
	const struct trace *t = x->trace;
	uint32_t actor = pair->actor;

	if (!found_has_pair(found) || !actor || x->target->ops->describe_step ||
	    pair->second >= t->events_len || t->events[pair->second].actor != actor ||
	    explain_pending(t, actor))
		return ACTOR_NONE;
	for (uint32_t i = pair->second; i < t->events_len; i++)
		if (t->events[i].actor == actor &&
		    (i > pair->second ? is_more(&t->events[i])
				      : explain_is_memory(t->events[i].kind) &&
						access_mode_writes(t->events[i].accesses[0].mode)))
			return ACTOR_NONE;
	for (uint32_t i = 0; x->shared_plains && i < t->plains_len; i++)
		if (t->plains[i].actor == actor && t->plains[i].step > pair->second &&
		    t->plains[i].is_write && x->shared_plains[i])
			return ACTOR_NONE;
	return actor;
}

/* Has the actor ended, and is a step of it shown? Then that says why it does not come to the other one. */
static bool is_seen_to_end(struct explainer *x, uint32_t actor)
{
	bool is_shown = false;

	for (uint32_t i = 0; i < x->out->interleaving_len; i++)
		is_shown = is_shown || (x->out->interleaving[i].in_slice &&
					strcmp(x->out->interleaving[i].actor, explain_actor(x, actor)) == 0);
	return is_shown && !explain_pending(x->trace, actor);
}

static bool goes_on(const struct trace *t, uint32_t first, const struct event *next)
{
	for (uint32_t i = 0; i <= first; i++) /* a call that writes to a FILE is two steps of one line */
		if (t->events[i].actor == next->actor && t->events[i].site == t->events[first].site &&
		    t->events[i].access_len && event_find_access(next, t->events[i].accesses[0].object))
			return true;
	return false;
}

/* If the actor of the first step was about to take another one of the kind, the bug is between the two: one line of two
 * has been written. */
static void add_next_of_first(struct explainer *x, const struct found *found)
{
	const struct trace *t = x->trace;
	const struct event *first = &t->events[found->reversed.first];
	const struct event *next = explain_pending(t, first->actor);

	if ((t->end != END_ABORT && t->end != END_CRASH && t->end != END_EXIT) || !next || next->kind != first->kind ||
	    !goes_on(t, found->reversed.first, next) ||
	    (first->kind != EVENT_IO_WRITE && first->kind != EVENT_STORE))
		return;
	explain_row(x, REPORT_NO_STEP, first->actor,
		    arena_printf(x->arena, REPORT_NOT_REACHED "%s", explain_announced(x, next)),
		    explain_place(x, next->site, (uint32_t)TARGET_AT_END, next->actor))
		->in_slice = true;
	x->out->slice_len++;
}

void explain_not_reached(struct explainer *x, const struct found *found)
{
	const struct report_event *passing = find_passing(x, found);
	const char *actor = explain_actor(x, found->reversed.actor);
	struct report_frame at;

	if (explain_has_second(x, found))
		add_next_of_first(x, found);
	if (!passing || !actor || explain_has_second(x, found) || find_waiting(x->out, actor) ||
	    is_seen_to_end(x, found->reversed.actor) ||
	    meets_signal(x, find_row(x->out, found->reversed.second)) ||
	    x->trace->actors[found->reversed.actor].kind == ACTOR_TIMER)
		return;
	at = (struct report_frame){.file = passing->file, .line = passing->line};
	explain_row(x, REPORT_NO_STEP, found->reversed.actor,
		    arena_printf(x->arena, REPORT_NOT_REACHED "%s",
				 describe_missing(x, found)), at)
		->in_slice = true;
	x->out->slice_len++;
}

/* Is it a call of atexit()? */
static bool registers_exit(struct explainer *x, uint32_t step)
{
	const struct event *event = &x->trace->events[step];

	return event->access_len && strcmp(explain_object(x, event->accesses[0].object),
					   TARGET_HIDDEN "exit handlers") == 0;
}

static bool is_waiting(struct explainer *x, const char *actor)
{
	for (uint32_t i = 0; i < x->trace->pending_len; i++)
		if (strcmp(explain_actor(x, x->trace->pending[i].actor), actor) == 0)
			return true;
	return false;
}

/* How often the actor posts the semaphore in this run. */
static uint32_t count_posts(struct explainer *x, const char *actor, uint64_t semaphore)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < x->trace->events_len; i++)
		count += x->trace->events[i].kind == EVENT_SEM_POST &&
			 event_find_access(&x->trace->events[i], semaphore) &&
			 strcmp(explain_actor(x, x->trace->events[i].actor), actor) == 0;
	return count;
}

static bool is_post(const struct report_event *row, const char *name)
{
	return row->kind && strcmp(row->kind, event_kind_text(EVENT_SEM_POST)) == 0 && row->object &&
	       strcmp(row->object, name) == 0;
}

const struct report_event *explain_post(struct explainer *x, const struct event *wait)
{
	const struct report_finding *passing = x->out->passing;
	uint64_t semaphore = wait->accesses[0].object;
	const char *name = explain_object(x, semaphore);

	for (uint32_t i = passing ? passing->interleaving_len : 0; i-- > 0;) {
		const struct report_event *row = &passing->interleaving[i];
		uint32_t posts = 0;

		if (!is_post(row, name) || strcmp(row->actor, explain_actor(x, wait->actor)) == 0 ||
		    !is_waiting(x, row->actor))
			continue;
		for (uint32_t j = 0; j <= i; j++)
			posts += is_post(&passing->interleaving[j], name) &&
				 strcmp(passing->interleaving[j].actor, row->actor) == 0;
		if (posts > count_posts(x, row->actor, semaphore))
			return row;
	}
	return NULL;
}

const char *explain_order(struct explainer *x, const struct found *found)
{
	const char *order = order_of(x, found);

	if (!order)
		return NULL;
	order = arena_printf(x->arena, "%s, the run %s have ended well.%s", order,
			     found->reversed.is_loose ? "could" : "would",
			     registers_exit(x, found->reversed.first)
				     ? " Exit handlers run in the opposite order of their registration."
				     : "");
	return add_same_time(x, find_row(x->out, found->reversed.first), order);
}
