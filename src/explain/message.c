/* message.c: the sentence that says what went wrong, in the words of the program. */
#include <string.h>

#include "base/file.h"
#include "core/object.h"
#include "explain/expression.h"
#include "explain/parts.h"

/* ---- waiting ---- */

const struct event *explain_pending(const struct trace *trace, uint32_t actor)
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

/* "waits for config, which load#1 has begun in step 4 and not ended" of std::call_once and its like; false, and nothing
 * is appended, if nobody has begun. */
static bool add_once(struct explainer *x, const struct event *wait, struct strbuf *out)
{
	const struct trace *t = x->trace;
	uint64_t object = wait->access_len ? wait->accesses[0].object : 0;

	for (uint32_t i = t->events_len; i-- > 0 && object;) {
		const struct event *event = &t->events[i];

		if (!event_find_access(event, object) || event->kind == EVENT_ONCE_DONE)
			continue;
		if (event->kind != EVENT_ONCE || event->actor == wait->actor)
			return false;
		strbuf_addf(out, "waits for %s, which %s has begun in step %u and not ended",
			    explain_object(x, object), explain_actor(x, event->actor), i + 1);
		return true;
	}
	return false;
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

/* Is there another thread that waits at the end? It may be the one that is missed. */
static bool do_others_wait(const struct explainer *x, uint32_t actor)
{
	for (uint32_t i = 0; i < x->trace->pending_len; i++)
		if (x->trace->pending[i].actor != actor &&
		    !actor_is_virtual(&x->trace->actors[x->trace->pending[i].actor]) &&
		    x->trace->pending[i].kind != EVENT_JOIN)
			return true;
	return false;
}

/* Describes the thing for which an event that cannot happen waits. */
static void add_waited(struct explainer *x, const struct event *event, struct strbuf *out)
{
	uint64_t object = event->access_len ? event->accesses[0].object : 0;
	uint32_t holder = object ? find_holder(x->trace, object) : ACTOR_NONE;
	const char *name = object ? explain_object(x, object) : "";

	if (explain_queued(x, event)) {
		explain_queue(x, explain_queued(x, event), out);
	} else if (event_joined(event) != ACTOR_NONE) {
		strbuf_addf(out, "waits for %s to end", explain_actor(x, event_joined(event)));
	} else if (holds_for_reading(x->trace, event->actor, object)) {
		strbuf_addf(out, "waits to lock %s for writing, which its own reading prevents", name);
	} else if (holder == event->actor) {
		strbuf_addf(out, "waits for %s, which it holds itself", name);
		explain_interrupted(x, event->actor, object, out);
	} else if (holder != ACTOR_NONE && explain_pending(x->trace, holder)) {
		strbuf_addf(out, "waits for %s", name); /* the holder waits, too, and is listed */
	} else if (holder != ACTOR_NONE) {
		strbuf_addf(out, "waits for %s, which %s still holds although it has ended", name,
			    explain_actor(x, holder));
	} else if (event->kind == EVENT_COND_WAKE) {
		explain_unsignalled(x, event, out);
	} else if (event->kind == EVENT_SEM_WAIT) {
		explain_semaphore(x, event, out);
	} else if (event->kind == EVENT_BARRIER_LEAVE) {
		explain_barrier(x, event, name, out);
	} else if (event->kind == EVENT_FUTEX_BLOCK || event->kind == EVENT_FUTEX_WAIT) {
		add_waits_at(x, event, out);
		if (explain_is_future(name)) {
			strbuf_addf(out, " for %s, and nobody is left to give it a value", name);
			return;
		}
		explain_futex(x, event->actor, out);
		strbuf_adds(out, ", and nobody is left to wake it");
		explain_other_wake(x, event, out);
	} else if ((event->kind == EVENT_IO_READ || event->kind == EVENT_IO_WRITE) && name[0] &&
		   !explain_is_system_call(event)) {
		add_waits_at(x, event, out);
		strbuf_addf(out, " for %s, and %s to %s", name,
			    do_others_wait(x, event->actor) ? "nobody can go on" : "nobody is left",
			    explain_end_of_io(x, event));
	} else if (event->kind == EVENT_ONCE && !explain_is_exit(x, event) && add_once(x, event, out)) {
		return;
	} else if (event->kind == EVENT_SIGNAL_TAKE) {
		strbuf_adds(out, "waits for a signal, and nobody is left to send one");
	} else if (explain_is_system_call(event) || event->kind == EVENT_IO_POLL) {
		add_waits_at(x, event, out);
		if (event->access_len == 1 && object)
			strbuf_addf(out, " for %s", name);
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
	const struct event *event = explain_pending(x->trace, actor);
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

bool explain_is_in_circle(const struct trace *t, uint32_t actor)
{
	uint32_t at = actor;

	for (uint32_t i = 0; i <= t->pending_len; i++) {
		const struct event *event = explain_pending(t, at);

		if (!event)
			return false;
		at = event_joined(event) != ACTOR_NONE ? event_joined(event)
		     : event->access_len	       ? find_holder(t, event->accesses[0].object)
						       : ACTOR_NONE;
		if (at == actor || at == ACTOR_NONE)
			return at == actor;
	}
	return false;
}

/* Every waiting actor: the sites begin with the cycle and end with those that only wait for others
 * to end, which explain nothing if there are others. */
static void add_deadlock(struct explainer *x, const struct finding *finding, struct strbuf *out)
{
	bool is_circular = finding->sites_len && explain_is_in_circle(x->trace, finding->sites[0].actor);
	bool is_beside = false;

	for (uint32_t i = 0; i < x->out->sites_len; i++) {
		const struct event *event = explain_pending(x->trace, finding->sites[i].actor);

		if (i && event && event->kind == EVENT_JOIN &&
		    !explain_is_in_circle(x->trace, finding->sites[i].actor))
			continue;
		strbuf_addf(out, "%s%s%s %s", i ? "; " : "",
			    is_circular && !is_beside &&
					    !explain_is_in_circle(x->trace, finding->sites[i].actor)
				    ? "besides, "
				    : "",
			    x->out->sites[i].actor, x->out->sites[i].role);
		is_beside = is_circular && !explain_is_in_circle(x->trace, finding->sites[i].actor);
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

/* Is it known that the block was freed before, or by, one of the accesses of a race? Later, perhaps when
 * the program ends, it does not matter. */
static bool is_freed_by_then(const struct explainer *x, const struct finding *finding)
{
	const struct trace *t = x->trace;
	uint32_t freed = explain_last_freeing(t, finding->object);

	for (uint32_t i = 0; i < finding->sites_len && freed < t->plains_len; i++) {
		uint32_t step = finding->sites[i].step;

		if (step & (uint32_t)TARGET_OF_PLAIN ? freed <= (step & ~(uint32_t)TARGET_OF_PLAIN)
						     : t->plains[freed].step <= step)
			return true;
	}
	return false;
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
	if (finding->kind == FINDING_RACE && !is_freed_by_then(x, finding))
		block.freed.function = NULL;
	if (finding->kind == FINDING_RACE && !block.freed.function && explain_is_node(explain_object(x, finding->object)))
		return; /* the container is known, and the place at which it grew says nothing */
	if (explain_is_text_of_thread(x->trace, finding->object)) {
		strbuf_addf(out,
			    finding->kind == FINDING_MEMORY
				    ? " It was " EXPLAIN_TEXT
				      ", which the C library freed when %s ended."
				    : " It is " EXPLAIN_TEXT
				      ", which the C library frees when %s ends.",
			    freer ? freer : "the thread that called it");
		return;
	}
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
	for (uint32_t i = 0; i < site->locks_len; i++) {
		const char *place = strstr(site->locks[i], EXPLAIN_TAKEN_AT);

		strbuf_addf(out, "%s%.*s", i ? " and " : "",
			    (int)(place ? place - site->locks[i] : (long)strlen(site->locks[i])),
			    site->locks[i]);
	}
	if (!site->locks_len)
		strbuf_adds(out, "no lock");
}

/* " (called at pool.cpp:25)" of an access in a destructor: nobody wrote a call on its line. */
static const char *called_at(struct explainer *x, const struct report_site *site)
{
	uint32_t i = 0;

	while (i < site->frames_len && site->frames[i].function && strstr(site->frames[i].function, "::~"))
		i++;
	if (i == 0 || i == site->frames_len || !site->frames[i].file)
		return "";
	return arena_printf(x->arena, " (called at %s)", explain_place_text(x, &site->frames[i]));
}

/* " in `seen = *place;`" of an access to memory of which nothing but the address is known. */
static const char *line_of_unnamed(struct explainer *x, const struct finding *finding,
				   const struct report_site *site)
{
	const char *line = finding->object &&
					   strncmp(explain_object(x, finding->object), "0x", 2) == 0
				   ? explain_line(x, &site->at)
				   : NULL;

	return line ? arena_printf(x->arena, " in `%s`", line) : "";
}

/* " bits.first and bits.second are in the same memory, as bit-fields are." of lines that write two things. */
static void add_members(struct explainer *x, struct strbuf *out)
{
	struct strbuf lines[2] = {0}, names[2] = {0};
	bool ok = true;

	for (int i = 0; i < 2; i++) {
		explain_read_line(&x->out->sites[i].at, &lines[i]);
		ok = ok && expression_written(strbuf_text(&lines[i]), &names[i]) &&
		     strchr(strbuf_text(&names[i]), '.');
	}
	if (ok && strcmp(strbuf_text(&names[0]), strbuf_text(&names[1])) != 0)
		strbuf_addf(
			out,
			" %s and %s are in the same memory, as bit-fields and members of a union are.",
			strbuf_text(&names[0]), strbuf_text(&names[1]));
	for (int i = 0; i < 2; i++) {
		strbuf_release(&lines[i]);
		strbuf_release(&names[i]);
	}
}

/* "teller writes balance (bank.c:14) and audit reads it (bank.c:31), and nothing orders the two:
 * teller holds log_lock, audit holds no lock." */
static void add_race(struct explainer *x, const struct finding *finding, struct strbuf *out)
{
	const struct report_site *a = &x->out->sites[0], *b = &x->out->sites[1];
	const char *role = finding->sites[1].role;
	bool is_end = strchr(role, ','); /* "gives up, at its end," of a stack */

	strbuf_addf(out, "%s %s at %s%s%s, and %s %s", a->actor, a->role,
		    explain_place_text(x, &a->at), called_at(x, a), line_of_unnamed(x, finding, a),
		    b->actor, is_end ? "gives" : role);
	strbuf_addf(out, " it %s %s%s%s. Nothing orders the two: %s holds ", is_end ? "up at its end, behind" : "at",
		    explain_place_text(x, &b->at), called_at(x, b), line_of_unnamed(x, finding, b),
		    a->actor);
	add_locks(a, out);
	strbuf_addf(out, " there, %s holds ", b->actor);
	add_locks(b, out);
	strbuf_addc(out, '.');
	add_members(x, out);
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
	else if (explain_used_step(x, finding))
		strbuf_addf(out, " (%s)", explain_announced(x, explain_used_step(x, finding)));
	strbuf_addc(out, '.');
	add_block(x, finding,
		  freeing < x->trace->plains_len ? explain_actor(x, x->trace->plains[freeing].actor)
						 : NULL, out);
}

/* "take#1 fails 28 times at trylock b (q.c:31), take#2 …, and nobody gets further until the limit of 400 steps
 * (--max-steps)" of a run that was cut. */
static void add_livelock(struct explainer *x, const struct finding *finding, struct strbuf *out)
{
	const struct trace *t = x->trace;

	for (uint32_t i = 0; i < finding->sites_len; i++) {
		const struct finding_site *site = &finding->sites[i];
		const struct event *last = &t->events[site->step];
		uint32_t times = 0;

		for (uint32_t e = 0; e <= site->step; e++)
			times += t->events[e].actor == site->actor &&
				 t->events[e].site == last->site &&
				 (t->events[e].flags & EVENT_FAILED);
		strbuf_addf(out, "%s fails %u times at %s (%s), ", x->out->sites[i].actor, times,
			    explain_announced(x, last), explain_place_text(x, &x->out->sites[i].at));
	}
	strbuf_addf(out, "and nobody gets further until the limit of %u steps (--max-steps).",
		    t->events_len);
}

/* "; handle is 0 there (step 2)" of a crash near address 0, if its line has just loaded a 0. */
static void add_null(struct explainer *x, struct strbuf *out)
{
	enum { PAGE = 4096 };
	const struct trace *t = x->trace;
	const struct report_frame *at = x->out->sites_len ? &x->out->sites[0].at : NULL;
	struct strbuf value = {0};
	struct report_frame loaded;
	uint32_t step = t->events_len ? t->events_len - 1 : 0; /* the crash */

	if (t->end != END_CRASH || t->address >= PAGE || !at || !at->file ||
	    t->events[step].kind != EVENT_CRASH)
		return;
	while (step > 0 && t->events[step - 1].actor != t->events[t->events_len - 1].actor)
		step--;
	if (step == 0 || t->events[step - 1].kind != EVENT_LOAD)
		return;
	loaded = explain_place(x, t->events[step - 1].site, step - 1, t->events[step - 1].actor);
	explain_value(x, step - 1, &value);
	if (strcmp(strbuf_text(&value), " = 0") == 0 && loaded.file && loaded.line == at->line &&
	    strcmp(loaded.file, at->file) == 0)
		strbuf_addf(out, "; %s is 0 there (step %u)",
			    explain_object(x, t->events[step - 1].accesses[0].object), step);
	strbuf_release(&value);
}

static void add_plain(struct explainer *x, const struct finding *finding, struct strbuf *out)
{
	if (finding->kind == FINDING_LEAK) {
		add_leak(x, finding, out);
		return;
	}
	if (explain_is_object_use(x, finding)) {
		explain_object_use(x, finding, out);
		add_block(x, finding, NULL, out);
		return;
	}
	strbuf_adds(out, finding->kind == FINDING_ASSERTION ? without_folder(finding->message)
							    : finding->message);
	strbuf_adds(out, explain_terminate(x, finding));
	if (finding->kind == FINDING_EXIT)
		add_last_line(x, out);
	if (finding->kind == FINDING_CRASH)
		add_null(x, out);
	if (finding->object && finding->kind != FINDING_STUCK && finding->kind != FINDING_MEMORY)
		strbuf_addf(out, " (%s)", explain_object(x, finding->object));
	if (finding->kind == FINDING_MEMORY)
		add_freed(x, finding, out);
	if (finding->kind == FINDING_MISUSE)
		explain_misuse(x, finding, out);
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
	else if (finding->kind == FINDING_LIVELOCK && x->trace->end == END_STEPS)
		add_livelock(x, finding, &text);
	else if (!explain_loop(x, finding, &text))
		add_plain(x, finding, &text);
	result = arena_strdup(x->arena, strbuf_text(&text));
	strbuf_release(&text);
	return result;
}

const char *explain_assumptions(uint64_t assumed, struct arena *arena)
{
	const char *texts[ASSUMPTIONS_MAX], *list = NULL;
	uint32_t len = trace_list_assumptions(assumed, texts);

	for (uint32_t i = 0; i < len; i++)
		list = list ? arena_printf(arena, "%s, %s", list, texts[i]) : texts[i];
	return list;
}
