#include "cli/search/hint.h"

#include <string.h>

static const struct {
	const char *reason;
	bool only_always;
	const char *text;
} hints[] = {
#define HINT(reason, only_always, text) {reason, only_always, text},
#include "cli/search/hint.def"
#undef HINT
};

const char *hint_for(const struct report_finding *finding)
{
	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
		if (strstr(finding->message, hints[i].reason) &&
		    (finding->always || !hints[i].only_always))
			return hints[i].text;
	return NULL;
}
