/* descriptor.c: pipes, eventfds and sockets by the variables that have their descriptors.
 *
 * `read(requests[0], &c, 1)` and `write(requests[1], "a", 1)` use the pipe "requests". A pipe that
 * is passed on to functions has another name in each of them. It is then named by the thread that
 * made it. */
#include <ctype.h>
#include <string.h>

#include "core/object.h"
#include "explain/parts.h"

static bool is_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The length of a variable or member at the start of the text, "self->requests" of "self->requests[0], &c"; 0 if
 * something else is the argument. */
static size_t variable_len(const char *text)
{
	size_t len = 0;

	if (!is_of_name(*text) || isdigit((unsigned char)*text))
		return 0;
	while (is_of_name(text[len]) || (text[len] == '.' && is_of_name(text[len + 1])))
		len++;
	if (strncmp(text + len, "->", 2) == 0 && variable_len(text + len + 2))
		return len + 2 + variable_len(text + len + 2);
	return strchr(",)[", text[len]) ? len : 0;
}

/* The first argument of the call of a read or write in the line; its length, or 0 if there is none. */
static size_t find_argument(const char *line, const char **start)
{
	static const char *const calls[] = {
		"read(",   "write(",	    "send(",	      "recv(",	 "readv(",
		"writev(", "eventfd_read(", "eventfd_write(", "accept(", "accept4(",
		"listen(", "bind(",	    "connect(",	      "epoll_wait(", "epoll_ctl(",
		"epoll_pwait("};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		const char *at = line;

		while ((at = strstr(at, calls[i])) && at > line && is_of_name(at[-1]))
			at++;
		if (!at)
			continue;
		*start = at + strlen(calls[i]);
		return variable_len(*start);
	}
	return 0;
}

/* Adds the variable that the line of the step has for the descriptor. False if it has another one than `name`, or
 * none. */
static bool add_variable(struct explainer *x, const struct event *event, uint32_t key, struct strbuf *name)
{
	struct report_frame at = explain_place(x, event->site, key, event->actor);
	struct strbuf line = {0};
	const char *start = NULL;
	size_t len;
	bool agrees;

	explain_read_line(&at, &line);
	len = find_argument(strbuf_text(&line), &start);
	if (!len && event->kind == EVENT_IO_POLL) { /* poll() and select() name the descriptor elsewhere */
		strbuf_release(&line);
		return true;
	}
	agrees = len && (!name->len || (name->len == len && strncmp(strbuf_text(name), start, len) == 0));
	if (agrees && !name->len)
		strbuf_add(name, start, len);
	strbuf_release(&line);
	return agrees;
}

/* Steps on several descriptors, such as poll(), name none. */
static bool is_use(const struct event *event, uint64_t object)
{
	return (event->kind == EVENT_IO_READ || event->kind == EVENT_IO_WRITE ||
		(event->kind == EVENT_IO_POLL && event->access_len == 1)) &&
	       event_find_access(event, object);
}

void explain_descriptor(struct explainer *x, uint64_t object, struct strbuf *out)
{
	const struct trace *t = x->trace;
	struct strbuf name = {0}, words = {0};
	bool agrees = true;
	const char *number;

	x->target->ops->describe_object(x->target, object, &words);
	for (uint32_t i = 0; i < t->events_len && agrees; i++)
		if (is_use(&t->events[i], object))
			agrees = add_variable(x, &t->events[i], i, &name);
	for (uint32_t i = 0; i < t->pending_len && agrees; i++)
		if (is_use(&t->pending[i], object))
			agrees = add_variable(x, &t->pending[i], (uint32_t)TARGET_AT_END, &name);
	number = strpbrk(strbuf_text(&words), "0123456789");
	if (agrees && name.len && strcmp(strbuf_text(&words), "a socket") == 0)
		strbuf_addf(out, "socket %s", strbuf_text(&name));
	else if (agrees && name.len && number)
		strbuf_addf(out, "%.*s%s", (int)(number - strbuf_text(&words)), strbuf_text(&words), strbuf_text(&name));
	else
		strbuf_adds(out, strbuf_text(&words));
	strbuf_release(&name);
	strbuf_release(&words);
}

const char *explain_end_of_io(struct explainer *x, const struct event *event)
{
	struct report_frame at = explain_place(x, event->site, (uint32_t)TARGET_AT_END, event->actor);
	struct strbuf line = {0};
	const char *start = NULL;
	bool is_single, accepts;

	explain_read_line(&at, &line);
	is_single = find_argument(strbuf_text(&line), &start);
	accepts = strstr(strbuf_text(&line), "accept(") || strstr(strbuf_text(&line), "accept4(");
	strbuf_release(&line);
	return !is_single		      ? "end it"
	       : accepts		      ? "connect to it"
	       : event->kind == EVENT_IO_READ ? "write to it"
					      : "read from it";
}
