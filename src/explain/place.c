/* place.c: places, call stacks and values in words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "core/object.h"
#include "explain/expression.h"
#include "explain/parts.h"
#include "native/symbols.h"

const char *explain_actor(struct explainer *x, uint32_t actor)
{
	char name[ACTOR_NAME_MAX];

	if (actor == ACTOR_NONE || actor >= x->trace->actors_len)
		return NULL;
	actor_name(x->trace->actors, actor, name);
	return arena_strdup(x->arena, name);
}

/* ---- places ---- */

/* "a/c" of "a/b/../c". */
static const char *copy_path(struct explainer *x, const char *path)
{
	char *copy = arena_strdup(x->arena, path), *up;

	while ((up = strstr(copy, "/../"))) {
		char *from = up;

		while (from > copy && from[-1] != '/')
			from--;
		if (from == up || strncmp(from, "..", 2) == 0)
			break;
		memmove(from, up + strlen("/../"), strlen(up + strlen("/../")) + 1);
	}
	return copy;
}

/* The compiler names a fun and a list comprehension after the function around it. */
const char *explain_tidy(struct explainer *x, const char *text)
{
	static const char mark[] = ":'-";
	struct strbuf out = {0};
	const char *at, *result;

	for (; (at = strstr(text, mark)); text = at) {
		const char *name = at + strlen(mark), *end = strchr(name, '/');
		const char *close = end ? strstr(end, "-'/") : NULL;

		end = end ? end + 1 + strspn(end + 1, "0123456789") : NULL;
		if (!close || !end || *end != '-' || end > close) {
			strbuf_add(&out, text, (size_t)(name - text));
			at = name;
			continue;
		}
		strbuf_add(&out, text, (size_t)(at + 1 - text));
		strbuf_add(&out, name, (size_t)(end - name));
		at = close + strlen("-'/") + strspn(close + strlen("-'/"), "0123456789");
	}
	strbuf_adds(&out, text);
	result = arena_strdup(x->arena, strbuf_text(&out));
	strbuf_release(&out);
	return result;
}

/* "Counter.add/2" of "'Elixir.Counter':add/2". */
static const char *copy_function(struct explainer *x, const char *function)
{
	static const char prefix[] = "'Elixir.";
	const char *quote;

	function = explain_tidy(x, function);
	quote = strncmp(function, prefix, strlen(prefix)) == 0
			? strchr(function + strlen(prefix), '\'') : NULL;
	if (!quote || quote[1] != ':')
		return function;
	return arena_printf(x->arena, "%.*s.%s", (int)(quote - function - (int)strlen(prefix)),
			    function + strlen(prefix), quote + 2);
}

struct report_frame explain_frame(struct explainer *x, const struct target_frame *frame)
{
	return (struct report_frame){
		.function = frame->function ? copy_function(x, frame->function) : NULL,
		.file = frame->file ? copy_path(x, frame->file) : NULL,
		.line = frame->line,
	};
}

const char *explain_source_path(struct explainer *x, const char *file)
{
	struct target *inner = target_unwrapped(x->target);
	struct strbuf path = {0};
	const char *result = NULL;

	if (!file || !inner->ops->source_path)
		return NULL;
	if (x->last_file && strcmp(x->last_file, file) == 0)
		return x->last_path;
	if (inner->ops->source_path(inner, file, &path))
		result = arena_strdup(x->arena, strbuf_text(&path));
	strbuf_release(&path);
	x->last_file = file;
	x->last_path = result;
	return result;
}

/* Is this frame the code that called main or the function of a thread? */
static bool is_outside(const struct target_frame *frame)
{
	return strcmp(frame->function, "begin_thread") == 0 ||
	       strcmp(frame->function, "run_main") == 0 ||
	       strncmp(frame->function, "__libc_start", strlen("__libc_start")) == 0;
}

uint32_t explain_find_user(const struct target_frame *frames, uint32_t len)
{
	struct symbols_frame candidates[FRAMES_MAX + 2] = {0};

	for (uint32_t i = 0; i < len; i++)
		candidates[i].file = frames[i].file;
	candidates[len].file = ""; /* a sentinel: the search always ends */
	return symbols_user_frame(candidates, len + 1);
}

bool explain_is_user(const struct target_frame *frame)
{
	return explain_find_user(frame, 1) == 0;
}

uint32_t explain_stack(struct target *target, uint32_t key, uint32_t actor,
		       struct target_frame frames[FRAMES_MAX])
{
	uint32_t len = target->ops->stack(target, key, actor, frames, FRAMES_MAX);
	uint32_t inside = 0, users = 0;

	while (inside < len && (!frames[inside].function || !is_outside(&frames[inside])))
		inside++;
	for (uint32_t i = 0; i < inside; i++)
		if (explain_find_user(&frames[i], 1) == 0)
			users = i + 1;
	return users ? users : inside;
}

/* A reader wants to see `std::lock_guard guard(lock)`, not the lines of the library that it leads
 * to. */
struct report_frame explain_place(struct explainer *x, uint64_t site, uint32_t key, uint32_t actor)
{
	struct target_frame frames[FRAMES_MAX + 1];
	uint32_t len = 1, user;

	x->target->ops->describe_site(x->target, site, &frames[0]);
	if (explain_find_user(frames, 1) == 1)
		len += explain_stack(x->target, key, actor, frames + 1);
	user = explain_find_user(frames, len);
	return explain_frame(x, &frames[user < len ? user : 0]);
}

const char *explain_place_text(struct explainer *x, const struct report_frame *at)
{
	if (!at->file)
		return at->function ? at->function : "an unknown place";
	return arena_printf(x->arena, "%s:%u", file_base_name(at->file), at->line);
}

/* ---- lines ---- */

void explain_read_line(const struct report_frame *at, struct strbuf *out)
{
	FILE *file = at->file && at->line ? fopen(at->file, "re") : NULL;
	char *line = NULL;
	size_t cap = 0;
	ssize_t len = 0;

	for (uint32_t i = 0; file && i < at->line && len >= 0; i++)
		len = getline(&line, &cap, file);
	if (file && len > 0)
		strbuf_add(out, line, strcspn(line, "\n"));
	free(line);
	if (file)
		fclose(file);
}

/* How many parentheses are open behind the text; those in strings and characters do not count. */
static int count_open(const char *text)
{
	int depth = 0;
	char quote = 0;

	for (; *text; text++) {
		if (quote && *text == '\\' && text[1])
			text++;
		else if (quote || *text == '"' || *text == '\'')
			quote = !quote ? *text : quote == *text ? 0 : quote;
		else
			depth += (*text == '(') - (*text == ')');
	}
	return depth;
}

/* Appends the lines on which the condition or the call of this one goes on; as it is if it does not end soon. */
static void add_rest(const struct report_frame *at, struct strbuf *line)
{
	enum { MORE_LINES = 4, LONGEST = 100 };
	struct strbuf whole = {0}, next = {0};
	struct report_frame place = *at;
	int open = count_open(strbuf_text(line));

	strbuf_adds(&whole, strbuf_text(line));
	for (int i = 0; i < MORE_LINES && open > 0 &&
			!strchr("{;", whole.len ? strbuf_text(&whole)[whole.len - 1] : ';');
	     i++) {
		place.line++;
		strbuf_clear(&next);
		explain_read_line(&place, &next);
		strbuf_addf(&whole, " %s", strbuf_text(&next) + strspn(strbuf_text(&next), " \t"));
		open = count_open(strbuf_text(&whole));
	}
	if (open == 0 && whole.len < LONGEST) {
		strbuf_clear(line);
		strbuf_adds(line, strbuf_text(&whole));
	}
	strbuf_release(&whole);
	strbuf_release(&next);
}

const char *explain_line(struct explainer *x, const struct report_frame *at)
{
	struct strbuf line = {0};
	const char *text, *result = NULL;
	size_t len;

	explain_read_line(at, &line);
	add_rest(at, &line);
	text = strbuf_text(&line) + strspn(strbuf_text(&line), " \t");
	len = strlen(text);
	if (len && len < 100)
		result = arena_strndup(x->arena, text, len);
	strbuf_release(&line);
	return result;
}

/* ---- values ---- */

/* A value that does not fit into an int is most likely an address; one that is just below 0 in 32 or
 * 64 bits is a negative number. */
static void add_number(struct strbuf *text, uint64_t value)
{
	if (value <= UINT32_MAX && value > UINT32_MAX - 1000000)
		strbuf_addf(text, "%d", (int32_t)value);
	else if (value > UINT32_MAX)
		strbuf_addf(text, (int64_t)value < 0 && (int64_t)value > -1000000 ? "%ld" : "0x%lx",
			    (long)value);
	else
		strbuf_addf(text, "%ld", (long)value);
}

/* The length of "storage" in "storage.port", if the variable, or the element of an array, begins there: a
 * pointer to it is more likely meant for the whole than for the first member. */
static int whole_len(struct target *inner, uint64_t object, const char *name)
{
	struct strbuf before = {0};
	bool is_inside = false, is_same;
	size_t len = strcspn(name, ".");

	is_same = inner->ops->describe_variable(inner, object - 1, &before, &is_inside) &&
		  strncmp(strbuf_text(&before), name, len) == 0 &&
		  strchr(".+[", strbuf_text(&before)[len]);
	strbuf_release(&before);
	return (int)(is_same ? strlen(name) : len);
}

/* "&head" of a pointer to a variable, "a task" or "task#2" of one to a block of that type, else "heap(queue.c:31)":
 * a block that was allocated there. False if it points to nothing that is known. */
static bool add_pointee(struct explainer *x, uint64_t value, struct strbuf *out)
{
	struct target *inner = target_unwrapped(x->target);
	uint64_t object = OBJECT(OBJECT_MEMORY, value);
	struct target_block block;
	struct strbuf name = {0};
	bool is_inside = false, is_variable;
	int len;

	if (OBJECT_NAME_OF(object) != value)
		return false;
	if (explain_is_text_of_thread(x->trace, object)) {
		strbuf_adds(out, EXPLAIN_TEXT);
		return true;
	}
	if (inner->ops->describe_block && inner->ops->describe_block(inner, object, &block)) {
		int type_len = block.by_library ? 0 : (int)strcspn(block.field, ".+[");

		if (block.offset || (!type_len && !block.allocated.file))
			return false;
		if (type_len)
			strbuf_addf(out, "%s%.*s",
				    memchr(block.field, '#', (size_t)type_len) ? ""
				    : strchr("AEIOaeio", block.field[0])       ? "an "
									       : "a ",
				    type_len, block.field);
		else
			strbuf_addf(out, "heap(%s:%u)", file_base_name(block.allocated.file),
				    block.allocated.line);
		return true;
	}
	is_variable = inner->ops->describe_variable &&
		      inner->ops->describe_variable(inner, object, &name, &is_inside);
	len = is_variable ? whole_len(inner, object, strbuf_text(&name)) : 0;
	/* The first member may be inside a class of a library, but not the whole. */
	is_variable = is_variable && (!is_inside || (size_t)len < name.len);
	if (is_variable)
		strbuf_addf(out, "&%.*s", len, strbuf_text(&name));
	strbuf_release(&name);
	return is_variable;
}

static void add_value(struct explainer *x, uint64_t value, struct strbuf *out)
{
	if (value <= UINT32_MAX || !add_pointee(x, value, out))
		add_number(out, value);
}

void explain_value(struct explainer *x, uint32_t step, struct strbuf *out)
{
	const struct event *event = &x->trace->events[step];
	struct target *inner = target_unwrapped(x->target);
	uint64_t written = 0;
	bool has_written = !(event->flags & EVENT_FAILED) && inner->ops->written_value &&
			   inner->ops->written_value(inner, step, &written);

	if (explain_is_of_library_state(x, event) ||
	    (event->access_len && explain_is_memory(event->kind) &&
	     explain_is_team(explain_object(x, event->accesses[0].object))))
		return; /* the value only stands for it */
	switch (event->kind) {
	case EVENT_RMW: case EVENT_CAS:
		if (has_written) {
			strbuf_addc(out, ' ');
			add_value(x, event->value, out);
			strbuf_adds(out, " → ");
			add_value(x, written, out);
			break;
		}
		if (event->kind == EVENT_RMW)
			break; /* a count of a library: neither value is known */
		/* fall through */
	case EVENT_LOAD: case EVENT_PLAIN_READ:
		strbuf_adds(out, " = ");
		add_value(x, event->value, out);
		break;
	case EVENT_STORE: case EVENT_PLAIN_WRITE:
		if (has_written) {
			strbuf_adds(out, " = ");
			add_value(x, written, out);
		}
		break;
	default:
		break;
	}
}

/* Is it a small number? The type of the memory is not known: the bits of a float, a double or a pointer
 * that is not zero are larger. */
static bool is_small(uint64_t value, uint32_t size)
{
	if (size == sizeof(uint32_t))
		return value < 1u << 23 || value > UINT32_MAX - 1000000;
	return value <= UINT32_MAX || ((int64_t)value < 0 && (int64_t)value > -1000000);
}

/* A small number, or what a pointer points to; NULL if it is neither. */
static const char *plain_value(struct explainer *x, uint64_t value, uint32_t size)
{
	struct strbuf text = {0};
	const char *result = NULL;

	if (is_small(value, size))
		add_number(&text, value);
	else if (size == sizeof(void *))
		add_pointee(x, value, &text);
	if (text.len)
		result = arena_strdup(x->arena, strbuf_text(&text));
	strbuf_release(&text);
	return result;
}

/* Does a call announce the access in front of its step, and write only behind it? Examples: pthread_create, read. */
static bool is_before_step(const struct trace *t, const struct plain *access)
{
	uint32_t next = access->step;

	while (next < t->events_len && t->events[next].actor != access->actor)
		next++;
	return next < t->events_len && t->events[next].site == access->site;
}

const char *explain_plain_value(struct explainer *x, uint32_t plain, bool is_update)
{
	const struct plain *access = &x->trace->plains[plain];
	struct target *inner = target_unwrapped(x->target);
	const char *old = NULL, *new = NULL;
	uint64_t before = 0, after = 0;
	uint32_t known = inner->ops->plain_values && access->is_write < 2
				 ? inner->ops->plain_values(inner, plain, &before, &after) : 0;

	if (known & TARGET_KNOWS_BEFORE)
		old = plain_value(x, before, access->size);
	if (known & TARGET_KNOWS_AFTER && !(access->is_write && is_before_step(x->trace, access)))
		new = plain_value(x, after, access->size);
	if (is_update && old && new)
		return arena_printf(x->arena, " %s → %s", old, new);
	if (access->is_write ? new : old)
		return arena_printf(x->arena, " = %s", access->is_write ? new : old);
	return "";
}

/* ---- libraries ---- */

/* Is it a once-flag that has no name in the program, such as that of a locale? */
static bool is_unnamed_once(struct explainer *x, const struct event *event)
{
	return (event->kind == EVENT_ONCE || event->kind == EVENT_ONCE_DONE) && event->access_len &&
	       strstr(explain_object(x, event->accesses[0].object), " at 0x");
}

/* The site is in the library, and the line of the program does not name an atomic. */
bool explain_is_of_library(struct explainer *x, uint32_t step)
{
	const struct event *event = &x->trace->events[step];
	struct target_frame frame = {0};
	struct strbuf line = {0}, expression = {0};
	struct report_frame at;
	bool is_named, is_once = is_unnamed_once(x, event);

	if (!explain_is_memory(event->kind) && !is_once)
		return false;
	x->target->ops->describe_site(x->target, event->site, &frame);
	if (explain_find_user(&frame, 1) == 0)
		return false;
	if (is_once)
		return true;
	at = explain_place(x, event->site, step, event->actor);
	if (!explain_is_user(&(struct target_frame){.file = at.file}))
		return true;
	explain_read_line(&at, &line);
	is_named = expression_in(strbuf_text(&line), EXPRESSION_ANY, &expression);
	strbuf_release(&line);
	strbuf_release(&expression);
	return !is_named;
}
