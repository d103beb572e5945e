/* fold.c: calls of servers.
 *
 * A call is four steps: the caller sends, the server takes, replies, the caller goes on. The reply is
 * shown with the step at which the server takes the call: "take call from P1.2: get → 0". */
#include <string.h>

#include "explain/parts.h"

static bool begins(const struct report_event *row, const char *words)
{
	return strncmp(row->text, words, strlen(words)) == 0;
}

static struct report_event *next_row(struct report_finding *out, uint32_t i)
{
	const char *actor = out->interleaving[i].actor;

	while (++i < out->interleaving_len)
		if (strcmp(out->interleaving[i].actor, actor) == 0)
			return &out->interleaving[i];
	return NULL;
}

/* "0" of "reply 0 to P1.2", if it goes to the caller that the taken call names. */
static const char *reply_to(struct explainer *x, const struct report_event *take,
			    const struct report_event *reply)
{
	const char *caller = take->text + strlen("take call from ");
	const char *to = strstr(reply->text, " to ");
	size_t len = strcspn(caller, ":");

	for (const char *later; to && (later = strstr(to + 1, " to "));)
		to = later;
	if (!to || strlen(to + 4) != len || strncmp(to + 4, caller, len) != 0)
		return NULL;
	return arena_strndup(x->arena, reply->text + strlen("reply "),
			     (size_t)(to - reply->text) - strlen("reply "));
}

/* "global:register_name(n, P1)": a call of a server that the program does not know. Its server has no rows. */
static bool is_global_call(const struct report_event *row)
{
	return row->kind && strcmp(row->kind, event_kind_text(EVENT_SEND)) == 0 &&
	       (begins(row, "global:") || begins(row, ":global."));
}

/* Does the caller go on with the reply? Without a timeout the library waits for a reply as any process does. */
static bool is_return(const struct report_finding *out, uint32_t i)
{
	const char *actor = out->interleaving[i].actor;
	bool is_reply = begins(&out->interleaving[i], "receive reply ");

	if (begins(&out->interleaving[i], "call returns "))
		return true;
	while (is_reply && i-- > 0)
		if (strcmp(out->interleaving[i].actor, actor) == 0)
			return begins(&out->interleaving[i], "call ") ||
			       is_global_call(&out->interleaving[i]);
	return false;
}

void explain_fold_calls(struct explainer *x, bool *kept, const bool *essential)
{
	static const char answer[] = "receive reply ";
	struct report_finding *out = x->out;

	for (uint32_t i = 0; i < out->interleaving_len; i++) {
		struct report_event *row = &out->interleaving[i], *next;
		const char *reply = NULL;

		if (row->step >= x->trace->events_len)
			continue;
		if (is_return(out, i) && !essential[row->step])
			kept[row->step] = false;
		next = next_row(out, i);
		if (!next || next->step >= x->trace->events_len)
			continue;
		if (begins(row, "take call from ") && begins(next, "reply "))
			reply = reply_to(x, row, next);
		else if (is_global_call(row) && begins(next, answer))
			reply = next->text + strlen(answer);
		if (!reply)
			continue;
		row->text = arena_printf(x->arena, "%s → %s", row->text, reply);
		kept[next->step] = essential[next->step];
	}
}
