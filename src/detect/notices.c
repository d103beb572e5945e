/* notices.c: findings that the target itself has noticed (misuse of a lock, use of freed
 * memory). */
#include <stdio.h>

#include "base/hash.h"
#include "detect/detect.h"
#include "detect/message.h"

static void add_other_site(struct finding *finding, const struct notice *notice,
			   const struct trace *trace)
{
	if (!notice->other_site || notice->holder)
		return;
	if (notice->other_step)
		finding_add_site(finding, notice->other_site,
				 trace->events[notice->other_step - 1].actor,
				 notice->other_step - 1, "reads");
	else if (notice->kind == FINDING_MISUSE) /* of a thread that still holds a lock */
		finding_add_site(finding, notice->other_site, notice->actor, UINT32_MAX,
				 "takes its last step before it ends");
	else
		finding_add_site(finding, notice->other_site, ACTOR_NONE, UINT32_MAX, "freed here");
}

static void add_between(struct finding *finding, const struct notice *notice,
			const struct trace *trace)
{
	const struct event *event;

	if (!notice->between)
		return;
	event = &trace->events[notice->between - 1];
	finding_add_site(finding, event->site, event->actor, notice->between - 1,
			 "writes in between");
}

/* The step with which the holder took the lock. Before the first thread there are no steps. */
static uint32_t find_taking(const struct trace *trace, const struct notice *notice)
{
	for (uint32_t i = notice->step; i-- > 0;) {
		const struct event *event = &trace->events[i];
		const struct access *access = event_find_access(event, notice->object);

		if (event->actor == notice->holder - 1 && event->site == notice->other_site && access &&
		    (access->mode == ACCESS_ACQUIRE || access->mode == ACCESS_SHARE))
			return i;
	}
	return UINT32_MAX;
}

static void add_holder(struct finding *finding, const struct notice *notice,
		       const struct trace *trace)
{
	if (notice->holder)
		finding_add_site(finding, notice->other_site, notice->holder - 1,
				 find_taking(trace, notice), FINDING_TOOK_LOCK);
}

/* Message and first site; a notice without an actor has only a message. */
static void describe(struct finding *finding, const struct notice *notice, const struct trace *trace)
{
	char name[ACTOR_NAME_MAX];

	if (notice->actor == ACTOR_NONE) {
		snprintf(finding->message, sizeof(finding->message), "%s", notice->message);
		return;
	}
	actor_name(trace->actors, notice->actor, name);
	snprintf(finding->message, sizeof(finding->message), "%s: %s", name, notice->message);
	finding_add_site(finding, notice->site, notice->actor,
			 notice->step ? notice->step - 1 : UINT32_MAX, "%s",
			 notice->between ? "acts on what was read"
					 : finding_kind_text(notice->kind));
}

static void notices_look(struct detector *self, const struct trace *trace,
			 struct finding_vec *findings)
{
	for (uint32_t i = 0; i < trace->notices_len; i++) {
		const struct notice *notice = &trace->notices[i];
		struct finding *finding = vec_push(findings);

		*finding = (struct finding){.kind = notice->kind, .object = notice->object};
		describe(finding, notice, trace);
		add_other_site(finding, notice, trace);
		finding_set_fingerprint(finding);
		if (notice->kind == FINDING_EXIT || notice->kind == FINDING_ASSERTION)
			finding->fingerprint = hash_combine(finding->fingerprint,
							    message_reason_hash(notice->message));
		if (notice->actor == ACTOR_NONE) /* its site only names the notice */
			finding->fingerprint = hash_combine(finding->fingerprint, notice->site);
		/* After the fingerprint: the finding is the same with any writer in between, or holder. */
		add_between(finding, notice, trace);
		add_holder(finding, notice, trace);
	}
}

static const struct detector_ops notices_ops = {.look = notices_look};

struct detector *detect_notices(void)
{
	return detector_without_state(&notices_ops);
}
