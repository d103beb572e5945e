/* message.c: the sentence that says what went wrong, in the words of the program. */
#include <string.h>

#include "base/file.h"
#include "core/object.h"
#include "explain/parts.h"

/* ---- waiting ---- */

static const struct event *find_pending(const struct trace *trace, uint32_t actor)
{
	for (uint32_t i = 0; i < trace->pending_len; i++)
		if (trace->pending[i].actor == actor)
			return &trace->pending[i];
	return NULL;
}

static uint32_t find_holder(const struct trace *trace, uint64_t object)
{
	for (uint32_t i = 0; i < trace->held_len; i++)
		if (trace->held[i].object == object)
			return trace->held[i].actor;
	return ACTOR_NONE;
}

/* "a and b": the locks that the actor holds at the end. */
static bool add_held(struct explainer *x, uint32_t actor, struct strbuf *out)
{
	bool any = false;

	for (uint32_t i = 0; i < x->trace->held_len; i++) {
		if (x->trace->held[i].actor != actor)
			continue;
		strbuf_addf(out, "%s%s%s", any ? " and " : "",
			    explain_object(x, x->trace->held[i].object),
			    x->trace->held[i].mode == ACCESS_SHARE ? " for reading" : "");
		any = true;
	}
	return any;
}

/* Does the actor hold the lock for reading? */
static bool holds_for_reading(const struct trace *trace, uint32_t actor, uint64_t object)
{
	for (uint32_t i = 0; i < trace->held_len; i++)
		if (trace->held[i].actor == actor && trace->held[i].object == object)
			return trace->held[i].mode == ACCESS_SHARE;
	return false;
}

/* "; use#2, which took it last (step 8), has not posted it since". A semaphore that never was taken
 * had nothing to begin with. */
static void add_taker(struct explainer *x, uint64_t object, struct strbuf *out)
{
	const struct trace *t = x->trace;
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
	if (took < t->events_len)
		strbuf_addf(out, " (%s, which took it last in step %u, has not posted it since)",
			    explain_actor(x, t->events[took].actor), took + 1);
}

/* "waits at pool.c:12 in `fcntl(file, F_OFD_SETLKW, &byte);`" */
static void add_waits_at(struct explainer *x, const struct event *event, struct strbuf *out)
{
	struct report_frame at = explain_place(x, event->site, (uint32_t)TARGET_AT_END,
					       event->actor);
	const char *line = explain_line(x, &at);

	strbuf_addf(out, "waits at %s%s%s%s", explain_place_text(x, &at), line ? " in `" : "",
		    line ? line : "", line ? "`" : "");
}

/* Describes the thing for which an event that cannot happen waits. */
static void add_waited(struct explainer *x, const struct event *event, struct strbuf *out)
{
	uint64_t object = event->access_len ? event->accesses[0].object : 0;
	uint32_t holder = object ? find_holder(x->trace, object) : ACTOR_NONE;
	const char *name = object ? explain_object(x, object) : "";

	if (event_joined(event) != ACTOR_NONE) {
		strbuf_addf(out, "waits for %s to end", explain_actor(x, event_joined(event)));
	} else if (holds_for_reading(x->trace, event->actor, object)) {
		strbuf_addf(out, "waits to lock %s for writing, which its own reading prevents", name);
	} else if (holder == event->actor) {
		strbuf_addf(out, "waits for %s, which it holds itself", name);
	} else if (holder != ACTOR_NONE && find_pending(x->trace, holder)) {
		strbuf_addf(out, "waits for %s", name); /* the holder waits, too, and is listed */
	} else if (holder != ACTOR_NONE) {
		strbuf_addf(out, "waits for %s, which %s still holds although it has ended", name,
			    explain_actor(x, holder));
	} else if (event->kind == EVENT_COND_WAKE) {
		explain_unsignalled(x, event, out);
	} else if (event->kind == EVENT_SEM_WAIT) {
		strbuf_addf(out, "waits for semaphore %s, and nobody is left to post it", name);
		add_taker(x, object, out);
	} else if (event->kind == EVENT_BARRIER_LEAVE) {
		strbuf_addf(out, "waits at barrier %s, and no more threads will arrive", name);
	} else if (event->kind == EVENT_FUTEX_BLOCK || event->kind == EVENT_FUTEX_WAIT) {
		add_waits_at(x, event, out);
		explain_futex(x, event->actor, out);
		strbuf_adds(out, ", and nobody is left to wake it");
	} else if (event->kind == EVENT_SIGNAL_TAKE) {
		strbuf_adds(out, "waits for a signal, and nobody is left to send one");
	} else if (explain_is_system_call(event)) {
		add_waits_at(x, event, out);
		strbuf_adds(out, ", and nobody is left to end the wait");
	} else if (explain_is_exit(x, event)) {
		strbuf_adds(out,
			    "waits in " TARGET_EXIT ", which another thread has called already");
	} else {
		strbuf_addf(out, "waits in %s%s%s, and nobody is left to end it",
			    event_wait_text(event->kind), object ? " for " : "", name);
	}
}

const char *explain_wait(struct explainer *x, uint32_t actor)
{
	const struct event *event = find_pending(x->trace, actor);
	struct strbuf text = {0}, held = {0};
	const char *result;

	if (!event)
		return NULL;
	if (add_held(x, actor, &held))
		strbuf_addf(&text, "holds %s and ", strbuf_text(&held));
	add_waited(x, event, &text);
	result = arena_strdup(x->arena, strbuf_text(&text));
	strbuf_release(&text);
	strbuf_release(&held);
	return result;
}

/* Every waiting actor: the sites begin with the cycle and end with those that only wait for others
 * to end, which explain nothing if there are others. */
static void add_deadlock(struct explainer *x, const struct finding *finding, struct strbuf *out)
{
	for (uint32_t i = 0; i < x->out->sites_len; i++) {
		const struct event *event = find_pending(x->trace, finding->sites[i].actor);

		if (i && event && event->kind == EVENT_JOIN)
			continue;
		strbuf_addf(out, "%s%s %s", i ? "; " : "", x->out->sites[i].actor,
			    x->out->sites[i].role);
	}
	strbuf_addc(out, '.');
}

/* ---- the graph ---- */

static void add_wait(struct explainer *x, struct report_wait *waits, uint32_t from, uint32_t to,
		     const char *what)
{
	if (to == ACTOR_NONE || from >= x->trace->actors_len || to >= x->trace->actors_len)
		return;
	waits[x->out->waits_len++] = (struct report_wait){explain_actor(x, from),
							  explain_actor(x, to), what};
}

void explain_waits(struct explainer *x, const struct finding *finding)
{
	const struct trace *t = x->trace;
	struct report_wait *waits;

	if (finding->kind != FINDING_DEADLOCK)
		return;
	waits = arena_zalloc(x->arena, (t->pending_len + t->waits_len + 1) * sizeof(*waits));
	x->out->waits = waits;
	for (uint32_t i = 0; i < t->waits_len; i++) {
		uint32_t step = 0;
		const char *asked = explain_last_sent(x, t->waits[i].from, &step);

		add_wait(x, waits, t->waits[i].from, t->waits[i].to, asked ? asked : "");
	}
	for (uint32_t i = 0; i < t->pending_len && !t->waits_len; i++) {
		const struct event *event = &t->pending[i];
		uint64_t object = event->access_len ? event->accesses[0].object : 0;

		if (event_joined(event) != ACTOR_NONE)
			add_wait(x, waits, event->actor, event_joined(event), "its end");
		else if (object)
			add_wait(x, waits, event->actor, find_holder(t, object),
				 explain_object(x, object));
	}
}

/* ---- memory ---- */

static void add_place(struct explainer *x, const struct target_frame *frame, struct strbuf *out)
{
	struct report_frame at = explain_frame(x, frame);

	if (at.file)
		strbuf_addf(out, " (%s)", explain_place_text(x, &at));
}

/* " allocated by load (q.c:12)", and " allocated by a library" if a container of it did. */
static void add_maker(struct explainer *x, const char *verb, const struct target_frame *frame,
		      struct strbuf *out)
{
	if (frame->file && file_is_of_library(frame->file)) {
		strbuf_addf(out, " %s by a library", verb);
		return;
	}
	strbuf_addf(out, " %s by %s", verb, frame->function ? frame->function : "?");
	add_place(x, frame, out);
}

/* " It lies in the block of 24 bytes allocated by load (q.c:12) and freed by drop (q.c:30) in thread
 * sweep."; of a use of freed memory " The block of 24 bytes was allocated …". The thread is NULL if it
 * is not known. */
static void add_block(struct explainer *x, const struct finding *finding, const char *freer,
		      struct strbuf *out)
{
	struct target *inner = target_unwrapped(x->target);
	struct target_block block;

	if (!finding->object || !inner->ops->describe_block ||
	    !inner->ops->describe_block(inner, finding->object, &block))
		return;
	strbuf_addf(out, finding->kind == FINDING_MEMORY ? " The block of %lu bytes was"
							 : " It lies in the block of %lu bytes",
		    block.size);
	add_maker(x, "allocated", &block.allocated, out);
	if (block.freed.function)
		add_maker(x, "and freed", &block.freed, out);
	if (block.freed.function && freer)
		strbuf_addf(out, " in thread %s", freer);
	strbuf_addc(out, '.');
}

static void add_locks(const struct report_site *site, struct strbuf *out)
{
	for (uint32_t i = 0; i < site->locks_len; i++)
		strbuf_addf(out, "%s%.*s", i ? " and " : "", (int)strcspn(site->locks[i], "("),
			    site->locks[i]);
	if (site->locks_len)
		out->len--; /* the blank before the parenthesis */
	else
		strbuf_adds(out, "no lock");
}

/* "teller writes balance (bank.c:14) and audit reads it (bank.c:31), and nothing orders the two:
 * teller holds log_lock, audit holds no lock." */
static void add_race(struct explainer *x, const struct finding *finding, struct strbuf *out)
{
	const struct report_site *a = &x->out->sites[0], *b = &x->out->sites[1];

	strbuf_addf(out, "%s %s at %s, and %s %s", a->actor, a->role, explain_place_text(x, &a->at),
		    b->actor, finding->sites[1].role);
	strbuf_addf(out, " it at %s. Nothing orders the two: %s holds ",
		    explain_place_text(x, &b->at), a->actor);
	add_locks(a, out);
	strbuf_addf(out, " there, %s holds ", b->actor);
	add_locks(b, out);
	strbuf_addc(out, '.');
	add_block(x, finding, NULL, out);
}

/* ---- all ---- */

/* "bank.c:12: main: Assertion `n == 2' failed" of the same with a path, which the title has. */
static const char *without_folder(const char *message)
{
	size_t path = strcspn(message, ": ");

	while (path && message[path - 1] != '/')
		path--;
	return strstr(message, "Assertion `") ? message + path : message;
}

/* "; the last line that it printed: lost requests: 1" */
static void add_last_line(struct explainer *x, struct strbuf *out)
{
	enum { LONGEST = 100 };
	const char *text = x->out->output, *end = text + x->out->output_len, *begin;

	while (end > text && (end[-1] == '\n' || end[-1] == ' '))
		end--;
	for (begin = end; begin > text && begin[-1] != '\n'; begin--)
		if (begin[-1] < ' ' || begin[-1] > '~')
			return;
	if (begin < end && end - begin <= LONGEST)
		strbuf_addf(out, "; the last line that it printed: %.*s", (int)(end - begin),
			    begin);
}

/* "this run does not free 2 blocks (32 bytes), allocated by post (mail.c:27); another run leaves none." */
static void add_leak(struct explainer *x, const struct finding *finding, struct strbuf *out)
{
	const struct report_frame *at = x->out->sites_len ? &x->out->sites[0].at : NULL;
	size_t end = strcspn(finding->message, ";");

	strbuf_add(out, finding->message, end);
	if (at && at->file && at->function)
		strbuf_addf(out, ", allocated by %s (%s)", at->function, explain_place_text(x, at));
	strbuf_adds(out, finding->message + end);
	if (at && at->file)
		explain_lost_pointer(x, at, out);
	strbuf_addc(out, '.');
}

/* " (job.result). The block of …" of a use of freed memory. */
static void add_freed(struct explainer *x, const struct finding *finding, struct strbuf *out)
{
	uint32_t freeing = explain_freeing(x, finding);
	const char *name = explain_using(x, finding) < x->trace->plains_len
				   ? explain_object(x, finding->object) : NULL;

	if (name && !explain_is_unnamed(name) && !explain_is_inside(x, finding->object))
		strbuf_addf(out, " (%s)", name);
	strbuf_addc(out, '.');
	add_block(x, finding,
		  freeing < x->trace->plains_len ? explain_actor(x, x->trace->plains[freeing].actor)
						 : NULL, out);
}

static void add_plain(struct explainer *x, const struct finding *finding, struct strbuf *out)
{
	if (finding->kind == FINDING_LEAK) {
		add_leak(x, finding, out);
		return;
	}
	strbuf_adds(out, finding->kind == FINDING_ASSERTION ? without_folder(finding->message)
							    : finding->message);
	strbuf_adds(out, explain_terminate(x, finding));
	if (finding->kind == FINDING_EXIT)
		add_last_line(x, out);
	if (finding->object && finding->kind != FINDING_STUCK && finding->kind != FINDING_MEMORY)
		strbuf_addf(out, " (%s)", explain_object(x, finding->object));
	if (finding->kind == FINDING_MEMORY)
		add_freed(x, finding, out);
}

const char *explain_message(struct explainer *x, const struct finding *finding)
{
	struct strbuf text = {0};
	const char *result;

	if (finding->kind == FINDING_DEADLOCK && x->trace->end == END_DEADLOCK)
		add_deadlock(x, finding, &text);
	else if (finding->kind == FINDING_DEADLOCK && x->trace->waits_len)
		explain_circle(x, finding, &text);
	else if (x->trace->deaths_len + x->trace->waiters_len &&
		 (finding->kind == FINDING_EXIT || finding->kind == FINDING_STUCK ||
		  finding->kind == FINDING_ASSERTION))
		explain_process(x, finding, &text);
	else if (finding->kind == FINDING_PROPERTY)
		explain_property(x, finding, &text);
	else if (finding->kind == FINDING_RACE && x->out->sites_len == 2)
		add_race(x, finding, &text);
	else
		add_plain(x, finding, &text);
	result = arena_strdup(x->arena, strbuf_text(&text));
	strbuf_release(&text);
	return result;
}

/* ---- the order that matters ---- */

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
	const char *result = strstr(text, " → "), *fails = strstr(text, " (fails)");

	return result ? (size_t)(result - text) : fails ? (size_t)(fails - text) : strlen(text);
}

/* Is it another step in the passing run, by its words? */
static bool is_other_step(const char *failing, const char *passing)
{
	size_t len = deed_len(failing);

	return len != deed_len(passing) || strncmp(failing, passing, len) != 0;
}

static const struct report_event *find_passing(struct explainer *x, const struct found *found)
{
	return x->target->ops->describe_step && x->out->passing
		       ? find_row(x->out->passing, found->reversed.passing)
		       : NULL;
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
static bool opens_section(uint32_t kind)
{
	return kind == EVENT_LOCK || kind == EVENT_RDLOCK || kind == EVENT_COND_WAKE ||
	       kind == EVENT_SEM_WAIT;
}

/* In the run that ends well the memory is not freed by then. */
static const char *without_end(struct explainer *x, const char *text)
{
	const char *end = strstr(text, EXPLAIN_FREED);

	return end ? arena_strndup(x->arena, text, (size_t)(end - text)) : text;
}

/* The step in words. A lock says nothing about what it is for, so the first access under it is added:
 * "lock m, then update balance 20 → -30". */
static const char *text_of_step(struct explainer *x, const struct report_event *row)
{
	const struct report_event *end = x->out->interleaving + x->out->interleaving_len;

	if (row->step >= x->trace->events_len || !opens_section(x->trace->events[row->step].kind))
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

/* In the run that ends well the step is taken, and the signal comes later. */
static bool meets_signal(const struct explainer *x, const struct report_event *row)
{
	return row && row->step < x->trace->events_len &&
	       explain_meets_signal(&x->trace->events[row->step]);
}

static const char *order_of(struct explainer *x, const struct found *found)
{
	const struct found_pair *pair = &found->reversed;
	const struct report_event *first = find_row(x->out, pair->first);
	const char *actor = explain_actor(x, pair->actor);
	const struct report_event *second = find_row(x->out, pair->second);
	const struct report_event *passing = find_passing(x, found);
	const struct event *announced;

	if (!found->passing || !first || !actor)
		return NULL;
	if (explain_has_second(x, found) && !meets_signal(x, second))
		return arena_printf(x->arena,
				    "Had step %u (%s: %s) come before step %u (%s: %s), the run would "
				    "have ended well.", pair->second + 1, actor,
				    text_of_step(x, second), pair->first + 1, first->actor,
				    text_of_step(x, first));
	if (x->trace->actors[pair->actor].kind == ACTOR_TIMER)
		return arena_printf(x->arena,
				    "Had %s fired before step %u (%s: %s), the run would have ended "
				    "well.", actor, pair->first + 1, first->actor,
				    text_of_step(x, first));
	if (passing)
		return arena_printf(x->arena,
				    "Had %s come to \"%s\"%s before step %u (%s: %s), the run would have "
				    "ended well.", actor, passing->text, at_place(x, passing),
				    pair->first + 1, first->actor,
				    text_of_step(x, first));
	announced = meets_signal(x, second) ? &x->trace->events[second->step]
					    : find_pending(x->trace, pair->actor);
	second = meets_signal(x, second) ? second : find_waiting(x->out, actor);
	return arena_printf(x->arena,
			    "Had %s come to its %s%s before step %u (%s: %s), the run would have "
			    "ended well.", actor, announced ? explain_announced(x, announced) : "next step",
			    at_place(x, second), pair->first + 1, first->actor,
			    text_of_step(x, first));
}

const char *explain_order(struct explainer *x, const struct found *found)
{
	static const char certain[] = "the run would have";
	const char *order = order_of(x, found), *end = order ? strstr(order, certain) : NULL;

	if (end && found->reversed.is_loose)
		order = arena_printf(x->arena, "%.*sthe run could have%s", (int)(end - order), order,
				     end + strlen(certain));
	return order ? add_same_time(x, find_row(x->out, found->reversed.first), order) : NULL;
}

const char *explain_assumptions(uint64_t assumed, struct arena *arena)
{
	const char *texts[ASSUMPTIONS_MAX], *list = NULL;
	uint32_t len = trace_list_assumptions(assumed, texts);

	for (uint32_t i = 0; i < len; i++)
		list = list ? arena_printf(arena, "%s, %s", list, texts[i]) : texts[i];
	return list;
}
