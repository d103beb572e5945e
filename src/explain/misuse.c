/* misuse.c: the misuse of a lock or a condition has two partners; the first sentence names both. So
 * has the use of a lock or a condition whose memory another thread takes away. */
#include <string.h>

#include "core/object.h"
#include "explain/parts.h"

/* "; main locked it at pool.c:13" */
static void add_holder(struct explainer *x, uint32_t i, struct strbuf *out)
{
	strbuf_addf(out, "; %s locked it at %s", x->out->sites[i].actor,
		    explain_place_text(x, &x->out->sites[i].at));
}

/* ---- a condition with two mutexes ---- */

static uint64_t mutex_of_wait(const struct event *wait)
{
	for (uint32_t a = 0; a < wait->access_len; a++)
		if (OBJECT_CLASS(wait->accesses[a].object) == OBJECT_LOCK)
			return wait->accesses[a].object;
	return 0;
}

static bool is_wait(const struct event *event, uint64_t cond)
{
	return event->kind == EVENT_COND_WAIT && event_find_access(event, cond) &&
	       mutex_of_wait(event);
}

/* Has the actor left the wait of this step before step `end`? */
static bool has_left(const struct trace *t, uint32_t wait, uint32_t end)
{
	for (uint32_t i = wait + 1; i < end; i++)
		if (t->events[i].actor == t->events[wait].actor)
			return true;
	return false;
}

/* "; it uses locks[1], and pass#1 waits with locks[0] (gate.c:14)" */
static void add_mutexes(struct explainer *x, const struct finding *finding, struct strbuf *out)
{
	const struct trace *t = x->trace;
	uint32_t step = finding->sites[0].step;

	if (step >= t->events_len || !is_wait(&t->events[step], finding->object))
		return;
	for (uint32_t i = 0; i < step; i++) {
		const struct event *other = &t->events[i];
		struct report_frame at;

		if (!is_wait(other, finding->object) || has_left(t, i, step) ||
		    mutex_of_wait(other) == mutex_of_wait(&t->events[step]))
			continue;
		at = explain_place(x, other->site, i, other->actor);
		strbuf_addf(out, "; it uses %s, and %s waits with %s (%s)",
			    explain_object(x, mutex_of_wait(&t->events[step])),
			    explain_actor(x, other->actor), explain_object(x, mutex_of_wait(other)),
			    explain_place_text(x, &at));
		return;
	}
}

/* ---- a thread that ends with a lock ---- */

/* "; it was cancelled (main: main.c:32), and a wait that is cancelled takes its lock again" */
static void add_cancel(struct explainer *x, const struct finding *finding, struct strbuf *out)
{
	const struct trace *t = x->trace;
	uint32_t actor = finding->sites[0].actor, step = finding->sites[0].step;

	if (finding->sites_len > 1 && finding->sites[1].step < t->events_len)
		step = finding->sites[1].step; /* the last one of the thread */
	for (uint32_t i = 0; i < t->events_len && step < t->events_len; i++) {
		const struct event *event = &t->events[i];
		struct report_frame at;

		if (event->kind != EVENT_CANCEL || explain_cancelled(x, event) != actor)
			continue;
		at = explain_place(x, event->site, i, event->actor);
		strbuf_addf(out, "; %s has cancelled it (%s)", explain_actor(x, event->actor),
			    explain_place_text(x, &at));
		if (t->events[step].kind == EVENT_COND_WAIT || t->events[step].kind == EVENT_COND_WAKE)
			strbuf_adds(out, ", and a cancelled wait on a condition takes its mutex again");
		return;
	}
}

/* ---- a thread that is joined or detached twice ---- */

static bool is_join(const struct event *event)
{
	return (event->kind == EVENT_JOIN || event->kind == EVENT_DETACH) && event->access_len;
}

uint32_t explain_earlier_join(const struct trace *t, const struct finding *finding)
{
	uint32_t step = finding->kind == FINDING_MISUSE && finding->sites_len
				? finding->sites[0].step
				: t->events_len;

	if (step >= t->events_len || !is_join(&t->events[step]))
		return REPORT_NO_STEP;
	for (uint32_t i = 0; i < step; i++)
		if (is_join(&t->events[i]) && !(t->events[i].flags & EVENT_FAILED) &&
		    t->events[i].accesses[0].object == t->events[step].accesses[0].object)
			return i;
	return REPORT_NO_STEP;
}

/* "; join_worker#1 joined it in step 5 (pool.c:20)" */
static void add_join(struct explainer *x, const struct finding *finding, struct strbuf *out)
{
	uint32_t step = explain_earlier_join(x->trace, finding);
	const struct event *join = step != REPORT_NO_STEP ? &x->trace->events[step] : NULL;
	struct report_frame at;

	if (!join)
		return;
	at = explain_place(x, join->site, step, join->actor);
	strbuf_addf(out, "; %s %s it in step %u (%s)", explain_actor(x, join->actor),
		    join->kind == EVENT_DETACH ? "detached" : "joined", step + 1,
		    explain_place_text(x, &at));
}

void explain_misuse(struct explainer *x, const struct finding *finding, struct strbuf *out)
{
	for (uint32_t i = 1; i < finding->sites_len; i++)
		if (strcmp(finding->sites[i].role, FINDING_TOOK_LOCK) == 0)
			add_holder(x, i, out);
	if (!finding->sites_len)
		return;
	add_join(x, finding, out);
	if (OBJECT_CLASS(finding->object) == OBJECT_COND)
		add_mutexes(x, finding, out);
	if (OBJECT_CLASS(finding->object) == OBJECT_LOCK)
		add_cancel(x, finding, out);
}

/* ---- the step ----
 *
 * The runtime notices a misuse with the last step that was taken, by whichever thread. */

static bool is_at(const struct event *event, const struct finding_site *site)
{
	return event->actor == site->actor && event->site == site->site;
}

bool explain_is_noticed_behind(const struct explainer *x, const struct finding *finding,
			       const struct finding_site *site)
{
	return finding->kind == FINDING_MISUSE && site == finding->sites &&
	       site->step < x->trace->events_len && !is_at(&x->trace->events[site->step], site);
}

/* The next step of the actor, if it is the misuse: some calls are reported and then made. */
static uint32_t find_made(const struct trace *t, const struct finding_site *site)
{
	for (uint32_t i = site->step + 1; i < t->events_len; i++)
		if (t->events[i].actor == site->actor)
			return is_at(&t->events[i], site) ? i : t->events_len;
	return t->events_len;
}

/* Did the step create the thread which the misuse is about? Its line may create others, too. */
static bool has_created(const struct event *event, const struct finding *finding)
{
	return event_created(event) != ACTOR_NONE && (OBJECT_CLASS(finding->object) != OBJECT_ACTOR ||
						      OBJECT_NAME_OF(finding->object) == event_created(event));
}

/* The step that took the lock with which the actor ended, or created the thread that was not joined. The other site
 * is the last step of the actor. */
static uint32_t find_origin(const struct trace *t, const struct finding *finding)
{
	for (uint32_t i = finding->sites[0].step; i-- > 0;) {
		const struct event *event = &t->events[i];
		const struct access *access = event_find_access(event, finding->object);

		if (is_at(event, &finding->sites[0]) &&
		    (has_created(event, finding) || event->kind == EVENT_COND_WAIT ||
		     (access && (access->mode == ACCESS_ACQUIRE || access->mode == ACCESS_SHARE))))
			return i;
	}
	return t->events_len;
}

void explain_misuse_step(const struct explainer *x, struct finding *finding)
{
	const struct trace *t = x->trace;
	uint32_t step;

	if (!finding->sites_len || !explain_is_noticed_behind(x, finding, finding->sites))
		return;
	step = find_made(t, finding->sites);
	if (step < t->events_len) {
		finding->sites[0].step = step;
		return;
	}
	step = find_origin(t, finding);
	if (step == t->events_len)
		return;
	if (finding->sites_len > 1 && finding->sites[1].actor == finding->sites[0].actor &&
	    t->events[finding->sites[0].step].actor == finding->sites[0].actor)
		finding->sites[1].step = finding->sites[0].step;
	finding->sites[0].step = step;
}

/* ---- an object whose memory is taken away ---- */

const struct event *explain_used_step(const struct explainer *x, const struct finding *finding)
{
	const struct finding_site *site = finding->sites_len ? &finding->sites[0] : NULL;
	const struct trace *t = x->trace;

	if (!site || finding->kind != FINDING_MEMORY || site->step >= t->events_len ||
	    explain_is_object_use(x, finding))
		return NULL;
	for (uint32_t i = site->step + 1; i < t->events_len; i++)
		if (t->events[i].actor == site->actor)
			return t->events[i].site == site->site && t->events[i].access_len &&
					       OBJECT_CLASS(t->events[i].accesses[0].object) !=
						       OBJECT_MEMORY
				       ? &t->events[i]
				       : NULL;
	return NULL;
}

bool explain_is_object_use(const struct explainer *x, const struct finding *finding)
{
	return finding->kind == FINDING_MEMORY && finding->sites_len == 2 &&
	       finding->sites[0].step < x->trace->events_len &&
	       strcmp(finding->sites[0].role, FINDING_USES_OBJECT) == 0;
}

/* Does the line make the object new? */
static bool is_made_new(struct explainer *x)
{
	const char *line = explain_line(x, &x->out->sites[1].at);

	return line && strstr(line, "_init(");
}

/* " (called by main at gate.c:74)" of a function whose other calls are on other lines. */
static const char *called_by(struct explainer *x, const struct report_site *site)
{
	const struct report_frame *caller = site->frames_len > 1 ? &site->frames[1] : NULL;

	if (!is_made_new(x) || !caller || !caller->file || !caller->function)
		return "";
	return arena_printf(x->arena, " (called by %s at %s)", caller->function,
			    explain_place_text(x, caller));
}

const char *explain_taking_away(struct explainer *x, const struct finding *finding)
{
	const char *name = explain_object(x, finding->object), *role = finding->sites[1].role;

	if (strcmp(role, "frees") == 0)
		return arena_printf(x->arena, "frees the memory of %s", name);
	if (strcmp(role, "ends") == 0)
		return arena_printf(x->arena, "ends, with %s in its stack,", name);
	if (strcmp(role, "has left the function") == 0)
		return arena_printf(x->arena, "leaves the function that has %s as a local variable", name);
	if (is_made_new(x))
		return arena_printf(x->arena, "initialises %s", name);
	return arena_printf(x->arena, "writes over %s", name);
}

void explain_object_use(struct explainer *x, const struct finding *finding, struct strbuf *out)
{
	const struct report_site *use = &x->out->sites[0], *end = &x->out->sites[1];

	strbuf_addf(out, "%s %s at %s%s, and %s uses it at %s (%s). Nothing orders the two.",
		    end->actor, explain_taking_away(x, finding), explain_place_text(x, &end->at),
		    called_by(x, end), use->actor, explain_place_text(x, &use->at),
		    explain_announced(x, &x->trace->events[finding->sites[0].step]));
}
