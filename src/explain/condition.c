/* condition.c: why no signal comes for a thread that waits on a condition.
 *
 *	the signal came when nobody was waiting     the waiter looked, others wrote and signalled, it waited
 *	the last signal woke worker#2 instead       both waited, and one signal wakes one of them
 *	nobody is left to signal it                 all other cases
 *
 * A waiter that has looked after the signal knows everything that the signal announced. That signal
 * is then not the missing one, and the first sentence would mislead the reader. */
#include "core/object.h"
#include "explain/parts.h"

/* The stretch of steps in which the waiter has decided to wait, and the steps around it. */
struct wait_stretch {
	const struct trace *trace;
	uint64_t condition;
	uint32_t actor;
	uint32_t begin; /* behind the step that last gave a lock back or was woken; or 0 */
	uint32_t enter; /* the step with which it begins to wait */
};

static bool gives_back(const struct event *event)
{
	if (event->kind == EVENT_COND_WAKE)
		return true;
	for (uint32_t a = 0; a < event->access_len; a++)
		if (access_mode_unlocks(event->accesses[a].mode))
			return true;
	return false;
}

/* False if the actor does not wait. */
static bool find_stretch(const struct trace *t, uint64_t condition, uint32_t actor,
			 struct wait_stretch *found)
{
	bool waits = false;

	*found = (struct wait_stretch){.trace = t, .condition = condition, .actor = actor};
	for (uint32_t i = 0; i < t->events_len; i++) {
		const struct event *event = &t->events[i];
		const struct access *access = event_find_access(event, condition);

		if (event->actor != actor)
			continue;
		waits = access && access->mode == ACCESS_ENTER;
		found->enter = i;
		if (!waits && gives_back(event))
			found->begin = i + 1;
	}
	return waits;
}

/* ---- accesses to memory ---- */

struct touch {
	uint32_t actor;
	uint32_t step; /* it came before this step and after the one before */
	uint64_t from, to;
	bool reads, writes;
	uint64_t site;
	uint32_t key; /* the first argument of the target's stack() */
};

/* Accesses in the order of the run: between two steps only one actor runs. */
static uint32_t list_touches(struct explainer *x, struct touch **touches)
{
	const struct trace *t = x->trace;
	struct touch *all = arena_zalloc(x->arena,
					 (t->events_len + t->plains_len + 1) * sizeof(*all));
	uint32_t len = 0, p = 0;

	for (uint32_t i = 0; i <= t->events_len; i++) {
		const struct event *event = i < t->events_len ? &t->events[i] : NULL;

		for (; p < t->plains_len && t->plains[p].step <= i; p++) {
			const struct plain *plain = &t->plains[p];

			if (plain->is_write < 2)
				all[len++] = (struct touch){
					plain->actor,	  plain->step,
					plain->address,	  plain->address + plain->size,
					!plain->is_write, plain->is_write,
					plain->site,	  p | (uint32_t)TARGET_OF_PLAIN};
		}
		if (event && event->access_len && explain_is_memory(event->kind) &&
		    OBJECT_CLASS(event->accesses[0].object) == OBJECT_MEMORY) {
			uint64_t at = OBJECT_NAME_OF(event->accesses[0].object);
			bool writes = access_mode_writes(event->accesses[0].mode);

			all[len++] = (struct touch){
				event->actor,
				i,
				at,
				at + 1,
				event->kind != EVENT_STORE && event->kind != EVENT_PLAIN_WRITE,
				writes,
				event->site,
				i};
		}
	}
	*touches = all;
	return len;
}

static bool overlap(const struct touch *a, const struct touch *b)
{
	return a->from < b->to && b->from < a->to;
}

/* The last write by another one to what the waiter has read, since then and before it began to wait; or len. */
static uint32_t find_stale(const struct touch *all, uint32_t len, uint32_t read,
			   const struct wait_stretch *stretch)
{
	uint32_t write = len;

	for (uint32_t i = read + 1; i < len && all[i].step <= stretch->enter; i++) {
		if (!overlap(&all[i], &all[read]))
			continue;
		if (all[i].actor != stretch->actor && all[i].writes)
			write = i;
		if (all[i].actor == stretch->actor && all[i].reads)
			return len; /* the later look counts */
	}
	return write;
}

/* Does another actor write there? Values from before the waiter was there count, too: it was them that it
 * looked at. */
static bool is_written(const struct touch *all, uint32_t len, uint32_t read)
{
	for (uint32_t i = 0; i < len; i++)
		if (all[i].writes && all[i].actor != all[read].actor &&
		    overlap(&all[i], &all[read]))
			return true;
	return false;
}

/* Is it a look of the waiter, by which it may have decided to wait? */
static bool is_look(const struct touch *touch, const struct wait_stretch *stretch)
{
	return touch->actor == stretch->actor && touch->reads && touch->step >= stretch->begin &&
	       touch->step <= stretch->enter;
}

/* Has the waiter decided by something that changed before it began to wait, or without a look? */
static bool decided_too_early(struct explainer *x, const struct wait_stretch *stretch)
{
	struct touch *all;
	uint32_t len = list_touches(x, &all);
	bool looked = false;

	for (uint32_t i = 0; i < len; i++) {
		if (!is_look(&all[i], stretch))
			continue;
		if (find_stale(all, len, i, stretch) < len)
			return true;
		looked = looked || is_written(all, len, i);
	}
	return !looked && !(x->trace->bounded & BOUND_PLAINS);
}

/* ---- the lock that is missing ---- */

/* The mutex that the waiter gives back while it waits; 0 if it is not known. */
static uint64_t mutex_of(const struct wait_stretch *stretch)
{
	const struct event *enter = &stretch->trace->events[stretch->enter];

	for (uint32_t a = 0; a < enter->access_len; a++)
		if (OBJECT_CLASS(enter->accesses[a].object) == OBJECT_LOCK)
			return enter->accesses[a].object;
	return 0;
}

static bool holds(const struct trace *t, const struct touch *touch, uint64_t lock)
{
	struct held_lock held[LOCKS_MAX];
	uint32_t len = explain_locks(t, touch->actor, touch->step, held);

	for (uint32_t i = 0; i < len; i++)
		if (held[i].object == lock)
			return true;
	return false;
}

/* ": clerk changes tray.sheets at tray.c:28 without tray.guard" or ": printer looks at tray.sheets at tray.c:18
 * without tray.guard": between the look and the wait the change can come only if one of the two does not hold the
 * mutex. Nothing if what is looked at is not a variable of the program. */
static void add_unlocked(struct explainer *x, const struct wait_stretch *stretch, struct strbuf *out)
{
	uint64_t mutex = mutex_of(stretch);
	struct touch *all;
	uint32_t len = list_touches(x, &all);

	for (uint32_t i = 0; i < len && mutex; i++) {
		uint32_t write = is_look(&all[i], stretch) ? find_stale(all, len, i, stretch) : len;
		uint64_t object = OBJECT(OBJECT_MEMORY, all[i].from);
		bool looks, is_unlocked = false;
		const struct touch *one;
		struct report_frame at;

		if (write == len || explain_is_unnamed(explain_object(x, object)) ||
		    (all[i].key & (uint32_t)TARGET_OF_PLAIN && explain_is_inside(x, object)))
			continue;
		looks = !holds(x->trace, &all[i], mutex);
		one = looks ? &all[i] : &all[write];
		is_unlocked = looks || !holds(x->trace, one, mutex);
		at = explain_place(x, one->site, one->key, one->actor);
		if (!is_unlocked || !at.file)
			continue;
		strbuf_addf(out, ": %s %s %s at %s without %s", explain_actor(x, one->actor),
			    looks ? "looks at" : "changes", explain_object(x, object),
			    explain_place_text(x, &at), explain_object(x, mutex));
		return;
	}
}

/* ---- signals ---- */

/* The last signal or broadcast of the condition; events_len if there was none. */
static uint32_t find_last_signal(const struct trace *t, uint64_t condition)
{
	uint32_t last = t->events_len;

	for (uint32_t i = 0; i < t->events_len; i++) {
		const struct event *event = &t->events[i];

		if ((event->kind == EVENT_COND_SIGNAL || event->kind == EVENT_COND_BROADCAST) &&
		    event_find_access(event, condition))
			last = i;
	}
	return last;
}

/* The step at which another one took the signal, for which the actor waited, too; or events_len. */
static uint32_t find_woken_instead(const struct wait_stretch *stretch, uint32_t signal)
{
	const struct trace *t = stretch->trace;

	if (signal < stretch->enter || signal == t->events_len ||
	    t->events[signal].kind != EVENT_COND_SIGNAL)
		return t->events_len;
	for (uint32_t i = signal + 1; i < t->events_len; i++)
		if (t->events[i].kind == EVENT_COND_WAKE && t->events[i].actor != stretch->actor &&
		    event_find_access(&t->events[i], stretch->condition) &&
		    event_is_fed_by(&t->events[i], &t->events[signal]))
			return i;
	return t->events_len;
}

static bool was_missed(struct explainer *x, const struct wait_stretch *stretch, uint32_t signal)
{
	const struct trace *t = stretch->trace;
	const struct access *access = signal < stretch->enter
					      ? event_find_access(&t->events[signal],
								  stretch->condition)
					      : NULL;

	return access && access->mode == ACCESS_MISS && decided_too_early(x, stretch);
}

void explain_unsignalled(struct explainer *x, const struct event *event, struct strbuf *out)
{
	uint64_t condition = event->accesses[0].object;
	uint32_t signal = find_last_signal(x->trace, condition), woken = x->trace->events_len;
	struct wait_stretch stretch;
	bool waits = find_stretch(x->trace, condition, event->actor, &stretch);

	if (waits)
		woken = find_woken_instead(&stretch, signal);
	strbuf_addf(out, "waits on condition %s, and ", explain_object(x, condition));
	if (waits && was_missed(x, &stretch, signal)) {
		strbuf_adds(out, "the signal came when nobody was waiting");
		add_unlocked(x, &stretch, out);
	} else if (woken < x->trace->events_len) {
		strbuf_addf(out, "the last signal woke %s instead (step %u)",
			    explain_actor(x, x->trace->events[woken].actor), woken + 1);
	} else {
		strbuf_adds(out, "nobody is left to signal it");
	}
}
