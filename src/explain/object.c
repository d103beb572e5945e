/* object.c: the names of locks, conditions and variables, in the words of the source. */
#include <string.h>

#include "base/file.h"
#include "core/object.h"
#include "explain/expression.h"
#include "explain/parts.h"

/* So many objects get names of their own; a run with more is too long to be read. */
enum { OBJECTS_MAX = 256 };

bool explain_is_memory(uint32_t kind)
{
	return kind == EVENT_LOAD || kind == EVENT_STORE || kind == EVENT_RMW || kind == EVENT_CAS ||
	       kind == EVENT_PLAIN_READ || kind == EVENT_PLAIN_WRITE || kind == EVENT_FUTEX_WAKE ||
	       kind == EVENT_FUTEX_WAIT;
}

/* Plain accesses are left out: their lines name many things. */
static bool touches(const struct event *event, uint64_t object)
{
	return event->access_len && event->accesses[0].object == object &&
	       event->kind != EVENT_PLAIN_READ && event->kind != EVENT_PLAIN_WRITE;
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
		explain_read_line(&at, &line);
		strbuf_clear(&name);
		ok = expression_written(strbuf_text(&line), &name) && strbuf_text(&name)[0] != '*';
	}
	if (ok)
		strbuf_adds(out, strbuf_text(&name));
	strbuf_release(&line);
	strbuf_release(&name);
	return ok;
}

/* The same, but not an element of a container that the line uses: `jobs[name] = job` changes more than that. */
static bool add_member(struct explainer *x, uint64_t object, struct strbuf *out)
{
	struct strbuf name = {0};
	bool ok = add_plain_expression(x, object, &name) && !strchr(strbuf_text(&name), '[');

	if (ok)
		strbuf_adds(out, strbuf_text(&name));
	strbuf_release(&name);
	return ok;
}

static enum expression_kind kind_of(uint64_t object)
{
	return OBJECT_CLASS(object) == OBJECT_COND   ? EXPRESSION_CONDITION
	       : OBJECT_CLASS(object) == OBJECT_LOCK ? EXPRESSION_LOCK
						     : EXPRESSION_ANY;
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
		explain_read_line(&at, &line);
		if (touches(event, object))
			ok = explain_is_memory(event->kind)
				     ? expression_of_atomic(strbuf_text(&line), out)
				     : expression_in(strbuf_text(&line), kind_of(object), out);
		ok = ok || (is_write(event) && expression_written(strbuf_text(&line), out));
		if (!is_step || i > 200)
			break;
	}
	strbuf_release(&line);
	return ok;
}

/* Does the class access an object that is not a part of it, but of the program? */
static bool is_pointer_class(const char *function)
{
	static const char *const classes[] = {"std::unique_ptr<", "std::default_delete<", "std::shared_ptr<",
					      "std::weak_ptr<", "std::__"};

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (strncmp(function, classes[i], strlen(classes[i])) == 0)
			return true;
	return false;
}

size_t explain_class_len(const char *function)
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
		return 0;
	return (size_t)(end - function);
}

/* Adds "a std::map<std::string, int>" for the function "std::map<std::string, int>::operator[]". */
static bool add_class(const char *function, struct strbuf *out)
{
	size_t len = is_pointer_class(function) ? 0 : explain_class_len(function);

	if (len)
		strbuf_addf(out, "a %.*s", (int)len, function);
	return len;
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
		user = explain_find_user(frames, len);
		if (user > 0 && user < len && frames[user - 1].function &&
		    add_class(frames[user - 1].function, out))
			return true;
	}
	return false;
}

/* The state that a future shares with the function that computes its value: the source names none of
 * its parts. */
static const char future[] = "a std::future";

bool explain_is_future(const char *name)
{
	return strncmp(name, future, strlen(future)) == 0;
}

/* The block in which std::shared_ptr counts the references to an object, as libstdc++ lays it out:
 * "references to a Config". */
static bool add_shared(const struct target_block *block, struct strbuf *out)
{
	enum { USE_COUNT = 8, WEAK_COUNT = 12, OBJECT_BEHIND = 16 };
	static const char *const kinds[] = {"_Sp_counted_ptr_inplace<", "_Sp_counted_ptr<"};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const char *type = block->field + strlen(kinds[i]), *end = type;
		int depth = 0;

		if (strncmp(block->field, kinds[i], strlen(kinds[i])) != 0)
			continue;
		for (; *end && (depth || (*end != ',' && *end != '>')); end++)
			depth += (*end == '<') - (*end == '>');
		while (end > type && (end[-1] == '*' || end[-1] == ' '))
			end--;
		if (end == type || block->offset < USE_COUNT)
			return false;
		if (strncmp(type, "std::__future_base::", strlen("std::__future_base::")) == 0) {
			strbuf_adds(out, future);
			return true;
		}
		if (block->offset < OBJECT_BEHIND)
			strbuf_addf(out, "%sreferences to a %.*s",
				    block->offset < WEAK_COUNT ? "" : "weak ", (int)(end - type),
				    type);
		else
			strbuf_addf(out, "a shared %.*s", (int)(end - type), type);
		return true;
	}
	return false;
}

/* Is it the count of those who hold an exception? It lies in front of the exception, in a block of its library, and
 * the class of a pointer to an exception changes it. */
static bool is_of_exception(struct explainer *x, uint64_t object, const struct target_block *block)
{
	const struct trace *t = x->trace;
	struct target_frame frames[FRAMES_MAX + 1];

	for (uint32_t i = 0; i < t->events_len && block->by_library && !block->offset; i++) {
		const struct event *event = &t->events[i];
		uint32_t len = 1;

		if (event->kind != EVENT_RMW || !touches(event, object))
			continue;
		x->target->ops->describe_site(x->target, event->site, &frames[0]);
		len += explain_stack(x->target, i, event->actor, frames + 1);
		for (uint32_t f = 0; f < len; f++)
			if (frames[f].function && strstr(frames[f].function, "exception_ptr::"))
				return true;
	}
	return false;
}

/* The runtime's own OpenMP library keeps the tasks, barriers and loops of a team of threads in one block. */
static const char team[] = "the OpenMP team";

static bool is_of_team(const struct target_block *block)
{
	return block->allocated.file && strstr(block->allocated.file, "/fermata-runtime/runtime/openmp/");
}

bool explain_is_team(const char *name)
{
	return strcmp(name, team) == 0;
}

/* "q->lock", or "heap(queue.c:31)+8": eight bytes behind the start of a block allocated there. */
static void add_block_name(struct explainer *x, uint64_t object, const struct target_block *block,
			   struct strbuf *out)
{
	if (is_of_team(block)) {
		strbuf_adds(out, team);
		return;
	}
	if (explain_is_text_of_thread(x->trace, object)) {
		strbuf_adds(out, EXPLAIN_TEXT);
		return;
	}
	if (is_of_exception(x, object, block)) {
		strbuf_adds(out, "references to an exception");
		return;
	}
	if (add_shared(block, out) || add_expression(x, object, out) ||
	    (explain_is_inside_node(block) && add_member(x, object, out)) ||
	    explain_node(x, object, block, out) || (block->by_library && add_class_of_library(x, object, out)))
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

static void add_address(struct explainer *x, uint64_t object, struct strbuf *out)
{
	struct strbuf text = {0};

	x->target->ops->describe_object(x->target, object, &text);
	if ((!strstr(strbuf_text(&text), " at 0x") && strncmp(strbuf_text(&text), "0x", 2) != 0) ||
	    (!add_expression(x, object, out) && !add_plain_expression(x, object, out) &&
	     !add_class_of_library(x, object, out)))
		strbuf_adds(out, strbuf_text(&text));
	strbuf_release(&text);
}

/* The C library's names of its own variables: "stdout" for "_IO_2_1_stdout_.file". */
static const char *name_of_stream(const char *name)
{
	static const char *const names[][2] = {{"_IO_2_1_stdin_", "stdin"},
					       {"_IO_2_1_stdout_", "stdout"},
					       {"_IO_2_1_stderr_", "stderr"},
					       {"locked_FILE.fp.", "a stream"}};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strncmp(name, names[i][0], strlen(names[i][0])) == 0)
			return names[i][1];
	return name;
}

/* "array[…]" of "array[i]": the index is that of the line which gave the name. The element may have another one on other
 * lines. */
static void drop_index(struct strbuf *text)
{
	struct strbuf out = {0};

	for (const char *at = strbuf_text(text); *at; at++) {
		size_t digits = *at == '[' ? strspn(at + 1, "0123456789") : 0;
		const char *end = *at == '[' && at[1 + digits] != ']' ? strchr(at, ']') : NULL;

		strbuf_addc(&out, *at);
		if (!end)
			continue;
		strbuf_adds(&out, "…]");
		at = end;
	}
	strbuf_release(text);
	*text = out;
}

static struct object_name name_object(struct explainer *x, uint64_t object)
{
	struct target *inner = target_unwrapped(x->target);
	struct object_name named = {.object = object};
	struct target_block block;
	struct strbuf text = {0};

	if (OBJECT_CLASS(object) == OBJECT_FD)
		explain_descriptor(x, object, &text);
	else if (inner->ops->describe_block && inner->ops->describe_block(inner, object, &block))
		add_block_name(x, object, &block, &text);
	else if (!inner->ops->describe_variable ||
		 !inner->ops->describe_variable(inner, object, &text, &named.is_inside))
		add_address(x, object, &text);
	if (inner->ops->describe_block && OBJECT_CLASS(object) == OBJECT_MEMORY) /* of C and C++ */
		drop_index(&text);
	named.text = name_of_stream(arena_strdup(x->arena, strbuf_text(&text)));
	named.is_inside = named.is_inside || strcmp(named.text, future) == 0 || explain_is_team(named.text);
	strbuf_release(&text);
	return named;
}

/* The same thing as different steps see it: an address, of which phases of a barrier have one each, and a word that is a
 * futex has two, a private one and another. */
static uint64_t thing_of(uint64_t object)
{
	uint64_t name = OBJECT_NAME_OF(object);

	return OBJECT_CLASS(object) == OBJECT_BARRIER ? name & ~7ul
	       : OBJECT_CLASS(object) == OBJECT_FUTEX ? name & ~1ul
						      : name;
}

static void add_object(struct explainer *x, uint64_t object)
{
	for (uint32_t i = 0; i < x->objects_len; i++)
		if (x->objects[i].object == object)
			return;
	if (OBJECT_CLASS(object) != OBJECT_NONE && x->objects_len < OBJECTS_MAX)
		x->objects[x->objects_len++] = name_object(x, object);
}

/* Was the same thing, under the same name, listed before? The parts of a variable to which the source
 * gives no names are the same thing to the reader. */
static bool is_listed(const struct explainer *x, uint32_t i)
{
	for (uint32_t j = 0; j < i; j++)
		if ((thing_of(x->objects[j].object) == thing_of(x->objects[i].object) ||
		     x->objects[i].is_inside) &&
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

		numbers[i] = all > 1 && !explain_is_node(x->objects[i].text) ? number : 0;
	}
	for (uint32_t i = 0; i < x->objects_len; i++)
		if (numbers[i])
			x->objects[i].text = arena_printf(x->arena, "%s#%u", x->objects[i].text,
							  numbers[i]);
}

static const struct object_name *find_named(struct explainer *x, uint64_t object)
{
	if (!x->objects)
		name_objects(x);
	for (uint32_t i = 0; i < x->objects_len; i++)
		if (x->objects[i].object == object)
			return &x->objects[i];
	return NULL;
}

const char *explain_object(struct explainer *x, uint64_t object)
{
	const struct object_name *named = find_named(x, object);

	return named ? named->text : name_object(x, object).text;
}

bool explain_is_inside(struct explainer *x, uint64_t object)
{
	const struct object_name *named = find_named(x, object);

	return named && named->is_inside;
}

bool explain_is_unnamed(const char *name)
{
	return strncmp(name, "0x", 2) == 0 || strncmp(name, "a ", 2) == 0 ||
	       strncmp(name, "heap(", 5) == 0;
}
