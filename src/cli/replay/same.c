#include "cli/replay/same.h"

#include <string.h>

#include "base/file.h"
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

/* ---- by its words ---- */

/* The source at a site of the report; or NULL. */
static const char *find_source(const struct report_finding *words, const struct report_site *site)
{
	for (uint32_t i = 0; i < words->interleaving_len; i++) {
		const struct report_event *event = &words->interleaving[i];

		if (event->source && event->file && site->at.file && event->line == site->at.line &&
		    strcmp(file_base_name(event->file), file_base_name(site->at.file)) == 0)
			return event->source;
	}
	return NULL;
}

/* Both read, or both write, in a line of the same text? */
static bool is_same_access(const struct report_finding *a, uint32_t i,
			   const struct report_finding *b, uint32_t j)
{
	const struct report_site *one = &a->sites[i], *other = &b->sites[j];
	const char *source = find_source(a, one), *other_source = find_source(b, other);
	size_t len = strcspn(one->role, " ");

	return source && other_source && strcmp(source, other_source) == 0 &&
	       strncmp(one->role, other->role, len) == 0 && strcspn(other->role, " ") == len;
}

/* The same two lines of source, one of each thread? All races of two lines are one finding. */
static bool has_same_lines(const struct report_finding *a, const struct report_finding *b)
{
	if (a->sites_len < 2 || b->sites_len < 2)
		return false;
	return (is_same_access(a, 0, b, 0) && is_same_access(a, 1, b, 1)) ||
	       (is_same_access(a, 0, b, 1) && is_same_access(a, 1, b, 0));
}

static bool has_same_words(struct report_finding *now, const struct saved *saved,
			   struct arena *arena)
{
	struct report report = {.findings = now, .findings_len = 1};
	struct report_finding then = {0};

	report_finding_parse(saved->words, arena, &then);
	if (now->message && then.message &&
	    message_hash(now->message) == message_hash(then.message))
		return true;
	report_read_sources(&report, NULL, arena);
	return has_same_lines(now, &then);
}

/* The sentence of a finding is that of the report? */
static bool is_sentence(struct report_finding *now, const struct saved *saved, struct arena *arena)
{
	struct report_finding then = {0};

	report_finding_parse(saved->words, arena, &then);
	return strcmp(now->message, then.message) == 0;
}

typedef bool compare_words(struct report_finding *now, const struct saved *saved,
			   struct arena *arena);

static bool is_same_explained(struct target *target, const struct trace *trace,
			      const struct finding *finding, const struct saved *saved,
			      compare_words *compare)
{
	struct report_finding words = {0};
	struct arena arena = {0};
	struct found found = {.finding = *finding, .trace = trace_copy(trace)};
	bool is_same;

	explain_finding(target, &found, &arena, &words);
	is_same = compare(&words, saved, &arena);
	found_release(&found);
	arena_release(&arena);
	return is_same;
}

bool same_in_words(struct target *target, const struct trace *trace, const struct finding *finding,
		   const struct saved *saved)
{
	return finding->kind == FINDING_RACE && has_saved_kind(finding, saved) &&
	       is_same_explained(target, trace, finding, saved, has_same_words);
}

bool same_sentence(struct target *target, const struct trace *trace, const struct finding *finding,
		   const struct saved *saved)
{
	return finding->kind != FINDING_RACE ||
	       is_same_explained(target, trace, finding, saved, is_sentence);
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
