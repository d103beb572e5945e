#include "cli/search/hint.h"

#include <string.h>

enum when { ANY, ALWAYS, EARLY };

static const struct {
	const char *reason;
	enum when when;
	const char *text;
} hints[] = {
#define HINT(reason, when, text) {reason, when, text},
#include "cli/search/hint.def"
#undef HINT
};

static bool has_early_timer(const struct report_finding *finding)
{
	for (uint32_t i = 0; i < finding->interleaving_len; i++)
		if (finding->interleaving[i].is_early)
			return true;
	return false;
}

const char *hint_for(const struct report_finding *finding)
{
	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
		if (strstr(finding->message, hints[i].reason) &&
		    (hints[i].when != ALWAYS || finding->always) &&
		    (hints[i].when != EARLY || has_early_timer(finding)))
			return hints[i].text;
	return NULL;
}
