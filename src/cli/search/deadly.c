#include "cli/search/deadly.h"

#include "base/hash.h"
#include "cli/exits.h"
#include "cli/replay/surroundings.h"
#include "explore/save.h"
#include "report/report.h"

const char *deadly_save(const struct session *session, struct target *target,
			const struct decision *decisions, uint32_t len, struct arena *arena)
{
	uint64_t fingerprint = hash_bytes(decisions, len * sizeof(*decisions));
	struct report_finding words = {.message = "the beginning of a part of a search in which three "
						  "workers died",
				       .fingerprint = fingerprint};
	struct strbuf knowledge = {0};
	json_t *json = report_finding_json(&words);
	char path[4096];
	struct err err = {0};
	const char *warning;

	target->ops->save_knowledge(target, &knowledge);
	surroundings_record(session->setup, false);
	struct saved saved = {.target = session->target_name, .kind = SAVE_SCHEDULE,
			      .fingerprint = fingerprint, .decisions = (struct decision *)decisions,
			      .decisions_len = len, .setup = session->setup, .words = json,
			      .knowledge = strbuf_text(&knowledge)};
	if (save_finding(session->options->out, &saved, NULL, path, &err))
		warning = arena_printf(arena, "three workers died in one part of the search: fermata "
					      "replay %s", path);
	else
		warning = arena_printf(arena, "three workers died in one part of the search, whose "
					      "schedule cannot be saved: %s", err.message);
	exits_warn("%s", warning);
	strbuf_release(&knowledge);
	json_decref(json);
	return warning;
}
