/* told.c: an end is reported only if no process hears of it, so the reader looks for the monitor or
 * the link. */
#include <string.h>

#include "explain/parts.h"

bool explain_is_of_framework(struct explainer *x, uint32_t step)
{
	struct strbuf text = {0};
	bool is = x->target->ops->describe_step &&
		  x->target->ops->describe_step(x->target, step, &text) &&
		  strbuf_text(&text)[0] == TARGET_FRAMEWORK;

	strbuf_release(&text);
	return is;
}

/* The step before `report` that removed the monitor which the report of an end is for; REPORT_NO_STEP if there is
 * none. The first access of the report is to its monitor. */
static uint32_t find_unwatching(const struct trace *t, uint32_t report)
{
	const struct event *event = &t->events[report];

	for (uint32_t i = 0; i < report && event->access_len; i++)
		if (t->events[i].kind == EVENT_DEMONITOR &&
		    event_find_access(&t->events[i], event->accesses[0].object))
			return i;
	return REPORT_NO_STEP;
}

/* ": P1 had removed its monitor before (step 2)", or ": P1, which monitors it, had ended before (step 3)". */
static void add_late(struct explainer *x, const struct death *death, struct strbuf *out)
{
	const struct trace *t = x->trace;

	for (uint32_t i = death->step; death->step && i < t->events_len; i++) {
		uint32_t gone, end;

		if (t->events[i].actor != death->actor || t->events[i].kind != EVENT_SEND)
			continue;
		gone = find_unwatching(t, i);
		end = explain_ended_at(t, &t->events[i]);
		if (gone != REPORT_NO_STEP && explain_is_of_framework(x, gone))
			continue; /* it only watched a call */
		if (gone != REPORT_NO_STEP)
			strbuf_addf(out, ": %s had removed its monitor before (step %u)",
				    explain_actor(x, t->events[gone].actor), gone + 1);
		else if (end < i)
			strbuf_addf(out, ": %s, which monitors it, had ended before (step %u)",
				    explain_actor(x, t->events[end].actor), end + 1);
		else
			continue;
		return;
	}
}

void explain_told(struct explainer *x, const struct death *death, struct strbuf *out)
{
	if (death->actor && x->trace->exits_any && death->flags & (DEATH_LINKED | DEATH_HEARD))
		strbuf_addf(out, " Another process is told of this end by a %s; it is reported because of --exits any.",
			    death->flags & DEATH_HEARD ? "monitor" : "link");
	/* The end of the test is reported in any case. */
	if (!death->actor || x->trace->exits_any || death->flags & ~(uint32_t)DEATH_ASSERTION)
		return;
	strbuf_adds(out, " Nobody is told of this end by a monitor or a link");
	add_late(x, death, out);
	strbuf_adds(out, ". Ends of which a process is told are reported only with --exits any.");
}
