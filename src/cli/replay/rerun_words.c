#include "cli/replay/rerun_words.h"

#include <string.h>

#include "detect/message.h"

void rerun_words_actual(struct target *target, const struct trace *trace, uint32_t step,
			struct strbuf *out)
{
	const struct event *event = &trace->events[step];
	struct target_frame frame = {0};
	char name[ACTOR_NAME_MAX];

	if (step >= trace->events_len) {
		strbuf_addf(out, "the run ended (%s)", trace_end_text(trace->end));
		return;
	}
	actor_name(trace->actors, event->actor, name);
	strbuf_addf(out, "%s %s", name, event_kind_text(event->kind));
	if (event->access_len && event->accesses[0].object) {
		strbuf_addc(out, ' ');
		target->ops->describe_object(target, event->accesses[0].object, out);
	}
	target->ops->describe_site(target, event->site, &frame);
	if (frame.file)
		strbuf_addf(out, " at %s:%u", frame.file, frame.line);
}

void rerun_words_expected(const struct saved *saved, const struct report_finding *words,
			  uint32_t step, struct strbuf *out)
{
	for (uint32_t i = 0; i < words->interleaving_len; i++) {
		const struct report_event *event = &words->interleaving[i];

		if (event->step != step)
			continue;
		strbuf_addf(out, "%s %s", event->actor, event->text);
		if (event->file)
			strbuf_addf(out, " at %s:%u", event->file, event->line);
		return;
	}
	strbuf_adds(out, event_kind_text(saved->decisions[step].kind));
}

const char *rerun_words_other(struct target *target, const struct finding *other,
			      struct arena *arena)
{
	const char *kind = finding_kind_text(other->kind);
	struct target_frame frame = {0};

	if (other->sites_len && other->sites[0].site)
		target->ops->describe_site(target, other->sites[0].site, &frame);
	if (!frame.file)
		return arena_printf(arena, "but the run shows another bug: %s", kind);
	return arena_printf(arena, "but the run shows another bug: %s at %s:%u", kind, frame.file,
			    frame.line);
}

static bool is_same_row(const struct report_event *a, const struct report_event *b)
{
	return a->step == b->step && a->line == b->line && strcmp(a->actor, b->actor) == 0 &&
	       strcmp(a->text, b->text) == 0;
}

static bool is_end(const struct report_event *row)
{
	return row->step == REPORT_BETWEEN && strcmp(row->text, REPORT_ENDS) == 0;
}

/* The last row of the recorded run may be a step that only the passing run has, and one may be the end of a thread. */
static bool has_same_rows(const struct report_finding *recorded, const struct report_finding *now)
{
	const struct report_event *rows = recorded->interleaving;
	uint32_t len = recorded->interleaving_len, n = 0;

	if (len && strncmp(rows[len - 1].text, REPORT_NOT_REACHED, strlen(REPORT_NOT_REACHED)) == 0)
		len--;
	for (uint32_t i = 0; i < len; i++) {
		if (is_end(&rows[i]))
			continue;
		if (n == now->interleaving_len || !is_same_row(&rows[i], &now->interleaving[n++]))
			return false;
	}
	return n == now->interleaving_len;
}

void rerun_words_complete(const struct saved *saved, struct report_finding *words,
			  struct arena *arena)
{
	struct report_finding recorded;

	report_finding_parse(saved->words, arena, &recorded);
	if (strcmp(recorded.message, words->message) != 0 || !has_same_rows(&recorded, words))
		return;
	recorded.output = words->output;
	recorded.output_len = words->output_len;
	*words = recorded;
}

void rerun_words_old(const struct saved *saved, const char *now, struct strbuf *out)
{
	const char *old = json_string_value(json_object_get(saved->words, "message"));

	if (old && now && message_reason_hash(old) != message_reason_hash(now))
		strbuf_addf(out,
			    " (in other words, or another bug at the same step; the finding has: "
			    "%s)",
			    old);
}
