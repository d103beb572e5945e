/* terminate.c: why a C++ program ended itself. */
#include <string.h>

#include "explain/parts.h"

/* The reason, by the function of the C++ library that was running. */
static const struct {
	const char *function, *words;
} causes[] = {
	{"std::thread::~thread",
	 ": a std::thread was destroyed that was neither joined nor detached"},
	{"std::thread::operator=",
	 ": a std::thread was assigned to that was neither joined nor detached"},
};

const char *explain_terminate(struct explainer *x, const struct finding *finding)
{
	static const char terminate[] = "std::terminate() was called without";
	const struct report_site *site = x->out->sites_len ? &x->out->sites[0] : NULL;

	if (!site || strncmp(finding->message, terminate, strlen(terminate)) != 0)
		return "";
	/* The function that called std::terminate(), or std::__terminate(), which is inlined into it. */
	for (uint32_t i = 0; i < site->frames_len && i < 2; i++)
		for (size_t c = 0; c < sizeof(causes) / sizeof(causes[0]); c++)
			if (site->frames[i].function &&
			    strncmp(site->frames[i].function, causes[c].function,
				    strlen(causes[c].function)) == 0)
				return causes[c].words;
	return "";
}

/* An assertion is in the first sentence of the report, and abort() is what the row says anyway. */
const char *explain_abort(struct explainer *x)
{
	const char *message = x->trace->message;
	size_t len = 0;

	if (!message || !message[0] || strstr(message, "Assertion `") ||
	    strncmp(message, "abort() ", strlen("abort() ")) == 0)
		return NULL;
	while (message[len] && message[len] != '\n' && message[len] != ';' &&
	       strncmp(message + len, ": ", 2) != 0)
		len++;
	return arena_strndup(x->arena, message, len);
}
