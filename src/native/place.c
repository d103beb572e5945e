#include "native/place.h"

#include <string.h>

#include "native/native_parts.h"

struct places {
	struct native *native;
	const struct channel_place *items;
	uint32_t len;
	bool has_lines; /* of the program: functions without are of libraries, or of the linker */
};

/* NULL if it is not a function of the user. */
static const char *function_at(const struct places *p, uint64_t address)
{
	bool has_lines = false;
	const char *function = native_function(p->native, address, &has_lines);

	return has_lines || !p->has_lines ? function : NULL;
}

/* The index of the first place, from `from` on, that is in the function; with NULL, in any function
 * of the user. Returns p->len if no place is. */
static uint32_t find_in(const struct places *p, uint32_t from, const char *function)
{
	for (uint32_t i = from; i < p->len; i++) {
		const char *other = function_at(p, p->items[i].at);

		if (other && (!function || strcmp(other, function) == 0))
			return i;
	}
	return p->len;
}

/* The frame that the call at `at` made. The target of a call through a pointer is not known: the
 * next place in another function is taken for real. */
static uint32_t find_callee(const struct places *p, uint32_t at)
{
	uint64_t target = p->items[at].target;
	const char *caller = function_at(p, p->items[at].at);
	/* A target is the first byte of a function, and looked up as if behind it. */
	const char *function = target ? function_at(p, target + 1) : NULL;

	if (target)
		return function ? find_in(p, at + 1, function) : p->len;
	for (uint32_t i = at + 1; i < p->len; i++) {
		const char *other = function_at(p, p->items[i].at);

		if (other && strcmp(other, caller) != 0)
			return i;
	}
	return p->len;
}

static bool have_lines(const struct places *p)
{
	bool has_lines = false;

	for (uint32_t i = 0; i < p->len && !has_lines; i++)
		native_function(p->native, p->items[i].at, &has_lines);
	return has_lines;
}

/* The index of the outermost frame of the user, or p->len if all frames are of libraries. */
static uint32_t find_outermost(const struct places *p)
{
	uint32_t at = find_in(p, 0, "main");

	return at < p->len ? at : find_in(p, 0, NULL);
}

uint64_t place_find(struct native *n, uint64_t now)
{
	const struct channel *c = n->program.channel;
	struct places p = {n, c->places, c->places_len < CHANNEL_PLACES ? c->places_len
									: CHANNEL_PLACES, false};
	uint32_t at, next;

	p.has_lines = have_lines(&p);
	at = find_outermost(&p);
	if (at == p.len || (now >= c->modules[0].start && now < c->modules[0].end &&
			    function_at(&p, now)))
		return now;
	while ((next = find_callee(&p, at)) < p.len)
		at = next;
	return p.items[at].at;
}
