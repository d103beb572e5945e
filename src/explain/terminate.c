/* terminate.c: why a C++ program ended itself. */
#include <string.h>

#include "core/object.h"
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

/* ": connect has destroyed the std::promise without giving it a value": who wrote last into the state that the one which
 * fails has read last. */
static const char *find_breaker(struct explainer *x)
{
	enum { STATE_SIZE = 64 };
	const struct trace *t = x->trace;
	uint32_t failing = t->events_len ? t->events[t->events_len - 1].actor : ACTOR_NONE;
	uint64_t state = 0;

	for (uint32_t i = t->events_len; i-- > 0;) {
		const struct event *event = &t->events[i];
		uint64_t object = event->access_len ? event->accesses[0].object : 0;

		if (!object || !explain_is_memory(event->kind) || !explain_is_future(explain_object(x, object)))
			continue;
		if (!state && event->actor == failing)
			state = object;
		else if (state && event->actor != failing && object + STATE_SIZE > state &&
			 object < state + STATE_SIZE)
			return arena_printf(x->arena,
					    ": %s has destroyed the std::promise without giving it a value",
					    explain_actor(x, event->actor));
	}
	return "";
}

const char *explain_terminate(struct explainer *x, const struct finding *finding)
{
	static const char terminate[] = "std::terminate() was called without";
	const struct report_site *site = x->out->sites_len ? &x->out->sites[0] : NULL;

	if (strstr(finding->message, "Broken promise"))
		return find_breaker(x);
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
