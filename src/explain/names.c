#include "explain/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "explain/parts.h"

/* ---- one actor ---- */

/* Appends the function without template arguments and parameters: "Pool::run" of "Pool::run<int>(char)". */
static void add_bare(struct strbuf *out, const char *function, size_t len)
{
	int depth = 0;

	for (const char *at = function; at < function + len; at++) {
		depth += *at == '<' || *at == '(';
		if (!depth)
			strbuf_addc(out, *at);
		depth -= (*at == '>' || *at == ')') && depth;
	}
}

/* Appends "Pool::lambda" for the constructor "Pool::Pool::", "main::lambda" for "main::". */
static void add_lambda(struct strbuf *out, const char *around, size_t len)
{
	struct strbuf bare = {0};
	const char *text;
	size_t half;

	add_bare(&bare, around, len);
	text = strbuf_text(&bare);
	half = bare.len / 2;
	strbuf_adds(out, bare.len % 2 == 0 && strncmp(text, text + half, half) == 0 ? text + half : text);
	strbuf_adds(out, "lambda");
	strbuf_release(&bare);
}

/* Appends "main::parallel" for "main::main._omp_fn.0", the function that the compiler makes of a parallel region of
 * OpenMP in main; false, and nothing is appended, if it is another function. */
static bool add_parallel(struct strbuf *out, const char *function)
{
	const char *made = strstr(function, "._omp_fn"), *begin;

	if (!made)
		made = strstr(function, ".omp_outlined");
	if (!made)
		return false;
	for (begin = made; begin > function && begin[-1] != ':';)
		begin--;
	strbuf_addf(out, "%.*s::parallel", (int)(made - begin), begin);
	return true;
}

/* "Pool::run" of "Pool::run<int>", "main::lambda" of "main::{lambda()#1}::operator()". */
static void add_function(struct strbuf *out, const char *function)
{
	const char *lambda = strstr(function, "{lambda");

	if (strncmp(function, "fermata_branch", strlen("fermata_branch")) == 0) {
		strbuf_adds(out, "branch"); /* of a test that fermata/model.h runs */
		return;
	}
	if (add_parallel(out, function))
		return;
	if (lambda)
		add_lambda(out, function, (size_t)(lambda - function));
	else
		add_bare(out, function, strlen(function));
}

/* The outermost function of the program on a stack of the actor, if it has a name. */
static bool add_outermost(struct target *target, uint32_t key, uint32_t actor, struct strbuf *out)
{
	struct target_frame frames[FRAMES_MAX];
	uint32_t len = explain_stack(target, key, actor, frames);
	const struct target_frame *outermost = len ? &frames[len - 1] : NULL;

	if (!len || !outermost->function || outermost->function[0] == '?' || !outermost->file ||
	    !explain_is_user(outermost))
		return false;
	if (strstr(outermost->function, "::~"))
		return false; /* a library destroys what the thread was given, behind its function */
	add_function(out, outermost->function);
	return true;
}

/* The function that the thread was made with, if it is the program's. */
static bool add_first_function(struct target *target, uint32_t actor, struct strbuf *out)
{
	struct target *inner = target_unwrapped(target);
	struct target_frame start = {0};

	if (!inner->ops->describe_start || !inner->ops->describe_start(inner, actor, &start) ||
	    !explain_is_user(&start))
		return false;
	add_function(out, start.function);
	return true;
}

/* The function with which the actor begins. The first steps of a thread of std::async are the
 * library's, with nothing of the program on the stack; so the first stack that names a function
 * counts. */
static bool add_start(struct target *target, const struct trace *trace, uint32_t actor,
		      struct strbuf *out)
{
	for (uint32_t i = 0; i < trace->events_len; i++)
		if (trace->events[i].actor == actor && add_outermost(target, i, actor, out))
			return true;
	if (add_outermost(target, (uint32_t)TARGET_AT_END, actor, out))
		return true;
	for (uint32_t i = 0; i < trace->plains_len; i++)
		if (trace->plains[i].actor == actor &&
		    add_outermost(target, i | (uint32_t)TARGET_OF_PLAIN, actor, out))
			return true;
	return add_first_function(target, actor, out);
}

static const char *base_name(struct target *target, const struct trace *trace, uint32_t actor,
			     struct arena *arena)
{
	struct target *inner = target_unwrapped(target);
	struct strbuf text = {0};
	const char *result = NULL;

	if (inner->ops->describe_actor && inner->ops->describe_actor(inner, actor, &text))
		result = arena_strdup(arena, strbuf_text(&text));
	else if (!inner->ops->describe_alias && actor == 0)
		result = "main"; /* its first step may be in a library without debug information */
	else if (!inner->ops->describe_alias)
		result = add_start(target, trace, actor, &text) ? arena_strdup(arena, strbuf_text(&text)) : "thread";
	strbuf_release(&text);
	return result;
}

static const char *alias_of(struct target *target, uint32_t actor, struct arena *arena)
{
	struct target *inner = target_unwrapped(target);
	struct strbuf text = {0};
	const char *result = NULL;

	if (inner->ops->describe_alias && inner->ops->describe_alias(inner, actor, &text))
		result = arena_strdup(arena, strbuf_text(&text));
	strbuf_release(&text);
	return result;
}

/* ---- all of them ---- */

static struct name *find_actor(const struct names *names, uint32_t actor)
{
	for (uint32_t i = 0; i < names->len; i++)
		if (names->items[i].actor == actor)
			return &names->items[i];
	return NULL;
}

static void add_actor(struct names *names, struct target *target, const struct trace *trace,
		      uint32_t actor, struct arena *arena)
{
	char id[ACTOR_NAME_MAX];

	if (actor >= trace->actors_len || find_actor(names, actor))
		return;
	actor_name(trace->actors, actor, id);
	names->items[names->len++] = (struct name){
		.id = arena_strdup(arena, id),
		.alias = alias_of(target, actor, arena),
		.actor = actor,
	};
}

/* In the order of creation: the creator stands before the event that names the created. */
static void list_actors(struct names *names, struct target *target, const struct trace *trace,
			bool is_virtual, struct arena *arena)
{
	for (uint32_t i = 0; i < trace->events_len; i++) {
		uint32_t both[] = {trace->events[i].actor, event_created(&trace->events[i])};

		for (int n = 0; n < 2; n++)
			if (both[n] < trace->actors_len &&
			    actor_is_virtual(&trace->actors[both[n]]) == is_virtual)
				add_actor(names, target, trace, both[n], arena);
	}
	for (uint32_t i = 0; i < trace->pending_len; i++)
		if (actor_is_virtual(&trace->actors[trace->pending[i].actor]) == is_virtual)
			add_actor(names, target, trace, trace->pending[i].actor, arena);
}

static void number_names(struct names *names, struct arena *arena)
{
	const char **bases = arena_zalloc(arena, (names->len + 1) * sizeof(*bases));

	for (uint32_t i = 0; i < names->len; i++)
		bases[i] = names->items[i].text;
	for (uint32_t i = 0; i < names->len; i++) {
		uint32_t before = 0, all = 0;

		for (uint32_t j = 0; j < names->len && bases[i]; j++)
			if (bases[j] && strcmp(bases[i], bases[j]) == 0) {
				before += j < i;
				all++;
			}
		if (all > 1)
			names->items[i].text = arena_printf(arena, "%s#%u", bases[i], before + 1);
	}
}

static const char *virtual_name(const struct names *names, const struct trace *trace,
				uint32_t index, struct arena *arena)
{
	const struct actor *actor = &trace->actors[index];
	const struct name *owner = find_actor(names, actor->parent);
	const struct name *other = actor->kind == ACTOR_CHANNEL ? find_actor(names, actor->nth) : NULL;

	if (!owner)
		return NULL;
	if (actor->kind == ACTOR_CHANNEL)
		return other ? arena_printf(arena, "%s→%s", owner->text, other->text) : NULL;
	return arena_printf(arena, actor->kind == ACTOR_TIMER ? "%s's timer" : "%s's chance",
			    owner->text);
}

static void mark_taken(struct names *names, const struct trace *trace)
{
	for (uint32_t i = 0; i < names->len; i++) {
		struct name *name = &names->items[i];

		/* One that ends the run may do so in its first step, which it never announces. */
		name->is_taken = name->actor == trace->end_actor;
		for (uint32_t e = 0; e < trace->events_len && !name->is_taken; e++)
			name->is_taken = trace->events[e].actor == name->actor;
		for (uint32_t p = 0; p < trace->pending_len && !name->is_taken; p++)
			name->is_taken = trace->pending[p].actor == name->actor &&
					 !actor_is_virtual(&trace->actors[name->actor]);
		for (uint32_t p = 0; p < trace->plains_len && !name->is_taken; p++)
			name->is_taken = trace->plains[p].actor == name->actor;
	}
}

void names_take(struct names *names, uint32_t actor)
{
	struct name *name = find_actor(names, actor);

	if (name)
		name->is_taken = true;
}

void names_make(struct names *names, struct target *target, const struct trace *trace,
		struct arena *arena)
{
	uint32_t real;

	*names = (struct names){.items = arena_zalloc(arena, (trace->actors_len + 1) *
							     sizeof(*names->items))};
	add_actor(names, target, trace, 0, arena);
	list_actors(names, target, trace, false, arena);
	real = names->len;
	for (uint32_t i = 0; i < real; i++)
		names->items[i].text = base_name(target, trace, names->items[i].actor, arena);
	number_names(names, arena);
	for (uint32_t i = 0; i < real; i++)
		if (!names->items[i].text)
			names->items[i].text = names->items[i].id;
	list_actors(names, target, trace, true, arena);
	for (uint32_t i = real; i < names->len; i++) {
		const char *text = virtual_name(names, trace, names->items[i].actor, arena);

		names->items[i].text = text ? text : names->items[i].id;
	}
	mark_taken(names, trace);
}

/* ---- in a text ---- */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The longest name that the text begins with; NULL if it begins with none. */
static const struct name *find_at(const struct names *names, const char *at, size_t *len)
{
	const struct name *best = NULL;

	*len = 0;
	for (uint32_t i = 0; i < names->len; i++) {
		const struct name *name = &names->items[i];
		const char *words[] = {name->id, name->alias};

		for (int n = 0; n < 2; n++) {
			size_t length = words[n] ? strlen(words[n]) : 0;

			if (length <= *len || strncmp(at, words[n], length) != 0 ||
			    is_word(at[length]) ||
			    (n == 0 && at[length] == '.' && isdigit((unsigned char)at[length + 1])))
				continue;
			best = name;
			*len = length;
		}
	}
	return best;
}

static const char PID[] = "#PID";

const char *names_replace(const struct names *names, const char *text, struct arena *arena)
{
	struct strbuf out = {0};
	const char *result;
	size_t len;

	for (const char *at = text; *at;) {
		bool is_pid = strncmp(at, PID, strlen(PID)) == 0; /* as Elixir writes it */
		bool may_begin = is_pid || ((*at == 'P' || *at == '<') &&
					    (at == text || !is_word(at[-1])));
		const struct name *name = may_begin ? find_at(names, at + (is_pid ? strlen(PID) : 0), &len) : NULL;

		if (name) {
			strbuf_adds(&out, name->text);
			at += len + (is_pid ? strlen(PID) : 0);
		} else {
			strbuf_addc(&out, *at++);
		}
	}
	result = arena_strdup(arena, strbuf_text(&out));
	strbuf_release(&out);
	return result;
}
