/* sites.c: the places that belong to the bug, with the locks held there. */
#include <string.h>

#include "core/object.h"
#include "detect/framework.h"
#include "explain/parts.h"

/* ---- when ---- */

static const struct plain *plain_of(const struct explainer *x, const struct finding_site *site)
{
	uint32_t index = site->step & ~(uint32_t)TARGET_OF_PLAIN;

	if (site->step == (uint32_t)TARGET_AT_END || !(site->step & (uint32_t)TARGET_OF_PLAIN) ||
	    index >= x->trace->plains_len)
		return NULL;
	return &x->trace->plains[index];
}

bool explain_is_before_steps(const struct finding *finding, const struct finding_site *site)
{
	return finding->kind == FINDING_MISUSE && site->step == (uint32_t)TARGET_AT_END &&
	       (site == finding->sites || strcmp(site->role, FINDING_TOOK_LOCK) == 0);
}

uint32_t explain_access_time(const struct explainer *x, const struct finding *finding,
			     const struct finding_site *site)
{
	const struct plain *plain = plain_of(x, site);

	if (plain)
		return plain->step;
	if (explain_is_before_steps(finding, site))
		return 0;
	if (finding->kind == FINDING_HANG && site->actor != ACTOR_NONE)
		return x->trace->events_len; /* where the watchdog found the thread */
	if (explain_is_object_use(x, finding)) /* its other site is a plain access, above */
		return REPORT_NO_STEP;
	if ((finding->kind == FINDING_MEMORY && site->actor != ACTOR_NONE &&
	     site->step < x->trace->events_len) ||
	    explain_is_noticed_behind(x, finding, site))
		return site->step + 1;
	return REPORT_NO_STEP;
}

/* The number of steps before the site. */
static uint32_t time_of(const struct explainer *x, const struct finding *finding,
			const struct finding_site *from)
{
	uint32_t access = explain_access_time(x, finding, from);

	if (access != REPORT_NO_STEP)
		return access;
	if (from->step == (uint32_t)TARGET_AT_END)
		return x->trace->events_len;
	return from->step & (uint32_t)TARGET_OF_PLAIN ? 0 : from->step;
}

static bool is_step(const struct explainer *x, const struct finding *finding,
		    const struct finding_site *site)
{
	return !(site->step & (uint32_t)TARGET_OF_PLAIN) &&
	       explain_access_time(x, finding, site) == REPORT_NO_STEP;
}

/* ---- locks ---- */

/* Applies an access to a lock to the set of held locks; returns the new size of the set. */
static uint32_t follow_lock(struct held_lock *held, uint32_t len, const struct access *access,
			    uint32_t step)
{
	uint32_t kept = 0;

	if (access_mode_unlocks(access->mode)) {
		for (uint32_t h = 0; h < len; h++)
			if (held[h].object != access->object)
				held[kept++] = held[h];
		return kept;
	}
	if ((access->mode == ACCESS_ACQUIRE || access->mode == ACCESS_SHARE) && len < LOCKS_MAX)
		held[len++] = (struct held_lock){access->object, step};
	return len;
}

uint32_t explain_locks(const struct trace *t, uint32_t actor, uint32_t before,
		       struct held_lock held[LOCKS_MAX])
{
	uint32_t len = 0;

	for (uint32_t i = 0; i < before && i < t->events_len; i++) {
		const struct event *event = &t->events[i];

		/* Using a FILE needs its lock for the step only, and so does destroying a lock. */
		if (event->actor != actor || event->kind == EVENT_IO_WRITE || explain_enters_queue(event) ||
		    event->kind == EVENT_IO_READ || event->kind == EVENT_DESTROY)
			continue;
		for (uint32_t a = 0; a < event->access_len; a++)
			if (OBJECT_CLASS(event->accesses[a].object) == OBJECT_LOCK)
				len = follow_lock(held, len, &event->accesses[a], i);
	}
	return len;
}

static bool is_for_reading(const struct event *taken, uint64_t lock)
{
	const struct access *access = event_find_access(taken, lock);

	return access && access->mode == ACCESS_SHARE;
}

static void fill_locks(struct explainer *x, uint32_t actor, uint32_t before,
		       struct report_site *site)
{
	struct held_lock held[LOCKS_MAX];
	uint32_t len = explain_locks(x->trace, actor, before, held);
	const char **names = arena_zalloc(x->arena, (len + 1) * sizeof(*names));

	for (uint32_t h = 0; h < len; h++) {
		uint64_t taken = x->trace->events[held[h].step].site;
		struct report_frame at = explain_caller_place(x, taken, held[h].step, actor);

		names[h] = arena_printf(
			x->arena, "%s%s" EXPLAIN_TAKEN_AT "%s:%u)",
			explain_object(x, held[h].object),
			is_for_reading(&x->trace->events[held[h].step], held[h].object)
				? " for reading"
				: "",
			at.file ? at.file : "?", at.line);
	}
	site->locks = names;
	site->locks_len = len;
}

/* ---- stacks ---- */

/* A use of freed memory, or a misuse, is recorded with the step before it. If both are in one function of one
 * thread, the stack of that step is right except for its innermost line. */
static uint32_t correct_stack(const struct trace *t, const struct finding_site *from,
			      struct target_frame *frames, uint32_t len, const struct report_frame *at)
{
	if (!len || t->events[from->step].actor != from->actor || !frames[0].function || !at->function ||
	    strcmp(frames[0].function, at->function) != 0)
		return 0;
	frames[0].file = at->file;
	frames[0].line = at->line;
	return len;
}

static void fill_frames(struct explainer *x, const struct finding *finding,
			const struct finding_site *from, struct report_site *site)
{
	struct target_frame frames[FRAMES_MAX];
	uint32_t len = explain_stack(x->target, from->step, from->actor, frames);
	struct report_frame *copies;

	if (explain_is_before_steps(finding, from))
		len = 0;
	else if (from->step < x->trace->events_len && !is_step(x, finding, from))
		len = correct_stack(x->trace, from, frames, len, &site->at);
	copies = arena_zalloc(x->arena, (len + 1) * sizeof(*copies));
	for (uint32_t i = 0; i < len; i++)
		copies[i] = explain_frame(x, &frames[i]);
	site->frames = copies;
	site->frames_len = len;
}

/* ---- all ---- */

/* A detector without a better word gives the kind of the finding. */
static const char *verb_of(uint32_t kind)
{
	switch (kind) {
	case FINDING_EXIT:
		return "exits";
	case FINDING_STUCK: case FINDING_DEADLOCK:
		return "waits";
	case FINDING_MEMORY:
		return "uses the memory";
	case FINDING_MISUSE:
		return "breaks the rule";
	default:
		return "fails";
	}
}

static const char *role_of(struct explainer *x, const struct finding *finding,
			   const struct finding_site *site)
{
	bool is_wait = finding->kind == FINDING_DEADLOCK || finding->kind == FINDING_STUCK;
	const char *wait = x->trace->end == END_DEADLOCK && is_wait ? explain_wait(x, site->actor)
								    : NULL;

	if (wait)
		return wait;
	if (finding->kind == FINDING_RACE && finding->object)
		return arena_printf(x->arena, "%s %s", site->role,
				    explain_name_or_memory(explain_object(x, finding->object)));
	if (strcmp(site->role, finding_kind_text(finding->kind)) == 0)
		return verb_of(finding->kind);
	/* Nobody frees a local variable: the place is where the thread is that has left the function. */
	if (finding->kind == FINDING_MEMORY && site != finding->sites && site->actor == ACTOR_NONE &&
	    strstr(finding->message, "local variable"))
		return "its thread is by then";
	if (finding->kind == FINDING_MEMORY && site != finding->sites &&
	    site->actor == ACTOR_NONE &&
	    explain_is_freed_at_end(x->trace, explain_freeing(x, finding)))
		return "freed at the end of the thread whose last step is";
	return arena_strdup(x->arena, site->role);
}

/* A test that failed ends the program much later, and only its message has the place. */
static bool fill_failure(struct explainer *x, const struct finding *finding,
			 struct report_site *site)
{
	size_t file_len;
	unsigned line;

	if (finding->kind != FINDING_ASSERTION || x->trace->end != END_EXIT ||
	    !framework_place(finding->message, &file_len, &line))
		return false;
	site->at = (struct report_frame){
		.file = arena_strndup(x->arena, finding->message, file_len), .line = line};
	return true;
}

void explain_sites(struct explainer *x, const struct finding *finding)
{
	struct report_site *sites = arena_zalloc(x->arena,
						 (finding->sites_len + 1) * sizeof(*sites));

	for (uint32_t i = 0; i < finding->sites_len; i++) {
		const struct finding_site *from = &finding->sites[i];

		sites[i] = (struct report_site){
			.actor = explain_actor(x, from->actor),
			.role = role_of(x, finding, from),
			.at = finding->kind == FINDING_DEADLOCK
				      ? explain_caller_place(x, from->site, from->step, from->actor)
				      : explain_place(x, from->site, from->step, from->actor),
			.step = is_step(x, finding, from) ? from->step : REPORT_NO_STEP,
		};
		if (fill_failure(x, finding, &sites[i]))
			continue;
		fill_frames(x, finding, from, &sites[i]);
		fill_locks(x, from->actor, time_of(x, finding, from), &sites[i]);
	}
	x->out->sites = sites;
	x->out->sites_len = finding->sites_len;
}
