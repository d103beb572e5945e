#include "cli/explain.h"

#include <string.h>

#include "base/bitset.h"
#include "core/object.h"

enum { FRAMES_MAX = 32, EVENTS_SHOWN = 500 };

struct explainer {
	struct target *target;
	const struct trace *trace;
	struct arena *arena;
	struct report_finding *out;
};

static const char *name_actor(struct explainer *x, uint32_t actor)
{
	char name[ACTOR_NAME_MAX];

	if (actor == ACTOR_NONE || actor >= x->trace->actors_len)
		return NULL;
	actor_name(x->trace->actors, actor, name);
	return arena_strdup(x->arena, name);
}

static const char *name_object(struct explainer *x, uint64_t object)
{
	struct strbuf text = {0};
	const char *result;

	x->target->ops->describe_object(x->target, object, &text);
	result = arena_strdup(x->arena, strbuf_text(&text));
	strbuf_release(&text);
	return result;
}

/* The target's strings go with it; the report's stay. */
static struct report_frame frame_of(struct explainer *x, const struct target_frame *frame)
{
	return (struct report_frame){
		.function = frame->function ? arena_strdup(x->arena, frame->function) : NULL,
		.file = frame->file ? arena_strdup(x->arena, frame->file) : NULL,
		.line = frame->line,
	};
}

static struct report_frame describe_site(struct explainer *x, uint64_t site)
{
	struct target_frame frame;

	x->target->ops->describe_site(x->target, site, &frame);
	return frame_of(x, &frame);
}

/* ---- the interleaving ---- */

static bool shows_value(uint32_t kind)
{
	return kind == EVENT_LOAD || kind == EVENT_RMW || kind == EVENT_CAS;
}

static const char *describe_step(struct explainer *x, const struct event *event, uint32_t step)
{
	struct strbuf text = {0};
	const char *result;
	bool is_told = step != REPORT_NO_STEP && x->target->ops->describe_step &&
		       x->target->ops->describe_step(x->target, step, &text);

	if (!is_told)
		strbuf_adds(&text, event_kind_text(event->kind));
	if (is_told)
		;
	else if (event->peer != ACTOR_NONE &&
	    (event->kind == EVENT_CREATE || event->kind == EVENT_SPAWN || event->kind == EVENT_JOIN))
		strbuf_addf(&text, " %s", name_actor(x, event->peer));
	else if (event->access_len && event->accesses[0].object)
		strbuf_addf(&text, " %s", name_object(x, event->accesses[0].object));
	if (shows_value(event->kind))
		strbuf_addf(&text, " = %ld", (long)event->value);
	if (event->flags & EVENT_FAILED)
		strbuf_adds(&text, event->kind == EVENT_COND_WAKE || event->kind == EVENT_LOCK
					   ? " (timed out)" : " (fails)");
	result = arena_strdup(x->arena, strbuf_text(&text));
	strbuf_release(&text);
	return result;
}

static uint32_t column_of(struct explainer *x, const char *actor)
{
	const char **columns = (const char **)x->out->columns;

	for (uint32_t i = 0; i < x->out->columns_len; i++)
		if (strcmp(columns[i], actor) == 0)
			return i;
	columns[x->out->columns_len] = actor;
	return x->out->columns_len++;
}

static bool is_culprit(const struct explainer *x, uint32_t step)
{
	for (uint32_t i = 0; i < x->out->sites_len; i++)
		if (x->out->sites[i].step == step)
			return true;
	return false;
}

static void add_step(struct explainer *x, const struct event *event, uint32_t step, const char *text)
{
	struct report_event *added = &x->out->interleaving[x->out->interleaving_len++];
	struct report_frame at = describe_site(x, event->site);

	*added = (struct report_event){
		.step = step,
		.actor = name_actor(x, event->actor),
		.text = text,
		.file = at.file,
		.line = at.line,
		.is_culprit = step != REPORT_NO_STEP && is_culprit(x, step),
	};
	added->column = column_of(x, added->actor);
}

/* Marks the steps at which a still enabled actor was left for another. */
static void mark_preemptions(struct explainer *x, uint32_t first)
{
	const struct trace *t = x->trace;
	uint32_t last = ACTOR_NONE;

	for (uint32_t i = 0; i < t->events_len; i++) {
		uint32_t actor = t->events[i].actor;

		if (actor_is_virtual(&t->actors[actor]))
			continue;
		if (i >= first && last != ACTOR_NONE && last != actor &&
		    bitset_has(trace_enabled(t, i), last))
			x->out->interleaving[i - first].is_preemption = true;
		last = actor;
	}
}

static void fill_interleaving(struct explainer *x)
{
	const struct trace *t = x->trace;
	uint32_t first = t->events_len > EVENTS_SHOWN ? t->events_len - EVENTS_SHOWN : 0;
	size_t room = t->events_len - first + t->pending_len + 1;
	bool stuck = t->end == END_DEADLOCK || t->end == END_SPIN;

	x->out->interleaving = arena_zalloc(x->arena, room * sizeof(*x->out->interleaving));
	x->out->columns = arena_zalloc(x->arena, (t->actors_len + 1) * sizeof(char *));
	for (uint32_t i = first; i < t->events_len; i++)
		add_step(x, &t->events[i], i, describe_step(x, &t->events[i], i));
	mark_preemptions(x, first);
	for (uint32_t p = 0; stuck && p < t->pending_len; p++) {
		const struct event *event = &t->pending[p];

		if (!actor_is_virtual(&t->actors[event->actor]))
			add_step(x, event, REPORT_NO_STEP,
				 arena_printf(x->arena, "waits: %s",
					      describe_step(x, event, REPORT_NO_STEP)));
	}
}

/* ---- sites ---- */

/* The locks an actor held when it took step number `before`, by following its steps. */
static void fill_locks(struct explainer *x, uint32_t actor, uint32_t before, struct report_site *site)
{
	const struct trace *t = x->trace;
	const struct event *held[32];
	const char **names;
	uint32_t len = 0;

	for (uint32_t i = 0; i < before && i < t->events_len; i++) {
		const struct event *event = &t->events[i];

		for (uint32_t a = 0; event->actor == actor && a < event->access_len; a++) {
			uint32_t mode = event->accesses[a].mode, kept = 0;

			/* Using a FILE needs its lock for the step only. */
			if (OBJECT_CLASS(event->accesses[a].object) != OBJECT_LOCK ||
			    event->kind == EVENT_IO_WRITE || event->kind == EVENT_IO_READ)
				continue;
			for (uint32_t h = 0; h < len; h++)
				if (held[h]->accesses[0].object != event->accesses[a].object)
					held[kept++] = held[h];
			if (mode == ACCESS_RELEASE || mode == ACCESS_UNSHARE)
				len = kept;
			else if ((mode == ACCESS_ACQUIRE || mode == ACCESS_SHARE) && len < 32)
				held[len++] = event;
		}
	}
	names = arena_zalloc(x->arena, (len + 1) * sizeof(*names));
	for (uint32_t h = 0; h < len; h++) {
		struct report_frame at = describe_site(x, held[h]->site);

		names[h] = arena_printf(x->arena, "%s (taken at %s:%u)",
					name_object(x, held[h]->accesses[0].object),
					at.file ? at.file : "?", at.line);
	}
	site->locks = names;
	site->locks_len = len;
}

static void fill_frames(struct explainer *x, const struct finding_site *from, struct report_site *site)
{
	struct target_frame frames[FRAMES_MAX];
	uint32_t len = x->target->ops->stack(x->target, from->step, from->actor, frames, FRAMES_MAX);
	struct report_frame *copies = arena_zalloc(x->arena, (len + 1) * sizeof(*copies));

	for (uint32_t i = 0; i < len; i++)
		copies[i] = frame_of(x, &frames[i]);
	site->frames = copies;
	site->frames_len = len;
}

/* The step of the interleaving a site belongs to: for a plain access, the last step of
 * its actor before it. */
static uint32_t step_of(const struct explainer *x, const struct finding_site *from)
{
	uint32_t step = from->step;

	if (step == (uint32_t)TARGET_AT_END)
		return REPORT_NO_STEP;
	if (!(step & (uint32_t)TARGET_OF_PLAIN))
		return step;
	step &= ~(uint32_t)TARGET_OF_PLAIN;
	step = step < x->trace->plains_len ? x->trace->plains[step].step : 0;
	while (step-- > 0)
		if (x->trace->events[step].actor == from->actor)
			return step;
	return REPORT_NO_STEP;
}

static uint32_t time_of(const struct explainer *x, const struct finding_site *from)
{
	uint32_t plain = from->step & ~(uint32_t)TARGET_OF_PLAIN;

	if (from->step == (uint32_t)TARGET_AT_END)
		return x->trace->events_len;
	if (!(from->step & (uint32_t)TARGET_OF_PLAIN))
		return from->step;
	return plain < x->trace->plains_len ? x->trace->plains[plain].step : 0;
}

static void fill_sites(struct explainer *x, const struct finding *finding)
{
	struct report_site *sites = arena_zalloc(x->arena, (finding->sites_len + 1) * sizeof(*sites));

	for (uint32_t i = 0; i < finding->sites_len; i++) {
		const struct finding_site *from = &finding->sites[i];

		sites[i] = (struct report_site){
			.actor = name_actor(x, from->actor),
			.role = arena_strdup(x->arena, from->role),
			.at = describe_site(x, from->site),
			.step = step_of(x, from),
		};
		fill_frames(x, from, &sites[i]);
		fill_locks(x, from->actor, time_of(x, from), &sites[i]);
	}
	x->out->sites = sites;
	x->out->sites_len = finding->sites_len;
}

static const char *explain_message(struct explainer *x, const struct finding *finding)
{
	if (!finding->object)
		return arena_strdup(x->arena, finding->message);
	return arena_printf(x->arena, "%s (%s)", finding->message, name_object(x, finding->object));
}

void explain_finding(struct target *target, const struct found *found, struct arena *arena,
		     struct report_finding *out)
{
	const struct finding *finding = &found->finding;
	struct explainer x = {target, found->trace, arena, out};

	*out = (struct report_finding){
		.kind = finding->kind,
		.fingerprint = finding->fingerprint,
		.executions_before = finding->executions_before,
		.events = found->trace->events_len,
		.preemptions = found->preemptions,
		.output = arena_strndup(arena, found->trace->output ? found->trace->output : "",
					found->trace->output_len),
		.output_len = found->trace->output_len,
	};
	out->message = explain_message(&x, finding);
	fill_sites(&x, finding);
	fill_interleaving(&x);
}
