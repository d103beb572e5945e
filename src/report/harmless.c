/* A report whose texts a terminal only shows. */
#include "base/harmless.h"

#include <string.h>

#include "report/report.h"

/* The text itself if it is harmless. */
static const char *make_shown(const char *text, bool keeps_lines, struct arena *arena)
{
	struct strbuf shown = {0};
	const char *copy = text;

	if (!text || harmless_is(text, strlen(text), keeps_lines))
		return text;
	harmless_add(&shown, text, strlen(text), keeps_lines);
	copy = arena_strdup(arena, strbuf_text(&shown));
	strbuf_release(&shown);
	return copy;
}

/* A text that may have several lines. */
static const char *make_harmless(const char *text, struct arena *arena)
{
	return make_shown(text, true, arena);
}

/* A name, a path or the like. With a line feed it could pretend that the next line is a verdict. */
static const char *make_line(const char *text, struct arena *arena)
{
	return make_shown(text, false, arena);
}

static const char *const *copy_texts(const char *const *texts, uint32_t len, struct arena *arena)
{
	const char **copy = arena_zalloc(arena, (len + 1) * sizeof(*copy));

	for (uint32_t i = 0; i < len; i++)
		copy[i] = make_line(texts[i], arena);
	return copy;
}

static struct report_frame copy_frame(const struct report_frame *frame, struct arena *arena)
{
	return (struct report_frame){
		.function = make_line(frame->function, arena),
		.file = make_line(frame->file, arena),
		.line = frame->line,
	};
}

static struct report_site copy_site(const struct report_site *site, struct arena *arena)
{
	struct report_frame *frames = arena_zalloc(arena, (site->frames_len + 1) * sizeof(*frames));
	struct report_site copy = *site;

	for (uint32_t i = 0; i < site->frames_len; i++)
		frames[i] = copy_frame(&site->frames[i], arena);
	copy.role = make_line(site->role, arena);
	copy.at = copy_frame(&site->at, arena);
	copy.frames = frames;
	copy.locks = copy_texts(site->locks, site->locks_len, arena);
	return copy;
}

static struct report_event copy_event(const struct report_event *event, struct arena *arena)
{
	struct report_event copy = *event;

	copy.actor = make_line(event->actor, arena);
	copy.text = make_line(event->text, arena);
	copy.file = make_line(event->file, arena);
	copy.source = make_line(event->source, arena);
	return copy;
}

static void copy_output(struct report_finding *finding, struct arena *arena)
{
	struct strbuf shown = {0};

	if (!finding->output || harmless_is(finding->output, finding->output_len, true))
		return;
	harmless_add(&shown, finding->output, finding->output_len, true);
	finding->output = arena_strdup(arena, strbuf_text(&shown));
	finding->output_len = shown.len;
	strbuf_release(&shown);
}

static const struct report_actor *copy_actors(const struct report_finding *finding,
					      struct arena *arena)
{
	struct report_actor *actors = arena_zalloc(arena,
						   (finding->actors_len + 1) * sizeof(*actors));

	for (uint32_t i = 0; i < finding->actors_len; i++)
		actors[i] = (struct report_actor){make_line(finding->actors[i].id, arena),
						  make_line(finding->actors[i].name, arena)};
	return actors;
}

static struct report_finding copy_finding(const struct report_finding *finding,
					  struct arena *arena)
{
	struct report_site *sites = arena_zalloc(arena, (finding->sites_len + 1) * sizeof(*sites));
	struct report_event *events = arena_zalloc(arena, (finding->interleaving_len + 1) *
								  sizeof(*events));
	struct report_finding copy = *finding;

	for (uint32_t i = 0; i < finding->sites_len; i++)
		sites[i] = copy_site(&finding->sites[i], arena);
	for (uint32_t i = 0; i < finding->interleaving_len; i++)
		events[i] = copy_event(&finding->interleaving[i], arena);
	copy.message = make_harmless(finding->message, arena);
	copy.details = make_harmless(finding->details, arena);
	copy.moving = make_line(finding->moving, arena);
	copy.always_assuming = make_line(finding->always_assuming, arena);
	copy.order = make_line(finding->order, arena);
	copy.actors = copy_actors(finding, arena);
	copy.path = make_line(finding->path, arena);
	copy.sites = sites;
	copy.columns = copy_texts(finding->columns, finding->columns_len, arena);
	copy.interleaving = events;
	copy_output(&copy, arena);
	return copy;
}

struct report report_harmless(const struct report *report, struct arena *arena)
{
	struct report copy = *report;

	copy.findings = arena_zalloc(arena, (report->findings_len + 1) * sizeof(*copy.findings));
	for (uint32_t i = 0; i < report->findings_len; i++)
		copy.findings[i] = copy_finding(&report->findings[i], arena);
	copy.program = make_line(report->program, arena);
	copy.reason = make_line(report->reason, arena);
	copy.not_certified = make_line(report->not_certified, arena);
	copy.assumptions = copy_texts(report->assumptions, report->assumptions_len, arena);
	copy.warnings = copy_texts(report->warnings, report->warnings_len, arena);
	copy.strategy = make_line(report->strategy, arena);
	copy.coverage_text = make_harmless(report->coverage_text, arena);
	return copy;
}
