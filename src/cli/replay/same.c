#include "cli/replay/same.h"

#include <string.h>

#include "detect/message.h"
#include "explain/explain.h"
#include "explain/fingerprint.h"

/* The second of two equal asserts in a function is not the first one. */
static bool is_saved_line(struct target *target, const struct finding *finding,
			  const struct saved *saved)
{
	uint64_t text;
	uint32_t ordinal;

	fingerprint_line(target, finding, &text, &ordinal);
	return !text || text != saved->line || ordinal == saved->line_ordinal;
}

static bool has_saved_kind(const struct finding *finding, const struct saved *saved)
{
	return strcmp(finding_kind_text(finding->kind), saved->kind) == 0;
}

/* Findings of older versions have another fingerprint, or the number of the addresses. */
bool same_as_saved(struct target *target, const struct finding *finding, const struct saved *saved)
{
	if (!has_saved_kind(finding, saved))
		return false;
	if (saved->match)
		return fingerprint_match(target, finding) == saved->match &&
		       is_saved_line(target, finding, saved);
	return fingerprint_first(target, finding) == saved->fingerprint ||
	       finding->fingerprint == saved->fingerprint;
}

bool same_in_words(struct target *target, const struct trace *trace, const struct finding *finding,
		   const struct saved *saved)
{
	const char *message = json_string_value(json_object_get(saved->words, "message"));
	struct report_finding words = {0};
	struct arena arena = {0};
	struct found found = {.finding = *finding, .trace = trace_copy(trace)};
	bool is_same = false;

	if (finding->kind == FINDING_RACE && has_saved_kind(finding, saved) && message) {
		explain_finding(target, &found, &arena, &words);
		is_same = words.message && message_hash(words.message) == message_hash(message);
	}
	found_release(&found);
	arena_release(&arena);
	return is_same;
}

uint32_t same_way(const struct trace *trace, const struct saved *saved)
{
	uint32_t i = 0;

	while (i < saved->decisions_len && i < trace->events_len &&
	       saved->decisions[i].actor == trace->events[i].actor &&
	       saved->decisions[i].kind == trace->events[i].kind)
		i++;
	return i;
}

bool same_ends_run(enum finding_kind kind)
{
	switch (kind) {
	case FINDING_DEADLOCK:
	case FINDING_STUCK:
	case FINDING_ASSERTION:
	case FINDING_CRASH:
	case FINDING_EXIT:
		return true;
	default: /* there may be others of the kind in the same run */
		return false;
	}
}

bool same_failure(struct target *target, const struct trace *trace, const struct finding *finding,
		  const struct saved *saved)
{
	return same_ends_run(finding->kind) && has_saved_kind(finding, saved) &&
	       is_saved_line(target, finding, saved) &&
	       same_way(trace, saved) + 1 >= saved->decisions_len;
}
