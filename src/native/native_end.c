/* native_end.c: the end of a run that did not end by itself, in words. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/limit.h"
#include "native/native_parts.h"
#include "native/place.h"

/* A thread whose stack overflowed has no room for the step that ends a run. */
static bool is_overflow(const struct trace *t)
{
	return !t->events_len || t->events[t->events_len - 1].kind != EVENT_CRASH;
}

void native_describe_place(struct native *n, struct trace *t)
{
	const struct channel *c = n->program.channel;
	double seconds = c->options.silent_ms / 1e3;
	struct target_frame frame;
	char actor[ACTOR_NAME_MAX] = "P1", place[512];

	if (t->end == END_CRASH && t->address && is_overflow(t)) {
		t->end_site = place_find(n, t->address);
		t->address = 0;
	} else if (t->end == END_CRASH && !is_overflow(t) && c->fixed_addresses) {
		uint64_t site = t->events[t->events_len - 1].site, called = place_find(n, site);

		t->end_site = called != site ? called : 0; /* it called a library, or our runtime */
	}
	if ((t->end != END_LOST && t->end != END_SILENT) || !t->address)
		return;
	t->address = place_find(n, t->address);
	if (t->code) /* it is in a call, which every run is */
		t->end_site = t->address;
	if (t->end_actor < t->actors_len)
		actor_name(t->actors, t->end_actor, actor);
	native_describe_site(&n->base, t->address, &frame);
	if (frame.file)
		snprintf(place, sizeof(place), "%s at %s:%u", frame.function, frame.file, frame.line);
	else
		snprintf(place, sizeof(place), "%s", frame.function);
	if (t->message[0])
		snprintf(n->message, sizeof(n->message), "%s: %s is in %s", t->message, actor, place);
	else
		snprintf(n->message, sizeof(n->message),
			 "a step of %s did not come back within %g s (--step-time %g)%s%s%s", actor,
			 seconds, seconds, t->end == END_LOST ? ": it is in " : "",
			 t->end == END_LOST ? place : "",
			 t->end == END_LOST ? "; nobody knows whether it would end" : "");
	t->message = n->message;
}

void native_describe_death(struct native *n, struct trace *t)
{
	int status = n->program.status;
	char limit[96] = "";

	t->end = END_LOST;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
		limit_of_resource(RLIMIT_CPU, limit, sizeof(limit));
	if (WIFSIGNALED(status))
		snprintf(n->message, sizeof(n->message), "the program was killed by signal %d (%s)%s%s",
			 WTERMSIG(status), strsignal(WTERMSIG(status)), limit[0] ? "; " : "", limit);
	else
		snprintf(n->message, sizeof(n->message), "the program left with status %d",
			 WEXITSTATUS(status));
	t->message = n->message;
}
