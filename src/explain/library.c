/* library.c: calls of the C library that are steps on something for which the program has no name: files, the
 * numbers of descriptors, the clock, the library's own variables. Such a step is described by the
 * call, as the source line has it: "unlink(path)". */
#include <ctype.h>
#include <string.h>

#include "core/object.h"
#include "explain/parts.h"
#include "native/functions.h"

/* A longer call is cut: "open(…)". */
enum { CALL_MAX = 48, NAME_MAX_LEN = 40 };

bool explain_is_of_library_state(struct explainer *x, const struct event *event)
{
	uint64_t object = event->access_len ? event->accesses[0].object : 0;

	if (target_unwrapped(x->target)->ops->describe_step)
		return false;
	return (OBJECT_CLASS(object) == OBJECT_FD &&
		(OBJECT_NAME_OF(object) == 0 || explain_is_memory(event->kind))) ||
	       OBJECT_CLASS(object) == OBJECT_TERM || OBJECT_CLASS(object) == OBJECT_CLOCK ||
	       OBJECT_CLASS(object) == OBJECT_OUTPUT ||
	       (object && explain_is_memory(event->kind) &&
		strncmp(explain_object(x, object), TARGET_HIDDEN, strlen(TARGET_HIDDEN)) == 0);
}

/* The end of the argument list that begins at `open`; NULL if it is not on the line. */
static const char *find_close(const char *open)
{
	int depth = 0;
	char quote = 0;

	for (const char *at = open; *at; at++) {
		if (quote) {
			at += *at == '\\' && at[1];
			quote = *at == quote ? 0 : quote;
		} else if (*at == '"' || *at == '\'') {
			quote = *at;
		} else {
			depth += (*at == '(') - (*at == ')');
			if (depth == 0)
				return at + 1;
		}
	}
	return NULL;
}

static bool is_library_call(const char *name, size_t len)
{
	char text[NAME_MAX_LEN];

	if (len >= sizeof(text))
		return false;
	memcpy(text, name, len);
	text[len] = 0;
	return function_find(text) != NULL;
}

/* The only call of a library function on the line; NULL if there is none or another one. */
static const char *find_call(const char *line, size_t *name_len)
{
	const char *found = NULL;

	for (const char *at = line; *at;) {
		size_t len = 0;

		while (isalnum((unsigned char)at[len]) || at[len] == '_')
			len++;
		if (len && at[len] == '(' && is_library_call(at, len)) {
			if (found)
				return NULL;
			found = at;
			*name_len = len;
		}
		at += len ? len : 1;
	}
	return found;
}

/* The source line of a step, or of one that is announced; NULL if it cannot be read, or if the line does not make
 * the call itself: std::this_thread::sleep_for() calls nanosleep(). */
static const char *line_of(struct explainer *x, const struct event *event)
{
	const struct trace *t = x->trace;
	struct target_frame frame = {0};
	bool is_step = event >= t->events && event < t->events + t->events_len;
	struct report_frame at = explain_place(
		x, event->site, is_step ? (uint32_t)(event - t->events) : (uint32_t)TARGET_AT_END,
		event->actor);

	x->target->ops->describe_site(x->target, event->site, &frame);
	return explain_is_user(&frame) ? explain_line(x, &at) : NULL;
}

/* "look at files", "change static data of locale" */
static void add_deed(struct explainer *x, const struct event *event, struct strbuf *out)
{
	if (event->kind == EVENT_SLEEP) {
		strbuf_adds(out, event_kind_text(event->kind));
		return;
	}
	strbuf_adds(out, event->accesses[0].mode == ACCESS_READ ? "look at " : "change ");
	x->target->ops->describe_object(x->target, event->accesses[0].object, out);
}

/* Does it use "a stream" or "pipe 1 of main", for which no variable stands? The call says more. */
static bool uses_unnamed(struct explainer *x, const struct event *event)
{
	static const char digits[] = "0123456789";
	const char *number;

	if (!event->access_len || (event->kind != EVENT_IO_READ && event->kind != EVENT_IO_WRITE) ||
	    target_unwrapped(x->target)->ops->describe_step)
		return false;
	if (strcmp(explain_object(x, event->accesses[0].object), "a stream") == 0)
		return true;
	number = strpbrk(explain_object(x, event->accesses[0].object), digits);
	return number && strncmp(number + strspn(number, digits), " of ", 4) == 0;
}

bool explain_library_call(struct explainer *x, const struct event *event, struct strbuf *out)
{
	bool is_unnamed = uses_unnamed(x, event);
	const char *line, *call, *end;
	size_t len = 0;

	if (!is_unnamed && !explain_is_of_library_state(x, event))
		return false;
	if (event->kind == EVENT_TIMER || event->kind == EVENT_IDLE_TIMER) {
		strbuf_adds(out, "the time is over");
		return true;
	}
	if (explain_is_memory(event->kind) && OBJECT_CLASS(event->accesses[0].object) == OBJECT_FD) {
		add_deed(x, event, out); /* the call itself is another step */
		return true;
	}
	line = line_of(x, event);
	call = line ? find_call(line, &len) : NULL;
	end = call ? find_close(call + len) : NULL;
	if (!call && is_unnamed)
		return false;
	if (!call)
		add_deed(x, event, out);
	else if (end && end - call <= CALL_MAX)
		strbuf_add(out, call, (size_t)(end - call));
	else
		strbuf_addf(out, "%.*s(…)", (int)len, call);
	if (event->kind == EVENT_SLEEP)
		strbuf_adds(out, event->accesses[0].mode == ACCESS_LEAVE ? " ends" : "");
	return true;
}
