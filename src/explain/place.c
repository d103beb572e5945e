/* place.c: places, call stacks, objects and values in words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "core/object.h"
#include "explain/expression.h"
#include "explain/parts.h"
#include "native/symbols.h"

/* So many objects get names of their own; a run with more is too long to be read. */
enum { OBJECTS_MAX = 256 };

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

/* The index of the first frame in the user's own code, or `len`. */
static uint32_t find_user(const struct target_frame *frames, uint32_t len)
{
	struct symbols_frame candidates[FRAMES_MAX + 2] = {0};

	for (uint32_t i = 0; i < len; i++)
		candidates[i].file = frames[i].file;
	candidates[len].file = ""; /* a sentinel: the search always ends */
	return symbols_user_frame(candidates, len + 1);
}

bool explain_is_user(const struct target_frame *frame)
{
	return find_user(frame, 1) == 0;
}

uint32_t explain_stack(struct target *target, uint32_t key, uint32_t actor,
		       struct target_frame frames[FRAMES_MAX])
{
	uint32_t len = target->ops->stack(target, key, actor, frames, FRAMES_MAX);
	uint32_t inside = 0, users = 0;

	while (inside < len && (!frames[inside].function || !is_outside(&frames[inside])))
		inside++;
	for (uint32_t i = 0; i < inside; i++)
		if (find_user(&frames[i], 1) == 0)
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
	if (find_user(frames, 1) == 1)
		len += explain_stack(x->target, key, actor, frames + 1);
	user = find_user(frames, len);
	return explain_frame(x, &frames[user < len ? user : 0]);
}

const char *explain_place_text(struct explainer *x, const struct report_frame *at)
{
	if (!at->file)
		return at->function ? at->function : "an unknown place";
	return arena_printf(x->arena, "%s:%u", file_base_name(at->file), at->line);
}

/* ---- objects ---- */

/* Appends a line of a file, without its newline; nothing if it cannot be read. */
static void read_line(const struct report_frame *at, struct strbuf *out)
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

const char *explain_line(struct explainer *x, const struct report_frame *at)
{
	struct strbuf line = {0};
	const char *text, *result = NULL;
	size_t len;

	read_line(at, &line);
	text = strbuf_text(&line) + strspn(strbuf_text(&line), " \t");
	len = strlen(text);
	if (len && len < 100)
		result = arena_strndup(x->arena, text, len);
	strbuf_release(&line);
	return result;
}

/* Plain accesses are left out: their lines name many things. */
static bool touches(const struct event *event, uint64_t object)
{
	return event->access_len && event->accesses[0].object == object &&
	       event->kind != EVENT_PLAIN_READ && event->kind != EVENT_PLAIN_WRITE;
}

static bool is_memory(uint32_t kind)
{
	return kind == EVENT_LOAD || kind == EVENT_STORE || kind == EVENT_RMW || kind == EVENT_CAS ||
	       kind == EVENT_PLAIN_READ || kind == EVENT_PLAIN_WRITE || kind == EVENT_FUTEX_WAKE ||
	       kind == EVENT_FUTEX_WAIT;
}

static bool is_write(const struct event *event)
{
	return event->kind == EVENT_STORE || event->kind == EVENT_RMW ||
	       event->kind == EVENT_PLAIN_WRITE;
}

/* Is the access in the code of a line of the program, and not in a function that the line calls? */
static bool is_in_user_code(struct explainer *x, uint64_t site)
{
	struct target_frame frame = {0};

	x->target->ops->describe_site(x->target, site, &frame);
	return explain_is_user(&frame);
}

/* The expression at the first plain access that writes the object on a line that writes nothing
 * else. A pointer that points there then (`*list->tail`) may point elsewhere later. */
static bool add_plain_expression(struct explainer *x, uint64_t object, struct strbuf *out)
{
	const struct trace *t = x->trace;
	struct strbuf line = {0}, name = {0};
	bool ok = false;

	for (uint32_t i = 0; i < t->plains_len && !ok; i++) {
		const struct plain *plain = &t->plains[i];
		struct report_frame at;

		if (plain->is_write != 1 || OBJECT(OBJECT_MEMORY, plain->address) != object ||
		    !is_in_user_code(x, plain->site))
			continue;
		at = explain_place(x, plain->site, i | (uint32_t)TARGET_OF_PLAIN, plain->actor);
		strbuf_clear(&line);
		read_line(&at, &line);
		strbuf_clear(&name);
		ok = expression_written(strbuf_text(&line), &name) && strbuf_text(&name)[0] != '*';
	}
	if (ok)
		strbuf_adds(out, strbuf_text(&name));
	strbuf_release(&line);
	strbuf_release(&name);
	return ok;
}

/* The expression at the first step that uses the object. */
static bool add_expression(struct explainer *x, uint64_t object, struct strbuf *out)
{
	const struct trace *t = x->trace;
	struct strbuf line = {0};
	bool ok = false;

	for (uint32_t i = 0; i < t->events_len + t->pending_len && !ok; i++) {
		bool is_step = i < t->events_len;
		const struct event *event = is_step ? &t->events[i] : &t->pending[i - t->events_len];
		struct report_frame at;

		if (!touches(event, object) && !(is_write(event) && event->access_len &&
						 event->accesses[0].object == object))
			continue;
		at = explain_place(x, event->site, is_step ? i : (uint32_t)TARGET_AT_END,
				   event->actor);
		strbuf_clear(&line);
		read_line(&at, &line);
		if (touches(event, object))
			ok = is_memory(event->kind) ? expression_of_atomic(strbuf_text(&line), out)
						    : expression_in(strbuf_text(&line), out);
		ok = ok || (is_write(event) && expression_written(strbuf_text(&line), out));
		if (!is_step || i > 200)
			break;
	}
	strbuf_release(&line);
	return ok;
}

/* Adds "a std::map<std::string, int>" for the function "std::map<std::string, int>::operator[]". */
static bool add_class(const char *function, struct strbuf *out)
{
	const char *end = NULL;
	int depth = 0;

	for (const char *at = function; *at; at++) {
		depth += (*at == '<') - (*at == '>' && at[-1] != '-');
		if (depth == 0 && strncmp(at, "::", 2) == 0)
			end = at;
	}
	/* Only templates are known to be classes and not namespaces. */
	if (!end || (end[-1] != '>' && strncmp(function, "std::string::", 13) != 0))
		return false;
	strbuf_addf(out, "a %.*s", (int)(end - function), function);
	return true;
}

/* Memory that a class of a library keeps to itself is named by that class: the one whose function
 * the program called. */
static bool add_class_of_library(struct explainer *x, uint64_t object, struct strbuf *out)
{
	const struct trace *t = x->trace;
	struct target_frame frames[FRAMES_MAX];

	for (uint32_t i = 0; i < t->plains_len; i++) {
		const struct plain *plain = &t->plains[i];
		uint32_t len, user;

		if (OBJECT(OBJECT_MEMORY, plain->address) != object)
			continue;
		len = explain_stack(x->target, i | (uint32_t)TARGET_OF_PLAIN, plain->actor, frames);
		user = find_user(frames, len);
		if (user > 0 && user < len && frames[user - 1].function &&
		    add_class(frames[user - 1].function, out))
			return true;
	}
	return false;
}

/* "q->lock", or "heap(queue.c:31)+8": eight bytes behind the start of a block allocated there. */
static void add_block_name(struct explainer *x, uint64_t object, const struct target_block *block,
			   struct strbuf *out)
{
	if (add_expression(x, object, out) ||
	    (block->by_library && add_class_of_library(x, object, out)))
		return;
	if (block->field[0] && !block->by_library) {
		strbuf_adds(out, block->field);
		return;
	}
	if (add_plain_expression(x, object, out))
		return;
	strbuf_addf(out, "heap(%s:%u)",
		    block->allocated.file ? file_base_name(block->allocated.file) : "?",
		    block->allocated.line);
	if (block->offset)
		strbuf_addf(out, "+%lu", block->offset);
}

static const char *name_object(struct explainer *x, uint64_t object)
{
	struct target *inner = target_unwrapped(x->target);
	struct target_block block;
	struct strbuf text = {0};
	const char *result;

	if (inner->ops->describe_block && inner->ops->describe_block(inner, object, &block))
		add_block_name(x, object, &block, &text);
	else
		x->target->ops->describe_object(x->target, object, &text);
	if (strstr(strbuf_text(&text), " at 0x") || strncmp(strbuf_text(&text), "0x", 2) == 0) {
		struct strbuf named = {0}; /* on a stack */

		if (add_expression(x, object, &named) || add_plain_expression(x, object, &named) ||
		    add_class_of_library(x, object, &named))
			text = (strbuf_release(&text), named);
	}
	result = arena_strdup(x->arena, strbuf_text(&text));
	strbuf_release(&text);
	return result;
}

/* The same thing as different steps see it: an address, of which phases of a barrier have one each. */
static uint64_t thing_of(uint64_t object)
{
	uint64_t name = OBJECT_NAME_OF(object);

	return OBJECT_CLASS(object) == OBJECT_BARRIER ? name & ~7ul : name;
}

static void add_object(struct explainer *x, uint64_t object)
{
	for (uint32_t i = 0; i < x->objects_len; i++)
		if (x->objects[i].object == object)
			return;
	if (OBJECT_CLASS(object) != OBJECT_NONE && x->objects_len < OBJECTS_MAX)
		x->objects[x->objects_len++] = (struct object_name){object, name_object(x, object)};
}

/* Was the same thing, under the same name, listed before? */
static bool is_listed(const struct explainer *x, uint32_t i)
{
	for (uint32_t j = 0; j < i; j++)
		if (thing_of(x->objects[j].object) == thing_of(x->objects[i].object) &&
		    strcmp(x->objects[j].text, x->objects[i].text) == 0)
			return true;
	return false;
}

/* The number of a thing among those that are called like the i-th one, from 1 in the order of their
 * addresses, which is that of an array; `*all` is how many there are. */
static uint32_t number_alike(const struct explainer *x, uint32_t i, uint32_t *all)
{
	uint64_t own = thing_of(x->objects[i].object);
	uint32_t number = 1;

	*all = 0;
	for (uint32_t j = 0; j < x->objects_len; j++) {
		if (strcmp(x->objects[j].text, x->objects[i].text) != 0 || is_listed(x, j))
			continue;
		number += thing_of(x->objects[j].object) < own;
		++*all;
	}
	return number;
}

/* Only the steps of C and C++ are named after lines of the source, which may be alike. So are the plain
 * accesses that are shown. */
static void name_objects(struct explainer *x)
{
	const struct trace *t = x->trace;
	uint32_t *numbers;

	x->objects = arena_zalloc(x->arena, OBJECTS_MAX * sizeof(*x->objects));
	if (!target_unwrapped(x->target)->ops->describe_block)
		return;
	for (uint32_t i = 0; i < t->events_len + t->pending_len; i++) {
		const struct event *event = i < t->events_len ? &t->events[i]
							      : &t->pending[i - t->events_len];

		for (uint32_t a = 0; a < event->access_len; a++)
			add_object(x, event->accesses[a].object);
	}
	for (uint32_t i = 0; x->shared_plains && i < t->plains_len; i++)
		if (x->shared_plains[i])
			add_object(x, OBJECT(OBJECT_MEMORY, t->plains[i].address));
	numbers = arena_zalloc(x->arena, OBJECTS_MAX * sizeof(*numbers));
	for (uint32_t i = 0; i < x->objects_len; i++) {
		uint32_t all, number = number_alike(x, i, &all);

		numbers[i] = all > 1 ? number : 0;
	}
	for (uint32_t i = 0; i < x->objects_len; i++)
		if (numbers[i])
			x->objects[i].text = arena_printf(x->arena, "%s#%u", x->objects[i].text,
							  numbers[i]);
}

const char *explain_object(struct explainer *x, uint64_t object)
{
	if (!x->objects)
		name_objects(x);
	for (uint32_t i = 0; i < x->objects_len; i++)
		if (x->objects[i].object == object)
			return x->objects[i].text;
	return name_object(x, object);
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

void explain_value(struct explainer *x, uint32_t step, struct strbuf *out)
{
	const struct event *event = &x->trace->events[step];
	struct target *inner = target_unwrapped(x->target);
	uint64_t written = 0;
	bool has_written = !(event->flags & EVENT_FAILED) && inner->ops->written_value &&
			   inner->ops->written_value(inner, step, &written);

	switch (event->kind) {
	case EVENT_RMW: case EVENT_CAS:
		if (has_written) {
			strbuf_addc(out, ' ');
			add_number(out, event->value);
			strbuf_adds(out, " → ");
			add_number(out, written);
			break;
		}
		/* fall through */
	case EVENT_LOAD: case EVENT_PLAIN_READ:
		strbuf_adds(out, " = ");
		add_number(out, event->value);
		break;
	case EVENT_STORE: case EVENT_PLAIN_WRITE:
		if (has_written) {
			strbuf_adds(out, " = ");
			add_number(out, written);
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

const char *explain_plain_value(struct explainer *x, uint32_t plain, bool is_update)
{
	const struct plain *access = &x->trace->plains[plain];
	struct target *inner = target_unwrapped(x->target);
	uint64_t before = 0, after = 0, value;
	struct strbuf text = {0};
	const char *result;
	uint32_t known = inner->ops->plain_values && access->is_write < 2
				 ? inner->ops->plain_values(inner, plain, &before, &after) : 0;

	known &= (is_small(before, access->size) ? TARGET_KNOWS_BEFORE : 0) |
		 (is_small(after, access->size) ? TARGET_KNOWS_AFTER : 0);
	value = access->is_write ? after : before;
	if (is_update && known == (TARGET_KNOWS_BEFORE | TARGET_KNOWS_AFTER)) {
		strbuf_addc(&text, ' ');
		add_number(&text, before);
		strbuf_adds(&text, " → ");
		add_number(&text, after);
	} else if (known & (access->is_write ? TARGET_KNOWS_AFTER : TARGET_KNOWS_BEFORE)) {
		strbuf_adds(&text, " = ");
		add_number(&text, value);
	}
	result = arena_strdup(x->arena, strbuf_text(&text));
	strbuf_release(&text);
	return result;
}

/* ---- libraries ---- */

/* The site is in the library, and the line of the program does not name an atomic. */
bool explain_is_of_library(struct explainer *x, uint32_t step)
{
	const struct event *event = &x->trace->events[step];
	struct target_frame frame = {0};
	struct strbuf line = {0}, expression = {0};
	struct report_frame at;
	bool is_named;

	if (!is_memory(event->kind))
		return false;
	x->target->ops->describe_site(x->target, event->site, &frame);
	if (find_user(&frame, 1) == 0)
		return false;
	at = explain_place(x, event->site, step, event->actor);
	if (!explain_is_user(&(struct target_frame){.file = at.file}))
		return true;
	read_line(&at, &line);
	is_named = expression_in(strbuf_text(&line), &expression);
	strbuf_release(&line);
	strbuf_release(&expression);
	return !is_named;
}
